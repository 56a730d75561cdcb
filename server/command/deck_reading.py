"""Reading the decks that people bring, and what is said of it between the server and the process in which it is done (`deck_reader`)."""

from __future__ import annotations

import msgspec

from protocol.options import Format
from protocol.view import COLORS
from server.cards import decks
from server.cards.forms import Card
from server.cards.loading import CardFault, DeckFault, Unread, paragraphs_by_hand, plain_name, read_toml
from server.command.library import Library, Partly
from server.oracle.by_hand import read_partly
from server.oracle.reading import read_card
from server.rules.model import define, encode_card
from server.storage import StorageError


class Brought(msgspec.Struct, frozen=True):
    """A deck list for rooms of a format or of deck rules that the host has added, with cards of its bringer's own; whether cards may
    be partly played `by_hand`."""

    text: str
    own: str
    format: Format
    by_hand: bool = False
    rules: decks.DeckRules | None = None

    @property
    def plays(self) -> Format:
        """The format of a game with it."""
        return self.format if self.rules is None else self.rules.format

    @property
    def by_rules(self) -> str:
        """The name of the deck rules, "" for those of the format."""
        return "" if self.rules is None else self.rules.name


class ReadDeck(msgspec.Struct, frozen=True):
    """A deck: the JSON of each of its cards once, and by their places those of the main deck, the commander, the
    sideboard and the companion."""

    cards: list[bytes]
    main: list[int]
    commander: list[int]
    sideboard: list[int]
    companion: list[int]
    colors: str
    form: str


class Wrong(msgspec.Struct, frozen=True):
    """What is wrong: with lines of the list, with a card that was brought, or with the cards of the server."""

    lines: tuple[tuple[int, str], ...] = ()
    card: str = ""
    server: str = ""


class Told(msgspec.Struct, frozen=True):
    """What came of it."""

    deck: ReadDeck | None = None
    wrong: Wrong | None = None


def read(brought: Brought, library: Library) -> Told:
    """Read a deck."""
    try:
        return Told(deck=_written(deck_with(brought, library)))
    except DeckFault as fault:
        return Told(wrong=Wrong(lines=fault.faults))
    except CardFault as fault:
        return Told(wrong=Wrong(card=str(fault)))
    except StorageError as fault:
        return Told(wrong=Wrong(server=str(fault)))


def _written(deck: decks.Deck) -> ReadDeck:
    places: dict[bytes, int] = {}
    of: dict[int, int] = {}
    for card in (*deck.cards, *deck.commander, *deck.outside, *deck.companion):
        if id(card) not in of:
            of[id(card)] = places.setdefault(encode_card(card), len(places))
    return ReadDeck(
        cards=list(places),
        main=[of[id(card)] for card in deck.cards],
        commander=[of[id(card)] for card in deck.commander],
        sideboard=[of[id(card)] for card in deck.outside],
        companion=[of[id(card)] for card in deck.companion],
        colors=colors_of(deck),
        form=deck.format,
    )


class _Beside:
    """Cards of a bringer's own, then the server's. What is banned in a format is for a table to agree on."""

    def __init__(self, own: dict[str, Card], library: Library | Partly) -> None:
        self._own = own
        self._library = library

    def find(self, name: str) -> Card | Unread | None:
        return self._own.get(plain_name(name)) or self._library.find(name)

    def near(self, name: str) -> list[str]:
        return self._library.near(name)

    def legality(self, name: str) -> None:
        """Nothing."""


def deck_with(brought: Brought, library: Library) -> decks.Deck:
    """The deck of a list that may name cards of its bringer's own. They may not take the name of a card that is known here:
    what everyone knows as one card is no other. Raises DeckFault, CardFault, StorageError.
    """
    by_hand = brought.by_hand
    read = read_partly if by_hand else read_card
    mine = {plain_name(card.name): card for card in read_toml(brought.own, "own cards", read)} if brought.own else {}
    for card in mine.values():
        if not by_hand and paragraphs_by_hand(card):
            raise CardFault("is partly played by hand, which this room does not", source="own cards", card=card.name)
        if library.find(card.name) is not None:
            raise CardFault("there is a card of that name already", source="own cards", card=card.name)
    known = _Beside(mine, library.partly() if by_hand else library)
    return decks.read_deck(brought.text, known, format_=brought.format, own=brought.rules)


def colors_of(deck: decks.Deck) -> str:
    """The letters of the colours of a deck's cards."""
    mask = 0
    for line in deck.main:
        mask |= define(line.card).base.colors
    return "".join(letter for bit, letter in enumerate(COLORS) if mask >> bit & 1)
