"""The one door from an imported card to one that can be played."""

from __future__ import annotations

from server.cards.forms import Card
from server.cards.loading import FACES, MULTIFACED, READ_LAYOUTS, Imported, Unread, speaks_of_melding
from server.oracle.by_hand import read_partly
from server.oracle.reading import read_card


def read_by_hand(card: Imported) -> Card | Unread:
    """The card whole if it is read, else with the paragraphs by hand that are not."""
    found = read(card)
    if isinstance(found, Card):
        return found
    several = card.layout in MULTIFACED
    partly = read_partly(card.entry, card.layout if several else "", card.colors if several else card.colors or None)
    return partly if isinstance(partly, Card) else found


def read(card: Imported) -> Card | Unread:
    """The card, if every word of it was read."""
    name = card.entry.name
    if card.layout not in READ_LAYOUTS:
        return Unread(name, f"layout {card.layout}")
    if card.layout == "meld" and not _is_of_a_pair(card):
        return Unread(name, "layout meld")
    if card.layout in MULTIFACED:
        return read_card(card.entry, card.layout, card.colors)
    return read_card(card.entry, colors=card.colors or None)


def _is_of_a_pair(card: Imported) -> bool:
    """Whether it is a meld card with all that belongs to it, or one whose pair the list has not; not what a pair melds into."""
    names = len(card.entry.name.split(FACES))
    return names == 3 or names == 1 and speaks_of_melding(card.entry.text)
