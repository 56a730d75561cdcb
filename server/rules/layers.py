"""Computed characteristics: the layers (613), with timestamps and dependency.

`board(state)` computes, once for each state, what continuous effects make of the objects on the battlefield (and of others
that an effect reaches), and indexes abilities by what they watch. An object that no effect touches has its definition's own
characteristics, the same object every time; counters are part of that, memoised with the definition.

Control (layer 2) is not computed here: `settle` keeps `Object.controller` as the effects say, because a change of control
is also something that happens (506.4, 302.6).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import Amount, Each, Noun, StatOf, Things, This
from server.rules import evolve as ev
from server.rules.counters import added, granted
from server.rules.definition import (
    BASIC_LAND_TYPES,
    COLOR_BITS,
    EMPTY_KIT,
    Characteristics,
    Definition,
    Kit,
    define,
    make_kit,
)
from server.rules.lasting import fixed_mods, is_of_chosen_color, plain_noun
from server.rules.scope import AFFECTED, Scope
from server.rules.state import Bindings, Entry, Object, State

CREATURE_TYPES_ALL = "creature"


class Index:
    """Which battlefield objects have abilities that must be asked for: ids in battlefield order."""

    __slots__ = (
        "activated", "continuous", "control", "cost_changes", "face_down", "mana", "player_rules", "replacements",
        "restricted_mana", "triggers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.continuous: list[int] = []
        self.control: list[int] = []
        self.replacements: list[int] = []
        self.cost_changes: list[int] = []
        self.player_rules: list[int] = []
        self.activated: list[int] = []
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
        if kit.restricted_mana:
            self.restricted_mana.append(oid)
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

    `copies`: what an effect made a copy of something (706). `lasting`: it holds as long as objects, players, zones and effects are the same (see `lasting` and `evolve`). `for_spells`: an effect gives abilities to spells of a kind."""

    __slots__ = ("changed", "copies", "flags", "for_spells", "index", "lasting")

    def __init__(self, index: Index) -> None:
        self.changed: dict[int, Characteristics] = {}
        self.copies: dict[int, Definition] = {}
        self.flags: dict[int, list[RuleFlag]] = {}
        self.index = index
        self.lasting = True
        self.for_spells = False


class Applied:
    """A continuous effect being applied: its modifications, whom they reach, and where it comes from."""

    __slots__ = (
        "bindings", "controller", "entry", "layers", "locked", "mods", "own", "reached", "source", "timestamp", "what",
    )  # fmt: skip

    def __init__(
        self,
        what: Noun | None,
        mods: tuple[forms.AnyModification, ...],
        source: int,
        controller: int,
        timestamp: int,
        locked: tuple[int, ...] | None,
        bindings: Bindings = (),
        entry: Entry | None = None,
        own: forms.Continuous | None = None,
    ) -> None:
        self.what = what
        self.mods = mods
        self.layers = 0
        for mod in mods:
            self.layers |= _layer_bits[type(mod)]
        self.source = source
        self.controller = controller
        self.timestamp = timestamp
        self.locked = locked
        self.reached: tuple[int, ...] | None = None
        self.bindings = bindings
        self.entry = entry
        self.own = own


def base_characteristics(found: Object) -> Characteristics:
    """The characteristics that the object has without effects: face-down (707.2), counters (7d), loyalty (306.5c)."""
    definition = found.definition
    if not found.counters and not found.face_down:
        if definition.base.loyalty is None or found.zone != "battlefield":
            return definition.base
    hidden = face_down_of(found) if found.face_down else None
    key = (found.counters, hidden is FACE_DOWN_WARD, found.face_down, found.zone == "battlefield")
    known = definition.variants.get(key)
    if known is None:
        known = _with_counters(hidden or definition.base, found)
        definition.variants[key] = known
    return known


def _with_counters(base: Characteristics, found: Object) -> Characteristics:
    (more_power, more_toughness), loyalty = added(found.counters), base.loyalty
    if "planeswalker" in base.types and found.zone == "battlefield":
        loyalty = ev.count(found.counters, "loyalty")
    power, toughness = base.power, base.toughness
    if power is not None and toughness is not None:
        power, toughness = power + more_power, toughness + more_toughness
    return Characteristics(
        base.name, base.cost, base.mana_value, base.colors, base.supertypes, base.types, base.subtypes, base.kit,
        power, toughness, loyalty,
    )  # fmt: skip


