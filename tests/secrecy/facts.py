"""What a viewer may know of a state, said from the rules alone: the judge of the byte law, which asks nothing of the server.

`facts` is a value: two games of which a viewer knows equal facts at every moment must look the same to it, byte for byte.
It errs on one side only. What it leaves out (ids, the order of cards that one has seen but not placed, who could have
done something) nobody may learn; what it has in it two games may show differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from server.rules.model import (
    Choice,
    ChooseQuestion,
    DivideQuestion,
    Object,
    OrderQuestion,
    PaymentQuestion,
    PriorityQuestion,
    State,
)
from server.rules.model import events as done

Viewer: TypeAlias = int | None
Facts: TypeAlias = tuple[Any, ...]

PUBLIC_ZONES = ("battlefield", "graveyard", "stack", "exile", "command")
"""400.2."""


def may_see(thing: Object, viewer: Viewer) -> bool:
    """Whether the viewer may look at which card it is: open ones, its own hand, its own face-down permanent or spell (707.5),
    what an effect has shown to it.
    """
    if thing.zone in PUBLIC_ZONES and not thing.face_down:
        return True
    if viewer is None:
        return False
    own = thing.owner if thing.zone == "hand" else thing.controller if thing.zone in ("battlefield", "stack") else None
    return own == viewer or bool(thing.known >> viewer & 1)


def hidden(state: State, owner: int, insiders: tuple[int, ...]) -> list[int]:
    """Ids of a player's cards of which only the `insiders` may know which they are, or nobody: in hand, in the library, face down
    in exile or on the battlefield.
    """
    others = [player.seat for player in state.players if player.seat not in insiders]
    player = state.players[owner]
    ids = [*player.hand, *player.library, *(i for i in state.exile if state.objects[i].owner == owner)]
    ids += [i for i in state.battlefield if state.objects[i].owner == owner and not state.objects[i].token]
    return [i for i in ids if not any(may_see(state.objects[i], viewer) for viewer in (None, *others))]


def facts(state: State, viewer: Viewer) -> Facts:
    """Everything that the viewer may know."""
    return _Facts(state, viewer).all()


class _Facts:
    def __init__(self, state: State, viewer: Viewer) -> None:
        self.state = state
        self.viewer = viewer
        self.place: dict[int, tuple[str, int, int]] = {}
        for name, owner, ids in self._zones():
            for number, oid in enumerate(ids):
                self.place[oid] = (name, owner, number)

    def _zones(self) -> Iterable[tuple[str, int, tuple[int, ...]]]:
        state = self.state
        yield from (("battlefield", -1, state.battlefield), ("stack", -1, state.stack))
        yield from (("exile", -1, state.exile), ("command", -1, state.command))
        yield from (("graveyard", player.seat, player.graveyard) for player in state.players)

    def all(self) -> Facts:
        state = self.state
        turn = state.turn
        return (
            (turn.number, turn.active, turn.step, turn.steps, turn.extra, state.passes, state.chance),
            tuple(self._player(seat) for seat in range(len(state.players))),
            tuple(tuple(map(self._object, ids)) for _, _, ids in self._zones()),
            self._combat(),
            self._asked(),
            state.result,
        )

    def _player(self, seat: int) -> Facts:
        player = self.state.players[seat]
        mine = seat == self.viewer
        hand = [self._name(i) for i in player.hand if may_see(self.state.objects[i], self.viewer)]
        library = [self._name(i) for i in player.library if may_see(self.state.objects[i], self.viewer)]
        return (
            (player.life, player.counters, player.pool, len(player.marked), player.lands_played, player.lost),
            (len(player.hand), len(player.library), player.commander_damage, player.max_hand),
            tuple(hand) if mine else tuple(sorted(hand)),
            tuple(sorted(library)),
        )

    def _name(self, oid: int) -> str:
        return self.state.objects[oid].definition.name

    def _ref(self, ref: int) -> Any:
        """A player, a place, or for what is in no public zone the card if the viewer may see it."""
        if ref <= 0:
            return ref
        if ref in self.place:
            return self.place[ref]
        thing = self.state.objects.get(ref)
        if thing is not None:
            return (thing.zone, thing.owner, thing.definition.name if may_see(thing, self.viewer) else "?")
        last = self.state.last.get(ref)
        return ("gone", last.object.definition.name if last is not None and may_see(last.object, self.viewer) else "?")

    def _object(self, oid: int) -> Facts:
        thing = self.state.objects[oid]
        entry = thing.entry
        said: Facts = ()
        if entry is not None:
            targets = tuple(tuple(map(self._ref, slot)) for slot in entry.targets)
            text = "" if thing.face_down else str(getattr(entry.ability, "text", ""))
            source = self._ref(entry.source) if entry.kind != "spell" else ()
            said = (entry.kind, targets, entry.x, entry.divisions, entry.modes, entry.paid, entry.copied, text, source)
        return (
            (thing.zone, thing.owner, thing.controller, thing.tapped, thing.face_down, thing.phased_out, thing.token),
            (thing.damage, thing.counters, thing.chosen, thing.sick, thing.commander, thing.turned, len(thing.merged)),
            self._name(oid) if may_see(thing, self.viewer) else "?",
            self._ref(thing.attached_to),
            said,
        )

    def _combat(self) -> Facts:
        combat = self.state.combat
        if combat is None:
            return ()
        return (
            tuple(
                (self._ref(a.id), self._ref(a.defender), a.player, a.blocked, tuple(map(self._ref, a.blockers)), a.band)
                for a in combat.attackers
            ),
            combat.blocks_declared,
        )

    def _asked(self) -> Facts:
        """The viewer's own question, with what it shows; of others' questions none but who has priority."""
        pending = self.state.pending
        if pending is None:
            return ()
        if isinstance(pending, PriorityQuestion) and pending.seat != self.viewer:
            return ("priority", pending.seat, pending.for_seat)
        if pending.seat != self.viewer:
            return self._shown_too(pending) if pending.for_seat == self.viewer else ()
        head = (type(pending).__name__, pending.purpose, self._ref(pending.source), pending.for_seat)
        match pending:
            case PriorityQuestion() | PaymentQuestion():
                return (*head, tuple((a.type, self._ref(a.object), a.ability, a.way, a.side) for a in pending.actions))
            case ChooseQuestion() | OrderQuestion() | DivideQuestion():
                return (*head, tuple(map(self._choice, pending.options)))
            case _:
                return (*head, getattr(pending, "text", ""), getattr(pending, "least", 0), getattr(pending, "most", 0))

    def _shown_too(self, pending: Any) -> Facts:
        """Who is controlled sees the hidden cards that the controller chooses from for them (712.4), and so that there is a choice."""
        options = getattr(pending, "options", ())
        return (pending.purpose, tuple(self._choice(c) for c in options if isinstance(c, Choice) and c.ref > 0))

    def _choice(self, choice: Choice) -> Facts:
        """What is shown as a choice is seen by whom it is shown to (701.15a)."""
        thing = self.state.objects.get(choice.ref)
        if thing is not None and thing.zone not in PUBLIC_ZONES:
            return (thing.zone, thing.owner, thing.definition.name)
        return (self._ref(choice.ref), choice.word, choice.text)


def shown(events: Iterable[done.Event], before: State, after: State, viewer: Viewer) -> Facts:
    """What the viewer was shown while an input was played, and may be hidden again since: names, in their order."""
    everyone = sum(1 << player.seat for player in after.players)
    found: list[Any] = []
    for event in events:
        if isinstance(event, done.Reveal):
            if event.seats & everyone == everyone or (viewer is not None and event.seats >> viewer & 1):
                found.append(("reveal", tuple(sorted(_name(i, before, after) for i in event.objects))))
        elif isinstance(event, done.Move):
            moved = after.objects.get(event.became)
            face_down = event.face_down or (moved is not None and moved.face_down)
            if event.reveal or (event.to in PUBLIC_ZONES and not face_down):
                found.append((event.from_, event.to, event.cause, _name(event.became or event.subject, before, after)))
            else:
                found.append((event.from_, event.to, event.cause))
        elif not isinstance(event, done.SetLibrary | done.SearchLibrary):
            found.append((type(event).__name__, event.cause, event.amount))
    return tuple(found)


def _name(oid: int, before: State, after: State) -> str:
    thing = after.objects.get(oid) or before.objects.get(oid)
    return thing.definition.name if thing is not None else ""
