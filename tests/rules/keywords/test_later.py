"""Keyword abilities of sets after September 2011, as played games."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.nouns import ThatMuch
from tests.rules.keywords.cards import beast, word
from tests.rules.play import BEAR, BOLT, PLAINS, Game, damage, instant, noun, whenever

KILL = instant("Kill", forms.Destroy(what=noun("target creature")))


def test_extort_gains_what_all_opponents_lost() -> None:
    game = Game("ABC")
    game.put("A", beast(1, 1, "extort"))
    game.put("A", PLAINS)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    assert game.asks == ("A", "pay")
    game.answer(True)
    assert [game.life(who) for who in "ABC"] == [22, 19, 19]


@pytest.mark.parametrize("big", [True, False])
def test_unleash_and_not_blocking_with_the_counter(big: bool) -> None:
    game = Game()
    imp = game.put("B", beast(2, 2, "unleash"), "hand")
    attacker = game.put("A", BEAR)
    game.put("B", BEAR)
    game.begin(active="B")
    game.cast("B", imp)
    game.resolve()
    game.answer(big)
    assert game.size(imp) == ((3, 3) if big else (2, 2))
    while game.state.turn.active != 0:
        game.default()
    game.attack({attacker: "B"})
    while game.asks[1] != "blockers":
        game.default()
    assert (game.now(imp) in game.can_block()) is not big


def test_evolve_when_a_bigger_creature_enters() -> None:
    game = Game()
    newt = game.put("A", beast(1, 3, "evolve"))
    small, tough = game.put("A", beast(1, 1), "hand"), game.put("A", beast(0, 4), "hand")
    game.begin()
    game.cast("A", small)
    game.resolve()
    assert not game.state.stack
    game.cast("A", tough)
    game.resolve_all()
    assert game.size(newt) == (2, 4)


def test_scavenge_outlast_and_exploit() -> None:
    game = Game()
    dead = game.put("A", beast(4, 1, word("scavenge", cost="{0}")), "graveyard")
    slow = game.put("A", beast(1, 1, word("outlast", cost="{0}")))
    eater, food = game.put("A", beast(2, 2, "exploit"), "hand"), game.put("A", BEAR)
    game.begin()
    game.activate("A", dead, slow)
    game.resolve()
    assert game.zone(dead) == "exile" and game.size(slow) == (5, 5)
    game.activate("A", slow)
    game.resolve()
    assert game.size(slow) == (6, 6) and game.object(slow).tapped
    game.cast("A", eater)
    game.resolve()
    game.resolve()
    game.answer(True)
    game.answer(food)
    assert game.zone(food) == "graveyard"


def test_fabricate_and_afterlife() -> None:
    game = Game()
    one, two = (game.put("A", beast(1, 1, word("fabricate", number=2)), "hand") for _ in "ab")
    ghost, kill = game.put("A", beast(1, 1, word("afterlife", number=2))), game.put("A", KILL, "hand")
    game.begin()
    for card, counters in ((one, True), (two, False)):
        game.cast("A", card)
        game.resolve()
        game.resolve()
        game.answer(counters)
    game.cast("A", kill, ghost)
    game.resolve_all()
    names = [game.state.objects[i].definition.name for i in game.state.battlefield]
    assert game.size(one) == (3, 3) and names.count("Servo") == 2 and names.count("Spirit") == 2


def test_afflict_means_the_player_whom_it_attacks_and_decayed_ends_with_combat() -> None:
    game = Game("ABC")
    devil, zombie = game.put("A", beast(2, 2, word("afflict", number=3))), game.put("A", beast(2, 2, "decayed"))
    wall = game.put("C", beast(0, 9))
    game.begin()
    game.attack({devil: "C", zombie: "B"})
    game.resolve_all()
    game.block("C", {wall: devil})
    game.pass_until(step="declare_blockers")
    game.resolve_all()
    assert game.life("C") == 17
    game.pass_until(step="end_combat")
    game.resolve_all()
    assert game.zone(zombie) == "graveyard" and game.life("B") == 18


@pytest.mark.rule("702.80b")
def test_how_many_creatures_it_devoured() -> None:
    roar = whenever(
        forms.Pattern(event="zone change", subject=noun("{this}"), to="battlefield"),
        damage(ThatMuch("paid"), "each opponent"),
    )
    game = Game("ABC")
    dragon = game.put("A", beast(1, 1, word("devour", number=1), roar), "hand")
    food = [game.put("A", BEAR) for _ in range(3)]
    game.begin()
    game.cast("A", dragon)
    game.resolve()
    game.answer(food[1:])
    game.resolve_all()
    assert (game.life("B"), game.life("C")) == (18, 18)
