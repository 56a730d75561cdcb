"""A loop of mandatory actions is found and ends the game as a draw, without hanging (104.4b)."""

from __future__ import annotations

import pytest

from server.cards import forms
from tests.rules.play import Game, enchantment, instant, noun


@pytest.mark.rule("104.4b")
def test_a_loop_that_nobody_can_end_is_a_draw() -> None:
    gain = forms.GainLife(amount=1)
    again = forms.TriggeredAbility(when=(forms.Pattern(event="life gain", subject=noun("you")),), do=(gain,))
    game = Game("AB")
    game.put("A", enchantment("Echoing Grace", again))
    spark = game.put("A", instant("Spark", gain), "hand")
    game.begin()
    game.cast("A", spark)
    for _ in range(20_000):
        if game.state.result is not None:
            break
        game.default()
    assert game.state.result is not None
    assert game.state.result.winners == ()
