"""What is true of one player of a team that shares its life is true of the team (810.9)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry, whole
from server.oracle.reading import read_card
from server.rules.model import PriorityQuestion, Take, events
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


@pytest.mark.rule("810.9f")
def test_of_a_team_whose_life_is_redistributed_one_head_is_chosen_at_most() -> None:
    game = Game("ABCD", life=30, **TEAMS)
    sands = instant("Sands", forms.Exchange(what="lives", left=noun("all players")))
    handle = game.put("A", sands, "hand")
    game.begin()
    game.cast("A", handle)
    for who in "AB":
        game.set_life(who, 20)
    game.resolve()
    assert game.options() == ["A", "B", "C", "D"]
    game.answer(["B"])
    assert game.options() == ["C", "D"]
    game.answer(["D"])
    assert game.asks == ("A", "number")


@pytest.mark.rule("805.5b")
def test_who_has_done_something_is_asked_again_and_then_the_rest_of_the_team() -> None:
    game = Game("ABCD", life=30, **TEAMS)
    spark = game.put("B", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin()
    game.cast("B", spark)
    asked = []
    for _ in range(4):
        asked.append(game.asks[0])
        game.submit(Take(0))
    assert asked == ["B", "A", "C", "D"]


@pytest.mark.rule("810.9b")
def test_a_head_is_not_asked_to_pay_what_the_team_has_not_left() -> None:
    toll = whole(
        {
            "name": "Toll",
            "cost": "{0}",
            "types": "Sorcery",
            "text": "Each opponent sacrifices a creature unless they pay 3 life.",
        },
        "tests",
        read_card,
    )
    assert toll is not None
    for life, asked in ((5, ["C"]), (7, ["C", "D"])):
        game = Game("ABCD", life=life, **TEAMS)
        handle = game.put("A", toll, "hand")
        for who in "CD":
            game.put(who, creature("Ox", 1, 1))
        game.begin()
        game.cast("A", handle)
        game.resolve()
        seen = []
        while game.asks[1] != "priority":
            seen.append(game.asks[0])
            game.answer(True)
        assert seen == asked


@pytest.mark.rule("800.4g")
def test_where_the_active_player_has_left_the_next_in_turn_order_is_asked_first() -> None:
    """After something has resolved."""
    game = Game("ABCD")
    spark = game.put("D", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin(active="B")
    game.cast("D", spark)
    game.concede("B")
    game.resolve()
    assert game.life("D") == 21 and game.asks == ("C", "priority")


@pytest.mark.rule("810.7a")
@pytest.mark.rule("current 805.10a")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_what_the_other_head_puts_onto_the_battlefield_attacking_attacks(edition: str) -> None:
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    text = "Whenever Pack Caller attacks, create a 1/1 green Wolf creature token that's tapped and attacking."
    caller = read_card(Entry("Pack Caller", cost="{2}", types="Creature — Wolf", power="2", toughness="2", text=text))
    assert isinstance(caller, Card)
    calling = game.put("B", caller)
    game.begin()
    game.attack({calling: "C"})
    game.resolve_all()
    assert game.state.combat is not None and len(game.state.combat.attackers) == 2
    game.pass_until("combat_damage")
    assert game.life("C") == game.life("D") == 27


@pytest.mark.rule("810.7f")
@pytest.mark.parametrize("head", ["C", "D"])
def test_where_nobody_chooses_who_was_attacked_is_dealt_the_damage(head: str) -> None:
    game = Game("ABCD", life=30, **TEAMS)
    ox = game.put("A", creature("Ox", 2, 2))
    game.begin()
    game.attack({ox: head})
    game.pass_until("combat_damage")
    assert [game.who(hit.object) for hit in game.happened(events.Damage)] == [head]
