"""Cards for tests of keyword abilities."""

from __future__ import annotations

from typing import Any

from server.cards import forms
from server.cards.forms import Card, KeywordAbility
from tests.rules.play import creature, noun


def word(keyword: str, **more: Any) -> KeywordAbility:
    """A keyword ability with what it takes: costs as printed mana, qualities as phrases."""
    if isinstance(more.get("quality"), str):
        more["quality"] = noun(more["quality"])
    if isinstance(more.get("cost"), str):
        more["cost"] = (forms.ManaCost(mana=more["cost"]),)
    return KeywordAbility(keyword=keyword, **more)


def beast(power: int, toughness: int, *abilities: forms.Ability | str, name: str = "Beast", **more: Any) -> Card:
    """A creature with keywords and abilities."""
    plain = tuple(a for a in abilities if isinstance(a, str))
    own = tuple(a for a in abilities if not isinstance(a, str))
    return creature(name, power, toughness, *plain, abilities=own, **more)


ISLAND = Card(name="Island", types="Basic Land — Island")
SWAMP = Card(name="Swamp", types="Basic Land — Swamp")