FACE_DOWN_CARD = forms.Card(name="", types="Creature", power="2", toughness="2")
FACE_DOWN = define(FACE_DOWN_CARD).base
_WARD = forms.KeywordAbility(keyword="ward", cost=(forms.ManaCost(mana="{2}"),), text="Ward {2}")
FACE_DOWN_WARD = define(replace(FACE_DOWN_CARD, abilities=(_WARD,))).base


def face_down_of(found: Object) -> Characteristics:
    """What a face-down object is: cast for its disguise, it has ward {2} (current 702.168a)."""
    disguised = "disguise" in found.definition.base.keywords and found.entry is not None and found.entry.way
    return FACE_DOWN_WARD if disguised else FACE_DOWN


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
        made.lasting = not state.options.range_of_influence and all(map(_lasts, effects))
    return made


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
    effects: list[Applied] = []
    for oid in index.continuous:
        found = state.objects[oid]
        for _, ability in found.definition.base.kit.continuous:
            effects.append(
                Applied(ability.what, ability.mods, oid, found.controller, found.timestamp, None, own=ability)
            )
    for oid in state.command:
        found = state.objects[oid]
        for _, ability in found.definition.base.kit.continuous:
            effects.append(
                Applied(ability.what, ability.mods, oid, found.controller, found.timestamp, None, own=ability)
            )
    for oid in state.battlefield:
        if state.objects[oid].counters:
            found = state.objects[oid]
            mods = granted(tuple(kind for kind, _ in found.counters))
            if mods:
                effects.append(Applied(None, mods, oid, found.controller, found.timestamp, (oid,)))
    for oid in state.stack:
        entry = state.objects[oid].entry
        if entry is not None and entry.granted:
            found = state.objects[oid]
            mods = (forms.GainAbilities(abilities=entry.granted),)
            effects.append(Applied(None, mods, oid, found.controller, found.timestamp, (oid,)))
    for floating in state.effects:
        if isinstance(floating.ability, forms.Continuous):
            effects.append(
                Applied(
                    floating.ability.what if floating.objects is None else None,
                    floating.ability.mods,
                    floating.source,
                    floating.controller,
                    floating.timestamp,
                    floating.objects,
                    floating.bindings,
                    floating.entry,
                )
            )
    return effects


def _for_spells(effect: Applied) -> bool:
    reading = effect.what.reading if effect.what is not None else None
    kind = reading.of if isinstance(reading, Each) else reading
    return isinstance(kind, Things) and kind.zone == "stack"


def _lasts(effect: Applied) -> bool:
    if effect.locked is None:
        own = effect.own
        if own is None or own.condition is not None or not plain_noun(own.what):
            return False
    return fixed_mods(effect.mods)


# --- the work --------------------------------------------------------------------------------------------------------------


