"""Verbs about spells and abilities on the stack: countering, copying, changing targets (701.5, 706, 114.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting import seats
from server.rules.characteristics import quantity, select
from server.rules.costs import as_copied
from server.rules.functioning import aimed, candidates
from server.rules.model import (
    NO_MANA,
    Definition,
    Entry,
    Next,
    Object,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    object_or_last,
    player_ref,
    targets_of,
)
from server.rules.replacements import excepted
from server.rules.verbs.next_instruction import Asking, after


def _counter(state: State, frame: RunFrame, verb: forms.CounterSpell) -> Next:
    scope = frame.scope
    refs = tuple(r for r in select(state, verb.what, scope) if r > 0)
    position = 0 if verb.top else -1 if verb.to == "library" else 0
    batch = [
        events.Countered(subject=r, by=scope.source, to=verb.to, position=position) for r in refs if r in state.stack
    ]
    return after(frame, batch, it=refs)


def _double_x(state: State, frame: RunFrame, verb: forms.DoubleX) -> Next:
    found = [state.objects[r] for r in select(state, verb.what, frame.scope) if r in state.stack]
    entries = [(one.id, one.entry) for one in found if one.entry is not None]
    return after(frame, [events.Announced(subject=oid, entry=replace(entry, x=2 * entry.x)) for oid, entry in entries])


def _copy_spell(state: State, frame: RunFrame, verb: forms.CopySpell) -> Asking:
    # 706.10: a copy of the spell or ability under this player's control; new targets may be chosen.
    scope = frame.scope
    batch: list[events.Event] = []
    who = seats(state, verb.who, scope)
    seat = who[0] if who else scope.controller
    for ref in select(state, verb.what, scope):
        found = object_or_last(state, ref)
        if found is None or found.entry is None:
            continue
        entry = found.entry
        definition = excepted(state, found.definition, verb.excepting, scope)
        seen = as_copied(state, found, definition)
        if verb.each is not None:
            others = _for_each(state, seen, verb.each, ref, entry, scope, seat)
            batch += (_copied(found, definition, _of_copy(entry, t), seat) for t in others)
            continue
        for _ in range(quantity(state, verb.count, scope)):
            targets = list(entry.targets)
            if verb.new_targets:
                for slot, noun in enumerate(targets_of(entry.program)):
                    if slot >= len(targets) or not targets[slot]:
                        continue
                    options = candidates(seen, noun, Scope(ref, seat, entry, entry.bindings), copy=True)
                    if not options or not (yield from ask.confirm(seat, "new targets", ref)):
                        continue
                    n = len(targets[slot])
                    targets[slot] = yield from ask.choose_refs(seat, options, n, n, "target", ref)
            batch.append(_copied(found, definition, _of_copy(entry, tuple(targets)), seat))
    return after(frame, batch)


def _of_copy(entry: Entry, targets: Targets) -> Entry:
    """What was announced for the original, but for the mana spent on it, of which a copy knows nothing (706.10)."""
    return replace(entry, targets=targets, copied=True, mana_spent=NO_MANA, spent_from=())


def _copied(found: Object, definition: Definition, entry: Entry, seat: int) -> events.Event:
    """A copy of a spell or ability on the stack, under a player's control."""
    if entry.kind == "spell":
        return events.Move(to="stack", definition=definition, controller=seat, entry=entry, cause="copy")
    return events.AbilityOnStack(subject=player_ref(seat), by=entry.source, entry=entry, definition=found.definition)


Targets = tuple[tuple[Ref, ...], ...]


def _for_each(
    state: State, seen: State, kind: forms.Noun, ref: Ref, entry: Entry, scope: Scope, seat: int
) -> Iterator[Targets]:
    """The targets of copies for each other thing that a spell could target: each of its targets is that one."""
    slots = [(slot, noun) for slot, noun in enumerate(targets_of(entry.program)) if entry.targets[slot : slot + 1]]
    own = Scope(ref, seat, entry, entry.bindings)
    before = {r for slot in entry.targets for r in slot}
    for one in select(state, kind, scope):
        could = (one in candidates(seen, noun, own, copy=True) for slot, noun in slots if entry.targets[slot])
        if one not in before and all(could):
            yield tuple(tuple(one for _ in slot) for slot in entry.targets)


def _change_targets(state: State, frame: RunFrame, verb: forms.ChangeTargets) -> Asking:
    """114.6: only to other legal targets, each as often as the text says "target"; else the target stays."""
    scope = frame.scope
    batch: list[events.Event] = []
    to = select(state, verb.to, scope) if verb.to is not None else ()
    for ref in select(state, verb.what, scope):
        found = state.objects.get(ref)
        if found is None or found.entry is None:
            continue
        entry = found.entry
        own = Scope(entry.source or ref, found.controller, entry, entry.bindings)
        targets = list(entry.targets)
        changed = False
        for slot, noun in enumerate(targets_of(entry.program)):
            for place, old in enumerate(targets[slot] if slot < len(targets) else ()):
                told = aimed(own, noun, targets[:slot])
                options = tuple(r for r in candidates(state, noun, told) if r not in targets[slot])
                if verb.to is not None:
                    options = () if changed else tuple(r for r in options if r in to)
                if (
                    not options
                    or (verb.optional or verb.to is not None and len(entry.targets) > 1)
                    and not (yield from ask.confirm(scope.controller, "new targets", old if old > 0 else ref))
                ):
                    continue
                picked = yield from ask.choose_refs(scope.controller, options, 1, 1, "target", ref)
                row = list(targets[slot])
                row[place] = picked[0]
                targets[slot] = tuple(row)
                changed = True
        if changed:
            batch.append(events.Announced(subject=ref, entry=replace(entry, targets=tuple(targets))))
    return after(frame, batch)


STACK_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.CounterSpell: _counter,
    forms.CopySpell: _copy_spell,
    forms.DoubleX: _double_x,
    forms.ChangeTargets: _change_targets,
}
