"""Which continuous effect of a layer or sublayer is applied next: by timestamp, but none before what it depends on (613.7)."""

from __future__ import annotations

from copy import copy

from server.cards import forms
from server.rules.characteristics.applying import apply_one, exists, reach
from server.rules.characteristics.modifications import Work, sizes_of
from server.rules.continuous import SIZES, Applied, Board, asks, looks_at_sizes, says, takes_abilities
from server.rules.model import State


def looks(effect: Applied) -> bool:
    """Whether powers or toughnesses decide whether the effect applies, to what, or what it does."""
    own = effect.own
    condition = own.condition if own is not None else None
    return looks_at_sizes(effect.mods, effect.what if effect.locked is None else None, condition)


def by_timestamps(layer: list[Applied], kinds: tuple[type[forms.Modification], ...]) -> bool:
    """Whether the effects of a layer go by timestamps alone: rules about objects, and sizes where nothing looks at them."""
    return kinds[0] is forms.Flag or kinds[0] in SIZES and not any(map(looks, layer))


def next_effect(
    state: State,
    made: Board,
    works: dict[int, Work],
    layer: list[Applied],
    kinds: tuple[type[forms.Modification], ...],
) -> Applied:
    """The effect to apply next: the earliest that depends on none of the others still to come (613.7), or the earliest of a
    loop that depends on nothing outside it (613.7b). The layer is sorted by timestamp."""
    first = layer[0]
    sizes = kinds[0] in SIZES
    if len(layer) == 1 or (not sizes and _settled(first)):
        return first
    may = _may_look if sizes else _may_depend

    def waits_for(effect: Applied, other: Applied) -> bool:
        return may(state, effect, other) and _depends(state, made, works, effect, other, kinds)

    for effect in layer:
        if not any(waits_for(effect, o) for o in layer):
            return effect
    waits = {id(e): [o for o in layer if waits_for(e, o)] for e in layer}
    return next(e for e in layer if all(id(e) in _awaited(waits, o) for o in waits[id(e)]))


def ordered_once(
    state: State,
    made: Board,
    works: dict[int, Work],
    layer: list[Applied],
    kinds: tuple[type[forms.Modification], ...],
) -> list[Applied]:
    """The effects of a layer in the order in which they are applied where that is asked once, before the first of them, and not again
    after each (613.7c): what depends on others follows the last of them."""
    may = _may_look if kinds[0] in SIZES else _may_depend
    waits = {id(e): [o for o in layer if may(state, e, o) and _depends(state, made, works, e, o, kinds)] for e in layer}
    left, order = list(layer), list[Applied]()
    while left:
        free = (e for e in left if not any(o in left for o in waits[id(e)]))
        looped = (e for e in left if all(id(e) in _awaited(waits, o) for o in waits[id(e)] if o in left))
        effect = next(free, None) or next(looped)
        left.remove(effect)
        order.append(effect)
    return order


def _awaited(waits: dict[int, list[Applied]], effect: Applied) -> set[int]:
    """What an effect depends on, and what that depends on, and so on."""
    found: set[int] = set()
    left = [effect]
    while left:
        for other in waits[id(left.pop())]:
            if id(other) not in found:
                found.add(id(other))
                left.append(other)
    return found


def _settled(effect: Applied) -> bool:
    """Whether what it applies to changes no more (611.2c, 613.5)."""
    return effect.locked is not None or effect.reached is not None


def _could(state: State, effect: Applied, other: Applied) -> bool:
    """Whether both are not from characteristic-defining abilities (613.7a), or in an edition that has it so both are."""
    if other is effect or effect.defines != other.defines:
        return False
    return not effect.defines or state.edition.defining_effects_depend


def _may_depend(state: State, effect: Applied, other: Applied) -> bool:
    """Whether it is worth trying."""
    if not _could(state, effect, other):
        return False
    if _settled(effect) or effect.what is None:
        return False
    if effect.own is not None and (effect.own.condition is not None or takes_abilities(other.mods)):
        return True
    return bool(asks(effect.what) & says(other.mods))


def _may_look(state: State, effect: Applied, other: Applied) -> bool:
    """The same in layer 7, where the other can change nothing but a power or a toughness."""
    return _could(state, effect, other) and looks(effect)


def _depends(
    state: State,
    made: Board,
    works: dict[int, Work],
    effect: Applied,
    other: Applied,
    kinds: tuple[type[forms.Modification], ...],
) -> bool:
    """Whether applying `other` would change whether `effect` exists, what it applies to or what it does to that (613.7a)."""
    before = _outcome(state, made, effect, kinds)
    reached = other.reached
    if reached is None:
        reached = reach(state, other) if exists(made, other) else ()
    trial = Applied(other.what, other.mods, other.scope, other.timestamp, other.locked, other.own)
    trial.reached = reached
    saved, flags = dict(made.changed), made.flags
    made.flags = {}
    apply_one(state, made, {oid: copy(works[oid]) for oid in reached if oid in works}, trial, kinds)
    after = _outcome(state, made, effect, kinds)
    made.changed, made.flags = saved, flags
    return before != after


def _outcome(state: State, made: Board, effect: Applied, kinds: tuple[type[forms.Modification], ...]) -> object:
    """Whether an effect exists now, what it applies to, and what it does to the power and toughness of each of these."""
    there = exists(made, effect)
    reached = reach(state, effect) if effect.reached is None else effect.reached
    if not there and effect.reached is None:
        return False, ()
    does = tuple(
        sizes_of(state, mod, effect.scope, oid)
        for mod in effect.mods
        if isinstance(mod, kinds) and isinstance(mod, forms.SetPT | forms.DefinePT | forms.AddPT)
        for oid in reached
    )
    return there, reached, does