class Work:
    """The characteristics of one object while layers are applied to it."""

    __slots__ = (
        "base", "cant_have", "colors", "controller", "cost", "flags", "granted", "keywords", "lost", "lost_all",
        "mana_value", "name", "plus", "power", "subtypes", "supertypes", "switch", "toughness", "types",
    )  # fmt: skip

    def __init__(self, found: Object) -> None:
        base = found.definition.base if not found.face_down else face_down_of(found)
        self.base = base
        self.name, self.cost, self.mana_value = base.name, base.cost, base.mana_value
        self.colors = base.colors
        self.supertypes, self.types, self.subtypes = base.supertypes, base.types, base.subtypes
        self.power, self.toughness = base.power, base.toughness
        self.granted: tuple[forms.Ability, ...] = ()
        self.keywords: tuple[str, ...] = ()
        self.lost: frozenset[str] = frozenset()
        self.cant_have: frozenset[str] = frozenset()
        self.lost_all = False
        self.plus: tuple[int, int] = (0, 0)
        self.switch = False
        self.controller = found.controller

    def result(self, found: Object) -> Characteristics:
        """The characteristics as they stand now."""
        kit = self._kit()
        power = toughness = None
        if self.power is not None or "creature" in self.types:
            more_power, more_toughness = added(found.counters)
            power = (self.power or 0) + self.plus[0] + more_power
            toughness = (self.toughness or 0) + self.plus[1] + more_toughness
            if self.switch:
                power, toughness = toughness, power
        loyalty = None
        if "planeswalker" in self.types:  # 306.5: only planeswalkers have loyalty
            loyalty = ev.count(found.counters, "loyalty") if found.zone == "battlefield" else self.base.loyalty
        return Characteristics(
            self.name, self.cost, self.mana_value, self.colors, self.supertypes, self.types, self.subtypes, kit,
            power, toughness, loyalty,
        )  # fmt: skip

    def _kit(self) -> Kit:
        base = self.base.kit
        gained_types = ()
        if self.subtypes is not self.base.subtypes and "land" in self.types:
            gained_types = tuple(t for t in BASIC_LAND_TYPES if t in self.subtypes and t not in self.base.subtypes)
        nothing = not (self.granted or self.keywords or self.lost or self.lost_all or self.cant_have or gained_types)
        if nothing:
            return base
        key = (base, self.granted, self.keywords, self.lost, self.lost_all, self.cant_have, gained_types)
        cache_key = (id(base), _ids(self.granted), *key[2:])
        made = _kits.get(cache_key)
        if made is None or made[0] is not base:
            made = (base, self.granted, _make_kit(*key))
            if len(_kits) > 20_000:
                _kits.clear()
            _kits[cache_key] = made
        return made[2]


_kits: dict[object, tuple[Kit, tuple[forms.Ability, ...], Kit]] = {}


def _ids(abilities: tuple[forms.Ability, ...]) -> tuple[int, ...]:
    return tuple(id(a) for a in abilities)


def _make_kit(
    base: Kit,
    granted: tuple[forms.Ability, ...],
    keywords: tuple[str, ...],
    lost: frozenset[str],
    lost_all: bool,
    cant_have: frozenset[str],
    land_types: tuple[str, ...],
) -> Kit:
    gone = lost | cant_have
    old = () if lost_all else base.abilities
    kept = tuple(a for a in old if _keyword_of(a) not in gone)
    new = make_kit(granted, tuple(k for k in keywords if k not in gone), land_types)
    new_kept = tuple(a for a in new.abilities if _keyword_of(a) not in gone)
    old_names: frozenset[str] = frozenset() if lost_all else base.keywords
    return Kit(kept + new_kept, frozenset((old_names | new.keywords) - gone))


def with_abilities(kit: Kit, given: tuple[forms.Ability, ...]) -> Kit:
    """The abilities of a kit and some more; the same kit every time."""
    key = (id(kit), _ids(given))
    made = _kits.get(key)
    if made is None or made[0] is not kit:
        made = _kits[key] = (kit, given, _make_kit(kit, given, (), frozenset(), False, frozenset(), ()))
    return made[2]


def _keyword_of(ability: forms.Ability) -> str:
    if isinstance(ability, forms.KeywordAbility | forms.ActivatedAbility | forms.TriggeredAbility | forms.Replacement):
        return ability.keyword
    return ""


LAYERS: tuple[tuple[type[forms.Modification], ...], ...] = (
    (forms.BecomeCopy,),
    (forms.SetTypes,),
    (forms.SetColors,),
    (forms.GainAbilities, forms.LoseAbilities, forms.CantHave),
    (forms.DefinePT,),
    (forms.SetPT,),
    (forms.AddPT,),
    (forms.SwitchPT,),
    (forms.Flag,),
)
_layer_bits = dict.fromkeys(forms.Modification.__subclasses__(), 0) | {
    kind: 1 << number for number, kinds in enumerate(LAYERS) for kind in kinds
}


