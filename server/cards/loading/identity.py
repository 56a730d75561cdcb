"""The colour identity of a card (903.4), and the colours of its mana cost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from server.cards.forms import Card, CommanderColor
from server.cards.grammar import BASIC_LANDS, parse_types
from server.cards.loading.faces import faces_of

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_REMINDER = re.compile(r"\([^()]*\)")
_COLORS = "WUBRG"


def color_identity(card: Card) -> str:
    """The letters of a card's colours in the order WUBRG: of the mana symbols in its cost and its text without reminder text,
    of its colour indicator (903.4), and of the mana that its basic land types give (903.5d); of every face (current 903.4d),
    but for the combined back face of a meld pair, which tells nothing while it is not melded (current 712.4b).
    """
    letters: set[str] = set()
    for face in faces_of(card)[: 1 if card.layout == "meld" else None]:
        symbols = _SYMBOL.findall(face.cost + _REMINDER.sub("", face.text))
        letters.update(letter for symbol in symbols for letter in symbol)
        letters.update(face.colors or "")
        letters.update(BASIC_LANDS[kind] for kind in parse_types(face.types)[2] if kind in BASIC_LANDS)
    return "".join(color for color in _COLORS if color in letters)


def has_color_to_choose(card: Card) -> bool:
    """Whether a color is chosen for the card, if it leads a deck, before the game begins (current 903.4b)."""
    return any(isinstance(ability, CommanderColor) for ability in card.abilities)


def chosen_colors(leaders: Sequence[Card], cards: Iterable[Card]) -> tuple[str, ...]:
    """For each of those that lead a deck the letter of the color that its player has chosen (current 903.4b), "" where none is: one that
    the deck shows and no leader has, of several the one of most cards, each of another; white where the deck shows none."""
    if not any(map(has_color_to_choose, leaders)):
        return ("",) * len(leaders)
    own = {letter for leader in leaders for letter in color_identity(leader)}
    shown = Counter(letter for card in cards for letter in color_identity(card) if letter not in own)
    free = sorted(shown, key=lambda letter: (-shown[letter], _COLORS.index(letter)))
    found: list[str] = []
    for leader in leaders:
        found.append((free.pop(0) if free else _COLORS[0]) if has_color_to_choose(leader) else "")
    return tuple(found)


def cost_colors(card: Card) -> str:
    """The letters of the colours of a card's mana cost in the order WUBRG: what deck and mana of its owner go by where it leads
    in 2009 (2009 903.4c, 2009 903.8)."""
    letters = {letter for symbol in _SYMBOL.findall(card.cost) for letter in symbol}
    return "".join(color for color in _COLORS if color in letters)
