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
from server.rules.model import (
    COMBAT_STEPS,
    AnnounceFrame,
    Combat,
    Counters,
    Defect,
    Definition,
    Illegal,
    Object,
    PriorityFrame,
    PriorityQuestion,
    Ref,
    ResolveFrame,
    StartFrame,
    State,
    Step,
    TurnFrame,
    changed,
    define,
    events,
    evolve,
    lookup,
    player_ref,
    with_rare,
)
from server.rules.turn import driver, structure
from server.rules.verbs import copied_token, may_name

MOST_CHANGES = 200
MOST_TOKENS = 20
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


class MakeTokens(Amendment, frozen=True, tag="tokens"):
    """A player has so many tokens more: of that `card`, or copies of a permanent."""

    seat: int
    count: int = 1
    card: Card | None = None
    object: int = 0


class Remove(Amendment, frozen=True, tag="gone"):
    """A token is no more; a spell or ability is off the stack, a card in its owner's graveyard."""

    object: int


class SetTurn(Amendment, frozen=True, tag="turn"):
    """It is that step ("": the same) of the turn of `seat` (-1: of the same player)."""

    seat: int = -1
    step: Step | Literal[""] = ""


Correction = SetLife | SetCounters | SetDamage | SetTapped | MoveTo | MakeTokens | Remove | SetTurn


class Corrected(Amendment, frozen=True, tag="correct"):
    """Several corrections at once."""

    changes: tuple[Correction, ...]


class Skipped(Amendment, frozen=True, tag="skip"):
    """What a defect does not let happen is left out: what is being done, what is on top of the stack, or the next step of the turn."""


AnyAmendment = Reworded | Corrected | Skipped


def amend(state: State, seat: int, change: AnyAmendment) -> tuple[State, tuple[events.Event, ...]]:
    """The state after what `seat` proposed and the table agreed to, and what followed from it. Raises Illegal."""
    check_amendment(state, seat, change)
    log: list[events.Event] = []
    if isinstance(change, Skipped):
        after = _skipped(state)
    elif not isinstance(state.pending, PriorityQuestion) or not isinstance(state.agenda[-1], PriorityFrame):
        raise Illegal("not_now", "This is done when somebody has priority.")
    else:
        after = _reworded(state, change) if isinstance(change, Reworded) else _corrected(state, change)
    top = after.agenda[-1]
    agenda = (*after.agenda[:-1], replace(top, passed=0, answers=()) if isinstance(top, PriorityFrame) else top)
    after = replace(after, agenda=agenda, pending=None, passes=0, memo={})
    return driver.advance(after, log), tuple(log)


def check_amendment(state: State, seat: int, change: AnyAmendment) -> None:
    """Raises Illegal for what nobody may propose: of hidden things, or beyond bounds."""
    if isinstance(change, Skipped):
        return
    if isinstance(change, Reworded):
        if not any(_whole(found).key == change.was for found in state.objects.values()):
            raise Illegal("nothing", "No such card is in the game.")
        return
    if not 0 < len(change.changes) <= MOST_CHANGES:
        raise Illegal("too_much", f"A correction changes 1 to {MOST_CHANGES} things.")
    for one in change.changes:
        _check_one(state, seat, one)


def _check_one(state: State, seat: int, one: Correction) -> None:
    if isinstance(one, SetTurn):
        _check_turn(state, one)
        return
    if isinstance(one, MakeTokens):
        _check_tokens(state, seat, one)
        return
    number = 0 if isinstance(one, MoveTo | Remove) else int(one.to)
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
    if isinstance(one, Remove):
        if found.zone != "stack" and not (found.zone == "battlefield" and found.token):
            raise Illegal("nothing", "That is no token, and not on the stack.")
        return
    if not isinstance(one, MoveTo) and found.zone != "battlefield":
        raise Illegal("nothing", "That is no permanent.")
    if isinstance(one, MoveTo) and found.entry is not None and found.entry.kind != "spell":
        raise Illegal("nothing", "That is no card.")
    if isinstance(one, MoveTo) and one.to == "battlefield" and _is_spell_alone(found):
        raise Illegal("nothing", "An instant or sorcery cannot be on the battlefield.")


