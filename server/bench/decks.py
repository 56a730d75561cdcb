"""The decks that measurements play: plain ones whose games are comparable with other engines', and the house's."""

from __future__ import annotations

import random
from functools import lru_cache

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.oracle import house
from server.oracle.house import BASIC_NAMES, house_cards

#: Cost, power and toughness of the vanilla creatures: a curve, four of each.
CURVE = (
    ("{R}", 1, 1),
    ("{1}{G}", 2, 2),
    ("{1}{R}", 2, 1),
    ("{2}{G}", 3, 3),
    ("{3}{R}", 4, 3),
    ("{4}{G}", 5, 4),
    ("{5}{G}", 6, 6),
)


@lru_cache(maxsize=1)
def bench_deck() -> tuple[Card, ...]:
    """60 cards: 24 basics, 28 vanilla creatures, 8 instants that deal 3 damage to any target."""
    cards: list[Card] = []
    for name in ("Mountain", "Forest"):
        cards += [Card(name=name, types=f"Basic Land — {name}")] * 12
    for cost, power, toughness in CURVE:
        name = f"Plain Beast {power}/{toughness}"
        cards += [Card(name=name, types="Creature — Beast", cost=cost, power=str(power), toughness=str(toughness))] * 4
    burn = forms.SpellAbility(do=(forms.Damage(amount=3, to=Noun("any target")),), text="Deals 3 damage to any target.")
    cards += [Card(name="Plain Burn", types="Instant", cost="{R}", abilities=(burn,))] * 8
    return tuple(cards)


def bench_decks(seats: int) -> tuple[tuple[Card, ...], ...]:
    """The same plain deck for every seat."""
    return (bench_deck(),) * seats


def bench_deck_parts() -> tuple[tuple[Card, ...], tuple[Card, ...], Card]:
    """The different creatures of the plain deck, its two lands, and its instant."""
    deck = tuple(dict.fromkeys(bench_decks(1)[0]))
    creatures = tuple(card for card in deck if card.power)
    lands = tuple(card for card in deck if "Land" in card.types)
    return creatures, lands, next(card for card in deck if card.types == "Instant")


def house_decks(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """House decks drawn by the seed, different ones as far as there are enough."""
    names = list(house.house_decks())
    random.Random(f"house decks {seed}").shuffle(names)
    return tuple(house.house_decks()[names[seat % len(names)]].cards for seat in range(seats))


@lru_cache(maxsize=1)
def any_land() -> Card:
    """A land that taps for any colour."""
    tap = forms.ActivatedAbility(
        cost=(forms.TapCost(),), do=(forms.AddMana(choice="any"),), text="{T}: Add one mana of any color."
    )
    return Card(name="Every Land", types="Land", abilities=(tap,))


def piles(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """36 house cards at random and 24 lands for any colour: cards meet that no deck brings together."""
    chance = random.Random(f"piles {seed}")
    cards = [card for card in house_cards().values() if card.name not in BASIC_NAMES]
    return tuple((any_land(),) * 24 + tuple(chance.choice(cards) for _ in range(36)) for _ in range(seats))
