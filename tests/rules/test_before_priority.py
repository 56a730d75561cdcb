"""What is due before anybody gets priority is looked for again wherever time alone can make it due (704.3).

In these games nothing changes but the step: no object, no player and no effect, so that whatever is kept for those is kept.
"""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.rules.model import questions as q
from tests.rules.play import Game, creature, enchantment, noun

MAIN = forms.During(step="precombat_main")


def passed_to(game: Game, step: str) -> Game:
    """All have passed until that step, and were asked for nothing but to pass."""
    while game.step != step:
        assert isinstance(game.question, q.PriorityQuestion), game.asks
        game.submit(q.Take(0))
    return game


@pytest.mark.rule("704.5a")
def test_who_cannot_lose_for_now_loses_when_that_time_is_over() -> None:
    game = Game("ABC")
    spared = forms.PlayerRule(rule="can't lose the game", who=noun("you"), condition=MAIN)
    game.put("B", enchantment("Stay of the Morning", spared))
    game.set_life("B", 0)
    game.begin()
    assert not game.lost("B")
    assert passed_to(game, "begin_combat").lost("B") == "life"


@pytest.mark.rule("704.5n")
def test_an_aura_for_attackers_goes_when_the_combat_is_over() -> None:
    game = Game("AB")
    guard = game.put("A", creature("Guard", 2, 2, "vigilance"))
    aura = Card(
        name="Battle Fury",
        types="Enchantment — Aura",
        cost="{0}",
        keywords=("flash",),
        abilities=(forms.KeywordAbility(keyword="enchant", quality=noun("attacking creature")),),
    )
    fury = game.put("A", aura, "hand")
    game.begin()
    game.attack({guard: "B"})
    game.cast("A", fury, guard)
    game.resolve()
    game.pass_until("end_combat")
    assert game.zone(fury) == "battlefield"
    passed_to(game, "postcombat_main")
    assert game.zone(fury) == "graveyard"
