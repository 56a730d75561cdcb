"""What the first words of a paragraph by hand name reminds its controller, who is not passed for then."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card, HandAbility
from server.cards.loading import Entry
from server.oracle.by_hand import read_partly
from server.rooms.passes import Standing
from server.rules.casting import is_reminded
from server.rules.model import Action, PriorityQuestion
from tests.rules.play import Game, creature, instant, noun

SLAY = instant("Slay", forms.Destroy(what=noun("target creature")), cost="{0}")


def card(text: str) -> Card:
    found = read_partly(Entry("Keen Watcher", cost="{G}", types="Creature — Elf", text=text, power="2", toughness="2"))
    assert isinstance(found, Card)
    return found


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Whenever a creature dies with a smile on its face, frolic about it.", "zone change"),
        ("Whenever you gain life for no good reason, hum.", "life gain"),
        ("Whenever the stars align, hum.", ""),
    ],
)
def test_the_first_words_name_an_event_that_is_known(text: str, named: str) -> None:
    ability = next(one for one in card(text).abilities if isinstance(one, HandAbility))
    assert [pattern.event for pattern in ability.reminds][:1] == ([named] if named else [])


def calls(game: Game) -> list[Action]:
    question = game.question
    assert isinstance(question, PriorityQuestion)
    return [action for action in question.actions if action.type == "call"]


@pytest.mark.rule("603.2")
def test_its_controller_is_reminded_when_it_happens_until_the_paragraph_is_called() -> None:
    game = Game("AB")
    watcher = game.put("A", card("Whenever a creature dies with a smile on its face, frolic about it."))
    bear = game.put("B", creature("Bear", 2, 2))
    slay = game.put("A", SLAY, "hand")
    game.begin()
    passes = Standing(mine=(), others=())
    (call,) = calls(game)
    assert not is_reminded(game.state, call)
    assert isinstance(game.question, PriorityQuestion) and passes.passes(game.state, game.question) == 0
    game.cast("A", slay, bear)
    game.resolve()
    (call,) = calls(game)
    assert is_reminded(game.state, call)
    assert isinstance(game.question, PriorityQuestion) and passes.passes(game.state, game.question) is None
    game.act("A", watcher, ability=call.ability)
    (call,) = calls(game)
    assert not is_reminded(game.state, call)


@pytest.mark.rule("400.2")
def test_nobody_is_reminded_of_what_only_others_saw() -> None:
    game = Game("AB")
    game.put("A", card("Whenever an opponent draws a creature card with a smile, hum."))
    game.put("A", SLAY, "hand")
    game.begin()
    game.pass_until(step="draw")
    assert not any(key.startswith("reminded") for key, _ in game.state.history)