def _apply_layers(state: State, made: Board, effects: list[Applied]) -> None:
    works: dict[int, Work] = {}
    effects.sort(key=lambda e: e.timestamp)
    started: set[int] = set()
    for number, kinds in enumerate(LAYERS):
        layer = [e for e in effects if e.layers >> number & 1]
        if not layer:
            continue
        # 613.2: characteristic-defining abilities first.
        layer.sort(key=lambda e: (not _defines(e), e.timestamp))
        while layer:
            effect = _next(state, made, layer, kinds)
            layer.remove(effect)
            _apply_one(state, made, works, effect, kinds, started)
        if kinds[0] is forms.BecomeCopy:
            effects += _copied_effects(state, made, effects)
            effects.sort(key=lambda e: e.timestamp)
        if kinds[0] is forms.GainAbilities:
            # Abilities gained in this layer may be static themselves and make effects in this and later layers (613.5).
            extra = _granted_effects(state, works, effects)
            for effect in extra:
                effects.append(effect)
                _apply_one(state, made, works, effect, kinds, started)
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
        for _, own in definition.base.kit.continuous:
            extra.append(Applied(own.what, own.mods, oid, found.controller, found.timestamp, None, own=own))
    return extra


def _defines(effect: Applied) -> bool:
    return effect.what is not None and isinstance(effect.what.reading, This)


def _granted_effects(state: State, works: dict[int, Work], effects: list[Applied]) -> list[Applied]:
    known_own = {(e.source, id(e.own)) for e in effects if e.own is not None}
    extra: list[Applied] = []
    for oid, work in works.items():
        if not (work.granted or work.keywords):
            continue
        found = state.objects.get(oid)
        if found is None or found.zone != "battlefield":
            continue
        for _, ability in work.result(found).kit.continuous:
            if (oid, id(ability)) not in known_own:
                extra.append(
                    Applied(ability.what, ability.mods, oid, found.controller, found.timestamp, None, own=ability)
                )
    return extra


def _next(state: State, made: Board, layer: list[Applied], kinds: tuple[type[forms.Modification], ...]) -> Applied:
    """The effect to apply next: the earliest that depends on none of the others still to come (613.7)."""
    first = layer[0]
    settled = first.locked is not None or first.reached is not None  # what it applies to changes no more
    if len(layer) == 1 or settled or kinds[0] in (forms.AddPT, forms.SwitchPT, forms.SetPT, forms.DefinePT, forms.Flag):
        return first
    for effect in layer:
        others = [o for o in layer if o is not effect]
        if not any(_depends(state, made, effect, other, kinds) for other in others):
            return effect
    return first


def _depends(
    state: State, made: Board, effect: Applied, other: Applied, kinds: tuple[type[forms.Modification], ...]
) -> bool:
    """Whether applying `other` would change whether `effect` exists or what it applies to (613.7a)."""
    if _defines(effect) != _defines(other) and _defines(other):
        return False
    if effect.locked is not None or effect.reached is not None:
        return False
    before = (_exists(state, made, effect), _reach(state, effect))
    works: dict[int, Work] = {}
    saved = dict(made.changed)
    trial = Applied(other.what, other.mods, other.source, other.controller, other.timestamp, other.locked,
                    other.bindings, other.entry, other.own)  # fmt: skip
    trial.reached = other.reached
    _apply_one(state, made, works, trial, kinds, set())
    after = (_exists(state, made, effect), _reach(state, effect))
    made.changed.clear()
    made.changed.update(saved)
    return before != after


def _exists(state: State, made: Board, effect: Applied) -> bool:
    """Whether the static ability that makes the effect is still there, its source's abilities being what they are now."""
    if effect.own is None:
        return True
    changed = made.changed.get(effect.source)
    if changed is None:
        return True
    return any(a is effect.own for _, a in changed.kit.continuous)


def _reach(state: State, effect: Applied) -> tuple[int, ...]:
    """The objects that the effect applies to now."""
    if effect.locked is not None:
        return tuple(r for r in effect.locked if r in state.objects)
    if effect.what is None:
        return ()
    from server.rules import amounts, select

    scope = Scope(effect.source, effect.controller, effect.entry, effect.bindings)
    if effect.own is not None and effect.own.condition is not None:
        if not amounts.holds(state, effect.own.condition, scope):
            return ()
    return tuple(r for r in select.refs(state, effect.what.reading, scope) if r > 0)


