"""What the tests of printed text share: a card with a text, and that it prints back."""

from __future__ import annotations

from server.cards.forms import Card
from server.cards.loading import Entry, Unread
from server.oracle.reading import printed, read_card


def permanent(text: str, types: str = "Creature — Elf", name: str = "Testbeast", cost: str = "{G}") -> Card | Unread:
    """A permanent with this text: a 1/1 creature unless its types say otherwise."""
    size = "1" if "Creature" in types else None
    return read_card(
        Entry(name=name, types=types, power=size, toughness=size, cost="" if types == "Land" else cost, text=text)
    )


def creature(text: str) -> Card | Unread:
    """A creature with this text."""
    return permanent(text)


def spell(text: str, cost: str = "{R}", types: str = "Sorcery") -> Card | Unread:
    """A sorcery with this text, or an instant."""
    return read_card(Entry(name="Testbolt", types=types, cost=cost, text=text))


def text_of(card: Card | Unread) -> str | None:
    """The text that the tree of a card prints; fails on one that is unread."""
    assert isinstance(card, Card), card
    return printed(card)
