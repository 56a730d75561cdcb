"""Verbs about spells and abilities on the stack: countering, copying, changing targets (701.5, 706, 114.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting import aimed
from server.rules.characteristics import candidates, quantity, select
from server.rules.costs import as_copied
from server.rules.happenings import excepted
from server.rules.instructions.next_instruction import Asking, after
from server.rules.model import Next, RunFrame, Scope, State, ask, events, object_or_last, player_ref, targets_of


def _counter(state: State, frame: RunFrame, verb: forms.CounterSpell) -> Next:
    scope = frame.scope
    refs = tuple(r for r in select(state, verb.what, scope) if r > 0)
    position = 0 if verb.top else -1 if verb.to == "library" else 0
    batch = [
        events.Countered(subject=r, by=scope.source, to=verb.to, position=position) for r in refs if r in state.stack
    ]
    return after(frame, batch, it=refs)


def _copy_spell(state: State, frame: RunFrame, verb: forms.CopySpell) -> Asking:
    # 706.10: a copy of the spell or ability under this player's control; new targets may be chosen.
    scope = frame.scope
    batch: list[events.Event] = []
    for ref in select(state, verb.what, scope):
        found = object_or_last(state, ref)
        if found is None or found.entry is None:
            continue
        entry = found.entry
        definition = excepted(state, found.definition, verb.excepting, scope)
        seen = as_copied(state, found, definition)
        for _ in range(quantity(state, verb.count, scope)):
            targets = list(entry.targets)
            if verb.new_targets:
                for slot, noun in enumerate(targets_of(entry.program)):
                    if slot >= len(targets) or not targets[slot]:
                        continue
                    options = candidates(seen, noun, Scope(ref, scope.controller, entry, entry.bindings), copy=True)
                    if not options or not (yield from ask.confirm(scope.controller, "new targets", ref)):
                        continue
                    n = len(targets[slot])
                    targets[slot] = yield from ask.choose_refs(scope.controller, options, n, n, "target", ref)
            copied = replace(entry, targets=tuple(targets), copied=True)
            if entry.kind == "spell":
                batch.append(
                    events.Move(
                        to="stack", definition=definition, controller=scope.controller, entry=copied, cause="copy"
                    )
                )
            else:
                batch.append(
                    events.AbilityOnStack(
                        subject=player_ref(scope.controller), by=entry.source, entry=copied, definition=found.definition
                    )
                )
    return after(frame, batch)


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
    forms.ChangeTargets: _change_targets,
}
