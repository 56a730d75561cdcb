"""The one door from an imported card to one that can be played."""

from __future__ import annotations

from server.cards.forms import Card
from server.cards.loading import MULTIFACED, READ_LAYOUTS, Imported, Unread
from server.oracle.reading import read_card


def read(card: Imported) -> Card | Unread:
    """The card, if every word of it was read."""
    name = card.entry.name
    if card.layout not in READ_LAYOUTS:
        return Unread(name, f"layout {card.layout}")
    if card.layout in MULTIFACED:
        return read_card(card.entry, card.layout, card.colors)
    return read_card(card.entry, colors=card.colors or None)
