"""The decks that a server offers: the house set's, and lists of its cards. The lobby asks by `server.lobby.decks.Decks`."""

from __future__ import annotations

from protocol.messages import DeckSummary
from protocol.refusals import Code, Refusal
from protocol.view import COLORS
from server.cards import decks as cards
from server.cards.errors import DeckFault
from server.lobby.decks import Deck
from server.rules.definition import define

SENTENCE_LINES = 12
"""Faults of a deck list that are named in one sentence."""


class HouseDecks:
    """See `server.lobby.decks.Decks`."""

    def summaries(self) -> list[DeckSummary]:
        """The house decks, in alphabetical order."""
        return [
            DeckSummary(name=deck.name, colors=colors_of(deck), cards=len(deck.cards), text=deck.about)
            for deck in cards.house_decks().values()
        ]

    def house(self, name: str) -> Deck:
        """The house deck of that name, whatever its case. Raises `Refusal`: unknown_deck."""
        decks = cards.house_decks()
        deck = decks.get(name) or decks.get(name.strip().lower().replace(" ", "-"))
        if deck is None:
            raise Refusal(Code.UNKNOWN_DECK)
        return Deck(name=deck.name, cards=deck.cards)

    def read(self, text: str) -> Deck:
        """A deck list of house cards. Raises `Refusal`: bad_deck, naming lines and cards."""
        try:
            deck = cards.read_deck(text)
        except DeckFault as fault:
            raise Refusal(Code.BAD_DECK, _sentence(fault)) from None
        return Deck(name="own", cards=deck.cards)


def house_decks() -> HouseDecks:
    """The decks of this server; all of them are read now, so that a fault shows at the start."""
    cards.house_decks()
    return HouseDecks()


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
