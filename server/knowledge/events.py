"""What happened, as each viewer may see it: lines of the log, from the rules' events.

A whitelist again: an event kind without a writer here is not sent. A `Line` has what everyone may see and, where some may
see more (the card one draws), their own version. Names stand beside ids, because the objects may be gone from the view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec

from protocol.questions import Arg
from protocol.view import Event
from protocol.words import say
from server.cards.keywords import TITLES
from server.knowledge.citations import cited
from server.knowledge.hidden import PUBLIC_ZONES, Viewer, may_know
from server.knowledge.numbers import number_text
from server.knowledge.views import step_word
from server.rules.characteristics import known
from server.rules.model import Object, Ref, Rule, State, player_ref, seat_of, votes
from server.rules.model import events as done

_DRAWN = ("draw", "opening")


class Line(msgspec.Struct, frozen=True):
    """One line of the log: `public` for all (None: nothing), `private` for the seats that may see more."""

    public: Event | None
    private: dict[int, Event] = {}

    def of(self, viewer: Viewer) -> Event | None:
        """The line as a viewer sees it."""
        if viewer is not None and viewer in self.private:
            return self.private[viewer]
        return self.public


class Scene:
    """The states around some events, to find names in."""

    def __init__(self, before: State, after: State) -> None:
        self.before = before
        self.after = after
        self.destroyed: dict[Ref, done.Destroy] = {}

    def write(self, happened: Iterable[done.Event]) -> list[Line]:
        """The lines of all events that are shown; cards drawn by, or put back by, one player in a row are one line."""
        lines: list[Line] = []
        row: list[done.Move] = []
        for event in happened:
            if isinstance(event, done.Destroy):
                self.destroyed[event.subject] = event
            if row and not (isinstance(event, done.Move) and self.same_row(row[0], event)):
                lines.append(self.many(row))
                row = []
            if isinstance(event, done.Move) and (event.cause in _DRAWN or _put_back(event)):
                row.append(event)
                continue
            writer = WRITERS.get(type(event))
            if writer is not None:
                lines.extend(writer(self, event))
        if row:
            lines.append(self.many(row))
        return lines

    def taken_back(self, seat: int, why: str = "") -> Line:
        """A player has taken back an answer, or the table has: no event of the rules, but part of what happened."""
        key = f"event.{why or 'taken_back'}"
        return Line(Event(kind="taken_back", key=key, args=self.who(player_ref(seat))))

    # --- parts ---

    def line(self, event: done.Event, key: str, /, **args: Arg) -> Line:
        """A line that everyone sees."""
        return Line(self.event(event, key, args))

    def event(self, event: done.Event, key: str, args: dict[str, Arg], kind: str = "") -> Event:
        """An event for the wire, of its own kind or another one."""
        kind = kind or str(event.__struct_config__.tag)
        return Event(kind=kind, key=f"event.{key}", rule=self.after.edition.number(self.rule(event)), args=args)

    def rule(self, event: done.Event) -> Rule | None:
        """The rule by which an event is told. What is put into a graveyard as it is destroyed is told by why it is destroyed."""
        why = self.destroyed.get(event.subject) if isinstance(event, done.Move) and event.cause == "destroy" else None
        return cited(why or event, len(self.after.players))

    def find(self, oid: int) -> Object | None:
        """The object, as it is now, was before, or was last known."""
        found = self.after.objects.get(oid) or self.before.objects.get(oid)
        if found is None:
            last = self.after.last.get(oid)
            found = last.object if last is not None else None
        return found

    def name(self, oid: int) -> str:
        """The name of an object that everyone may know; otherwise what everyone sees of it."""
        found = self.find(oid)
        if found is None:
            return "what.a_card"
        if found.zone in PUBLIC_ZONES and found.face_down:
            return "what.face_down"
        return found.definition.name if found.zone in PUBLIC_ZONES else "what.a_card"

    def player(self, ref: Ref) -> str:
        """A player's name."""
        return self.after.players[seat_of(ref)].name

    def who(self, ref: Ref) -> dict[str, Arg]:
        """A player as arguments: `player` the name, `seat`."""
        return {"player": self.player(ref), "seat": seat_of(ref)}

    def card(self, oid: int, name: str = "card") -> dict[str, Arg]:
        """An object as arguments: its name, and its id if everyone sees where it is now."""
        args: dict[str, Arg] = {name: self.name(oid)}
        now = self.after.objects.get(oid)
        if now is not None and now.zone in PUBLIC_ZONES:
            args[f"{name}_id"] = number_text(oid)
        return args

    def target(self, ref: Ref) -> dict[str, Arg]:
        """A player or object as arguments `target` and `target_seat` or `target_id`."""
        if ref < 0:
            return {"target": self.player(ref), "target_seat": seat_of(ref)}
        return self.card(ref, "target") if ref else {"target": "what.nothing"}

    # --- moves ---

    def owner(self, event: done.Move) -> int:
        """Whose card moves."""
        found = self.find(event.became) or self.find(event.subject)
        return found.owner if found is not None else max(event.owner, 0)

    def same_row(self, first: done.Move, event: done.Move) -> bool:
        """Whether a move is of the same sort and player."""
        return (event.cause, event.from_, event.to) == (first.cause, first.from_, first.to) and self.owner(
            event
        ) == self.owner(first)

    def many(self, moves: list[done.Move]) -> Line:
        """Cards drawn, or put back into the library: a number for the others, names for those who may know them."""
        drawn = moves[0].cause in _DRAWN
        if not drawn and len(moves) == 1:
            return self.move(moves[0])[0]
        kind = "draw" if drawn else "move"
        args = {**self.who(-1 - self.owner(moves[0])), "number": len(moves)}
        key = "move_many" if not drawn else "draw" if len(moves) == 1 else "draws"
        public = self.event(moves[0], key, args, kind)
        private: dict[int, Event] = {}
        for viewer in range(len(self.after.players)):
            cards = [self.known(event, viewer) for event in moves]
            if all(cards):
                # Drawn in an order that the player has seen; a hand is put back at once, and lies in none.
                more = {**args, "card": ", ".join(cards if drawn else sorted(cards))}
                if drawn and viewer == self.owner(moves[0]):
                    more["cards"] = [number_text(event.became) for event in moves]
                private[viewer] = self.event(moves[0], "draw_known" if drawn else "move_many_known", more, kind)
        return Line(public, private)

    def known(self, event: done.Move, viewer: int) -> str:
        """The name of the card that moves, "" if the viewer may not know it."""
        old, new = self.before.objects.get(event.subject), self.after.objects.get(event.became)
        if new is not None and may_know(new, viewer):
            return new.definition.name
        if old is not None and event.to == "library" and may_know(old, viewer):
            return old.definition.name
        return ""

    def move(self, event: done.Move) -> list[Line]:
        """A change of zones, told in the words that fit; moves onto the stack and off it are told by other events."""
        if event.cause == "venture":
            return [self.line(event, "venture", **self.who(player_ref(event.owner)), **self.card(event.became))]
        if event.to in ("stack", "command") or (event.from_ == "stack" and event.to != "exile"):
            if event.to != "battlefield":
                return []
        old = event.last.object if event.last is not None else self.before.objects.get(event.subject)
        new = self.after.objects.get(event.became)
        key = _move_key(event)
        base: dict[str, Arg] = {"from": event.from_, "to": event.to}
        holder = new or old
        if holder is not None:
            base.update(self.who(-1 - (holder.controller if event.to == "battlefield" else holder.owner)))
        if old is not None and event.cause == "sacrifice":
            base.update(self.who(-1 - old.controller))
        shown = event.reveal or _seen(old, None) or _seen(new, None) or event.from_ == ""
        name = new.definition.name if new is not None else old.definition.name if old is not None else ""
        if shown and name and not (new is not None and new.face_down):
            args = {**base, "card": name}
            if new is not None and new.zone in PUBLIC_ZONES:
                args["card_id"] = number_text(new.id)
            return [Line(self.event(event, key, args))]
        public = self.event(event, key, {**base, "card": "what.a_card"})
        private: dict[int, Event] = {}
        for viewer in range(len(self.after.players)):
            if name and (_seen(old, viewer) or _seen(new, viewer)):
                args = {**base, "card": name}
                if new is not None and _has_id(new, viewer):
                    args["card_id"] = number_text(new.id)
                private[viewer] = self.event(event, key, args)
        return [Line(public, private)]


