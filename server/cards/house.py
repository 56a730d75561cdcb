"""The house set: our own cards, read once from `data/*.toml` when the first is asked for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from server.cards.entries import plain_name
from server.cards.forms import Card
from server.cards.load import read_file

DATA = Path(__file__).parent / "data"
BASIC_NAMES = ("Plains", "Island", "Swamp", "Mountain", "Forest")


@lru_cache(maxsize=1)
def house_cards() -> MappingProxyType[str, Card]:
    """All house cards by name, in the order of the files. A fault in one is ours and raises CardFault."""
    found: dict[str, Card] = {}
    for path in sorted(DATA.glob("*.toml")):
        for card in read_file(path, trusted=True):
            if card.name in found:
                raise ValueError(f"{path.name}: a second card named {card.name!r}")
            found[card.name] = card
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def _by_plain_name() -> dict[str, Card]:
    return {plain_name(name): card for name, card in house_cards().items()}


def house_card(name: str) -> Card | None:
    """The house card of that name (whatever its case), or None."""
    return _by_plain_name().get(plain_name(name))
