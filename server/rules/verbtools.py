"""What handlers of verbs share: choosing what a noun leaves open, following objects through zones, going on."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from msgspec.structs import replace

from server.cards import nouns
from server.cards.forms import Tree
from server.cards.nouns import Noun
from server.rules import ask, events, predicates
from server.rules import evolve as ev
from server.rules.amounts import amount
from server.rules.frames import Next, RunFrame
from server.rules.layers import can_be_sacrificed
from server.rules.questions import AnyAnswer, AnyQuestion, Ref, player_ref, seat_of
from server.rules.scope import Scope
from server.rules.select import fits, select, things
from server.rules.state import Frame, State

Picking = Generator[AnyQuestion, AnyAnswer, "tuple[Ref, ...]"]


def after(
    frame: RunFrame,
    batch: Sequence[events.Event],
    it: tuple[Ref, ...] | None = None,
    player: tuple[Ref, ...] | None = None,
    push: tuple[Frame, ...] = (),
) -> Next:
    """Does the batch, then goes on with the next instruction, "it" being what this one was about."""
    memory: list[tuple[str, Any]] = []
    if it is not None:
        objects = tuple(r for r in it if r > 0)
        people = tuple(r for r in it if r < 0)
        if objects or not people:
            memory.append(("it", objects))
        else:
            memory.append(("it", people))
        if people:
            memory.append(("player", people))
    if player:
        memory.append(("player", player))
    return Next(replace(frame, step=1, memory=tuple(memory)), batch=tuple(batch), push=push)


def goes_on(frame: RunFrame, scope: Scope | None = None, push: tuple[Frame, ...] = ()) -> Next:
    """Goes on with the next instruction at once, or after what is pushed."""
    then = replace(frame, place=frame.place + 1, step=0, memory=(), scope=scope if scope is not None else frame.scope)
    return Next(then, push=push)


#: What "it" was as a turn of a loop began, and what the turns so far came to.
LOOP, GATHERED = "#loop", "#gathered"


def told(frame: RunFrame, below: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames below one that is through, which know what it spoke of ("You may sacrifice it. If you do, ... It ...")."""
    at = len(below) - 1
    while frame.tells == "each" and at >= 0 and _is_turn(below[at], frame.program):
        at -= 1
    whole = below[at] if at >= 0 else None
    if not frame.tells or not isinstance(whole, RunFrame):
        return below
    scope = whole.scope
    if frame.tells == "all":
        kept = tuple(pair for pair in scope.bindings if pair[0] == "did")
        more = tuple(pair for pair in frame.scope.bindings if pair[0] != "did")
        scope = Scope(scope.source, scope.controller, scope.entry, (*more, *kept))
    else:
        made = frame.scope.refs("it") or ()
        if made and made != frame.scope.refs(LOOP):
            gathered = (*(scope.refs(GATHERED) or ()), *made)
            scope = scope.bind(GATHERED, gathered).bind("it", gathered)
    return (*below[:at], replace(whole, scope=scope), *below[at + 1 :])


def _is_turn(frame: Frame, program: Tree) -> bool:
    return isinstance(frame, RunFrame) and frame.tells == "each" and frame.program is program


