"""The words that a player may be asked to choose: types, subtypes and card names (201.3, 205.3)."""

from __future__ import annotations

from server.cards.grammar import (
    ARTIFACT_TYPES,
    CREATURE_TYPES,
    ENCHANTMENT_TYPES,
    LAND_TYPES,
    PERMANENT_TYPES,
    PLANESWALKER_TYPES,
)
from server.rules.definitions import BASIC_LAND_TYPES
from server.rules.model.state import State

CARD_TYPES = ("artifact", "creature", "enchantment", "instant", "land", "planeswalker", "sorcery", "tribal")


def words_of(state: State, what: str) -> tuple[str, ...]:
    """The words for "type", "permanent type", "creature type", "land type", "basic land type" or "name" (the names in this game)."""
    if what == "type":
        return CARD_TYPES
    if what == "permanent type":
        return tuple(sorted(PERMANENT_TYPES))
    if what == "creature type":
        return tuple(sorted(CREATURE_TYPES))
    if what == "land type":
        return tuple(sorted(LAND_TYPES))
    if what == "basic land type":
        return tuple(BASIC_LAND_TYPES)
    if what == "name":
        return tuple(
            dict.fromkeys(state.objects[i].definition.name for i in state.objects if not state.objects[i].token)
        )
    return tuple(sorted((*ARTIFACT_TYPES, *ENCHANTMENT_TYPES, *PLANESWALKER_TYPES)))
