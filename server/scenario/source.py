"""Where a scenario's cards come from: its own definitions, card lists and files that were given, the house set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from server.cards.forms import Card, VerbForm
from server.cards.loading import (
    CardFault,
    Read,
    Unread,
    UnreadNoun,
    called,
    melded_entries,
    names_of,
    plain_name,
    read_definition,
)
from server.oracle.house import house_card
from server.oracle.reading import read_card
from server.rules.instructions import HANDLERS
from server.rules.model import walk
from server.scenario.errors import BadScenario, Unsupported


class Cards(Protocol):
    """Where cards are looked up by name: a card list, or the cards of a file."""

    def get(self, name: str) -> Card | Unread | None:
        """The card of that name, any face's too; None if it is not here."""


class CardFile:
    """The cards that a file of trees or entries defines, read at once. Raises CardFault for the first that is refused."""

    def __init__(self, definitions: Sequence[object], source: str, read: Read) -> None:
        self._cards = _by_name(read_definition(data, source, read) for data in melded_entries(definitions))

    def get(self, name: str) -> Card | Unread | None:
        """The card of that name, any face's too; None if it is not here."""
        return self._cards.get(plain_name(name))


class CardSource:
    """Cards by name, each made once, so that games share their definitions."""

    def __init__(self, lists: tuple[Cards, ...] = (), read: Read = read_card) -> None:
        """`read` is who reads printed text of a scenario's own cards."""
        self.lists = lists
        self._reader = read
        self._known: dict[str, Card | Unread] = {}

    def get(self, name: str, own: dict[str, Card | Unread]) -> Card:
        """The card of that name, a scenario's own first. Raises Unsupported naming the card and what stopped it."""
        key = plain_name(name)
        found = own.get(key) or self._known.get(key) or self._find(name, key)
        if isinstance(found, Unread):
            raise Unsupported(f"{found.name!r} is not fully read: {found.word}")
        return found

    def _find(self, name: str, key: str) -> Card | Unread:
        found: Card | Unread | None = None
        for cards in self.lists:
            found = cards.get(name)
            if found is not None:
                break
        if found is None:
            found = house_card(name)
        if found is None:
            found = Unread(name, "no such card is known")
        elif isinstance(found, Card):
            found = built(found)
        self._known[key] = found
        return found

    def own(self, definitions: tuple[object, ...]) -> dict[str, Card | Unread]:
        """A scenario's own cards by name. Raises BadScenario for a tree that is refused."""
        found: list[Card | Unread] = []
        for i, data in enumerate(melded_entries(definitions)):
            try:
                found.append(read_definition(data, f"cards[{i}]", self._reader))
            except UnreadNoun as fault:
                raise Unsupported(str(fault)) from None
            except CardFault as fault:
                raise BadScenario(str(fault)) from None
        return _by_name(found)


def _by_name(cards: Iterable[Card | Unread]) -> dict[str, Card | Unread]:
    """Cards by each of their faces' names; of two with one name the first."""
    found: dict[str, Card | Unread] = {}
    for card in cards:
        names = names_of(card) if isinstance(card, Card) else (card.name, *called(card.name))
        for name in names:
            found.setdefault(plain_name(name), built(card) if isinstance(card, Card) else card)
    return found


def built(card: Card) -> Card | Unread:
    """The card, or unread if it has a verb that no handler is built for."""
    for part in walk(card):
        if isinstance(part, VerbForm) and type(part) not in HANDLERS:
            return Unread(card.name, f"the verb {part.__struct_config__.tag!r} is not built")
    return card
