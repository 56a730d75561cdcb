"""Building a game in the middle: who has what where, without the moves that would lead there.

For tests, benchmarks and scenarios. A permanent placed here has no summoning sickness and no ability triggers as it
enters, but what it enters *with* applies (614.1c, d): replacement effects run as ever, the placement is a real move.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.nouns import Zone
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BatchFrame,
    Defect,
    Definition,
    Object,
    Options,
    Ref,
    State,
    TurnFrame,
    chance,
    commander_number,
    define,
    events,
    evolve,
    lookup,
    rare,
    with_counters,
    with_rare,
)
from server.rules.turn import driver, legal
from server.rules.turn.game import Seat, deal

Decide = Callable[[State, AnyQuestion], AnyAnswer]


def default(state: State, question: AnyQuestion) -> AnyAnswer:
    """Every question takes its default."""
    return legal.default(question, state)


def table(options: Options, names: tuple[str, ...], first: int = 0) -> State:
    """Players with nothing yet; the seat `first` takes turn 1 when the game begins. No opening hands will be drawn."""
    return deal(options, tuple(Seat(name) for name in names), first)


def add(state: State, seat: int, zone: Zone, card: Card | Definition) -> tuple[State, int]:
    """A card of this player put into one of their zones (library: on top), and its id. Permanents: use `enter`."""
    definition = card if isinstance(card, Definition) else define(card)
    oid = state.next_id
    known = lookup.who_see_hand(state, seat) if zone == "hand" else 0
    number = 0
    if zone == "command" and state.options.led:
        own = sum(1 for o in state.objects.values() if o.commander and o.owner == seat)
        number = commander_number(seat, own, len(state.players))
    made = Object(
        oid,
        definition,
        seat,
        seat,
        zone,
        timestamp=state.clock + 1,
        base=seat,
        known=known,
        rare=rare(commander=number),
    )
    changes: dict[str, object] = {"objects": {**state.objects, oid: made}, "next_id": oid + 1, "clock": state.clock + 1}
    if zone == "exile":
        changes["exile"] = (*state.exile, oid)
    elif zone == "command":
        changes["command"] = (*state.command, oid)
    elif zone in ("hand", "library", "graveyard"):
        player = state.players[seat]
        player = replace(player, **{zone: (*getattr(player, zone), oid)})
        changes["players"] = _with(state, seat, player)
    else:
        raise ValueError(f"nothing is put into the zone {zone!r} so")
    return evolve(state, **changes), oid


def outside(state: State, seat: int, card: Card) -> State:
    """A card of this player that is outside the game (400.10a)."""
    player = state.players[seat]
    return evolve(state, players=_with(state, seat, replace(player, outside=(*player.outside, define(card)))))


def enter(state: State, seat: int, card: Card | Definition, decide: Decide = default) -> tuple[State, int]:
    """A permanent on the battlefield under this player's control since before the game, and its id."""
    # From exile, where it does nothing yet: what stands in the command zone works (emblems).
    state, outside = add(state, seat, "exile", card)
    found = state.objects[outside]
    move = events.Move(subject=outside, to="battlefield", controller=seat, cause="setup")
    log: list[events.Event] = []
    agenda = state.agenda
    state = evolve(state, agenda=(TurnFrame(), BatchFrame(events=(move,))), pending=None)

    def placed(now: State) -> bool:
        return len(now.agenda) <= 1

    state = driver.advance(state, log, placed)
    while state.pending is not None:
        state = driver.answer(state, decide(state, state.pending), log, placed)
    oid = next((e.became for e in reversed(log) if isinstance(e, events.Move) and e.last is None and e.became), 0)
    oid = next((e.became for e in log if isinstance(e, events.Move) and e.subject == outside), oid)
    if oid not in state.objects:
        raise Defect(f"{found.definition.name} did not enter the battlefield")
    objects = {**state.objects, oid: replace(state.objects[oid], sick=False, entered=0)}
    state = evolve(state, agenda=agenda, objects=objects, waiting=(), results=(), last={}, history={}, known_then={})
    return state, oid


def tap(state: State, oid: int) -> State:
    """The permanent tapped."""
    return evolve(state, objects={**state.objects, oid: replace(state.objects[oid], tapped=True)})


def counters(state: State, oid: int, kind: str, count: int) -> State:
    """The object with so many counters of a kind, whatever it entered with."""
    found = state.objects[oid]
    now = dict(found.counters).get(kind, 0)
    changed = with_rare(found, counters=with_counters(found.counters, kind, count - now))
    return evolve(state, objects={**state.objects, oid: changed})


def attach(state: State, oid: int, to: Ref) -> State:
    """The permanent attached to another, or to a player."""
    objects = dict(state.objects)
    objects[oid] = with_rare(objects[oid], attached_to=to)
    if to > 0:
        objects[to] = with_rare(objects[to], attachments=(*objects[to].attachments, oid))
    return evolve(state, objects=objects)


def life(state: State, seat: int, total: int) -> State:
    """The player at this life total."""
    return evolve(state, players=_with(state, seat, replace(state.players[seat], life=total)))


def poison(state: State, seat: int, count: int) -> State:
    """The player, and whoever shares them (810.10), with so many poison counters."""
    for each in lookup.share_poison(state, seat):
        player = state.players[each]
        now = dict(player.counters).get("poison", 0)
        changed = replace(player, counters=with_counters(player.counters, "poison", count - now))
        state = evolve(state, players=_with(state, each, changed))
    return state


def clear_library(state: State, seat: int) -> State:
    """The player's library emptied; its cards are in no zone."""
    player = state.players[seat]
    gone = frozenset(player.library)
    objects = {oid: found for oid, found in state.objects.items() if oid not in gone}
    return evolve(state, objects=objects, players=_with(state, seat, replace(player, library=())))


def shuffle(state: State) -> State:
    """Every library shuffled by the seed's chance."""
    counter = state.chance
    players = list(state.players)
    for seat, player in enumerate(players):
        library = list(player.library)
        counter = chance.shuffle(state.options.seed, counter, library)
        players[seat] = replace(player, library=tuple(library))
    return evolve(state, players=tuple(players), chance=counter)


def begin(state: State, stop: Callable[[State], bool] | None = None) -> tuple[State, tuple[events.Event, ...]]:
    """The game begun with turn 1, run to its first question (or to where `stop` says so)."""
    log: list[events.Event] = []
    settled = evolve(state, agenda=(TurnFrame(at="next"),), pending=None)
    return driver.advance(settled, log, stop), tuple(log)


def _with(state: State, seat: int, player: object) -> tuple[object, ...]:
    return (*state.players[:seat], player, *state.players[seat + 1 :])