def _apply_one(
    state: State,
    made: Board,
    works: dict[int, Work],
    effect: Applied,
    kinds: tuple[type[forms.Modification], ...],
    started: set[int],
) -> None:
    if effect.reached is None:
        if not _exists(state, made, effect):
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
        for mod in effect.mods:
            if isinstance(mod, kinds):
                if isinstance(mod, forms.Flag):
                    made.flags.setdefault(oid, []).append(
                        RuleFlag(mod, effect.source, effect.controller, effect.bindings, effect.entry)
                    )
                    if mod.rule == "indestructible":
                        work.keywords = (*work.keywords, "indestructible")
                        touched = True
                else:
                    MODIFIERS[type(mod)](state, work, mod, effect, oid)
                    touched = True
        if touched:
            made.changed[oid] = work.result(found)


def _of_each(amount: Amount) -> bool:
    """Whether it is a statistic of each affected object itself ("each equal to its mana value")."""
    return isinstance(amount, StatOf) and amount.stat == "mana value" and amount.of.text == "it"


def _amount(state: State, amount: Amount, effect: Applied, oid: int) -> int:
    if isinstance(amount, int):
        return amount

    from server.rules import amounts

    # 802.2a: "defending player" is determined for each attacking creature that is affected.
    bindings: Bindings = (*effect.bindings, (AFFECTED, (oid,)))
    if _of_each(amount):
        bindings = (*bindings, ("it", (oid,)))
    return amounts.amount(state, amount, Scope(effect.source, effect.controller, effect.entry, bindings))


def _copy(state: State, work: Work, mod: forms.BecomeCopy, effect: Applied, oid: int) -> None:
    assert mod.card is not None  # known since the effect began
    base = define(mod.card).base
    work.base = base
    work.name, work.cost, work.mana_value = base.name, base.cost, base.mana_value
    work.colors = base.colors
    work.supertypes, work.types, work.subtypes = base.supertypes, base.types, base.subtypes
    work.power, work.toughness = base.power, base.toughness


def _types(state: State, work: Work, mod: forms.SetTypes, effect: Applied, oid: int) -> None:
    types, subtypes, supertypes = frozenset(mod.types), _subtypes(state, mod, effect), frozenset(mod.supertypes)
    if mod.replace:
        if types:
            work.types = types
        if subtypes or types:
            if "land" in work.types and subtypes and subtypes <= BASIC_LAND_TYPES.keys():
                # 305.7: setting a land's subtype removes its old land types and abilities and gives the new types' mana abilities.
                from server.cards.vocabulary import LAND_TYPES
                from server.rules.definition import basic_land_ability

                work.lost_all = True
                work.subtypes = work.subtypes - frozenset(LAND_TYPES) | subtypes

                work.granted = (*work.granted, *(basic_land_ability(s) for s in BASIC_LAND_TYPES if s in subtypes))
                return
            work.subtypes = _kept_subtypes(work, types) | subtypes
    else:
        work.types = work.types | types
        work.subtypes = work.subtypes | subtypes
    work.supertypes = work.supertypes | supertypes
    if mod.all_subtypes == "creature":
        from server.cards.vocabulary import CREATURE_TYPES

        work.subtypes = work.subtypes | frozenset(CREATURE_TYPES)
    if mod.lose:
        gone = lost_with(mod.lose)
        work.types, work.subtypes, work.supertypes = work.types - gone, work.subtypes - gone, work.supertypes - gone


def _subtypes(state: State, mod: forms.SetTypes, effect: Applied) -> frozenset[str]:
    """The subtypes that an effect gives, "chosen" being the type chosen for it or for its source."""
    if mod.subtypes != ("chosen",):
        return frozenset(mod.subtypes)
    bound = dict(effect.bindings).get("chosen type")
    source = state.objects.get(effect.source)
    chosen = bound if bound is not None else dict(source.chosen if source is not None else ()).get("type", "")
    return frozenset((str(chosen),)) if chosen else frozenset()


