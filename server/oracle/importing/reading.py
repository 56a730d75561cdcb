"""The one door from an imported card to one that can be played."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards.entries import Unread
from server.cards.forms import Card
from server.cards.imported import FACES, MULTIFACED, READ_LAYOUTS, Imported
from server.oracle.reading import read_card


def read(card: Imported) -> Card | Unread:
    """The card, if every word of it was read."""
    name = card.entry.name
    if card.layout not in READ_LAYOUTS:
        return Unread(name, f"layout {card.layout}")
    found = read_card(card.entry)
    if isinstance(found, Unread):
        return Unread(name, f"layout {card.layout}") if found.word == "//" and card.layout in MULTIFACED else found
    if card.colors and FACES not in card.colors:
        return replace(found, colors=card.colors)
    return found
