"""Which continuous effects look at the objects of the state alone, so that what they make of it outlives the turn's steps.

Characteristics are computed anew when something that they may depend on has changed. Most static abilities ("other Wolves
you control get +1/+1") ask for nothing that a new step, a declared attack or a counted event could change. The list here is
of what is known to be so; whatever is not on it counts as if it depended on everything.
"""

from __future__ import annotations

from functools import lru_cache

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.continuous.boards import Applied
from server.rules.model import remember, walk

#: Parts of nouns that look at objects and at who is who. A `Status` may be a place in combat, a `Value` anything.
PLAIN = (
    nouns.All,
    nouns.Any,
    nouns.Attached,
    nouns.ColorCount,
    nouns.ControlledBy,
    nouns.Each,
    nouns.HasColor,
    nouns.HasCounter,
    nouns.HasKeyword,
    nouns.HasName,
    nouns.HasSubtype,
    nouns.HasSupertype,
    nouns.HasType,
    nouns.IsA,
    nouns.Not,
    nouns.Other,
    nouns.OwnedBy,
    nouns.StatIs,
    nouns.Things,
    nouns.This,
    nouns.You,
)
#: Modifications that say all there is to know themselves, if they hold no amount and no noun.
FIXED = (
    forms.AddPT,
    forms.CantHave,
    forms.GainControl,
    forms.IsIndestructible,
    forms.LoseAbilities,
    forms.SetColors,
    forms.SetPT,
    forms.SetTypes,
    forms.SwitchPT,
)


@lru_cache(maxsize=4096)
def plain_noun(noun: Noun) -> bool:
    """Whether what the noun selects depends on the objects alone."""
    return all(isinstance(part, PLAIN) for part in walk(noun.reading))


def fixed_mods(mods: tuple[forms.AnyModification, ...]) -> bool:
    """Whether what the modifications do is the same whatever the state; remembered by their identity."""
    known = _known.get(id(mods))
    if known is None or known[0] is not mods:
        known = remember(_known, id(mods), (mods, all(map(_fixed, mods))))
    return known[1]


_known: dict[int, tuple[object, bool]] = {}


def is_of_chosen_color(mod: forms.GainAbilities) -> bool:
    """Whether what is gained is protection (or the like) from the chosen colour, which its source knows."""
    ability = mod.abilities[0] if len(mod.abilities) == 1 else None
    quality = ability.quality if isinstance(ability, forms.KeywordAbility) else None
    return quality is not None and quality.text == "the chosen color"


def _fixed(mod: forms.AnyModification) -> bool:
    if isinstance(mod, forms.Flag | forms.GainControl):
        return True  # a flag's nouns are read by whoever asks for it; control is no characteristic
    if isinstance(mod, forms.GainAbilities):
        return not is_of_chosen_color(mod)  # static abilities that are gained are looked at as effects of their own
    return isinstance(mod, FIXED) and len(walk(mod)) == 1


def lasts(effect: Applied) -> bool:
    """Whether what a continuous effect does depends on the objects alone."""
    if effect.locked is None:
        own = effect.own
        if own is None or own.condition is not None or not plain_noun(own.what):
            return False
    return fixed_mods(effect.mods)
