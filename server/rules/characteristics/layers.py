"""Computed characteristics: the layers (613), with timestamps and dependency.

`board(state)` computes, once for each state, what continuous effects make of the objects on the battlefield (and of others
that an effect reaches), and indexes abilities by what they watch. An object that no effect touches has its definition's own
characteristics, the same object every time; counters are part of that, memoised with the definition.

Here stands the one circle that the rules themselves have: what an effect does depends on amounts and selections (613.6), which
ask for characteristics. So `amounts`, `selection`, `predicates`, this module and what it applies effects with (`ordering`,
`applying`, `modifications`) know each other; `applying` and `modifications` take the others as modules, whose names are looked
up when they are needed.

Control (layer 2) is not computed here: `settle` keeps `Object.controller` as the effects say, because a change of control
is also something that happens (506.4, 302.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_

from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import Each, Things
from server.rules.characteristics.applying import apply_one, reach
from server.rules.characteristics.following import follow, follow_all
from server.rules.characteristics.graveyards import in_graveyards, of_graveyards
from server.rules.characteristics.modifications import Work, base_characteristics, chosen_colors, shown, sizes_of
from server.rules.characteristics.ordering import by_timestamps, looks, next_effect, ordered_once
from server.rules.continuous import (
    LAYERS,
    Applied,
    Board,
    Followed,
    Index,
    RuleFlag,
    added,
    alters,
    face_down_of,
    given,
    lasts,
)
from server.rules.model import (
    WAITING,
    Characteristics,
    Definition,
    Object,
    Scope,
    State,
    define,
    lookup,
    of_parts,
    of_zones,
)


def characteristics(state: State, oid: int) -> Characteristics:
    """The characteristics of an object now. Raises KeyError for an id that is in no zone."""
    changed = (state.memo.get("board") or board(state)).changed
    if changed and (touched := changed.get(oid)) is not None:
        return _sized(state, oid, touched) if touched.abilities.defining else touched
    found = state.objects[oid]
    if found.rare.counters or found.face_down:
        return base_characteristics(found)
    base = found.definition.base  # asked more often than anything else: no further call for what has nothing on it
    if base.abilities.defining:
        return _sized(state, oid, base)
    return base if base.loyalty is None or found.zone != "battlefield" else base_characteristics(found)


def _sized(state: State, oid: int, c: Characteristics) -> Characteristics:
    """What is not on the battlefield, with the power, toughness and color that it defines for itself, which it has in all zones (604.3).
    On the battlefield the layers have seen to them."""
    found = state.objects[oid]
    if found.zone == "battlefield" or found.face_down:
        return c
    sized = state.memo.setdefault("sized", {})
    known = sized.get(oid)
    if known is None or known[0] is not c:
        known = sized[oid] = (c, c)  # what counts itself counts what is printed
        base = found.definition.base
        scope = Scope(oid, found.controller)
        for ability in base.abilities.defining:
            for mod in ability.mods:
                if isinstance(mod, forms.SetColors) and mod.colors == "chosen":
                    c = replace(c, colors=chosen_colors(state, scope))  # current 903.4b
                elif isinstance(mod, forms.DefinePT):
                    power, toughness = sizes_of(state, mod, scope, oid)
                    c = replace(
                        c,
                        power=c.power if power is None else power + (c.power or 0) - (base.power or 0),
                        toughness=c.toughness
                        if toughness is None
                        else toughness + (c.toughness or 0) - (base.toughness or 0),
                    )
        known = sized[oid] = (known[0], c)
    return known[1]


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
    made = follow(state, state.memo.pop("before", None))  # it holds the objects of another state
    if made is None:
        index = _printed_index(state)
        made = _anew(state, index)
    state.memo["board"] = made
    return made


def _anew(state: State, index: Index) -> Board:
    """The board of a state that is not made from another's. Whether it can be followed is not asked again of the same permanents, cards
    and effects: where one of them keeps it from that, it mostly goes on to.
    """
    kept, around = of_parts(state), (state.battlefield, state.command, state.effects, in_graveyards(state))
    unfollowed: tuple[object, ...] | None = kept.get("unfollowed")
    if unfollowed is not None and all(map(is_, unfollowed, around)):
        return _in_full(state, index)
    made = follow_all(state, index)
    if made is None:
        kept["unfollowed"] = around
        made = _in_full(state, index)
    return made


def board_in_full(state: State) -> Board:
    """The board that applying every layer to everything gives, whatever is remembered: what `board` has to be."""
    fresh = replace(state, memo={})
    return _in_full(fresh, _printed_index(fresh))


def _in_full(state: State, index: Index) -> Board:
    made = Board(index)
    state.memo["board"] = made  # what effects ask is asked of it as far as it is made
    effects = _effects(state, index)
    if effects:
        _apply_layers(state, made, effects)
        _reindex(state, made)
        made.for_spells = any(map(_for_spells, effects))
        made.alters = any(e.what is not None and alters(e.mods) for e in effects)
        made.lasting = not state.options.limited and all(map(lasts, effects))
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


def is_goaded(state: State, oid: int) -> bool:
    """Whether any effect says that an object is goaded (current 701.15a); asked of the effects themselves, since one of another effect
    on goaded creatures may come before it."""
    effects = _effects(state, board(state).index)
    goading = (e for e in effects if any(isinstance(mod, forms.Flag) and mod.rule == "goaded" for mod in e.mods))
    return any(oid in reach(state, effect) for effect in goading)


def is_settled(made: Board) -> bool:
    """Whether of what is on the battlefield nothing could give control, the city's blessing or a look at the top of a library."""
    index = made.index
    if index.control or index.player_rules or index.ascend:
        return False
    return isinstance(made, Followed) and not made.away


