"""What is true of one player of a team that shares its life is true of the team (810.9)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import PriorityQuestion
from tests.rules.play import Game, creature, enchantment, instant, noun

TEAMS = {"teams": (0, 0, 1, 1), "shared": True}


@pytest.mark.rule("810.9h")
@pytest.mark.parametrize("whose", "CD")
def test_neither_player_loses_or_pays_life_while_one_of_them_cannot_lose_any(whose: str) -> None:
    game = Game("ABCD", life=30, **TEAMS)
    still = forms.PlayerRule(rule="can't lose life", who=noun("you"))
    game.put(whose, enchantment("Deep Rest", still))
    thorns = game.put("A", instant("Thorns", forms.LoseLife(amount=6, who=noun("target player"))), "hand")
    pays = forms.ActivatedAbility(cost=(forms.LifeCost(amount=2),), do=(forms.GainLife(amount=5),))
    game.put("D", creature("Pale Cup", 1, 1, abilities=(pays,)))
    game.begin()
    game.cast("A", thorns, "D")
    game.resolve()
    assert [p.life for p in game.state.players] == [30, 30, 30, 30]
    game.pass_to("D")
    question = game.state.pending
    assert isinstance(question, PriorityQuestion) and [action.type for action in question.actions] == ["pass"]
