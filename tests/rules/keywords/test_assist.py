"""Assist as played games: another player pays for generic mana (current 702.132a)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.cards.nouns import ManaSpent
from server.oracle.reading import read_card
from server.rules.model import questions as q
from tests.rules.keywords.test_casting import MOUNTAIN
from tests.rules.play import Game

rule = pytest.mark.rule
FEAST = Card(
    name="Feast of Many", types="Sorcery", cost="{3}{R}", keywords=("assist",),
    abilities=(forms.SpellAbility(do=(forms.GainLife(amount=ManaSpent()),)),),
)  # fmt: skip


def table(mine: int, theirs: int, card: Card = FEAST, edition: str = "current") -> tuple[Game, int]:
    """A has the card and so many Mountains; B and C each have so many."""
    game = Game("ABC", edition=edition)
    handle = game.put("A", card, "hand")
    for who, n in (("A", mine), ("B", theirs), ("C", theirs)):
        if n:
            game.put(who, MOUNTAIN, number=n)
    game.begin()
    return game, handle


def untapped(game: Game, who: str) -> int:
    mine = (game.state.objects[i] for i in game.state.battlefield)
    return sum(o.controller == game.seat(who) and not o.tapped for o in mine)


@rule("current 702.132a")
def test_another_player_pays_for_generic_mana() -> None:
    game, feast = table(2, 2)
    game.act("A", feast)
    assert game.asks == ("A", "assistant") and game.options() == ["B", "C"]
    game.answer("C")
    assert game.asks == ("C", "assist")
    game.answer(2)
    assert (untapped(game, "A"), untapped(game, "B"), untapped(game, "C")) == (0, 2, 0)
    game.resolve()
    assert game.life("A") == 24


@rule("current 702.132a")
def test_who_can_pay_alone_need_not_ask_and_the_helper_need_not_pay() -> None:
    game, feast = table(4, 1)
    game.act("A", feast)
    game.answer([])
    assert untapped(game, "A") == 0 and untapped(game, "B") == 1
    game, feast = table(4, 1)
    game.act("A", feast)
    game.answer("B")
    game.answer(0)
    assert untapped(game, "A") == 0 and untapped(game, "B") == 1 and game.state.stack


@rule("current 702.132a")
@pytest.mark.parametrize(("mine", "theirs", "can"), [(1, 3, True), (0, 9, False), (1, 2, False), (2, 1, False)])
def test_only_generic_mana_and_of_one_player_only_counts(mine: int, theirs: int, can: bool) -> None:
    game, feast = table(mine, theirs)
    assert game.can("A", feast) is can


@rule("current 702.132a")
def test_one_who_will_not_help_is_not_asked_again_this_turn() -> None:
    """The announcement is taken back, and with the other player it can still be made."""
    game, feast = table(1, 3)
    for helper in "BC":
        game.act("A", feast)
        if helper == "B":
            game.answer(helper)  # the one who is left then need not be chosen
        assert game.asks == (helper, "assist")
        game.default()
        assert game.zone(feast) == "hand" and untapped(game, helper) == 3
    assert not game.can("A", feast)


@rule("current 702.132a")
def test_too_little_help_costs_the_helper_nothing() -> None:
    game, feast = table(1, 3)
    game.act("A", feast)
    game.answer("B")
    game.answer(2)
    assert game.zone(feast) == "hand" and (untapped(game, "A"), untapped(game, "B")) == (1, 3)


@rule("current 702.132a")
def test_help_counts_for_x() -> None:
    text = "Assist\nYou gain X life."
    card = read_card(Entry("Shared Meal", "{X}{R}", "Sorcery", text))
    assert isinstance(card, Card), card
    game, meal = table(1, 3, card)
    game.act("A", meal)
    assert isinstance(game.question, q.NumberQuestion) and game.question.most == 3
    game.answer(3)
    game.answer("B")
    game.answer(3)
    game.resolve()
    assert game.life("A") == 23 and untapped(game, "B") == 0


@rule("current 702.132a", "current 801.5a")
def test_only_players_within_range_help() -> None:
    game = Game("ABCD", edition="current", range_of_influence=1)
    feast = game.put("A", FEAST, "hand")
    game.put("A", MOUNTAIN)
    game.put("C", MOUNTAIN, number=3)
    game.begin()
    assert not game.can("A", feast)
    game.put("B", MOUNTAIN, number=3)
    game.begin()
    assert game.can("A", feast)


@rule("current 702.132a")
def test_a_team_mate_helps_too() -> None:
    game = Game("ABCD", edition="current", teams=(0, 0, 1, 1))
    feast = game.put("A", FEAST, "hand")
    game.put("A", MOUNTAIN)
    game.put("B", MOUNTAIN, number=3)
    game.begin()
    game.act("A", feast)
    assert game.asks == ("B", "assist")
