"""What continuous effects do to one object: its characteristics as they stand before the layers (613.1), the work done on them
layer by layer, and one function for each modification.

`layers` says which effects there are, whom they reach and in which order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, cast

from server.cards import forms
from server.cards.grammar import CREATURE_TYPES, EVERY_SUBTYPE, LAND_TYPES
from server.cards.keywords import FLAG_KEYWORDS
from server.cards.nouns import Amount, StatOf
from server.rules.characteristics import amounts, layers, selection
from server.rules.characteristics.made_mana import COLOR_LETTERS
from server.rules.continuous import FACE_DOWN_WARD, added, choice_of, face_down_of, is_marked, is_of_chosen_color
from server.rules.model import (
    BASIC_LAND_TYPES,
    COLOR_BITS,
    Abilities,
    Bindings,
    BoundRefs,
    Characteristics,
    Definition,
    Object,
    Scope,
    State,
    basic_land_ability,
    chosen_name,
    define,
    is_flipped,
    lookup,
    make_abilities,
    remember,
    when_flipped,
)

VARIANTS = 256
"""Of one definition: what it is with these or those counters, face down, as a permanent."""


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
        remember(definition.variants, key, known, VARIANTS)
    return known


def _with_counters(base: Characteristics, found: Object) -> Characteristics:
    (more_power, more_toughness), loyalty = added(found.counters), base.loyalty
    if "planeswalker" in base.types and found.zone == "battlefield":
        loyalty = lookup.count(found.counters, "loyalty")
    power, toughness = base.power, base.toughness
    if power is not None and toughness is not None:
        power, toughness = power + more_power, toughness + more_toughness
    return Characteristics(
        base.name, base.cost, base.mana_value, base.colors, base.supertypes, base.types, base.subtypes, base.abilities,
        power, toughness, loyalty,
    )  # fmt: skip


# --- the work --------------------------------------------------------------------------------------------------------------


class Work:
    """The characteristics of one object while layers are applied to it."""

    __slots__ = (
        "base", "cant_have", "colors", "controller", "cost", "counted", "flags", "granted", "keywords", "lost", "lost_all",
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
        self.counted = True  # whether counters have changed power and toughness yet

    def result(self, found: Object) -> Characteristics:
        """The characteristics as they stand now."""
        abilities = self._abilities()
        power = toughness = None
        if self.power is not None or "creature" in self.types:
            more_power, more_toughness = added(found.counters) if self.counted else (0, 0)
            power = (self.power or 0) + self.plus[0] + more_power
            toughness = (self.toughness or 0) + self.plus[1] + more_toughness
            if self.switch:
                power, toughness = toughness, power
        loyalty = None
        if "planeswalker" in self.types:  # 306.5: only planeswalkers have loyalty
            loyalty = lookup.count(found.counters, "loyalty") if found.zone == "battlefield" else self.base.loyalty
        return Characteristics(
            self.name, self.cost, self.mana_value, self.colors, self.supertypes, self.types, self.subtypes, abilities,
            power, toughness, loyalty,
        )  # fmt: skip

    def _abilities(self) -> Abilities:
        base = self.base.abilities
        gained_types = ()
        if self.subtypes is not self.base.subtypes and "land" in self.types:
            gained_types = tuple(t for t in BASIC_LAND_TYPES if t in self.subtypes and t not in self.base.subtypes)
        nothing = not (self.granted or self.keywords or self.lost or self.lost_all or self.cant_have or gained_types)
        if nothing:
            return base
        key = (base, self.granted, self.keywords, self.lost, self.lost_all, self.cant_have, gained_types)
        cache_key = (id(base), _ids(self.granted), *key[2:])
        made = _derived.get(cache_key)
        if made is None or made[0] is not base:
            made = (base, self.granted, _derive(*key))
            remember(_derived, cache_key, made)
        return made[2]


_derived: dict[object, tuple[Abilities, tuple[forms.Ability, ...], Abilities]] = {}


def _ids(abilities: tuple[forms.Ability, ...]) -> tuple[int, ...]:
    return tuple(id(a) for a in abilities)


def _derive(
    base: Abilities,
    granted: tuple[forms.Ability, ...],
    keywords: tuple[str, ...],
    lost: frozenset[str],
    lost_all: bool,
    cant_have: frozenset[str],
    land_types: tuple[str, ...],
) -> Abilities:
    gone = lost | cant_have
    old = () if lost_all else base.all
    kept = tuple(a for a in old if _keyword_of(a) not in gone)
    new = make_abilities(granted, tuple(k for k in keywords if k not in gone), land_types)
    new_kept = tuple(a for a in new.all if _keyword_of(a) not in gone)
    old_names: frozenset[str] = frozenset() if lost_all else base.keywords
    return Abilities(kept + new_kept, frozenset((old_names | new.keywords) - gone))


def with_abilities(abilities: Abilities, given: tuple[forms.Ability, ...]) -> Abilities:
    """Abilities and some more; the same object every time."""
    key = (id(abilities), _ids(given))
    made = _derived.get(key)
    if made is None or made[0] is not abilities:
        made = remember(
            _derived, key, (abilities, given, _derive(abilities, given, (), frozenset(), False, frozenset(), ()))
        )
    return made[2]


def _keyword_of(ability: forms.Ability) -> str:
    if isinstance(ability, forms.KeywordAbility | forms.ActivatedAbility | forms.TriggeredAbility | forms.Replacement):
        return ability.keyword
    return ""


# --- modifications ---------------------------------------------------------------------------------------------------------


def _of_each(amount: Amount) -> bool:
    """Whether it is a statistic of each affected object itself ("each equal to its mana value")."""
    return isinstance(amount, StatOf) and amount.stat == "mana value" and amount.of.text == "it"


def _amount(state: State, amount: Amount, scope: Scope, oid: int) -> int:
    if isinstance(amount, int):
        return amount

    # 802.2a: "defending player" is determined for each attacking creature that is affected.
    bindings: Bindings = (*scope.bindings, (BoundRefs.AFFECTED, (oid,)))
    if _of_each(amount) or scope.refs(BoundRefs.IT) is None:  # what a static ability calls "it" is what it modifies
        bindings = (*bindings, (BoundRefs.IT, (oid,)))
    return amounts.amount(state, amount, Scope(scope.source, scope.controller, scope.entry, bindings))


FLIPPED = "flipped"


def shown(found: Object, copied: Definition) -> Definition:
    """What a permanent shows of what it is a copy of: its status stays its own (706.3, 110.6c)."""
    return when_flipped(copied) if is_flipped(found.definition) or is_marked(found, FLIPPED) else copied


def _copy(state: State, work: Work, mod: forms.BecomeCopy, scope: Scope, oid: int) -> None:
    assert mod.card is not None  # known since the effect began
    found = state.objects[oid]
    if found.face_down:
        return
    base = shown(found, define(mod.card)).base
    work.base = base
    work.name, work.cost, work.mana_value = base.name, base.cost, base.mana_value
    work.colors = base.colors
    work.supertypes, work.types, work.subtypes = base.supertypes, base.types, base.subtypes
    work.power, work.toughness = base.power, base.toughness


def _types(state: State, work: Work, mod: forms.SetTypes, scope: Scope, oid: int) -> None:
    types, subtypes, supertypes = frozenset(mod.types), _subtypes(state, mod, scope), frozenset(mod.supertypes)
    if mod.replace:
        if types:
            work.types = types
        if subtypes or types:
            if "land" in work.types and subtypes and subtypes <= BASIC_LAND_TYPES.keys():
                # 305.7: setting a land's subtype removes its old land types and abilities and gives the new types' mana abilities.
                work.lost_all = True
                work.subtypes = work.subtypes - frozenset(LAND_TYPES) | subtypes
                work.granted = (*work.granted, *(basic_land_ability(s) for s in BASIC_LAND_TYPES if s in subtypes))
                return
            work.subtypes = _kept_subtypes(work, types) | subtypes
    else:
        work.types = work.types | types
        work.subtypes = work.subtypes | subtypes
    work.supertypes = work.supertypes | supertypes
    if mod.all_subtypes:
        work.subtypes = work.subtypes | EVERY_SUBTYPE[mod.all_subtypes]
    if mod.lose:
        gone = lost_with(mod.lose)
        work.types, work.subtypes, work.supertypes = work.types - gone, work.subtypes - gone, work.supertypes - gone


def _subtypes(state: State, mod: forms.SetTypes, scope: Scope) -> frozenset[str]:
    """The subtypes that an effect gives, "chosen" being the type chosen for it or for its source."""
    if mod.like is not None:
        of = (layers.characteristics(state, ref) for ref in selection.select(state, mod.like, scope) if ref > 0)
        return frozenset(mod.subtypes).union(*(c.subtypes & CREATURE_TYPES for c in of))
    if mod.subtypes != ("chosen",):
        return frozenset(mod.subtypes)
    bound = dict(scope.bindings).get(chosen_name("type"))
    source = state.objects.get(scope.source)
    chosen = bound if bound is not None else choice_of(state, source, "type")
    return frozenset((str(chosen),)) if chosen else frozenset()


def lost_with(words: tuple[str, ...]) -> frozenset[str]:
    """The types that go, and with "creature" the creature types, which nothing else has (205.1a)."""
    typeless = "creature" in words or "creature types" in words
    return frozenset(words) | CREATURE_TYPES if typeless else frozenset(words)


def _kept_subtypes(work: Work, types: frozenset[str]) -> frozenset[str]:
    """205.1a, b: a new creature type replaces the creature types; new card types take the subtypes of the old ones."""
    return frozenset() if types else work.subtypes - CREATURE_TYPES


def _colors(state: State, work: Work, mod: forms.SetColors, scope: Scope, oid: int) -> None:
    mask = 0
    if mod.colors == "chosen":
        mask = chosen_colors(state, scope)
    else:
        for letter in mod.colors:
            mask |= COLOR_BITS[letter]
    work.colors = mask if mod.replace else work.colors | mask


def chosen_colors(state: State, scope: Scope) -> int:
    """The colour, or the several, chosen for an effect or for its source, as a mask; 0 if none was."""
    return sum(COLOR_BITS[COLOR_LETTERS[color]] for color in _chosen_color(state, scope).split())


def _chosen_color(state: State, scope: Scope) -> str:
    """The colour chosen for an effect or for its source; "" if none was."""
    bound = dict(scope.bindings).get(chosen_name("color"))
    source = state.objects.get(scope.source)
    return str(bound) if bound is not None else choice_of(state, source, "color") or ""


@lru_cache(maxsize=64)
def _from_color(keyword: str, color: str, spares: Literal["", "Auras", "this"]) -> forms.KeywordAbility:
    return forms.KeywordAbility(keyword=keyword, quality=forms.Noun(color), spares=spares)


def _gains(state: State, work: Work, mod: forms.GainAbilities, scope: Scope, oid: int) -> None:
    # Several instances of what is no more than a name are one; of all others each works by itself (of riot, current 702.136b).
    new = (k for k in mod.keywords if k not in work.keywords or k not in FLAG_KEYWORDS)
    work.keywords = (*work.keywords, *new)
    abilities = mod.abilities
    if is_of_chosen_color(mod):
        color = _chosen_color(state, scope)
        said = cast(forms.KeywordAbility, abilities[0])
        abilities = (_from_color(said.keyword, color, said.spares),) if color else ()
    work.granted = (*work.granted, *abilities)
    work.lost = work.lost - frozenset(mod.keywords)


def _loses(state: State, work: Work, mod: forms.LoseAbilities, scope: Scope, oid: int) -> None:
    if mod.keywords:
        work.lost = work.lost | frozenset(mod.keywords)
        work.keywords = tuple(k for k in work.keywords if k not in mod.keywords)
    else:
        work.lost_all = True
        work.keywords, work.granted = (), ()


def _is_indestructible(state: State, work: Work, mod: forms.IsIndestructible, scope: Scope, oid: int) -> None:
    _gains(state, work, forms.GainAbilities(keywords=("indestructible",)), scope, oid)


def _cant_have(state: State, work: Work, mod: forms.CantHave, scope: Scope, oid: int) -> None:
    work.cant_have = work.cant_have | frozenset(mod.keywords)


def sizes_of(
    state: State, mod: forms.SetPT | forms.DefinePT | forms.AddPT, scope: Scope, oid: int
) -> tuple[int | None, int | None]:
    """The power and toughness that a modification sets or adds for an object, as its amounts are now."""
    return (
        None if mod.power is None else _amount(state, mod.power, scope, oid),
        None if mod.toughness is None else _amount(state, mod.toughness, scope, oid),
    )


def _set_pt(state: State, work: Work, mod: forms.SetPT | forms.DefinePT, scope: Scope, oid: int) -> None:
    if mod.power is not None:
        work.power = _amount(state, mod.power, scope, oid)
    if mod.toughness is not None:
        work.toughness = _amount(state, mod.toughness, scope, oid)


def _add_pt(state: State, work: Work, mod: forms.AddPT, scope: Scope, oid: int) -> None:
    sign = -1 if mod.minus else 1
    power = sign * _amount(state, mod.power, scope, oid)
    toughness = sign * _amount(state, mod.toughness, scope, oid)
    work.plus = (work.plus[0] + power, work.plus[1] + toughness)


def _switch(state: State, work: Work, mod: forms.SwitchPT, scope: Scope, oid: int) -> None:
    work.switch = not work.switch


def _nothing(state: State, work: Work, mod: forms.Modification, scope: Scope, oid: int) -> None:
    return None


MODIFIERS: dict[type[forms.Modification], Callable[..., None]] = {
    forms.BecomeCopy: _copy,
    forms.GainControl: _nothing,
    forms.SetTypes: _types,
    forms.SetColors: _colors,
    forms.GainAbilities: _gains,
    forms.LoseAbilities: _loses,
    forms.CantHave: _cant_have,
    forms.IsIndestructible: _is_indestructible,
    forms.DefinePT: _set_pt,
    forms.SetPT: _set_pt,
    forms.AddPT: _add_pt,
    forms.SwitchPT: _switch,
}