def _seen(thing: Object | None, viewer: Viewer) -> bool:
    return thing is not None and may_know(thing, viewer)


def _has_id(thing: Object, viewer: int) -> bool:
    """Whether the viewer knows the object by its number: in public, and in its own hand."""
    return thing.zone in PUBLIC_ZONES or (thing.zone == "hand" and thing.owner == viewer)


def _put_back(event: done.Move) -> bool:
    return event.from_ == "hand" and event.to == "library" and not event.reveal


def _move_key(event: done.Move) -> str:
    if event.cause in ("destroy", "sacrifice", "discard", "mill", "create"):
        return event.cause
    if event.to == "battlefield":
        return "enter"
    if event.to == "graveyard" and event.from_ == "battlefield":
        return "die"
    return f"move_{event.to}"


# --- one writer for each kind -----------------------------------------------------------------------------------------------


def _step(s: Scene, e: done.StepEntered) -> list[Line]:
    if e.step == "untap":
        return [s.line(e, "turn", number=s.after.turn.number, **s.who(e.subject))]
    return [s.line(e, f"step.{step_word(e.step)}", **s.who(e.subject))]


def _cast(s: Scene, e: done.Cast) -> list[Line]:
    found = s.find(e.object)
    targets = [ref for slot in found.entry.targets for ref in slot] if found is not None and found.entry else []
    args = {**s.who(e.subject), **s.card(e.object)}
    if not targets:
        return [s.line(e, "cast", **args)]
    names = ", ".join(s.player(ref) if ref < 0 else s.name(ref) for ref in targets)
    return [s.line(e, "cast_at", **args, targets=names)]


