"""Printed characteristics (109.3): of a card form, and of a split card that is no spell (708.2)."""

from __future__ import annotations

import msgspec

from server.cards import forms
from server.cards.forms import Card
from server.cards.grammar import EVERY_SUBTYPE, parse_types
from server.cards.keywords import room_abilities
from server.rules.definitions import mana
from server.rules.definitions.abilities import Abilities, defines, make_abilities
from server.rules.definitions.intrinsic import (
    AFTER_ADVENTURE,
    READ_AHEAD,
    enters_with_lore,
    enters_with_loyalty,
    final_chapter,
)

COLOR_BITS = {"W": 1, "U": 2, "B": 4, "R": 8, "G": 16}


class Characteristics(msgspec.Struct, frozen=True, gc=False):
    """The characteristics of an object (109.3). `colors` is a mask (W 1, U 2, B 4, R 8, G 16); `halves`
    those of each half of a split card that is no spell (708.2)."""

    name: str
    cost: mana.Cost | None
    mana_value: int
    colors: int
    supertypes: frozenset[str]
    types: frozenset[str]
    subtypes: frozenset[str]
    abilities: Abilities = msgspec.field(name="kit")
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    halves: tuple[Characteristics, ...] = ()

    @property
    def keywords(self) -> frozenset[str]:
        """The names of the keyword abilities it has."""
        return self.abilities.keywords


def number(text: str) -> int | None:
    """A printed power, toughness or loyalty as a number: "*" and "1+*" count their fixed part, "" is none."""
    if not text:
        return None
    if text.lstrip("-").isdigit():
        return int(text)
    return sum(int(part) for part in text.split("+") if part.strip().isdigit())


def printed(card: Card) -> Characteristics:
    """The printed characteristics of a card form."""
    if card.layout == "split":
        return both_halves(card)
    supertypes, types, subtypes = parse_types(card.types)
    cost = mana.parse_cost(card.cost) if card.cost else None
    if card.colors is not None:
        colors = 0
        for letter in card.colors:
            colors |= COLOR_BITS[letter]
    else:
        colors = mana.colors_of(cost) & 31 if cost is not None else 0
    if "devoid" in card.keywords:
        colors = 0  # devoid, current 702.114a: a characteristic-defining ability, which works everywhere
    colors, subtypes = _defined(card, colors, tuple(subtypes))
    abilities = card.abilities
    loyalty = number(card.loyalty)
    if "planeswalker" in types and loyalty is not None:
        abilities = (*abilities, enters_with_loyalty(loyalty))
    if "Saga" in subtypes:
        most = final_chapter(abilities) if READ_AHEAD in card.keywords else 0
        abilities = (*abilities, enters_with_lore(most))
    if card.rooms:
        abilities = (*abilities, *room_abilities(card))
    if card.layout == "adventure":
        abilities = (*abilities, AFTER_ADVENTURE)
    return Characteristics(
        name=card.name,
        cost=cost,
        mana_value=mana.mana_value(cost) if cost is not None else 0,
        colors=colors,
        supertypes=frozenset(supertypes),
        types=frozenset(types),
        subtypes=frozenset(subtypes),
        abilities=make_abilities(abilities, card.keywords, tuple(subtypes) if "land" in types else ()),
        power=number(card.power),
        toughness=number(card.toughness),
        loyalty=loyalty if "planeswalker" in types else None,  # 306.5
    )


def _defined(card: Card, colors: int, subtypes: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """The colours and subtypes that the card's own abilities give it, which have them everywhere and before any other effect
    (604.3, 613.2), as far as they are the same in every state. Power and toughness are counted when they are asked for;
    changeling is known by its name."""
    for ability in card.abilities:
        if isinstance(ability, forms.Continuous) and ability.condition is None and defines(ability.what, ability.mods):
            for mod in ability.mods:
                if isinstance(mod, forms.SetColors) and mod.colors != "chosen":
                    mask = sum(COLOR_BITS[letter] for letter in set(mod.colors))
                    colors = mask if mod.replace else colors | mask
                elif isinstance(mod, forms.SetTypes) and "chosen" not in mod.subtypes:
                    kept = () if mod.replace else subtypes
                    more = sorted(EVERY_SUBTYPE.get(mod.all_subtypes, ()))
                    subtypes = tuple(dict.fromkeys((*kept, *mod.subtypes, *more)))
    return colors, subtypes


def both_halves(card: Card) -> Characteristics:
    """The characteristics of a split card that is no spell: those of both halves (708.2; combined in current 709.4)."""
    halves = tuple(printed(half) for half in card.faces)
    costs = [half.cost for half in halves if half.cost is not None]
    cost = costs[0] if costs else None
    for more in costs[1:]:
        cost = mana.plus(cost or mana.ZERO, more)
    abilities = tuple(a for half in card.faces for a in half.abilities if not isinstance(a, forms.SpellAbility))
    keywords = tuple(dict.fromkeys(word for half in card.faces for word in half.keywords))
    colors = 0
    for half in halves:
        colors |= half.colors
    return Characteristics(
        name=card.name,
        cost=cost,
        mana_value=sum(half.mana_value for half in halves),
        colors=colors,
        supertypes=frozenset[str]().union(*(half.supertypes for half in halves)),
        types=frozenset[str]().union(*(half.types for half in halves)),
        subtypes=frozenset[str]().union(*(half.subtypes for half in halves)),
        abilities=make_abilities(abilities, keywords),
        halves=halves,
    )
