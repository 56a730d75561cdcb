"""Games by decks that people have: a line of JSON for each deck, its cards by name in card lists.

    {"id": "...", "format": "commander", "main": {"NAME": 1}, "commander": ["NAME"]}

A card that is not read whole, or is in no list, gives way to a basic land of a colour that its deck has, so that every deck is
as large as it was. A deck for Commander whose commander is not read, or not named, is led by the first of its cards that may lead
one; decks of other formats are led by nobody.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from server import rules
from server.cards.decks import may_lead
from server.cards.forms import Card
from server.cards.loading import color_identity
from server.oracle.house import BASIC_NAMES, house_cards
from server.oracle.importing import CardFile, Refused, read
from server.rules import Options, State

BASICS = dict(zip("WUBRG", BASIC_NAMES, strict=True))
"""The basic land of each colour, by its letter."""
COMMANDER = "commander"


class Line(msgspec.Struct, frozen=True):
    """A deck as its file has it; what else stands there is not asked for."""

    id: str
    format: str
    main: dict[str, int]
    commander: tuple[str, ...] = ()


class Listed(msgspec.Struct, frozen=True):
    """A deck that can be played: who leads it (nobody, but in Commander), the rest, and how many cards of it gave way to basics."""

    id: str
    commander: tuple[Card, ...]
    cards: tuple[Card, ...]
    replaced: int = 0


def listed(decks: Path, cards: Iterable[Path]) -> tuple[Listed, ...]:
    """The decks of a file that can be played, in its order.

    Raises OSError, ListFault for a file that is no card list, msgspec.DecodeError for a line that is no deck.
    """
    lines = [msgspec.json.decode(line, type=Line) for line in decks.read_bytes().splitlines() if line.strip()]
    known = _read({name for line in lines for name in (*line.main, *line.commander)}, cards)
    made = (_deck(line, known) for line in lines)
    return tuple(deck for deck in made if deck is not None)


def _read(wanted: set[str], paths: Iterable[Path]) -> dict[str, Card]:
    """Those of these cards that are read whole, by name."""
    found: dict[str, Card] = {}
    for path in paths:
        for item in CardFile(path).items():
            if isinstance(item, Refused) or item.title not in wanted or item.title in found:
                continue
            card = read(item)
            if isinstance(card, Card):
                found[item.title] = card
    return found


def _deck(line: Line, known: dict[str, Card]) -> Listed | None:
    """None for a deck for Commander of which no card may lead it."""
    names: tuple[str, ...] = ()
    if line.format == COMMANDER:
        names = tuple(name for name in line.commander if name in known)
        names = names or tuple(name for name in line.main if name in known and may_lead(known[name]))[:1]
        if not names:
            return None
    leading = tuple(known[name] for name in names)
    colors = _colors(leading or tuple(known[name] for name in line.main if name in known))
    cards: list[Card] = []
    replaced = max(0, len(line.commander) - len(leading))
    for name, count in line.main.items():
        for _ in range(count - (name in names)):
            if name in known:
                cards.append(known[name])
                continue
            cards.append(house_cards()[BASICS[colors[replaced % len(colors)]]])
            replaced += 1
    return Listed(line.id, leading, tuple(cards), replaced)


def _colors(cards: tuple[Card, ...]) -> list[str]:
    """The letters of all colours in these cards' identities, green for cards of none."""
    found = frozenset[str]().union(*(color_identity(card) for card in cards))
    return [color for color in BASICS if color in found] or ["G"]


def drawn(decks: tuple[Listed, ...], seats: int, seed: int) -> tuple[Listed, ...]:
    """A different deck for each seat."""
    return tuple(random.Random(f"listed {seed}").sample(decks, seats))


def began(decks: tuple[Listed, ...], seed: int, options: Options) -> State:
    """The game that they begin."""
    seats = tuple(rules.Seat(f"P{number}", deck.cards, commander=deck.commander) for number, deck in enumerate(decks))
    return rules.start(replace(options, seed=str(seed)), seats)[0]
