"""Handlers of verbs about permanents where they are: destroying, regenerating, tapping, counters (also those of players)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from server.cards import forms, nouns
from server.rules.casting import pick
from server.rules.characteristics import quantity, select
from server.rules.functioning import target_part
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    current,
    events,
    lookup,
    make_effect,
    object_or_last,
    on_board,
    seat_of,
)
from server.rules.verbs.damage import division
from server.rules.verbs.next_instruction import Asking, after


def _destroy(state: State, frame: RunFrame, verb: forms.Destroy) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "destroy", frame.scope.controller)
    refs = on_board(state, refs)
    batch = [events.Destroy(subject=r, by=frame.scope.source, no_regeneration=verb.no_regeneration) for r in refs]
    return after(frame, batch, it=refs)


def _regenerate(state: State, frame: RunFrame, verb: forms.Regenerate) -> Asking:
    # 701.12: a shield for the next time it would be destroyed this turn.
    refs = yield from pick(state, verb.what, frame.scope, "regenerate", frame.scope.controller)
    batch = [make_effect(state, frame.scope, REGENERATION, "end of turn", objects=(r,), uses=1) for r in refs]
    return after(frame, batch, it=refs)


REGENERATION = forms.Replacement(
    event=forms.Pattern(event="destroy", subject=forms.Noun("it")),
    rewrite=(forms.Regenerates(),),
    text="regenerate",
)


def _remove_damage(state: State, frame: RunFrame, verb: forms.RemoveDamage) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "damage", frame.scope.controller)
    return after(frame, [events.RemoveDamage(subject=r) for r in on_board(state, refs)], it=refs)


def _tap(state: State, frame: RunFrame, verb: forms.Tap) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "tap", scope.controller)
    untap = verb.untap
    if verb.either and refs:
        asked = select(state, verb.who, scope) if verb.who is not None else ()
        seat = seat_of(asked[0]) if asked else scope.controller
        untap = not (yield from ask.confirm(seat, "tap or untap", scope.source))
    kind = events.Untap if untap else events.Tap
    return after(frame, [kind(subject=r, by=scope.source) for r in refs if r > 0], it=refs)


def _put_counters(state: State, frame: RunFrame, verb: forms.PutCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    refs = tuple(i for r in refs for i in current(state, r, scope))  # also what was just moved (400.7)
    there = [r for r in refs if r < 0 or r in state.objects]
    if verb.as_on is not None:
        found = (object_or_last(state, r) for r in select(state, verb.as_on, scope))
        held = [pair for one in found if one is not None for pair in one.counters]
        moved = [events.PutCounters(subject=r, amount=k, counter=c, by=scope.source) for r in there for c, k in held]
        return after(frame, moved, it=refs)
    # "Put a +1/+1 counter on it for each other Elf" counts others than it.
    n = quantity(state, verb.count, scope.bind(BoundRefs.AFFECTED, refs) if len(refs) == 1 else scope)
    kind = verb.counter
    if verb.options and refs:
        kind = yield from ask.choose_word(scope.controller, verb.options, "counter", scope.source)
    parts: dict[Ref, int] | None = None
    if verb.distribute:
        aimed = target_part(verb.what.reading) is not None
        parts = division(frame, verb.what) if aimed else (yield from _shares(there, n, scope))
    sizes = {r: parts.get(r, 0) if parts is not None else n for r in there}
    batch = [events.PutCounters(subject=r, amount=k, counter=kind, by=scope.source) for r, k in sizes.items()]
    # "You get {E}" speaks of nothing: "it" is still what was spoken of before.
    return after(frame, batch, it=None if isinstance(verb.what.reading, nouns.You) else refs)


def _shares(refs: list[Ref], n: int, scope: Scope) -> Generator[AnyQuestion, AnyAnswer, dict[Ref, int]]:
    """How many each of those that were chosen gets, none of them nothing (608.2d) as long as there is enough for all."""
    found: dict[Ref, int] = {}
    for place, ref in enumerate(refs):
        others = len(refs) - place - 1
        least, most = min(1, n), max(min(1, n), n - others)
        found[ref] = n if not others else (yield from ask.number(scope.controller, least, most, "number", scope.source))
        n -= found[ref]
    return found


def _of_any_kind(
    scope: Scope, holder: tuple[tuple[str, int], ...], n: int
) -> Generator[AnyQuestion, AnyAnswer, list[str]]:
    """The kinds of so many counters, one after the other, chosen as they are removed (608.2d)."""
    taken: list[str] = []
    for _ in range(n):
        kinds = tuple(kind for kind, there in holder if there > taken.count(kind))
        if not kinds:
            break
        one = len(kinds) == 1
        taken.append(
            kinds[0] if one else (yield from ask.choose_word(scope.controller, kinds, "counter", scope.source))
        )
    return taken


def _remove_counters(state: State, frame: RunFrame, verb: forms.RemoveCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    batch: list[events.Event] = []
    for ref in refs:
        holder = lookup.player(state, ref).counters if ref < 0 else ()
        found = state.objects.get(ref)
        if found is not None:
            holder = found.counters
        if not (verb.counter or verb.all or verb.up_to):
            taken = yield from _of_any_kind(scope, holder, quantity(state, verb.count, scope))
            batch += [events.RemoveCounters(subject=ref, amount=1, counter=kind, by=scope.source) for kind in taken]
            continue
        kinds = [verb.counter] if verb.counter else [name for name, _ in holder]
        if verb.up_to:
            left = quantity(state, verb.count, scope)
            for kind in reversed(kinds):
                most = min(left, lookup.count(holder, kind))
                n = (yield from ask.number(scope.controller, 0, most, "number", scope.source)) if most else 0
                left -= n
                if n:
                    batch.append(events.RemoveCounters(subject=ref, amount=n, counter=kind, by=scope.source))
            continue
        for kind in kinds:
            n = lookup.count(holder, kind) if verb.all else quantity(state, verb.count, scope)
            batch.append(events.RemoveCounters(subject=ref, amount=n, counter=kind, by=scope.source))
    return after(frame, batch, it=refs)


def _move_counters(state: State, frame: RunFrame, verb: forms.MoveCounters) -> Asking:
    """121.5: none is moved that isn't there, or to where it was, or if either has gone."""
    scope = frame.scope
    left = yield from pick(state, verb.source, scope, "counters", scope.controller)
    right = yield from pick(state, verb.to, scope, "counters", scope.controller)
    old, new = (state.objects.get(refs[0]) if refs else None for refs in (left, right))
    if old is None or new is None or old.id == new.id or new.zone != "battlefield":
        return after(frame, [], it=right)
    wanted = quantity(state, verb.count, scope)
    batch: list[events.Event] = []
    moving = tuple((kind, held) for kind, held in old.counters if held and verb.counter in ("", kind))
    for place, (kind, held) in enumerate(moving):
        n = held if verb.all else min(wanted, held)
        if verb.missing and lookup.count(new.counters, kind):
            continue
        if verb.some:  # any number of each kind, or at least one in all, or just one
            least = int(verb.some != "any number" and not batch and place == len(moving) - 1)
            most = held if verb.some != "one" else int(not batch)
            n = (yield from ask.number(scope.controller, least, most, "number", scope.source)) if most else 0
        if n:
            batch.append(events.RemoveCounters(subject=old.id, amount=n, counter=kind, by=scope.source))
            batch.append(events.PutCounters(subject=new.id, amount=n, counter=kind, by=scope.source))
    return after(frame, batch, it=right)


def _double_counters(state: State, frame: RunFrame, verb: forms.DoubleCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    holders = ((ref, lookup.player(state, ref) if ref < 0 else state.objects.get(ref)) for ref in refs)
    batch = [
        events.PutCounters(subject=ref, amount=n, counter=kind, by=scope.source)
        for ref, holder in holders
        if holder is not None
        for kind, n in holder.counters
        if n and verb.counter in ("", kind)
    ]
    return after(frame, batch, it=refs)


PERMANENT_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Destroy: _destroy,
    forms.Regenerate: _regenerate,
    forms.RemoveDamage: _remove_damage,
    forms.Tap: _tap,
    forms.PutCounters: _put_counters,
    forms.RemoveCounters: _remove_counters,
    forms.MoveCounters: _move_counters,
    forms.DoubleCounters: _double_counters,
}
