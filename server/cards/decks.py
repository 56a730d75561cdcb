"""Deck lists in text: `4 Name` lines, comments, a `Sideboard`. Faults are found all at once, each with its line.

    # a comment; also // a comment
    24 Forest
    4x Thornhide Cub
    Sideboard
    2 Levy of Moss

A deck has at least 60 cards, and no more than four of a name but basic lands (100.2a), the sideboard counted in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

import msgspec

from server.cards.entries import Unread
from server.cards.errors import DeckFault
from server.cards.forms import Card
from server.cards.house import DATA, house_card
from server.cards.types import parse_types

Lookup = Callable[[str], "Card | Unread | None"]

TEXT_BYTES = 32 * 1024
LINES = 1000
FEWEST = 60
MOST = 1000
MOST_OF_A_NAME = 4
SIDEBOARD = 15
FAULTS = 50
_LINE = re.compile(r"(?P<count>\S+?)[xX]?\s+(?P<name>.+)")
_SIDEBOARD = re.compile(r"sideboard\s*:?", re.IGNORECASE)


class Line(msgspec.Struct, frozen=True):
    """So many of a card, from that line of the list."""

    count: int
    card: Card
    line: int


class Deck(msgspec.Struct, frozen=True):
    """A deck as read. `about` is the list's first comment."""

    name: str
    main: tuple[Line, ...]
    sideboard: tuple[Line, ...] = ()
    about: str = ""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the main deck, each as often as it is in it, in the order of the list."""
        return tuple(line.card for line in self.main for _ in range(line.count))


def read_deck(text: str, lookup: Lookup = house_card, name: str = "own") -> Deck:
    """The deck of a list. `lookup` finds the cards. Raises DeckFault with every fault (at most 50)."""
    if len(text) > TEXT_BYTES or text.count("\n") > LINES:
        raise DeckFault(((0, f"is larger than {TEXT_BYTES} bytes or {LINES} lines"),))
    reader = _Reader(lookup)
    for number, line in enumerate(text.splitlines(), 1):
        reader.line(number, line.strip())
    reader.end()
    if reader.faults:
        raise DeckFault(tuple(sorted(reader.faults)[:FAULTS]))
    return Deck(name=name, main=tuple(reader.main), sideboard=tuple(reader.sideboard), about=reader.about)


@lru_cache(maxsize=1)
def house_decks() -> MappingProxyType[str, Deck]:
    """The house decks by name, in alphabetical order."""
    found: dict[str, Deck] = {}
    for path in sorted((DATA / "decks").glob("*.txt")):
        found[path.stem] = read_deck(path.read_text("utf-8"), name=path.stem)
    return MappingProxyType(found)


class _Reader:
    """What was read of a list so far."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self.main: list[Line] = []
        self.sideboard: list[Line] = []
        self.section = self.main
        self.counts: dict[str, int] = {}
        self.faults: list[tuple[int, str]] = []
        self.about = ""

    def line(self, number: int, text: str) -> None:
        if not text:
            return
        if text.startswith(("#", "//")):
            self.about = self.about or text.lstrip("#/ ")
            return
        if _SIDEBOARD.fullmatch(text):
            self.section = self.sideboard
            return
        match = _LINE.fullmatch(text)
        count = match["count"].rstrip("xX") if match else ""
        if match is None or not count.isdecimal() or not count.isascii():
            self.faults.append((number, f"{_short(text)} is not a count and a name, as in '4 Forest'"))
            return
        if len(count) > 3 or not 0 < int(count) <= MOST:
            self.faults.append((number, f"{_short(count)} is no count from 1 to {MOST}"))
            return
        self.card(number, int(count), match["name"])

    def card(self, number: int, count: int, name: str) -> None:
        card = self.lookup(name)
        if card is None:
            self.faults.append((number, f"there is no card named {_short(name)}"))
            return
        if isinstance(card, Unread):
            self.faults.append((number, f"{card.name!r} cannot be played yet: its text is not read at {card.word!r}"))
            return
        self.section.append(Line(count, card, number))
        total = self.counts[card.name] = self.counts.get(card.name, 0) + count
        if total > MOST_OF_A_NAME and "basic" not in parse_types(card.types)[0]:
            self.faults.append((number, f"more than {MOST_OF_A_NAME} of {card.name!r} (100.2a)"))

    def end(self) -> None:
        size = sum(line.count for line in self.main)
        if size < FEWEST and not self.faults:
            self.faults.append((0, f"a deck has at least {FEWEST} cards, this one has {size} (100.2a)"))
        if size > MOST:
            self.faults.append((0, f"a deck of {size} cards is more than this table shuffles ({MOST})"))
        if sum(line.count for line in self.sideboard) > SIDEBOARD:
            self.faults.append((0, f"a sideboard has at most {SIDEBOARD} cards (100.4a)"))


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
