"""Which continuous effects of one layer could depend on one another at all (613.7a): by what one of them asks of objects and
what the other says about them.

Whether one does depend is found by trying (`layers`); most pairs need no trial, because an effect that gives creatures a
keyword and one that gives Wolves another have nothing to do with each other. What is not listed here counts as asking for
everything.
"""

from __future__ import annotations

from functools import lru_cache

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.model import remember, walk

TYPES, COLORS, ABILITIES = 1, 2, 4
EVERYTHING = 7

#: What each part of a noun asks of an object, its own parts aside.
ASKS: dict[type, int] = {
    nouns.HasSubtype: TYPES,
    nouns.HasSupertype: TYPES,
    nouns.HasType: TYPES,
    nouns.ColorCount: COLORS,
    nouns.HasColor: COLORS,
    nouns.HasKeyword: ABILITIES,
    **dict.fromkeys(
        (
            nouns.All,
            nouns.Any,
            nouns.Attached,
            nouns.ControlledBy,
            nouns.Each,
            nouns.HasCounter,
            nouns.IsA,
            nouns.Not,
            nouns.Other,
            nouns.OwnedBy,
            nouns.Players,
            nouns.Things,
            nouns.This,
            nouns.You,
        ),
        0,
    ),
}

SIZES = (forms.DefinePT, forms.SetPT, forms.AddPT, forms.SwitchPT)
"""The modifications of layer 7, which change nothing but power and toughness."""

CHANGELING = "changeling"
"""The keyword that is read where creature types are asked for."""


@lru_cache(maxsize=4096)
def asks(what: Noun) -> int:
    """What of objects decides whether the noun selects them."""
    found = 0
    for part in walk(what.reading):
        found |= ASKS.get(type(part), EVERYTHING)
    return found


def says(mods: tuple[forms.AnyModification, ...]) -> int:
    """What of objects the modifications may change in the layers in which there can be dependency."""
    found = 0
    for mod in mods:
        if isinstance(mod, forms.BecomeCopy):
            return EVERYTHING
        if isinstance(mod, forms.SetTypes):
            found |= TYPES | ABILITIES  # 305.7: a basic land type may take the place of abilities
        elif isinstance(mod, forms.SetColors):
            found |= COLORS
        elif isinstance(mod, forms.IsIndestructible):
            found |= ABILITIES
        elif isinstance(mod, forms.GainAbilities | forms.LoseAbilities | forms.CantHave):
            found |= ABILITIES if _exactly(mod) else ABILITIES | TYPES
    return found


def _exactly(mod: forms.GainAbilities | forms.LoseAbilities | forms.CantHave) -> bool:
    """Whether creature types stay as they are."""
    return bool(mod.keywords or isinstance(mod, forms.GainAbilities)) and CHANGELING not in mod.keywords


def takes_abilities(mods: tuple[forms.AnyModification, ...]) -> bool:
    """Whether a static ability could be gone because of the modifications, and with it its effect."""
    takers = (forms.BecomeCopy, forms.SetTypes, forms.LoseAbilities, forms.CantHave)
    return any(isinstance(mod, takers) for mod in mods)


_looks: dict[int, tuple[object, object, object, bool]] = {}


def looks_at_sizes(
    mods: tuple[forms.AnyModification, ...], what: Noun | None, condition: forms.AnyCondition | None
) -> bool:
    """Whether an effect with such modifications, of what a noun selects while a condition holds, asks for powers or toughnesses;
    remembered by the identity of the modifications, which an ability has from its card."""
    if what is None and not any(isinstance(mod, SIZES) for mod in mods):
        return False
    known = _looks.get(id(mods))
    if known is None or known[0] is not mods or known[1] is not what or known[2] is not condition:
        tree = (*(mod for mod in mods if isinstance(mod, SIZES)), what, condition)
        known = remember(_looks, id(mods), (mods, what, condition, _asks_sizes(tree)))
    return known[3]


def _asks_sizes(tree: object) -> bool:
    for part in walk(tree):
        if isinstance(part, Noun):
            if _asks_sizes(part.reading):
                return True
        elif getattr(part, "stat", "") in ("power", "toughness") or isinstance(part, nouns.Distinct):
            return True
    return False