def _activated(s: Scene, e: done.Activated) -> list[Line]:
    if e.object == 0:  # a mana ability: the mana pool shows it
        return []
    return [s.line(e, "activate", **s.who(e.subject), **s.card(e.by))]


def _on_stack(s: Scene, e: done.AbilityOnStack) -> list[Line]:
    if e.entry is None or e.entry.kind != "triggered":
        return []
    return [s.line(e, "trigger", **s.card(e.by))]


def _attackers(s: Scene, e: done.AttackersDeclared) -> list[Line]:
    return [
        Line(s.event(e, "attack", {**s.card(creature), **s.target(to)}, "attacks")) for creature, to, _ in e.attacks
    ]


def _blockers(s: Scene, e: done.BlockersDeclared) -> list[Line]:
    return [
        Line(s.event(e, "block", {**s.card(blocker), **s.target(attacker)}, "blocks")) for blocker, attacker in e.blocks
    ]


# A damage event is told in its three parts (119.4): `part` 1 is what is dealt or prevented, 2 its results, 3 that it has
# happened. Clients may fold the parts; each line says the rule that it goes by.


def _damage(s: Scene, e: done.Damage) -> list[Line]:
    return [s.line(e, "damage", part=1, amount=e.amount, **s.card(e.subject, "source"), **s.target(e.object))]


def _prevented(s: Scene, e: done.Prevented) -> list[Line]:
    args = {**s.card(e.subject, "source"), **s.target(e.object)}
    return [s.line(e, "prevented", part=1, amount=e.amount, **args)]


def _damage_happened(s: Scene, e: done.DamageHappened) -> list[Line]:
    return [s.line(e, "damage_happened", part=3)]


def _mark(s: Scene, e: done.MarkDamage) -> list[Line]:
    return [s.line(e, "mark", part=2, amount=e.amount, **s.target(e.subject))]


def _life_loss(s: Scene, e: done.LoseLife) -> list[Line]:
    if e.cause == "damage":
        return [s.line(e, "life_loss", part=2, amount=e.amount, **s.who(e.subject))]
    return [s.line(e, "pay_life" if e.cause == "pay" else "life_loss", amount=e.amount, **s.who(e.subject))]