def lost_with(words: tuple[str, ...]) -> frozenset[str]:
    """The types that go, and with "creature" the creature types, which nothing else has (205.1a)."""
    from server.cards.vocabulary import CREATURE_TYPES

    return frozenset(words) | CREATURE_TYPES if "creature" in words else frozenset(words)


def _kept_subtypes(work: Work, types: frozenset[str]) -> frozenset[str]:
    """205.1a, b: a new creature type replaces the creature types; new card types take the subtypes of the old ones."""
    from server.cards.vocabulary import CREATURE_TYPES

    return frozenset() if types else work.subtypes - CREATURE_TYPES


def _colors(state: State, work: Work, mod: forms.SetColors, effect: Applied, oid: int) -> None:
    letters = mod.colors
    if letters == "chosen":
        letters = COLOR_LETTERS.get(_chosen_color(state, effect), "")
    mask = 0
    for letter in letters:
        mask |= COLOR_BITS[letter]
    work.colors = mask if mod.replace else work.colors | mask


COLOR_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def _chosen_color(state: State, effect: Applied) -> str:
    """The colour chosen for an effect or for its source; "" if none was."""
    bound = dict(effect.bindings).get("chosen color")
    source = state.objects.get(effect.source)
    return str(bound) if bound is not None else dict(source.chosen if source is not None else ()).get("color", "")


@lru_cache(maxsize=64)
def _from_color(keyword: str, color: str) -> forms.KeywordAbility:
    return forms.KeywordAbility(keyword=keyword, quality=forms.Noun(color))


def _gains(state: State, work: Work, mod: forms.GainAbilities, effect: Applied, oid: int) -> None:
    work.keywords = (*work.keywords, *(k for k in mod.keywords if k not in work.keywords))
    abilities = mod.abilities
    if is_of_chosen_color(mod):
        color = _chosen_color(state, effect)
        abilities = (_from_color(cast(forms.KeywordAbility, abilities[0]).keyword, color),) if color else ()
    work.granted = (*work.granted, *abilities)
    work.lost = work.lost - frozenset(mod.keywords)


def _loses(state: State, work: Work, mod: forms.LoseAbilities, effect: Applied, oid: int) -> None:
    if mod.keywords:
        work.lost = work.lost | frozenset(mod.keywords)
        work.keywords = tuple(k for k in work.keywords if k not in mod.keywords)
    else:
        work.lost_all = True
        work.keywords, work.granted = (), ()


def _cant_have(state: State, work: Work, mod: forms.CantHave, effect: Applied, oid: int) -> None:
    work.cant_have = work.cant_have | frozenset(mod.keywords)


def _set_pt(state: State, work: Work, mod: forms.SetPT | forms.DefinePT, effect: Applied, oid: int) -> None:
    if mod.power is not None:
        work.power = _amount(state, mod.power, effect, oid)
    if mod.toughness is not None:
        work.toughness = _amount(state, mod.toughness, effect, oid)


def _add_pt(state: State, work: Work, mod: forms.AddPT, effect: Applied, oid: int) -> None:
    sign = -1 if mod.minus else 1
    power = sign * _amount(state, mod.power, effect, oid)
    toughness = sign * _amount(state, mod.toughness, effect, oid)
    work.plus = (work.plus[0] + power, work.plus[1] + toughness)


def _switch(state: State, work: Work, mod: forms.SwitchPT, effect: Applied, oid: int) -> None:
    work.switch = not work.switch


def _nothing(state: State, work: Work, mod: forms.Modification, effect: Applied, oid: int) -> None:
    return None


MODIFIERS: dict[type[forms.Modification], Callable[..., None]] = {
    forms.BecomeCopy: _copy,
    forms.GainControl: _nothing,
    forms.SetTypes: _types,
    forms.SetColors: _colors,
    forms.GainAbilities: _gains,
    forms.LoseAbilities: _loses,
    forms.CantHave: _cant_have,
    forms.DefinePT: _set_pt,
    forms.SetPT: _set_pt,
    forms.AddPT: _add_pt,
    forms.SwitchPT: _switch,
}


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


#: What a noun must be for an effect to reach a group.
GROUPS = (Each,)
