"""Mana of any type that lands could produce (106.7) depends on the lands, each time it is asked."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.rules.costs.mana_sources import sources
from tests.rules.play import Game, creature, noun

ANY_TYPE = forms.AddMana(choice="producible", of=noun("each land you control"), any_type=True)
NAGA = creature("Grey Naga", 1, 2, abilities=(forms.ActivatedAbility(cost=(forms.TapCost(),), do=(ANY_TYPE,)),))


@pytest.mark.rule("106.7")
@pytest.mark.parametrize(("land", "mask"), [("Plains", 1), ("Forest", 16), ("Plains", 1)])
def test_another_table_with_the_same_card_makes_other_mana(land: str, mask: int) -> None:
    game = Game("AB")
    game.put("A", Card(name=land, types=f"Basic Land — {land}"))
    naga = game.put("A", NAGA)
    game.begin()
    assert [s.mask for s in sources(game.state, 0) if s.key == game.now(naga)] == [mask]
