"""The decks that a server offers: the house set's, and lists of its cards and of imported ones. The lobby asks by
`server.lobby.decks.Decks`.
"""

from __future__ import annotations

import trio

from protocol.options import Format
from protocol.refusals import Code, Refusal
from protocol.rooms import DeckFault as ToldFault
from protocol.rooms import DeckReport, DeckSummary
from protocol.view import COLORS
from server.cards.decks import decks as cards
from server.cards.forms import Card
from server.cards.loading import CardFault, DeckFault, Unread, plain_name, read_toml
from server.command.library import Library
from server.lobby.decks import Deck
from server.oracle import house
from server.oracle.reading import read_card
from server.rules.model import define
from server.storage import StorageError

SENTENCE_LINES = 12
"""Faults of a deck list that are named in one sentence."""


class HouseDecks:
    """See `server.lobby.decks.Decks`. Without a library, lists are of house cards."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = Library() if library is None else library

    def summaries(self) -> list[DeckSummary]:
        """The house decks, in alphabetical order."""
        return [
            DeckSummary(
                name=deck.name,
                colors=colors_of(deck),
                cards=len(deck.cards) + len(deck.commander),
                text=deck.about,
                format="commander" if deck.commander else "constructed",
            )
            for deck in (*house.house_decks().values(), *house.commander_decks().values())
        ]

    def house(self, name: str) -> Deck:
        """The house deck of that name, whatever its case. Raises `Refusal`: unknown_deck."""
        decks = {**house.house_decks(), **house.commander_decks()}
        deck = decks.get(name) or decks.get(name.strip().lower().replace(" ", "-"))
        if deck is None:
            raise Refusal(Code.UNKNOWN_DECK)
        return Deck(name=deck.name, cards=deck.cards, commander=deck.commander)

    async def read(self, text: str, own: str = "", format: Format = "constructed") -> Deck:
        """A deck list in any program's form; `own` are cards in TOML that it may name besides. Raises `Refusal`: bad_deck,
        naming lines and cards.
        """
        try:
            deck = await self._read(text, own, format)
        except CardFault as fault:
            raise Refusal(Code.BAD_DECK, f"{fault}.") from None
        except DeckFault as fault:
            raise Refusal(Code.BAD_DECK, _sentence(fault)) from None
        return Deck(name="own", cards=deck.cards, commander=deck.commander)

    async def check(self, text: str, format: Format = "constructed") -> DeckReport:
        """What is in a deck list, or what is wrong with it. Raises `Refusal`: bad_deck when the imported cards cannot be read."""
        try:
            deck = await self._read(text, "", format)
        except DeckFault as fault:
            return DeckReport(faults=[ToldFault(line=line, text=what) for line, what in fault.faults])
        return DeckReport(
            cards=len(deck.cards) + len(deck.commander),
            sideboard=sum(line.count for line in deck.sideboard),
            colors=colors_of(deck),
            format=deck.format,
            commander=" and ".join(card.name for card in deck.commander),
        )

    async def _read(self, text: str, own: str, format: Format) -> cards.Deck:
        """Raises DeckFault, CardFault, and `Refusal` when the imported cards cannot be read."""
        try:  # in a thread: a deck of many cards never read before takes a second, in which tables go on
            return await trio.to_thread.run_sync(_deck_with, text, own, self._library, format)
        except StorageError as fault:
            raise Refusal(Code.BAD_DECK, f"The imported cards cannot be read now: {fault}.") from None


class _Beside:
    """Cards of a bringer's own, then the server's. What is banned in a format is for a table to agree on."""

    def __init__(self, own: dict[str, Card], library: Library) -> None:
        self._own = own
        self._library = library

    def find(self, name: str) -> Card | Unread | None:
        return self._own.get(plain_name(name)) or self._library.find(name)

    def near(self, name: str) -> list[str]:
        return self._library.near(name)

    def legality(self, name: str) -> None:
        """Nothing."""


def _deck_with(text: str, own: str, library: Library, format: Format) -> cards.Deck:
    """The deck of a list that may name cards of its bringer's own. They may not take the name of a card that is known here:
    what everyone knows as one card is no other. Raises DeckFault, CardFault, StorageError.
    """
    mine = {plain_name(card.name): card for card in read_toml(own, "own cards", read_card)} if own else {}
    for card in mine.values():
        if library.find(card.name) is not None:
            raise CardFault("there is a card of that name already", source="own cards", card=card.name)
    return cards.read_deck(text, _Beside(mine, library), format_=format)


def house_decks(library: Library | None = None) -> HouseDecks:
    """The decks of this server; all of them are read now, so that a fault shows at the start."""
    house.house_decks()
    house.commander_decks()
    return HouseDecks(library)


def colors_of(deck: cards.Deck) -> str:
    """The letters of the colours of a deck's cards."""
    mask = 0
    for line in deck.main:
        mask |= define(line.card).base.colors
    return "".join(letter for bit, letter in enumerate(COLORS) if mask >> bit & 1)


def _sentence(fault: DeckFault) -> str:
    said = [f"line {line}: {what}" if line else what for line, what in fault.faults[:SENTENCE_LINES]]
    more = len(fault.faults) - len(said)
    return "; ".join(said) + (f"; and {more} more" if more > 0 else "") + "."
