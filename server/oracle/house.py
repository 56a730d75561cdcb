"""The house set, our own cards and decks (`server/cards/data`), read through the same doors as anybody's: most cards are printed
text, the others trees. A card is read as it is first asked for. A fault in one is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

import server.cards
from server.cards.decks import Deck, read_deck
from server.cards.forms import Card
from server.cards.loading import called, names_of, objects_of, plain_name, whole
from server.oracle.reading import read_card

DATA = Path(server.cards.__file__).parent / "data"
BASIC_NAMES = ("Plains", "Island", "Swamp", "Mountain", "Forest")


@lru_cache(maxsize=1)
def _definitions() -> dict[str, tuple[str, object]]:
    """The definitions by plain name, each with its file's name, in the order of the files. Raises CardFault, ValueError."""
    found: dict[str, tuple[str, object]] = {}
    for path in sorted(DATA.glob("*.toml")):
        for data in objects_of(path, trusted=True):
            name = plain_name(cast("dict[str, str]", data)["name"])
            if name in found:
                raise ValueError(f"{path.name}: a second card named {name!r}")
            found[name] = (path.name, data)
    return found


@lru_cache(maxsize=1)
def _faces() -> dict[str, str]:
    """The plain name of the card that has a face of this plain name."""
    return {face: name for name in _definitions() for face in called(name) if face != name}


_read: dict[str, Card] = {}
"""The cards that are read, by plain name."""


def _card(name: str) -> Card | None:
    card = _read.get(name)
    if card is None:
        own = _faces().get(name, name)
        source, data = _definitions().get(own, ("", None))
        if source and own not in _read:
            _read[own] = whole(data, source, read_card)
        card = _read.get(own)
    return card


def by_plain_name() -> dict[str, Card]:
    """All house cards by plain name, in the order of the files."""
    return {name: card for name in _definitions() if (card := _card(name)) is not None}


def take_up(cards: Mapping[str, Card]) -> None:
    """The house cards by plain name, as another process has read them. One that is read here already stays the same card."""
    for name, card in cards.items():
        _read.setdefault(name, card)


def house_card(name: str) -> Card | None:
    """The house card of that name or with a face of that name (whatever its case), or None."""
    return _card(plain_name(name))


@lru_cache(maxsize=1)
def house_cards() -> MappingProxyType[str, Card]:
    """All house cards by name, in the order of the files."""
    return MappingProxyType({names_of(card)[0]: card for card in by_plain_name().values()})


@lru_cache(maxsize=1)
def house_decks() -> MappingProxyType[str, Deck]:
    """The house decks by name, in alphabetical order."""
    found: dict[str, Deck] = {}
    for path in sorted((DATA / "decks").glob("*.txt")):
        found[path.stem] = read_deck(path.read_text("utf-8"), house_card, name=path.stem)
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def brawl_decks() -> MappingProxyType[str, Deck]:
    """The house decks for Brawl by name, in alphabetical order."""
    found: dict[str, Deck] = {}
    for path in sorted((DATA / "decks" / "brawl").glob("*.txt")):
        found[path.stem] = read_deck(path.read_text("utf-8"), house_card, name=path.stem, format_="brawl")
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def commander_decks() -> MappingProxyType[str, Deck]:
    """The house decks for Commander by name, in alphabetical order."""
    found: dict[str, Deck] = {}
    for path in sorted((DATA / "decks" / "commander").glob("*.txt")):
        found[path.stem] = read_deck(path.read_text("utf-8"), house_card, name=path.stem, format_="commander")
    return MappingProxyType(found)