def under_own_control(state: State) -> bool:
    """Whether every permanent is controlled by whoever would control it without effects."""
    made = board(state)
    if isinstance(made, Followed):
        return not made.away
    kept = of_zones(state)
    known = kept.get("own control")
    if known is None:
        objects = state.objects
        known = all(objects[oid].controller == objects[oid].base for oid in state.battlefield)
        kept["own control"] = known
    return known


def _printed_index(state: State) -> Index:
    """The index of the definitions' own abilities; kept as long as the battlefield is the same tuple."""
    entry = state.memo.get("index")
    if entry is not None and entry[0] is state.battlefield:
        return entry[1]
    index = Index()
    for oid in state.battlefield:
        found = state.objects[oid]
        if not found.rare.phased_out:
            index.add(found, face_down_of(found).abilities if found.face_down else found.definition.base.abilities)
    state.memo["index"] = (state.battlefield, index)
    return index


def _effects(state: State, index: Index) -> list[Applied]:
    """All continuous effects that modify objects: of static abilities, then floating ones."""
    objects = state.objects
    effects: list[Applied] = []
    for oid in index.continuous:
        effects.extend(_statics(objects[oid], objects[oid].definition))
    for oid in lookup.emblems(state):
        for number, ability in objects[oid].definition.base.abilities.continuous:
            if lookup.works_in_command(objects[oid], number):
                effects.append(_of_static(objects[oid], ability))
    effects += of_graveyards(state)
    for oid in state.battlefield:
        found = objects[oid]
        if found.counters or found.chosen:
            mods = given(found.counters, found.chosen)
            if mods:
                effects.append(_to_itself(found, mods))
    for oid in state.stack:
        entry = objects[oid].entry
        if entry is not None and entry.granted:
            effects.append(_to_itself(objects[oid], (forms.GainAbilities(abilities=entry.granted),)))
    for floating in state.effects:
        ability = floating.ability
        if isinstance(ability, forms.Continuous) and floating.until not in WAITING:
            scope = Scope(floating.source, floating.controller, floating.entry, floating.bindings)
            what = ability.what if floating.objects is None else None
            effects.append(Applied(what, ability.mods, scope, floating.timestamp, floating.objects))
    return effects


def _statics(found: Object, definition: Definition) -> Iterator[Applied]:
    """The effects of an object's static abilities, which are those of the definition."""
    for _, ability in definition.base.abilities.continuous:
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


UNCOUNTED = (1 << LAYERS.index((forms.SwitchPT,))) - 1
"""The layers in which counters may not have changed power and toughness yet."""


def _apply_layers(state: State, made: Board, effects: list[Applied]) -> None:
    works: dict[int, Work] = {}
    effects.sort(key=lambda e: e.timestamp)
    counted_before = (
        _without_counters(state, made, works) if any(e.layers & UNCOUNTED and looks(e) for e in effects) else None
    )
    for number, kinds in enumerate(LAYERS):
        if kinds[0] is counted_before:
            _count(state, made, works)
        layer = [e for e in effects if e.layers >> number & 1]
        if not layer:
            continue
        # 613.2: characteristic-defining abilities first.
        layer.sort(key=lambda e: (not e.defines, e.timestamp))
        ordered = by_timestamps(layer, kinds)
        if not (ordered or state.edition.order_reevaluated):
            layer, ordered = ordered_once(state, made, works, layer, kinds), True
        while layer:
            effect = layer[0] if ordered else next_effect(state, made, works, layer, kinds)
            layer.remove(effect)
            apply_one(state, made, works, effect, kinds)
        if kinds[0] is forms.BecomeCopy:
            effects += _copied_effects(state, made, effects)
            effects.sort(key=lambda e: e.timestamp)
        if kinds[0] is forms.GainAbilities:
            # Abilities gained in this layer may be static themselves and make effects in this and later layers (613.5).
            for effect in _granted_effects(state, works, effects):
                effects.append(effect)
                apply_one(state, made, works, effect, kinds)
            effects.sort(key=lambda e: e.timestamp)


def _without_counters(state: State, made: Board, works: dict[int, Work]) -> type[forms.Modification]:
    """Has what looks at powers and toughnesses not see what counters change in layer 7d (613.3d). In the other edition that
    is 7c (current 613.4c), where what looks at them depends on what they change, and the rest adds the same in every
    order. Returns the kind of modifications before which they are counted."""
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.counters and added(found.counters) != (0, 0) and not found.phased_out:
            work = works[oid] = Work(found)
            work.counted = False
            made.changed[oid] = work.result(found)
    return forms.SwitchPT if state.edition.counters_after_additions else forms.AddPT


def _count(state: State, made: Board, works: dict[int, Work]) -> None:
    for oid, work in works.items():
        if not work.counted:
            work.counted = True
            made.changed[oid] = work.result(state.objects[oid])


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


def _granted_effects(state: State, works: dict[int, Work], effects: list[Applied]) -> list[Applied]:
    known_own = {(e.scope.source, id(e.own)) for e in effects if e.own is not None}
    extra: list[Applied] = []
    for oid, work in works.items():
        if not (work.granted or work.keywords):
            continue
        found = state.objects.get(oid)
        if found is None or found.zone != "battlefield" or found.phased_out:
            continue
        for _, ability in work.result(found).abilities.continuous:
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


def _reindex(state: State, made: Board) -> None:
    """The index again, if effects gave or took abilities."""
    if all(
        oid not in state.objects or c.abilities is state.objects[oid].definition.base.abilities
        for oid, c in made.changed.items()
    ):
        return
    index = Index()
    for oid in state.battlefield:
        found = state.objects[oid]
        if not found.phased_out:
            index.add(found, characteristics(state, oid).abilities)
    made.index = index
