"""What makes a deck a Commander deck: who leads it, how large it is, and the colours it may have (903.3 to 903.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.cards.forms import Card
from server.cards.grammar import BASIC_LANDS, parse_types
from server.cards.loading import faces_of

SIZE = 100
"""Cards of a deck, its commander among them (903.5a)."""
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_REMINDER = re.compile(r"\([^()]*\)")
_COLORS = "WUBRG"


def color_identity(card: Card) -> str:
    """The letters of a card's colours in the order WUBRG: of the mana symbols in its cost and its text without reminder text,
    of its colour indicator (903.4), and of the mana that its basic land types give (903.5d); of every face (current 903.4d).
    """
    letters: set[str] = set()
    for face in faces_of(card):
        symbols = _SYMBOL.findall(face.cost + _REMINDER.sub("", face.text))
        letters.update(letter for symbol in symbols for letter in symbol)
        letters.update(face.colors or "")
        letters.update(BASIC_LANDS[kind] for kind in parse_types(face.types)[2] if kind in BASIC_LANDS)
    return "".join(color for color in _COLORS if color in letters)


def may_lead(card: Card) -> bool:
    """Whether a card can be a commander: a legendary creature (903.3)."""
    supertypes, types, _ = parse_types(card.types)
    return "legendary" in supertypes and "creature" in types


def faults(commanders: Sequence[tuple[int, Card]], cards: Sequence[tuple[int, int, Card]]) -> list[tuple[int, str]]:
    """What keeps a deck from being played, as (line, sentence). `commanders` are (line, card), `cards` (line, count, card) for
    the whole deck, its commander among them.
    """
    found: list[tuple[int, str]] = []
    size = sum(count for _, count, _ in cards)
    if size != SIZE:
        found.append((0, f"a Commander deck has exactly {SIZE} cards with its commander, this one has {size} (903.5a)"))
    if len(commanders) != 1:
        named = f"this one names {len(commanders)}" if commanders else "name it below a line 'Commander'"
        found.append((0, f"a Commander deck has one commander, {named} (903.3)"))
        return found
    line, leader = commanders[0]
    if not may_lead(leader):
        found.append((line, f"{leader.name!r} is no legendary creature and leads no deck (903.3)"))
    identity = color_identity(leader)
    for at, _, card in cards:
        strange = "".join(color for color in color_identity(card) if color not in identity)
        if strange:
            found.append((at, f"{card.name!r} has a colour that its commander has not: {strange} (903.5c)"))
    return found
