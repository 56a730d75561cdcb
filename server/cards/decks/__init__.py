"""Deck lists as programs write them, judged by the rules of their format (100.2, 903.5).

Knows names, numbers and colours of cards, not what their texts do.
"""

from __future__ import annotations

from server.cards.decks import (
    decks,
)
from server.cards.decks.commander import may_lead
from server.cards.decks.companions import faults as companion_faults
from server.cards.decks.deck_rules import BadRules, DeckRules, read_rules
from server.cards.decks.decks import (
    FEWEST,
    MANY,
    SIDEBOARD,
    TEXT_BYTES,
    Deck,
    Known,
    Library,
    Lookup,
    read_deck,
)
from server.cards.decks.legality import KINDS

__all__ = [
    "BadRules",
    "Deck",
    "DeckRules",
    "FEWEST",
    "KINDS",
    "Known",
    "Library",
    "Lookup",
    "MANY",
    "SIDEBOARD",
    "TEXT_BYTES",
    "companion_faults",
    "decks",
    "may_lead",
    "read_deck",
    "read_rules",
]
