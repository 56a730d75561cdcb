"""Players whom other players control (712): what their controllers see, and what is asked of whom."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.knowledge.hidden import may_know
from server.rules import concede, submit
from server.rules.model import Illegal, lookup
from server.rules.turn import legal
from tests.rules.play import Game, creature

TAKEN = forms.RuleEffect(
    rule=forms.PlayerRule(rule="controlled", who=Noun("target player")), duration="during their next turn"
)
YOKE = Card(
    name="Yoke of Hours", types="Artifact", cost="{9}", abilities=(forms.ActivatedAbility(cost=(), do=(TAKEN,)),)
)


def controlled(seats: str = "AB", **options: Any) -> tuple[Game, int, int]:
    """A game in B's turn, in which A controls B; a card in B's hand that was there before, and one of C's or A's."""
    game = Game(seats, **options)
    yoke = game.put("A", YOKE)
    held = game.put("B", creature("Hill Ox", 2, 2), "hand")
    other = game.put(seats[-1], creature("Far Ox", 2, 2), "hand")
    game.begin()
    game.cast("A", yoke, "B", ability=0)
    game.resolve()
    assert not game.state.objects[held].known & 1, "nothing is seen before the turn begins"
    game.pass_until("upkeep")
    return game, held, other


@pytest.mark.rule("712.4")
def test_the_controller_sees_the_hand_and_what_is_drawn_and_others_do_not() -> None:
    game, held, other = controlled("ABC")
    assert may_know(game.state.objects[held], 0) and not may_know(game.state.objects[held], 2)
    assert not may_know(game.state.objects[other], 0), "only what the controlled player sees"
    game.pass_until("precombat_main")
    drawn = game.state.players[1].hand[-1]
    assert drawn != held and may_know(game.state.objects[drawn], 0) and not may_know(game.state.objects[drawn], 2)
    assert not may_know(game.state.objects[game.state.players[0].library[-1]], 1), "it is not the other way round"


@pytest.mark.rule("712.4")
def test_the_controller_sees_what_the_controlled_player_controls_face_down() -> None:
    game = Game("ABC")
    yoke = game.put("A", YOKE)
    mole = game.put("B", creature("Old Mole", 2, 2), face_down=True)
    game.begin()
    game.cast("A", yoke, "B", ability=0)
    game.resolve()
    assert not may_know(game.state.objects[mole], 0)
    game.pass_until("upkeep")
    assert may_know(game.state.objects[mole], 0) and not may_know(game.state.objects[mole], 2)


@pytest.mark.rule("712.5")
def test_questions_of_the_controlled_player_are_put_to_the_controller() -> None:
    game, _, _ = controlled()
    question = game.question
    assert (question.seat, question.whose) == (0, 1), "B has priority, A decides"
    with pytest.raises(Illegal) as refused:
        submit(game.state, 1, legal.default(question, game.state))
    assert refused.value.code == "not_your_question"
    state, _ = submit(game.state, 0, legal.default(question, game.state))
    assert state.pending is not None and (state.pending.seat, state.pending.whose) == (0, 0), "and then for A (712.8)"


@pytest.mark.rule("712.6")
def test_the_controller_conceding_leaves_the_player_in_the_game() -> None:
    game, _, _ = controlled("ABC")
    state, _ = concede(game.state, 0)
    assert state.result is None and state.pending is not None
    assert (state.pending.seat, state.pending.whose) == (1, 1) and not state.players[1].lost


@pytest.mark.rule("712.1")
def test_control_that_is_over_shows_nothing_more() -> None:
    game, held, _ = controlled()
    turn = game.state.turn.number
    while game.state.turn.number < turn + 2:
        game.default()
    game.pass_until("precombat_main")
    assert lookup.decider(game.state, 1) == 1 and game.question.seat == game.question.whose == 1
    drawn = game.state.players[1].hand[-1]
    assert not may_know(game.state.objects[drawn], 0)
    assert may_know(game.state.objects[held], 0), "what was seen and lies there still is remembered"
