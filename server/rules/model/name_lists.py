"""The words that a player may be asked to choose: types, subtypes and card names (201.3, 205.3)."""

from __future__ import annotations

from collections.abc import Iterator

from server.cards.grammar import (
    ARTIFACT_TYPES,
    CREATURE_TYPES,
    ENCHANTMENT_TYPES,
    LAND_TYPES,
    PERMANENT_TYPES,
    PLANESWALKER_TYPES,
)
from server.rules.definitions import BASIC_LAND_TYPES
from server.rules.model.state import Object, State

CARD_TYPES = ("artifact", "creature", "enchantment", "instant", "land", "planeswalker", "sorcery", "tribal")


def words_of(state: State, what: str) -> tuple[str, ...]:
    """The words for "type", "permanent type", "creature type", "land type", "basic land type", "planeswalker type" or "name" (the names in
    this game)."""
    if what == "type":
        return CARD_TYPES
    if what == "permanent type":
        return tuple(sorted(PERMANENT_TYPES))
    if what == "creature type":
        return tuple(sorted(CREATURE_TYPES))
    if what == "land type":
        return tuple(sorted(LAND_TYPES))
    if what == "planeswalker type":
        return tuple(sorted(PLANESWALKER_TYPES))
    if what == "basic land type":
        return tuple(BASIC_LAND_TYPES)
    if what == "name":
        cards = [found for found in state.objects.values() if not found.token]
        further = (name for card in cards for name in _further_names(card))
        return tuple(dict.fromkeys((*(card.definition.name for card in cards), *further)))
    return tuple(sorted((*ARTIFACT_TYPES, *ENCHANTMENT_TYPES, *PLANESWALKER_TYPES)))


def _further_names(card: Object) -> Iterator[str]:
    """The names of a card's other faces, and of the combined back face of a meld pair (current 201.4c, current 201.4f); of a melded or
    merged permanent those of all its cards."""
    for part in card.merged or (card,):
        whole = part.definition.whole or part.definition
        if whole.card.layout not in ("", "split"):
            yield whole.name
            yield from (face.name for face in whole.card.faces[: 1 if whole.card.layout == "meld" else None])
        elif card.merged:
            yield whole.name