def _is_spell_alone(found: Object) -> bool:
    """Whether it is a card that stays where it is instead of coming to the battlefield (304.4, 307.4)."""
    return not {"instant", "sorcery"}.isdisjoint((found.printed or found.definition).base.types)


def _check_tokens(state: State, seat: int, one: MakeTokens) -> None:
    if not lookup.present(state, one.seat):
        raise Illegal("not_playing", "That player has left the game.")
    if not 0 < one.count <= MOST_TOKENS:
        raise Illegal("too_much", f"A correction makes 1 to {MOST_TOKENS} tokens.")
    if one.card is not None:
        return
    if one.object <= 0 or not may_name(state, seat, one.object) or state.objects[one.object].zone != "battlefield":
        raise Illegal("hidden", "Only a permanent that all see can be copied.")


def _check_turn(state: State, one: SetTurn) -> None:
    if one.seat >= 0 and not lookup.present(state, one.seat):
        raise Illegal("not_playing", "That player has left the game.")
    # In a cleanup step somebody has priority above what is still to be done of it (514.3a).
    at_turn = len(state.agenda) == 2 and isinstance(state.agenda[0], TurnFrame)
    if isinstance(state.pending, PriorityQuestion) and (state.stack or not at_turn):
        raise Illegal("not_now", "Something is on the stack, or not yet done.")
    if one.step in FIGHTING and (state.combat is None or one.seat not in (-1, state.turn.active)):
        raise Illegal("nothing", "Nobody is attacking.")


def _corrected(state: State, change: Corrected) -> State:
    after = state
    for one in change.changes:
        after = _one(after, one)
    turn = next((one for one in change.changes if isinstance(one, SetTurn)), None)
    if turn is not None:
        after = _turned(after, turn)
    after, _ = settle(after)
    # What is corrected did not happen: nothing of it counts as this turn's.
    return evolve(after, history=state.history, known_then=state.known_then, results=state.results)


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
            return _put(state, with_rare(found, counters=lookup.with_counters(found.counters, one.counter, more)))
        case SetDamage():
            return _put(state, with_rare(state.objects[one.object], damage=one.to))
        case SetTapped():
            return _put(state, replace(state.objects[one.object], tapped=one.to))
        case MoveTo():
            if one.object not in state.objects:
                raise Illegal("nothing", "It moves twice.")
            found = state.objects[one.object]
            move = events.Move(
                subject=one.object,
                to=one.to,
                controller=found.owner,
                position=-1 if one.bottom else 0,
                counters=_loyalty(found.definition) if one.to == "battlefield" else (),
                cause="correction",
            )
            return apply.do(state, (move,))[0]
        case MakeTokens():
            made = define(one.card) if one.card is not None else copied_token(state, one.object)
            if made is None:
                raise Illegal("nothing", "There is nothing to copy.")
            token = events.Move(
                to="battlefield",
                controller=one.seat,
                owner=one.seat,
                definition=made,
                counters=_loyalty(made),
                cause="correction",
            )
            return apply.do(state, (token,) * one.count)[0]
        case Remove():
            return _removed(state, one.object)
        case SetTurn():
            return state  # after all others, since it is another step then


def _loyalty(definition: Definition) -> Counters:
    """The loyalty counters that a planeswalker enters with (306.5b): a correction asks no replacement effect, and without any of
    them it would be in the graveyard at once (704.5i).
    """
    loyalty = definition.base.loyalty
    return (("loyalty", loyalty),) if loyalty and "planeswalker" in definition.base.types else ()


def _removed(state: State, oid: int) -> State:
    """Without a token, or without a spell or ability on the stack."""
    found = state.objects.get(oid)
    if found is None:
        raise Illegal("nothing", "It goes twice.")
    is_card = found.entry is not None and found.entry.kind == "spell" and not found.token
    if found.zone == "battlefield" or is_card:
        to = "graveyard" if is_card else "exile"  # where a token ceases to exist (704.5d)
        gone = events.Move(subject=oid, to=to, controller=found.owner, cause="correction")
        return apply.do(state, (gone,))[0]
    objects = {number: other for number, other in state.objects.items() if number != oid}
    return evolve(state, objects=objects, stack=tuple(number for number in state.stack if number != oid))


