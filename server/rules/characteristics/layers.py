"""Computed characteristics: the layers (613), with timestamps and dependency.

`board(state)` computes, once for each state, what continuous effects make of the objects on the battlefield (and of others
that an effect reaches), and indexes abilities by what they watch. An object that no effect touches has its definition's own
characteristics, the same object every time; counters are part of that, memoised with the definition.

Here stands the one circle that the rules themselves have: what an effect does depends on amounts and selections (613.6), which
ask for characteristics. So `amounts`, `selection`, `predicates` and this module know each other; this one and `modifications`
take the others as modules, whose names are looked up when they are needed.

Control (layer 2) is not computed here: `settle` keeps `Object.controller` as the effects say, because a change of control
is also something that happens (506.4, 302.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

from server.cards import forms
from server.cards.nouns import Each, Noun, Things, This
from server.rules.characteristics import amounts, selection
from server.rules.characteristics.blessing import ASCEND
from server.rules.characteristics.counters import gained, granted
from server.rules.characteristics.dependency import asks, says, takes_abilities
from server.rules.characteristics.lasting import fixed_mods, plain_noun
from server.rules.characteristics.modifications import MODIFIERS, Work, base_characteristics, face_down_of, shown
from server.rules.model import (
    EMPTY_KIT,
    Bindings,
    Characteristics,
    Definition,
    Entry,
    Kit,
    Object,
    Scope,
    State,
    define,
)


class Index:
    """Which battlefield objects have abilities that must be asked for: ids in battlefield order."""

    __slots__ = (
        "activated", "ascend", "continuous", "control", "cost_changes", "face_down", "makers", "mana", "player_rules", "replacements",
        "restricted_mana", "triggers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.ascend: list[int] = []
        self.continuous: list[int] = []
        self.control: list[int] = []
        self.replacements: list[int] = []
        self.cost_changes: list[int] = []
        self.player_rules: list[int] = []
        self.activated: list[int] = []
        self.makers: list[int] = []
        self.mana: list[int] = []
        self.restricted_mana: list[int] = []
        self.face_down: list[int] = []
        self.triggers: dict[str, list[int]] = {}

    def add(self, found: Object, kit: Kit) -> None:
        """Enters an object with its abilities."""
        oid = found.id
        if found.face_down:
            self.face_down.append(oid)
        if kit is EMPTY_KIT:
            return
        if kit.continuous:
            self.continuous.append(oid)
        if kit.replacements:
            self.replacements.append(oid)
        if kit.cost_changes:
            self.cost_changes.append(oid)
        if kit.player_rules:
            self.player_rules.append(oid)
        if kit.activated:
            self.activated.append(oid)
        if kit.mana:
            self.mana.append(oid)
            if kit.makers:
                self.makers.append(oid)
        if kit.restricted_mana:
            self.restricted_mana.append(oid)
        if ASCEND in kit.keywords:
            self.ascend.append(oid)
        if kit.moves_control:
            self.control.append(oid)
        for event in kit.triggers:
            self.triggers.setdefault(event, []).append(oid)


class RuleFlag(NamedTuple):
    """A rule about an object that an effect makes (613.10): the flag, and the effect's source and controller."""

    flag: forms.Flag
    source: int
    controller: int
    bindings: Bindings
    entry: Entry | None


class Board:
    """What continuous effects make of a state. `changed`: characteristics of the objects that an effect touches.

    `copies`: what an effect made a copy of something (706). `lasting`: it holds as long as objects, players, zones and effects are the same (see `lasting` and `evolve`). `for_spells`: an effect gives abilities to spells of a kind; `alters`: one gives abilities to permanents of a kind or takes them away."""

    __slots__ = ("alters", "changed", "copies", "flags", "for_spells", "index", "lasting")

    def __init__(self, index: Index) -> None:
        self.changed: dict[int, Characteristics] = {}
        self.copies: dict[int, Definition] = {}
        self.flags: dict[int, list[RuleFlag]] = {}
        self.index = index
        self.lasting = True
        self.for_spells = False
        self.alters = False


