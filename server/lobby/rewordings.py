"""Other words for cards of a table's decks, proposed before its game: whose yes is missing, and the cards as they are said then."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from protocol.by_hand import Paragraph, Reword, Rewording
from protocol.refusals import Code, Refusal
from server.cards.forms import Card
from server.cards.loading import paragraphs_by_hand
from server.oracle.acts import ActFault
from server.oracle.rewording import reworded

MOST = 50
"""Proposals at one table."""


class Proposed(msgspec.Struct, frozen=True):
    """A proposal: paragraph `text` of the card of that name is said as `line`. `by` and `yes` are people's ids."""

    name: str
    card: str
    text: str
    line: str
    read: str
    by: str
    yes: frozenset[str]


class Rewordings:
    """Those of one table, oldest first."""

    def __init__(self) -> None:
        self._proposed: list[Proposed] = []
        self._count = 0

    def propose(self, message: Reword, deck: Sequence[Card], person: str) -> None:
        """Other words for a card of one's own deck; what was proposed for the paragraph before is gone. Takes as long as the words take
        to be read. Raises `Refusal`: no_such_object, not_an_act, too_large.
        """
        card = next((card for card in deck if card.name == message.card and paragraphs_by_hand(card)), None)
        if card is None:
            raise Refusal(Code.NO_SUCH_OBJECT, "No card of your deck with paragraphs by hand has that name.")
        texts = paragraphs_by_hand(card)
        text = message.text or (texts[0] if len(texts) == 1 else "")
        if text not in texts:
            raise Refusal(Code.NOT_AN_ACT, "Say which paragraph: " + " / ".join(texts))
        try:
            _, read = reworded(card, text, message.line)
        except ActFault as fault:
            raise Refusal(Code.NOT_AN_ACT, fault.why, path="line") from None
        kept = [one for one in self._proposed if (one.card, one.text) != (card.name, text)]
        if len(kept) >= MOST:
            raise Refusal(Code.TOO_LARGE)
        self._count += 1
        name = f"w{self._count}"
        fresh = Proposed(name, card.name, text, message.line.strip(), read, person, frozenset({person}))
        self._proposed = [*kept, fresh]

    def say(self, name: str, person: str, *, yes: bool) -> None:
        """Somebody agrees; with a no it is gone. Raises `Refusal`: no_ballot."""
        if all(one.name != name for one in self._proposed):
            raise Refusal(Code.NO_BALLOT)
        if not yes:
            self._proposed = [one for one in self._proposed if one.name != name]
            return
        self._proposed = [replace(one, yes=one.yes | {person}) if one.name == name else one for one in self._proposed]

    def shown(self, seats: Sequence[str]) -> list[Rewording]:
        """As everyone is told of them; `seats` are the ids of the people who sit there, "" for a bot or nobody."""
        return [
            Rewording(
                ballot=one.name,
                card=one.card,
                text=one.text,
                line=one.line,
                read=one.read,
                by=seats.index(one.by) if one.by in seats else -1,
                waiting=[seat for seat, person in enumerate(seats) if person and person not in one.yes],
            )
            for one in self._proposed
        ]

    def said(self, cards: tuple[Card, ...], people: Collection[str]) -> tuple[Card, ...]:
        """The cards in the words that all people agreed on; equal cards are the same object."""
        agreed = [one for one in self._proposed if one.yes >= frozenset(people)]
        made: dict[int, Card] = {}
        for card in cards if agreed else ():
            if id(card) not in made:
                made[id(card)] = _said(card, agreed)
        return tuple(made.get(id(card), card) for card in cards)


def paragraphs_of(deck: Sequence[Card]) -> list[Paragraph]:
    """What is by hand in a deck, each paragraph of a card once."""
    cards = {card.name: card for card in deck}
    return [Paragraph(card=name, text=text) for name, card in cards.items() for text in paragraphs_by_hand(card)]


def _said(card: Card, agreed: Sequence[Proposed]) -> Card:
    for one in agreed:
        if one.card == card.name and one.text in paragraphs_by_hand(card):
            try:
                card, _ = reworded(card, one.text, one.line)
            except ActFault:
                continue
    return card
