"""How great an X may be announced for a spell that a permission lets its player cast."""

from __future__ import annotations

import pytest

from apnap.cards import read_card
from server.cards.nouns import Zone
from server.rules.model.questions import NumberQuestion
from tests.rules.play import Game

READER = read_card(
    "Grave Reader", types="Enchantment", text="You may cast spells with mana value 3 or less from your graveyard."
)
JOLT = read_card("Wide Jolt", types="Sorcery", cost="{X}{R}", text="Wide Jolt deals X damage to any target.")
MOUNTAIN = read_card("Red Hill", types="Land — Mountain")


def most_x(zone: Zone, *readers: str) -> int:
    """The greatest X that A is offered for the spell in that zone with six mana."""
    game = Game("AB", edition="current")
    game.put("A", MOUNTAIN, number=6)
    for who in readers:
        game.put(who, READER)
    jolt = game.put("A", JOLT, zone)
    game.begin()
    game.act("A", jolt)
    question = game.question
    assert isinstance(question, NumberQuestion) and question.purpose == "x"
    return question.most


@pytest.mark.rule("current 601.2e")
@pytest.mark.rule("current 202.3e")
def test_x_is_no_more_than_the_permission_allows() -> None:
    """The spell's mana value is 3 with an X of 2; from the hand no permission is asked."""
    assert most_x("graveyard", "A") == 2
    assert most_x("hand", "A") == 5
