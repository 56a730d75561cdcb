"""The noun grammar: rules English to readings, type lines, and the closed word lists that both read.

Knows words, not games and not what a card does with a phrase. Offers `read_noun` and the vocabulary.
"""

from __future__ import annotations

from server.cards.grammar import kind_words, noun_phrases, vocabulary
from server.cards.grammar.kind_words import (
    CHOSEN_THIS_WAY,
    DONE_THIS_WAY,
)
from server.cards.grammar.noun_phrases import (
    FIXED,
    PERMANENT_WORDS,
    NounReader,
)
from server.cards.grammar.type_line import (
    parse_types,
    strange_types,
)
from server.cards.grammar.vocabulary import (
    ARTIFACT_TYPES,
    BASIC_LANDS,
    CREATURE_TYPES,
    ENCHANTMENT_TYPES,
    EVERY_SUBTYPE,
    HOUSE_TYPES,
    KEYWORD_COUNTERS,
    LAND_TYPES,
    NUMBERS,
    PERMANENT_TYPES,
    PLANESWALKER_TYPES,
    SUBTYPES,
)

__all__ = [
    "ARTIFACT_TYPES",
    "BASIC_LANDS",
    "CREATURE_TYPES",
    "EVERY_SUBTYPE",
    "CHOSEN_THIS_WAY",
    "DONE_THIS_WAY",
    "ENCHANTMENT_TYPES",
    "FIXED",
    "HOUSE_TYPES",
    "KEYWORD_COUNTERS",
    "LAND_TYPES",
    "NUMBERS",
    "NounReader",
    "PERMANENT_TYPES",
    "PERMANENT_WORDS",
    "PLANESWALKER_TYPES",
    "SUBTYPES",
    "kind_words",
    "noun_phrases",
    "parse_types",
    "strange_types",
    "vocabulary",
]
