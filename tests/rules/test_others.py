"""Which cards are "another card" once a spell has spoken of one (current 608.2c)."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from tests.oracle.cards import spell
from tests.rules.play import Game, creature

BREW = (
    "Each player sacrifices a creature of their choice. If you sacrificed a creature this way, you may return another "
    "permanent card from your graveyard to your hand."
)


@pytest.mark.rule("current 608.2c")
def test_another_card_is_not_the_one_that_was_sacrificed() -> None:
    game = Game(edition="current")
    game.put("A", creature("Old Ox", 2, 2), "graveyard")
    game.put("A", creature("Older Ox", 2, 2), "graveyard")
    given = game.put("A", creature("Given Ox", 2, 2))
    brew = spell(BREW, cost="{0}")
    assert isinstance(brew, Card)
    hand = game.put("A", brew, "hand")
    game.begin()
    game.cast("A", hand)
    game.resolve()
    game.answer(True)
    assert game.zone(given) == "graveyard"
    assert len(game.options()) == 2
    assert game.now(given) not in game.options()