def _life_gain(s: Scene, e: done.GainLife) -> list[Line]:
    if e.cause == "lifelink":
        args = {**s.who(e.subject), **s.card(e.by, "source")}
        return [s.line(e, "lifelink", part=2, amount=e.amount, **args)]
    return [s.line(e, "life_gain", amount=e.amount, **s.who(e.subject))]


def _counters_put(s: Scene, e: done.PutCounters) -> list[Line]:
    args = {"amount": e.amount, "counter": e.counter, **s.target(e.subject)}
    if e.cause != "damage":
        return [s.line(e, "counters_put", **args)]
    source = known(s.after, e.by) or known(s.before, e.by)
    infect = source is not None and "infect" in source.keywords
    key = "counters_infect" if infect else "counters_wither"
    return [s.line(e, key, part=2, **s.card(e.by, "source"), **args)]


def _counters_removed(s: Scene, e: done.RemoveCounters) -> list[Line]:
    args = {"amount": e.amount, "counter": e.counter, **s.target(e.subject)}
    if e.cause == "damage":
        return [s.line(e, "counters_removed", part=2, **args)]
    return [s.line(e, "counters_removed", **args)]


def _reveal(s: Scene, e: done.Reveal) -> list[Line]:
    everyone = (1 << len(s.after.players)) - 1
    found = [s.find(oid) for oid in e.objects]
    # In order of names: how a hand was drawn, or a library lies, is none of a reveal's business.
    names = ", ".join(sorted(thing.definition.name for thing in found if thing is not None))
    seats = e.seats & everyone
    owner = next((thing.owner for thing in found if thing is not None), 0)
    args: dict[str, Arg] = {**s.who(-1 - owner), "number": len(e.objects)}
    if seats == everyone:
        return [Line(s.event(e, "reveal", {**args, "card": names}))]
    private = {
        seat: s.event(e, "look", {**args, "card": names}) for seat in range(len(s.after.players)) if seats >> seat & 1
    }
    return [Line(None, private)]


def _loses(s: Scene, e: done.Loses) -> list[Line]:
    return [s.line(e, "loses", **s.who(e.subject), reason=lost_key(e.cause))]


LOST = {
    "life": "lost.life",
    "commander": "lost.commander",
    "poison": "lost.poison",
    "library": "lost.library",
    "draw": "lost.library",
    "empty library": "lost.library",
    "concede": "lost.concession",
    "concession": "lost.concession",
}
"""The catalogue's keys for the rules' reasons to lose."""


def lost_key(cause: str) -> str:
    """Why somebody lost, as a key of the catalogue."""
    return LOST.get(cause, "lost.effect")


def _mulligan(s: Scene, e: done.Mulligan) -> list[Line]:
    return [s.line(e, "keep" if e.cause == "kept" else "mulligan", **s.who(e.subject))]


def _chosen(s: Scene, e: done.Chosen) -> list[Line]:
    return [s.line(e, "chosen", **s.card(e.subject), what=e.what, value=e.value)]


_NAMED = re.compile(r"\$player(\d+)|[#$](\d+)")


def _votes(s: Scene, e: votes.Votes) -> list[Line]:
    if e.value:
        return [s.line(e, "votes", value=e.value, **s.who(e.subject))]
    return [s.line(e, "votes_for", **s.target(e.object), **s.who(e.subject))]


def _decides(s: Scene, e: votes.Decides) -> list[Line]:
    if e.yes and e.objects:
        return [s.line(e, "decides_on", **s.card(ref), **s.who(e.subject)) for ref in e.objects]
    return [s.line(e, "decides_to" if e.yes else "decides_not_to", **s.who(e.subject))]


def _acted(s: Scene, e: done.Acted) -> list[Line]:
    """An act as all may read it: who is named by name, and a card that not all may know as a card."""

    def name(found: re.Match[str]) -> str:
        if found[1]:
            seat = int(found[1])
            return s.after.players[seat].name if seat < len(s.after.players) else found[0]
        told = s.name(int(found[2]))
        return say(told) if told.startswith("what.") else told

    return [s.line(e, "acted", **s.who(e.subject), **s.card(e.by), said=_NAMED.sub(name, e.said))]