FIGHTING = ("declare_blockers", "combat_damage")
"""Steps that need attackers."""
ACTING = ("untap", "cleanup", "declare_attackers", *FIGHTING)
"""Steps whose turn-based actions are done as the table comes to them; in others they have been done."""


def _turned(state: State, one: SetTurn) -> State:
    """The game in another step: what is to be done in it is done, where it is a declaration or nobody has priority in it; else the
    active player has priority.
    """
    turn = state.turn
    active = one.seat if one.seat >= 0 else turn.active
    step = one.step or turn.step
    place = structure.ALL_STEPS.index("combat_damage" if step == "first_combat_damage" else step)
    turn = replace(
        turn,
        active=active,
        step=structure.ALL_STEPS[place],
        steps=structure.ALL_STEPS[place + 1 :],
        last_normal=turn.last_normal if turn.is_extra else active,
    )
    combat = state.combat if step in COMBAT_STEPS and active == state.turn.active else None
    if step in COMBAT_STEPS and (combat is None or step in ("begin_combat", "declare_attackers")):
        combat = Combat(active, defenders=structure.defending_players(state, active))
    if combat is not None and step == "declare_blockers":
        combat = replace(combat, blockers=(), blocks_declared=False)
    acts = turn.step in ACTING
    agenda = (TurnFrame(at="act"),) if acts else (TurnFrame(at="end"), PriorityFrame(holder=active))
    return evolve(state, turn=turn, combat=combat, agenda=agenda)


# --- a step that fails --------------------------------------------------------------------------------------------------------


def _skipped(state: State) -> State:
    """Without what is being done, down to the last priority; at a priority, without what resolves next, or the next step."""
    agenda = state.agenda
    top = agenda[-1]
    if isinstance(top, PriorityFrame):
        if state.stack:
            after = _removed(state, state.stack[-1])
            return evolve(after, agenda=(*agenda[:-1], PriorityFrame(holder=state.turn.active)))
        if not state.turn.steps:
            raise Illegal("nothing", "Nothing is left of this turn that could be left out.")
        return evolve(state, turn=replace(state.turn, steps=state.turn.steps[1:]))
    while agenda and not isinstance(agenda[-1], PriorityFrame | TurnFrame):
        frame = agenda[-1]
        if isinstance(frame, AnnounceFrame) and frame.before is not None:
            return evolve(frame.before, chance=state.chance, next_id=state.next_id, questions=state.questions)
        if isinstance(frame, StartFrame):
            raise Illegal("not_now", "The game has not begun.")
        if isinstance(frame, ResolveFrame) and frame.object in state.stack:
            state = _removed(state, frame.object)
        agenda = agenda[:-1]
    if not agenda:
        raise Illegal("not_now", "The game has not begun.")
    if isinstance(agenda[-1], TurnFrame) and state.pending is not None and agenda is state.agenda:
        agenda = (*agenda[:-1], TurnFrame(at="end"))
    return settle(evolve(state, agenda=agenda))[0]


def _put(state: State, found: Object) -> State:
    return evolve(state, objects={**state.objects, found.id: found})


# --- other words --------------------------------------------------------------------------------------------------------------


def _whole(found: Object) -> Definition:
    """The card that an object is, whichever of its sides is up."""
    definition = found.printed or found.definition
    return definition.whole or definition


def _reworded(state: State, change: Reworded) -> State:
    new = define(change.card)

    def reworded(definition: Definition) -> Definition:
        if definition.key == change.was:
            return new
        whole = definition.whole
        if whole is None or whole.key != change.was:
            return definition
        if definition.side > len(new.sides):
            raise Defect("a card said in other words has other sides")
        return new.sides[definition.side - 1]

    objects = {
        oid: changed(
            found,
            definition=reworded(found.definition),
            printed=reworded(found.printed) if found.printed is not None else None,
        )
        if _whole(found).key == change.was or found.definition.key == change.was
        else found
        for oid, found in state.objects.items()
    }
    return settle(replace(state, objects=objects, memo={}))[0]
