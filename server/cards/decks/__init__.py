"""Deck lists as programs write them, judged by the rules of their format (100.2, 903.5).

Knows names, numbers and colours of cards, not what their texts do.
"""

from __future__ import annotations

from server.cards.decks import (
    decks,
)
from server.cards.decks.decks import (
    MANY,
    TEXT_BYTES,
    Deck,
    Kind,
    Lookup,
    read_deck,
)

__all__ = [
    "Deck",
    "Kind",
    "Lookup",
    "MANY",
    "TEXT_BYTES",
    "decks",
    "read_deck",
]