class Applied:
    """A continuous effect being applied: its modifications, whom they reach, and where it comes from.

    `locked`: the objects to which it was locked (611.2c); None: it reaches what `what` selects. `own`: the static ability that
    makes it, and `granted` that an effect gives that ability. `reached`: whom it reached in the first layer in which it was
    applied, which stay (613.5)."""

    __slots__ = ("granted", "layers", "locked", "mods", "own", "reached", "scope", "timestamp", "what")

    def __init__(
        self,
        what: Noun | None,
        mods: tuple[forms.AnyModification, ...],
        scope: Scope,
        timestamp: int,
        locked: tuple[int, ...] | None,
        own: forms.Continuous | None = None,
        granted: bool = False,
    ) -> None:
        self.what = what
        self.mods = mods
        self.layers = 0
        for mod in mods:
            self.layers |= _layer_bits[type(mod)]
        self.scope = scope
        self.timestamp = timestamp
        self.locked = locked
        self.reached: tuple[int, ...] | None = None
        self.own = own
        self.granted = granted


def characteristics(state: State, oid: int) -> Characteristics:
    """The characteristics of an object now. Raises KeyError for an id that is in no zone."""
    changed = (state.memo.get("board") or board(state)).changed
    if changed and (touched := changed.get(oid)) is not None:
        return touched
    found = state.objects[oid]
    if found.counters or found.face_down:
        return base_characteristics(found)
    base = found.definition.base  # asked more often than anything else: no further call for what has nothing on it
    return base if base.loyalty is None or found.zone != "battlefield" else base_characteristics(found)


def known(state: State, oid: int) -> Characteristics | None:
    """The characteristics of an object now, or as they last were if it has left (608.2g)."""
    if oid in state.objects:
        return characteristics(state, oid)
    last = state.last.get(oid)
    return last.characteristics if last is not None else None


def board(state: State) -> Board:
    """What continuous effects make of the state, computed at most once for it."""
    made = state.memo.get("board")
    if made is not None:
        return made
    index = _printed_index(state)
    made = Board(index)
    state.memo["board"] = made
    effects = _effects(state, index)
    if effects:
        _apply_layers(state, made, effects)
        _reindex(state, made)
        made.for_spells = any(map(_for_spells, effects))
        made.alters = any(map(_alters, effects))
        made.lasting = not state.options.range_of_influence and all(map(_lasts, effects))
    return made


def can_be_sacrificed(state: State, oid: int) -> bool:
    """Whether no rule keeps a permanent from being sacrificed."""
    return not any(r.flag.rule == "can't be sacrificed" for r in rules_about(state, oid))


def is_indestructible(state: State, oid: int) -> bool:
    """Whether an object can't be destroyed (700.4), because of an ability or of what is true about it."""
    if "indestructible" in characteristics(state, oid).keywords:
        return True
    return any(r.flag.rule == "indestructible" for r in rules_about(state, oid))


def rules_about(state: State, oid: int) -> tuple[RuleFlag, ...] | list[RuleFlag]:
    """The rule flags that effects put on an object (613.10)."""
    return board(state).flags.get(oid, ())


def _printed_index(state: State) -> Index:
    """The index of the definitions' own abilities; kept as long as the battlefield is the same tuple."""
    entry = state.memo.get("index")
    if entry is not None and entry[0] is state.battlefield:
        return entry[1]
    index = Index()
    for oid in state.battlefield:
        found = state.objects[oid]
        if not found.phased_out:
            index.add(found, face_down_of(found).kit if found.face_down else found.definition.base.kit)
    state.memo["index"] = (state.battlefield, index)
    return index


def _effects(state: State, index: Index) -> list[Applied]:
    """All continuous effects that modify objects: of static abilities, then floating ones."""
    objects = state.objects
    effects: list[Applied] = []
    for oid in (*index.continuous, *state.command):
        effects.extend(_statics(objects[oid], objects[oid].definition))
    for oid in state.battlefield:
        found = objects[oid]
        if found.counters or found.chosen:
            mods = granted((*(kind for kind, _ in found.counters), *gained(found.chosen)))
            if mods:
                effects.append(_to_itself(found, mods))
    for oid in state.stack:
        entry = objects[oid].entry
        if entry is not None and entry.granted:
            effects.append(_to_itself(objects[oid], (forms.GainAbilities(abilities=entry.granted),)))
    for floating in state.effects:
        ability = floating.ability
        if isinstance(ability, forms.Continuous):
            scope = Scope(floating.source, floating.controller, floating.entry, floating.bindings)
            what = ability.what if floating.objects is None else None
            effects.append(Applied(what, ability.mods, scope, floating.timestamp, floating.objects))
    return effects


def _statics(found: Object, definition: Definition) -> Iterator[Applied]:
    """The effects of an object's static abilities, which are those of the definition."""
    for _, ability in definition.base.kit.continuous:
        yield _of_static(found, ability)


