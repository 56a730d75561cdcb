"""What turns cards over, switches sizes, exploits, exerts and splices is read, printed and read again as the same tree."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.engine import matched
from server.oracle.reading import printed, read_card

PERMANENT = (
    "Whenever Reed Bear exploits a creature, draw a card.",
    "Whenever a creature you control exploits a creature, draw a card.",
    "You may exert Reed Bear as it attacks.",
    "You may exert Reed Bear as it attacks. When you do, draw a card.",
    "Whenever you exert a creature, draw a card.",
    "{T}, Exert Reed Bear: Draw a card.",
    "{U}: Switch Reed Bear's power and toughness until end of turn.",
    "Whenever Reed Bear attacks, switch its power and toughness until end of turn.",
    "At the beginning of each upkeep, if no spells were cast last turn, draw a card.",
    "At the beginning of your upkeep, if a player cast two or more spells last turn, draw a card.",
    "Whenever a permanent you control transforms into a non-Human creature, draw a card.",
    "{T}: Transform each Human you control.",
)
SPELL = (
    "Switch target creature's power and toughness until end of turn.",
    "Draw a card.\nSplice onto Arcane {1}{U}",
    "Draw a card.\nSplice onto Arcane—Sacrifice a creature.",
    "Draw a card.\nSplice onto instant or sorcery {2}{U}",
)


@pytest.mark.parametrize("text", [*PERMANENT, *SPELL])
def test_read_and_printed(text: str) -> None:
    def read(text: str) -> Card:
        types, size = ("Instant — Arcane", None) if spell else ("Creature — Bear", "2")
        found = read_card(Entry("Reed Bear", "{U}", types, text, size, size))
        assert isinstance(found, Card), found
        return found

    spell = text in SPELL
    card = read(text)
    again = printed(card)
    assert again is not None
    assert matched(read(again).abilities, card.abilities, {})
