"""Cards and decks: of the house, by text, from lists that people have.

A card is data: whole text that is read in exactly one way, or no card at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from server.cards.decks import Deck
from server.cards.decks import read_deck as read_list
from server.cards.forms import Card
from server.cards.loading import Entry, Unread, plain_name
from server.oracle import house
from server.oracle.importing import CardFile, Refused, read
from server.oracle.reading import read_card as read_entry


class UnreadCard(Exception):
    """A card's text is not read: `word` is the first that stopped the reading."""

    def __init__(self, name: str, word: str) -> None:
        super().__init__(f"{name}: not read at {word!r}")
        self.name = name
        self.word = word


def house_card(name: str) -> Card:
    """The house card of that name, in any case. Raises KeyError.

    >>> house_card("forest").types
    'Basic Land — Forest'
    """
    card = house.house_card(name)
    if card is None:
        raise KeyError(name)
    return card


def house_decks() -> tuple[str, ...]:
    """The names of the house's decks: constructed ones, then those for Commander."""
    return (*house.house_decks(), *house.commander_decks())


def house_deck(name: str) -> Deck:
    """The house deck of that name. Raises KeyError."""
    deck = house.house_decks().get(name) or house.commander_decks().get(name)
    if deck is None:
        raise KeyError(name)
    return deck


def read_card(
    name: str,
    *,
    types: str,
    cost: str = "",
    text: str = "",
    power: str = "",
    toughness: str = "",
    loyalty: str = "",
) -> Card:
    """The card of a printed text. Raises UnreadCard.

    >>> read_card("Odd Bear", types="Creature — Bear", cost="{1}{G}", text="Trample", power="2", toughness="2").keywords
    ('trample',)
    """
    entry = Entry(
        name=name,
        cost=cost,
        types=types,
        text=text,
        power=power or None,
        toughness=toughness or None,
        loyalty=loyalty or None,
    )
    card = read_entry(entry)
    if isinstance(card, Unread):
        raise UnreadCard(card.name, card.word)
    return card


class CardLibrary:
    """Cards by name: those of the lists given, then the house's. A card is read when it is first asked for.

    Lists are what `apnap cards import` takes. Raises OSError, and ListFault of a file that is no list.
    """

    def __init__(self, *lists: str | Path) -> None:
        self._found: dict[str, Card | Unread] = {}
        self._listed = {
            plain_name(item.title): item
            for path in reversed(lists)
            for item in CardFile(Path(path)).items()
            if not isinstance(item, Refused)
        }

    def __len__(self) -> int:
        """How many cards the lists have."""
        return len(self._listed)

    def find(self, name: str) -> Card | Unread | None:
        """The card of that name; None if there is none, `Unread` if its text is not read."""
        plain = plain_name(name)
        if plain not in self._listed:
            return house.house_card(name)
        if plain not in self._found:
            self._found[plain] = read(self._listed[plain])
        return self._found[plain]

    def __getitem__(self, name: str) -> Card:
        """The card of that name. Raises KeyError, UnreadCard."""
        card = self.find(name)
        if card is None:
            raise KeyError(name)
        if isinstance(card, Unread):
            raise UnreadCard(card.name, card.word)
        return card


def read_deck(text: str, library: CardLibrary | None = None, *, format: str = "constructed") -> Deck:
    """The deck of a list as people write them, judged by a format. Raises DeckFault with all that is wrong, KeyError for a format
    that there is not.

    >>> sum(line.count for line in read_deck("60 Forest").main)
    60
    """
    return read_list(text, (library or CardLibrary()).find, format_=format)


def cards_of(deck: Deck | Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of a deck, and those that lead it; a plain sequence of cards has no leader."""
    return (deck.cards, deck.commander) if isinstance(deck, Deck) else (tuple(deck), ())