def _of_static(found: Object, ability: forms.Continuous) -> Applied:
    scope = Scope(found.id, found.controller)
    return Applied(ability.what, ability.mods, scope, found.timestamp, None, ability)


def _to_itself(found: Object, mods: tuple[forms.AnyModification, ...]) -> Applied:
    return Applied(None, mods, Scope(found.id, found.controller), found.timestamp, (found.id,))


def _for_spells(effect: Applied) -> bool:
    reading = effect.what.reading if effect.what is not None else None
    kind = reading.of if isinstance(reading, Each) else reading
    return isinstance(kind, Things) and kind.zone == "stack"


def _alters(effect: Applied) -> bool:
    """Whether it gives abilities to what it describes or takes them away, as a new land type does too (305.7)."""
    changers = (forms.GainAbilities, forms.LoseAbilities)
    return effect.what is not None and any(
        isinstance(mod, changers) or isinstance(mod, forms.SetTypes) and mod.replace for mod in effect.mods
    )


def _lasts(effect: Applied) -> bool:
    if effect.locked is None:
        own = effect.own
        if own is None or own.condition is not None or not plain_noun(own.what):
            return False
    return fixed_mods(effect.mods)


LAYERS: tuple[tuple[type[forms.Modification], ...], ...] = (
    (forms.BecomeCopy,),
    (forms.SetTypes,),
    (forms.SetColors,),
    (forms.GainAbilities, forms.LoseAbilities, forms.CantHave, forms.IsIndestructible),
    (forms.DefinePT,),
    (forms.SetPT,),
    (forms.AddPT,),
    (forms.SwitchPT,),
    (forms.Flag, forms.IsIndestructible),
)
_layer_bits = {
    kind: sum(1 << number for number, kinds in enumerate(LAYERS) if kind in kinds)
    for kind in forms.Modification.__subclasses__()
}
INDESTRUCTIBLE = forms.Flag(rule="indestructible")


def _apply_layers(state: State, made: Board, effects: list[Applied]) -> None:
    works: dict[int, Work] = {}
    effects.sort(key=lambda e: e.timestamp)
    for number, kinds in enumerate(LAYERS):
        layer = [e for e in effects if e.layers >> number & 1]
        if not layer:
            continue
        # 613.2: characteristic-defining abilities first.
        layer.sort(key=lambda e: (not _defines(e), e.timestamp))
        while layer:
            effect = _next(state, made, works, layer, kinds)
            layer.remove(effect)
            _apply_one(state, made, works, effect, kinds)
        if kinds[0] is forms.BecomeCopy:
            effects += _copied_effects(state, made, effects)
            effects.sort(key=lambda e: e.timestamp)
        if kinds[0] is forms.GainAbilities:
            # Abilities gained in this layer may be static themselves and make effects in this and later layers (613.5).
            for effect in _granted_effects(state, works, effects):
                effects.append(effect)
                _apply_one(state, made, works, effect, kinds)
            effects.sort(key=lambda e: e.timestamp)


def _copied_effects(state: State, made: Board, effects: list[Applied]) -> list[Applied]:
    """The effects of the static abilities of what copies something now (706.2)."""
    for effect in effects:
        for mod in effect.mods:
            if isinstance(mod, forms.BecomeCopy) and mod.card is not None:
                made.copies.update((oid, define(mod.card)) for oid in effect.reached or ())
    extra: list[Applied] = []
    for oid, definition in made.copies.items():
        found = state.objects.get(oid)
        if found is None or found.zone != "battlefield" or found.phased_out or definition is found.definition:
            continue
        if not found.face_down:
            extra.extend(_statics(found, shown(found, definition)))
    return extra


def _defines(effect: Applied) -> bool:
    """Whether it is of a characteristic-defining ability, which says what its own object is without a condition (604.3a)."""
    own = effect.own
    return own is not None and own.condition is None and not effect.granted and isinstance(own.what.reading, This)


def _granted_effects(state: State, works: dict[int, Work], effects: list[Applied]) -> list[Applied]:
    known_own = {(e.scope.source, id(e.own)) for e in effects if e.own is not None}
    extra: list[Applied] = []
    for oid, work in works.items():
        if not (work.granted or work.keywords):
            continue
        found = state.objects.get(oid)
        if found is None or found.zone != "battlefield":
            continue
        for _, ability in work.result(found).kit.continuous:
            if (oid, id(ability)) not in known_own:
                extra.append(_of_granted(found, ability, effects))
    return extra


