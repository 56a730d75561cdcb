"""Faces of cards as they are sent: once to each connection, by content hash."""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary, WeakValueDictionary

from msgspec.structs import replace

from protocol.view import COLORS, Face, RoomView, face_hash
from server.cards.forms import Card
from server.cards.loading import paragraphs_by_hand
from server.rules.model import Definition

_of: WeakKeyDictionary[Definition, tuple[str, Face]] = WeakKeyDictionary()
"""The faces of definitions in use, with their hashes."""
_by_hash: WeakValueDictionary[str, Face] = WeakValueDictionary()
"""The same faces: one for all definitions that look alike, kept as long as any of them is."""


def letters(mask: int) -> list[str]:
    """The letters of a mask of colours (W 1, U 2, B 4, R 8, G 16)."""
    return [letter for bit, letter in enumerate(COLORS) if mask >> bit & 1]


@lru_cache(maxsize=32)
def letters_shared(mask: int) -> tuple[str, ...]:
    """The same, remembered."""
    return tuple(letters(mask))


def face_of(definition: Definition) -> str:
    """The hash of a definition's face."""
    known = _of.get(definition)
    if known is None:
        face = make_face(definition)
        key = face_hash(face)
        known = _of[definition] = (key, _by_hash.setdefault(key, face))
    return known[0]


def face_by_hash(key: str) -> Face:
    """The face that `face_of` gave this hash for, of a definition that is still in use. Raises KeyError for any other hash."""
    return _by_hash[key]


def make_face(definition: Definition, alone: bool = False) -> Face:
    """The face of a card or token as printed, with the card's other faces unless it is to stand `alone`."""
    card: Card = definition.card
    printed = definition.base
    return Face(
        name=card.name,
        cost=card.cost,
        mana_value=printed.mana_value,
        types=card.types,
        text=_text(card),
        power=card.power,
        toughness=card.toughness,
        loyalty=card.loyalty,
        colors=letters(printed.colors),
        by_hand=list(paragraphs_by_hand(replace(card, faces=()))),
        rooms=[RoomView(name=one.name, text=one.text, leads_to=list(one.leads_to)) for one in card.rooms],
        faces=[] if alone else [make_face(other, alone=True) for other in _others(definition)],
    )


def _others(definition: Definition) -> tuple[Definition, ...]:
    """The further faces of a card, or of a side of it the card; of what is melded both cards that it is."""
    whole = definition.whole
    if whole is not None and whole.card.layout != "split":
        return (whole, *whole.sides[1:]) if whole.card.layout == "meld" else (whole,)
    return definition.sides[: len(definition.card.faces)]


def _text(card: Card) -> str:
    """The card's text; of a card that has none written, its keywords and its abilities' own texts."""
    if card.text:
        return card.text
    lines = [", ".join(card.keywords).capitalize()] if card.keywords else []
    lines.extend(text for text in (getattr(ability, "text", "") for ability in card.abilities) if text)
    lines.extend(f"{room.name} — {room.text}" for room in card.rooms)
    return "\n".join(lines)
