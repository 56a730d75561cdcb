"""What a table changes by hand between two decisions: a paragraph is said in other words, or a fault of the table is corrected.

No event happens by it, so nothing triggers and nothing is replaced; then state-based actions are checked as before any priority. It is done
at a question of priority alone, which is asked anew.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from server.cards.forms import Card
from server.rules.happenings import apply, settle
from server.rules.instructions import may_name
from server.rules.model import (
    Defect,
    Definition,
    Illegal,
    Object,
    PriorityFrame,
    PriorityQuestion,
    Ref,
    State,
    define,
    events,
    evolve,
    lookup,
    player_ref,
)
from server.rules.turn import driver

MOST_CHANGES = 20
LARGEST = 10_000


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="amend"):
    """The common base of what a table may agree to change."""


class Reworded(Amendment, frozen=True, tag="reword"):
    """From now on every card whose definition had the key `was` is `card`: its paragraph `text` is said in the words `line`."""

    was: str
    card: Card
    text: str = ""
    line: str = ""


class SetLife(Amendment, frozen=True, tag="life"):
    """The life total of `seat` is `to`."""

    seat: int
    to: int


class SetCounters(Amendment, frozen=True, tag="counters"):
    """On an object or player are `to` counters of a kind."""

    ref: Ref
    counter: str
    to: int


class SetDamage(Amendment, frozen=True, tag="damage"):
    """So much damage is marked on a permanent."""

    object: int
    to: int


class SetTapped(Amendment, frozen=True, tag="tapped"):
    """A permanent is tapped or not."""

    object: int
    to: bool


class MoveTo(Amendment, frozen=True, tag="move"):
    """An object is in that zone of its owner's; in a library on top, or at the `bottom`."""

    object: int
    to: Literal["battlefield", "graveyard", "exile", "hand", "library", "command"]
    bottom: bool = False


Correction = SetLife | SetCounters | SetDamage | SetTapped | MoveTo


class Corrected(Amendment, frozen=True, tag="correct"):
    """Several corrections at once."""

    changes: tuple[Correction, ...]


AnyAmendment = Reworded | Corrected


def amend(state: State, seat: int, change: AnyAmendment) -> tuple[State, tuple[events.Event, ...]]:
    """The state after what `seat` proposed and the table agreed to, and what followed from it. Raises Illegal."""
    check_amendment(state, seat, change)
    frame = state.agenda[-1]
    if not isinstance(state.pending, PriorityQuestion) or not isinstance(frame, PriorityFrame):
        raise Illegal("not_now", "This is done when somebody has priority.")
    after = _reworded(state, change) if isinstance(change, Reworded) else _corrected(state, change)
    agenda = (*after.agenda[:-1], replace(frame, passed=0, answers=()))
    log: list[events.Event] = []
    after = replace(after, agenda=agenda, pending=None, passes=0, memo={})
    return driver.advance(after, log), tuple(log)


def check_amendment(state: State, seat: int, change: AnyAmendment) -> None:
    """Raises Illegal for what nobody may propose: of hidden things, or beyond bounds."""
    if isinstance(change, Reworded):
        if not any(_whole(found).key == change.was for found in state.objects.values()):
            raise Illegal("nothing", "No such card is in the game.")
        return
    if not 0 < len(change.changes) <= MOST_CHANGES:
        raise Illegal("too_much", f"A correction changes 1 to {MOST_CHANGES} things.")
    for one in change.changes:
        _check_one(state, seat, one)


def _check_one(state: State, seat: int, one: Correction) -> None:
    number = 0 if isinstance(one, MoveTo) else int(one.to)
    if not (-LARGEST if isinstance(one, SetLife) else 0) <= number <= LARGEST:
        raise Illegal("out_of_range", f"The number must be between 0 and {LARGEST}.")
    match one:
        case SetLife():
            ref = player_ref(one.seat)
        case SetCounters():
            ref = one.ref
            if not one.counter or len(one.counter) > 40:
                raise Illegal("nothing", "There is no such kind of counter.")
        case _:
            ref = one.object
    if ref == 0 or not may_name(state, seat, ref):
        raise Illegal("hidden", "Only what all see, and cards in your own hand, can be named.")
    if ref < 0:
        if not lookup.present(state, -1 - ref):
            raise Illegal("not_playing", "That player has left the game.")
        return
    found = state.objects[ref]
    if not isinstance(one, MoveTo) and found.zone != "battlefield":
        raise Illegal("nothing", "That is no permanent.")
    if isinstance(one, MoveTo) and found.entry is not None and found.entry.kind != "spell":
        raise Illegal("nothing", "That is no card.")


def _corrected(state: State, change: Corrected) -> State:
    after = state
    for one in change.changes:
        after = _one(after, one)
    after, _ = settle(after)
    # What is corrected did not happen: nothing of it counts as this turn's.
    return evolve(after, history=state.history, results=state.results)


def _one(state: State, one: Correction) -> State:
    match one:
        case SetLife():
            players = list(state.players)
            players[one.seat] = replace(players[one.seat], life=one.to)
            return evolve(state, players=tuple(players))
        case SetCounters() if one.ref < 0:
            players = list(state.players)
            mine = players[-1 - one.ref]
            more = one.to - lookup.count(mine.counters, one.counter)
            players[mine.seat] = replace(mine, counters=lookup.with_counters(mine.counters, one.counter, more))
            return evolve(state, players=tuple(players))
        case SetCounters():
            found = state.objects[one.ref]
            more = one.to - lookup.count(found.counters, one.counter)
            return _put(state, replace(found, counters=lookup.with_counters(found.counters, one.counter, more)))
        case SetDamage():
            return _put(state, replace(state.objects[one.object], damage=one.to))
        case SetTapped():
            return _put(state, replace(state.objects[one.object], tapped=one.to))
        case MoveTo():
            if one.object not in state.objects:
                raise Illegal("nothing", "It moves twice.")
            owner = state.objects[one.object].owner
            move = events.Move(
                subject=one.object, to=one.to, controller=owner, position=-1 if one.bottom else 0, cause="correction"
            )
            return apply.do(state, (move,))[0]


def _put(state: State, found: Object) -> State:
    return evolve(state, objects={**state.objects, found.id: found})


# --- other words --------------------------------------------------------------------------------------------------------------


def _whole(found: Object) -> Definition:
    """The card that an object is, whichever of its sides is up."""
    definition = found.printed or found.definition
    return definition.whole or definition


def _reworded(state: State, change: Reworded) -> State:
    new = define(change.card)

    def changed(definition: Definition) -> Definition:
        if definition.key == change.was:
            return new
        whole = definition.whole
        if whole is None or whole.key != change.was:
            return definition
        if definition.side > len(new.sides):
            raise Defect("a card said in other words has other sides")
        return new.sides[definition.side - 1]

    objects = {
        oid: replace(
            found,
            definition=changed(found.definition),
            printed=changed(found.printed) if found.printed is not None else None,
        )
        if _whole(found).key == change.was or found.definition.key == change.was
        else found
        for oid, found in state.objects.items()
    }
    return settle(replace(state, objects=objects, memo={}))[0]
