"""A list of actions is made anew where an ability changed what it looks at beside the hand: no card in hand is another, nor an effect."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.rules.casting import actions_in_full
from server.rules.model import questions as q
from tests.rules.play import Game, creature, enchantment, noun, whenever

BEAR = creature("Sudden Bear", 2, 2, "flash", cost="{R}")
DRAWS = forms.ActivatedAbility(cost=(forms.ManaCost(mana="{0}"),), do=(forms.Draw(),))
SAGE = creature("Sage", 1, 3, abilities=(DRAWS,))
FOR_CREATURES = forms.Spending(spells=noun("creature spells"))
TOP = noun("the top card of your library")


def afar(zone: Any) -> Card:
    """A card that does something where it lies."""
    return Card(name="Afar", types="Artifact", cost="{9}", abilities=(replace(DRAWS, zone=zone),))


def for_any_player() -> Card:
    """A creature whose ability is anybody's."""
    return creature("Oracle", 1, 3, abilities=(replace(DRAWS, by="any player"),))


def before_and_after(
    *do: forms.VerbForm, top: Card = BEAR, beside: Card | None = None, under: str = "A"
) -> tuple[Game, list[q.Action]]:
    """At the beginning of combat that is done: the game after it, and what could be done before."""
    game = Game("AB")
    combat = forms.Pattern(event="step", step="begin_combat")
    game.put("A", enchantment("War Drum", whenever(combat, *do)))
    game.put("A", BEAR, "hand")
    game.put("A", top, "library")
    if beside is not None:
        game.put("B", beside, under=under)  # which goes to another's graveyard
    game.begin()
    game.pass_until("begin_combat")
    before = listed(game)
    game.resolve()
    return game, before


def listed(game: Game) -> list[q.Action]:
    """What the first player can do, which is what is found with nothing remembered."""
    question = game.question
    assert isinstance(question, q.PriorityQuestion) and question.seat == 0
    assert question.actions == actions_in_full(game.state, 0)
    return [action for action in question.actions if action.type != "pass"]


@pytest.mark.rule("106.6")
def test_mana_for_some_spells_alone_makes_another_list() -> None:
    game, before = before_and_after(forms.AddMana(mana="{R}", only=FOR_CREATURES))
    assert game.state.players[0].marked
    assert not before
    assert [action.type for action in listed(game)] == ["cast"]


@pytest.mark.rule("112.6")
@pytest.mark.parametrize("zone", ["exile", "graveyard"])
def test_a_card_that_comes_where_it_does_something_makes_another_list(zone: Any) -> None:
    game, before = before_and_after(forms.Move(what=TOP, to=zone), top=afar(zone))
    assert not before
    assert [action.type for action in listed(game)] == ["activate"]


@pytest.mark.rule("602.2")
def test_a_permanent_that_does_something_makes_another_list() -> None:
    game, before = before_and_after(forms.Move(what=TOP, to="battlefield"), top=SAGE)
    assert not before
    assert [action.type for action in listed(game)] == ["activate"]


@pytest.mark.rule("602.2")
@pytest.mark.parametrize("whose", ["A", "B"])
def test_a_permanent_that_does_nothing_any_more_makes_another_list(whose: str) -> None:
    does = SAGE if whose == "A" else for_any_player()
    game, before = before_and_after(forms.Destroy(what=noun("all creatures")), beside=does, under=whose)
    assert [action.type for action in before] == ["activate"]
    assert not listed(game)
