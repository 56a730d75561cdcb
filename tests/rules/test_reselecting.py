"""Whom an attacking creature attacks instead (current 508.7), at tables where not everybody could be attacked."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from tests.rules.play import Game, creature, instant, noun

TURN = forms.Reselect(what=noun("target attacking creature"))


def asked_anew(**options: Any) -> Game:
    """A game of five in which A's ox has attacked B, who turns it elsewhere."""
    game = Game("ABCDE", edition="current", **options)
    ox = game.put("A", creature("Ox", 3, 5))
    sign = game.put("B", instant("Sign", TURN), "hand")
    game.begin()
    game.attack({ox: "B"})
    game.cast("B", sign, ox)
    game.resolve()
    return game


@pytest.mark.rule("current 508.7e")
def test_an_attacker_turns_to_opponents_in_the_range_of_its_controller() -> None:
    game = asked_anew(range_of_influence=1)
    assert game.asks == ("B", "attacks") and game.options() == ["B", "E"]
    game.answer("E")
    game.fight()
    assert (game.life("B"), game.life("E")) == (20, 17)


@pytest.mark.rule("current 508.7c")
def test_an_attacker_turns_to_any_opponent_where_all_can_be_attacked() -> None:
    assert asked_anew().options() == ["B", "C", "D", "E"]


@pytest.mark.rule("current 508.7d")
def test_an_attacker_stays_with_the_neighbour_who_alone_can_be_attacked() -> None:
    game = asked_anew(attack="left")
    assert game.asks[1] == "priority"
    game.fight()
    assert game.life("B") == 17
