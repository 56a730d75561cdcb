"""Which decks a seat believes that the others play, where nobody has told it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from apnap.cards import Deck, house_deck, house_decks
from apnap.known import Knowledge


def believed(known: Knowledge, named: Sequence[str]) -> list[Deck]:
    """By seats the house deck of that name; where there is none of that name, the one that has most of the cards that its
    player has shown.
    """
    return [house_deck(name) if name in house_decks() else _likeliest(known, seat) for seat, name in enumerate(named)]


def _likeliest(known: Knowledge, seat: int) -> Deck:
    shown = known.shown(seat)
    return house_deck(max(house_decks(), key=lambda name: (shown & _cards(name)).total()))


@cache
def _cards(name: str) -> Counter[str]:
    deck = house_deck(name)
    return Counter(card.name for card in (*deck.cards, *deck.commander))