def _of_granted(found: Object, ability: forms.Continuous, effects: list[Applied]) -> Applied:
    """The effect of a static ability that an effect gives: it is as new as that effect (613.6a), and defines no characteristic,
    but sets it (604.3a: layer 7b)."""
    givers = (
        e.timestamp
        for e in effects
        if found.id in (e.reached or ())
        and any(isinstance(mod, forms.GainAbilities) and any(a is ability for a in mod.abilities) for mod in e.mods)
    )
    mods = tuple(
        forms.SetPT(power=mod.power, toughness=mod.toughness) if isinstance(mod, forms.DefinePT) else mod
        for mod in ability.mods
    )
    made = _of_static(found, ability)
    return Applied(made.what, mods, made.scope, max(found.timestamp, *givers, 0), None, ability, True)


def _next(
    state: State,
    made: Board,
    works: dict[int, Work],
    layer: list[Applied],
    kinds: tuple[type[forms.Modification], ...],
) -> Applied:
    """The effect to apply next: the earliest that depends on none of the others still to come (613.7)."""
    first = layer[0]
    settled = first.locked is not None or first.reached is not None  # what it applies to changes no more
    if len(layer) == 1 or settled or kinds[0] in (forms.AddPT, forms.SwitchPT, forms.SetPT, forms.DefinePT, forms.Flag):
        return first
    for effect in layer:
        if not any(_may_depend(effect, o) and _depends(state, made, works, effect, o, kinds) for o in layer):
            return effect
    return first


def _may_depend(effect: Applied, other: Applied) -> bool:
    """Whether it is worth trying; characteristic-defining abilities depend on each other only (613.7a)."""
    if other is effect or _defines(effect) != _defines(other):
        return False
    if effect.locked is not None or effect.reached is not None or effect.what is None:
        return False
    if effect.own is not None and (effect.own.condition is not None or takes_abilities(other.mods)):
        return True
    return bool(asks(effect.what) & says(other.mods))


def _depends(
    state: State,
    made: Board,
    works: dict[int, Work],
    effect: Applied,
    other: Applied,
    kinds: tuple[type[forms.Modification], ...],
) -> bool:
    """Whether applying `other` would change whether `effect` exists or what it applies to (613.7a)."""
    before = (_exists(made, effect), _reach(state, effect))
    reached = other.reached
    if reached is None:
        reached = _reach(state, other) if _exists(made, other) else ()
    trial = Applied(other.what, other.mods, other.scope, other.timestamp, other.locked, other.own)
    trial.reached = reached
    saved, flags = dict(made.changed), made.flags
    made.flags = {}
    _apply_one(state, made, {oid: copy(works[oid]) for oid in reached if oid in works}, trial, kinds)
    after = (_exists(made, effect), _reach(state, effect))
    made.changed, made.flags = saved, flags
    return before != after


def _exists(made: Board, effect: Applied) -> bool:
    """Whether the static ability that makes the effect is still there, its source's abilities being what they are now."""
    if effect.own is None:
        return True
    changed = made.changed.get(effect.scope.source)
    if changed is None:
        return True
    return any(a is effect.own for _, a in changed.kit.continuous)


def _reach(state: State, effect: Applied) -> tuple[int, ...]:
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


def _apply_one(
    state: State,
    made: Board,
    works: dict[int, Work],
    effect: Applied,
    kinds: tuple[type[forms.Modification], ...],
) -> None:
    mods = tuple(mod for mod in effect.mods if isinstance(mod, kinds) and _belongs(state, mod, kinds))
    if not mods:
        return
    if effect.reached is None:
        if not _exists(made, effect):
            return
        effect.reached = _reach(state, effect)
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


def _belongs(state: State, mod: forms.AnyModification, kinds: tuple[type[forms.Modification], ...]) -> bool:
    """Whether a modification that has a place in two layers belongs to this one in the edition (700.4a, current 702.12)."""
    if not isinstance(mod, forms.IsIndestructible):
        return True
    return state.edition.indestructible_is_ability == (forms.Flag not in kinds)


def _reindex(state: State, made: Board) -> None:
    """The index again, if effects gave or took abilities."""
    if all(
        oid not in state.objects or c.kit is state.objects[oid].definition.base.kit for oid, c in made.changed.items()
    ):
        return
    index = Index()
    for oid in state.battlefield:
        found = state.objects[oid]
        if not found.phased_out:
            index.add(found, characteristics(state, oid).kit)
    made.index = index
