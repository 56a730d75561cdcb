"""One continuous effect applied in one layer: whether it exists, what it reaches, and what it makes of that (613.5)."""

from __future__ import annotations

from server.cards import forms
from server.rules.characteristics import amounts, selection
from server.rules.characteristics.modifications import MODIFIERS, Work
from server.rules.continuous import Applied, Board, RuleFlag
from server.rules.model import State

INDESTRUCTIBLE = forms.Flag(rule="indestructible")


def exists(made: Board, effect: Applied) -> bool:
    """Whether the static ability that makes the effect is still there, its source's abilities being what they are now."""
    if effect.own is None:
        return True
    changed = made.changed.get(effect.scope.source)
    if changed is None:
        return True
    return any(a is effect.own for _, a in changed.abilities.continuous)


def reach(state: State, effect: Applied) -> tuple[int, ...]:
    """The objects that the effect applies to now."""
    if effect.locked is not None:
        return tuple(r for r in effect.locked if r in state.objects)
    if effect.what is None:
        return ()
    scope = effect.scope
    if effect.own is not None and effect.own.condition is not None:
        if not amounts.holds(state, effect.own.condition, scope):
            return ()
    return tuple(r for r in selection.refs(state, effect.what.reading, scope) if r > 0)


def apply_one(
    state: State,
    made: Board,
    works: dict[int, Work],
    effect: Applied,
    kinds: tuple[type[forms.Modification], ...],
) -> None:
    """Has the effect do to all that it reaches what it does in the layer of these `kinds`; what it reaches is found in the first
    layer in which it does anything, and stays (613.5)."""
    mods = tuple(mod for mod in effect.mods if isinstance(mod, kinds) and belongs(state, mod, kinds))
    if not mods:
        return
    if effect.reached is None:
        if not exists(made, effect):
            return
        effect.reached = reach(state, effect)
    for oid in effect.reached:
        found = state.objects.get(oid)
        if found is None:
            continue
        work = works.get(oid)
        if work is None:
            work = works[oid] = Work(found)
        touched = False
        for mod in mods:
            if forms.Flag in kinds:
                scope = effect.scope
                flag = mod if isinstance(mod, forms.Flag) else INDESTRUCTIBLE
                rule = RuleFlag(flag, scope.source, scope.controller, scope.bindings, scope.entry)
                made.flags.setdefault(oid, []).append(rule)
            else:
                MODIFIERS[type(mod)](state, work, mod, effect.scope, oid)
                touched = True
        if touched:
            made.changed[oid] = work.result(found)


def belongs(state: State, mod: forms.AnyModification, kinds: tuple[type[forms.Modification], ...]) -> bool:
    """Whether a modification that has a place in two layers belongs to this one in the edition (700.4a, current 702.12)."""
    if not isinstance(mod, forms.IsIndestructible):
        return True
    return state.edition.indestructible_is_ability == (forms.Flag not in kinds)