def pick(state: State, noun: Noun, scope: Scope, purpose: str, chooser: int) -> Picking:
    """What a noun selects, the chooser picking where it leaves a choice ("a creature you control", a tied superlative)."""
    reading = noun.reading
    if isinstance(reading, nouns.Choose):
        options = things(state, reading.of, scope)
        n = amount(state, reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if reading.up_to or n < 0 else n
        if total_of(reading.of) is not None:
            return (yield from choose_within(state, chooser, reading.of, options, (least, most), purpose, scope))
        return (yield from ask.choose_refs(chooser, options, least, most, purpose, scope.source))
    found = select(state, noun, scope)
    if state.options.range_of_influence:  # 801.10
        found = tuple(r for r in found if ev.reaches(state, scope.controller, r))
    if isinstance(reading, nouns.Superlative) and reading.tie == "choose" and len(found) > 1:
        return (yield from ask.choose_refs(chooser, found, 1, 1, purpose, scope.source))
    return found


def total_of(kind: nouns.Things) -> nouns.TotalAtMost | None:
    """What things of a kind may come to together, if that is said."""
    parts = kind.objects.parts if isinstance(kind.objects, nouns.All) else (kind.objects,)
    return next((part for part in parts if isinstance(part, nouns.TotalAtMost)), None)


def choose_within(
    state: State,
    seat: int,
    kind: nouns.Things,
    options: tuple[Ref, ...],
    bounds: tuple[int, int],
    purpose: str,
    scope: Scope,
) -> Picking:
    """Between the `bounds` of the options, one after the other as long as they come to no more than the kind says."""
    total = total_of(kind)
    left = amount(state, total.amount, scope) if total is not None else 0
    found: tuple[Ref, ...] = ()
    while total is not None and len(found) < bounds[1]:
        fitting = tuple(r for r in options if r not in found and predicates.stat(state, r, total.stat) <= left)
        least = int(len(found) < bounds[0])
        one = (yield from ask.choose_refs(seat, fitting, least, 1, purpose, scope.source)) if fitting else ()
        if not one:
            break
        left -= predicates.stat(state, one[0], total.stat)
        found += one
    return found


def pick_own(state: State, noun: Noun, scope: Scope, purpose: str, seat: int) -> Picking:
    """What a player picks among things of their own: "each player sacrifices a creature" means that player's creatures."""
    reading = noun.reading
    if isinstance(reading, nouns.Choose):
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        options = tuple(r for r in things(state, reading.of, local) if own(state, r, seat))
        if purpose == "sacrifice":  # nobody can choose what is impossible (608.2d)
            options = tuple(r for r in options if can_be_sacrificed(state, r))
        n = amount(state, reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if reading.up_to or n < 0 else n
        return (yield from ask.choose_refs(seat, options, least, most, purpose, scope.source))
    found = yield from pick(state, noun, scope, purpose, seat)
    if isinstance(reading, nouns.Each):
        return tuple(r for r in found if own(state, r, seat))
    return found


def own(state: State, ref: Ref, seat: int) -> bool:
    """Whether an object is a player's: controlled on the battlefield, owned elsewhere."""
    found = state.objects.get(ref)
    return found is not None and (found.controller if found.zone == "battlefield" else found.owner) == seat


def seats(state: State, noun: Noun, scope: Scope) -> tuple[int, ...]:
    """The seats of the players that a noun selects, in APNAP order (101.4)."""
    chosen = tuple(r for r in select(state, noun, scope) if r < 0 and ev.reaches(state, scope.controller, r))
    order = ev.turn_order(state)
    return tuple(s for s in order if player_ref(s) in chosen)


def on_board(state: State, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Those that are still on the battlefield (609.2)."""
    return tuple(r for r in refs if ev.permanent(state, r) is not None)


def current(state: State, ref: Ref, scope: Scope) -> tuple[Ref, ...]:
    """The object as it is now: itself, or what it became if the text speaks of the very move that it made (400.7, 603.6);
    of a merged permanent all that it became (current 729.3c)."""
    if ref in state.objects or ref < 0:
        return (ref,)
    follow = scope.bound("follow") or ()
    found = (ref,)
    for _ in range(3):
        after = [(i,) if i in state.objects else _became(state, i, follow) for i in found]
        found = tuple(i for ids in after for i in ids)
    return found


def _became(state: State, ref: Ref, follow: tuple[Ref, ...]) -> tuple[Ref, ...]:
    last = state.last.get(ref)
    return (ref,) if last is None or ref not in follow else (last.became, *last.others)


def through(scope: Scope, ref: Ref) -> Scope:
    """The scope in which "that player" is this one."""
    return scope.bind("player", (ref,)) if ref < 0 else scope.bind("it", (ref,))


def locked(scope: Scope) -> tuple[tuple[str, Any], ...]:
    """The bindings that an effect or delayed trigger carries on."""
    return tuple(pair for pair in scope.bindings if pair[0] != "#target")


def describes(state: State, noun: Noun, ref: Ref, scope: Scope) -> bool:
    """Whether a thing is what a noun describes."""
    return fits(state, noun.reading, ref, scope)


def seat(ref: Ref) -> int:
    """The seat of a player reference."""
    return seat_of(ref)
