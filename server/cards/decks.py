"""Deck lists: read in the form of any program (`server.cards.deck_formats`), then judged. Faults are found all at once,
each with its line.

    # a comment; also // a comment
    24 Forest
    4x Thornhide Cub
    Sideboard
    2 Levy of Moss

A deck has at least 60 cards, and no more than four of a name but basic lands (100.2a), the sideboard counted in. Every card
of it can be played: one that is not known or not read is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from server.cards.deck_formats import Wanted, read_list
from server.cards.deck_formats.lists import MOST, short
from server.cards.entries import Unread
from server.cards.errors import DeckFault
from server.cards.forms import Card
from server.cards.types import parse_types

Lookup = Callable[[str], "Card | Unread | None"]

TEXT_BYTES = 32 * 1024
LINES = 1000
FEWEST = 60
MOST_OF_A_NAME = 4
SIDEBOARD = 15
FAULTS = 50
MANY = "could be several cards: "
"""How the word of an `Unread` begins that stands for an ambiguous name."""
_ANY_NUMBER = re.compile(r"[Aa] deck can have any number of cards named ")


class Line(msgspec.Struct, frozen=True):
    """So many of a card, from that line of the list."""

    count: int
    card: Card
    line: int


class Deck(msgspec.Struct, frozen=True):
    """A deck as read. `about` is the list's first comment, `format` says which program's form it has."""

    name: str
    main: tuple[Line, ...]
    sideboard: tuple[Line, ...] = ()
    about: str = ""
    format: str = ""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the main deck, each as often as it is in it, in the order of the list."""
        return tuple(line.card for line in self.main for _ in range(line.count))


def read_deck(text: str, lookup: Lookup, name: str = "own") -> Deck:
    """The deck of a list. `lookup` finds the cards. Raises DeckFault with every fault (at most 50)."""
    if len(text) > TEXT_BYTES or text.count("\n") > LINES:
        raise DeckFault(((0, f"is larger than {TEXT_BYTES} bytes or {LINES} lines"),))
    found = read_list(text)
    judge = _Judge(lookup, found.faults)
    main, sideboard = judge.lines(found.main), judge.lines(found.sideboard)
    judge.sizes(found.main, found.sideboard)
    if judge.faults:
        raise DeckFault(tuple(sorted(judge.faults)[:FAULTS]))
    return Deck(name=name, main=main, sideboard=sideboard, about=found.about, format=found.format)


class _Judge:
    """Finds the cards that are wanted, and what is wrong with them."""

    def __init__(self, lookup: Lookup, faults: list[tuple[int, str]]) -> None:
        self.lookup = lookup
        self.counts: dict[str, int] = {}
        self.faults = faults

    def lines(self, wanted: list[Wanted]) -> tuple[Line, ...]:
        """The lines with their cards; those without are faults."""
        found: list[Line] = []
        for want in wanted:
            card = self.card(want)
            if card is not None:
                found.append(Line(want.count, card, want.line))
        return tuple(found)

    def card(self, want: Wanted) -> Card | None:
        card = self.lookup(want.name)
        if card is None:
            self.faults.append((want.line, f"there is no card named {short(want.name)}"))
            return None
        if isinstance(card, Unread):
            if card.word.startswith(MANY):
                self.faults.append((want.line, f"{card.name!r} {card.word}"))
                return None
            self.faults.append(
                (want.line, f"{card.name!r} cannot be played yet: its text is not read at {card.word!r}")
            )
            return None
        total = self.counts[card.name] = self.counts.get(card.name, 0) + want.count
        if total > MOST_OF_A_NAME and "basic" not in parse_types(card.types)[0] and not _ANY_NUMBER.search(card.text):
            self.faults.append((want.line, f"more than {MOST_OF_A_NAME} of {card.name!r} (100.2a)"))
        return card

    def sizes(self, main: list[Wanted], sideboard: list[Wanted]) -> None:
        size = sum(want.count for want in main)
        if size < FEWEST and not self.faults:
            self.faults.append((0, f"a deck has at least {FEWEST} cards, this one has {size} (100.2a)"))
        if size > MOST:
            self.faults.append((0, f"a deck of {size} cards is more than this table shuffles ({MOST})"))
        if sum(want.count for want in sideboard) > SIDEBOARD:
            self.faults.append((0, f"a sideboard has at most {SIDEBOARD} cards (100.4a)"))
