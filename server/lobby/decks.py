"""Decks as the lobby needs them: by house name, or as a list in text. What cards there are is not its business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from protocol.options import Format
from protocol.printings import Printing
from protocol.rooms import DeckReport, DeckRulesSummary, DeckSummary
from server.cards.forms import Card
from server.cards.loading import paragraphs_by_hand
from server.rooms.worker import NOWHERE, Around


class Deck(msgspec.Struct, frozen=True):
    """A deck as read: `name` is the house deck's, "own" for another; `cards` in the order of the list, without the `commander`
    that leads it (903.3), if it is one for Commander; `sideboard` is exchanged with between games of a match. `format` is that
    of the rooms for which it was read.
    """

    name: str
    cards: tuple[Card, ...]
    commander: tuple[Card, ...] = ()
    sideboard: tuple[Card, ...] = ()
    format: Format = "constructed"
    companion: tuple[Card, ...] = ()
    """The one that is brought from outside the game (current 702.139), if any."""
    rules: str = ""
    """The name of the deck rules that the host has added by which it was read; "": those of the format."""

    @property
    def whole(self) -> tuple[Card, ...]:
        """All of its cards, the commanders first, the sideboard and the companion last."""
        return (*self.commander, *self.cards, *self.sideboard, *self.companion)

    @property
    def by_hand(self) -> tuple[str, ...]:
        """The names of its cards that are partly played by hand."""
        cards = {card.name: card for card in self.whole}
        return tuple(name for name, card in cards.items() if paragraphs_by_hand(card))

    def played_as(self, format: Format) -> Deck:
        """The deck as it is played in a room of that format: where there are no commanders, a commander is one of its cards."""
        if format != "constructed" or not self.commander and self.format == format:
            return self
        cards = (*self.commander, *self.cards)
        return msgspec.structs.replace(self, cards=cards, commander=(), format="constructed")


class Decks(Protocol):
    """Where decks come from."""

    def summaries(self) -> list[DeckSummary]:
        """The house decks, in a fixed order."""
        ...

    def rules(self) -> list[DeckRulesSummary]:
        """The deck rules that the host has added."""
        ...

    def house(self, name: str, rules: str = "") -> Deck:
        """The house deck of that name, by added deck rules or by its format. Raises `Refusal`: unknown_deck, bad_deck if those
        rules do not have it.
        """
        ...

    async def read(
        self,
        text: str,
        own: str = "",
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> Deck:
        """A deck list in text for rooms of a format, or of added deck `rules`, which may name cards that `own` brings (TOML) and, where
        cards may be played `by_hand`, those that are partly read; takes as long as its cards' texts take to read. `who` brings it,
        from there: nobody waits for all that another brings. Raises `Refusal`: bad_deck, with a sentence that names lines and cards;
        bad_option for rules that there are not; busy.
        """
        ...

    async def check(
        self,
        text: str,
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> DeckReport:
        """What is in a deck list, or what is wrong with it, line by line. Raises `Refusal` when no list can be read now."""
        ...

    async def printings(self, lang: str, names: Sequence[str]) -> dict[str, Printing]:
        """What stands in a language on the cards of those English names, as far as it is known. Raises `Refusal`: busy."""
        ...