def _attached(s: Scene, e: done.Attach) -> list[Line]:
    if not e.object:
        return [s.line(e, "unattached", **s.card(e.subject))]
    return [s.line(e, "attached", **s.card(e.subject), **s.target(e.object))]


def _control(s: Scene, e: done.ControlChanged) -> list[Line]:
    return [s.line(e, "control", **s.who(e.object), **s.card(e.subject))]


def _die(s: Scene, e: done.DieRolled) -> list[Line]:
    return [s.line(e, "die_rolled", **s.who(e.subject), number=e.amount)]


def _coin(s: Scene, e: done.CoinFlipped) -> list[Line]:
    return [s.line(e, "coin_lost" if e.cause == "lost" else "coin_won", **s.who(e.subject))]


def _of_player(key: str) -> Callable[[Scene, Any], list[Line]]:
    """A line about the player that is the event's subject."""
    return lambda s, e: [s.line(e, key, **s.who(e.subject))]


def _of_card(key: str) -> Callable[[Scene, Any], list[Line]]:
    """A line about the object that is the event's subject."""
    return lambda s, e: [s.line(e, key, **s.card(e.subject))]


def _turned_over(scene: Scene, event: done.TurnedOver) -> list[Line]:
    before = scene.before.objects.get(event.subject)
    other = event.definition.name if event.definition is not None else ""
    was = before.definition.name if before is not None else other
    return [scene.line(event, "turned_over", **{**scene.card(event.subject), "card": was, "into": other})]


def _designated(s: Scene, e: done.Designated) -> list[Line]:
    return [s.line(e, e.cause, **s.who(e.subject))] if e.subject < 0 and e.cause in TITLES.values() else []


def _ceases(s: Scene, e: done.Ceases) -> list[Line]:
    return [s.line(e, "dungeon", **s.who(e.object), **s.card(e.subject))] if e.cause == "completed" else []


WRITERS = cast(
    "dict[type[done.Event], Callable[[Scene, Any], list[Line]]]",
    {
        done.Move: Scene.move,
        done.StepEntered: _step,
        done.Cast: _cast,
        done.Activated: _activated,
        done.AbilityOnStack: _on_stack,
        done.AttackersDeclared: _attackers,
        done.BlockersDeclared: _blockers,
        done.Damage: _damage,
        done.Prevented: _prevented,
        done.DamageHappened: _damage_happened,
        done.MarkDamage: _mark,
        done.LoseLife: _life_loss,
        done.GainLife: _life_gain,
        done.PutCounters: _counters_put,
        done.RemoveCounters: _counters_removed,
        done.Reveal: _reveal,
        done.Loses: _loses,
        done.Wins: _of_player("wins"),
        done.GameDrawn: lambda s, e: [s.line(e, "game_drawn")],
        done.Restarts: _of_player("restarts"),
        done.Subgame: lambda s, e: [s.line(e, "subgame_over" if e.cause else "subgame")],
        done.Mulligan: _mulligan,
        done.Acted: _acted,
        done.Chosen: _chosen,
        done.Ceases: _ceases,
        done.Designated: _designated,
        done.Attach: _attached,
        done.ControlChanged: _control,
        done.DieRolled: _die,
        done.CoinFlipped: _coin,
        done.Shuffle: _of_player("shuffle"),
        done.SearchLibrary: _of_player("search"),
        votes.Votes: _votes,
        votes.Decides: _decides,
        done.Scried: _of_player("scry"),
        done.ExtraTurn: _of_player("extra_turn"),
        done.Countered: _of_card("countered"),
        done.Regenerated: _of_card("regenerated"),
        done.RemovedFromCombat: _of_card("removed_from_combat"),
        done.TurnedOver: _turned_over,
        done.TurnFaceUp: _of_card("turned_face_up"),
        done.PhaseOut: _of_card("phased_out"),
        done.PhaseIn: _of_card("phased_in"),
    },
)
