"""Who passes without being asked passes as who is asked: the same states and events, and the same loops are known as such."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from server import rules
from server.bench.placed import Side, placed
from server.cards import forms
from server.cards.forms import Card
from server.rules import State, fingerprint
from server.rules.model import Illegal, events
from server.rules.model import questions as q
from server.rules.turn import legal
from tests.rules.play import Game, creature, damage, instant, noun
from tests.rules.test_loops import echo

LAND = Card(name="Mountain", types="Basic Land — Mountain")
BEAR = Card(name="Hill Bear", types="Creature — Bear", cost="{1}{R}", power="2", toughness="2")
BURN = instant("Quick Fire", damage(2, "any target"), cost="{R}")
GUARD = creature("Greeting Guard", 1, 3, abilities=(echo("attacks", "a creature", forms.GainLife(amount=1)),))
SIDE = Side((GUARD, *(LAND,) * 4), (BURN, BEAR, GUARD), (BURN, BEAR, GUARD, LAND) * 8)

Passes = Callable[[State, int], bool]


def only_in_own_main_phase(state: State, seat: int) -> bool:
    return state.turn.active != seat or not state.turn.step.endswith("main")


def second_seat(_: State, seat: int) -> bool:
    return seat == 1


def asked_one_by_one(state: State, answer: q.AnyAnswer, passes: Passes) -> tuple[State, list[events.Event]]:
    assert state.pending is not None
    state, happened = rules.submit(state, state.pending.seat, answer)
    seen = list(happened)
    while isinstance(question := state.pending, q.PriorityQuestion) and passes(state, question.whose):
        state, happened = rules.submit(state, question.seat, q.Take(0))
        seen.extend(happened)
    return state, seen


@pytest.mark.rule("116.3d")
@pytest.mark.parametrize("passes", [only_in_own_main_phase, second_seat])
@pytest.mark.parametrize("seats", [2, 3])
def test_who_is_let_go_has_passed(passes: Passes, seats: int) -> None:
    state, chance, unasked = placed((SIDE,) * seats, 12), random.Random(seats), 0
    for _ in range(250):
        question = state.pending
        if question is None:
            break
        answer = legal.sample(question, state, chance)
        after, happened = rules.submit(state, question.seat, answer, passes)
        expected, seen = asked_one_by_one(state, answer, passes)
        assert (fingerprint(after), list(happened)) == (fingerprint(expected), seen)
        assert after.pending == expected.pending
        unasked += after.questions - state.questions - 1
        state = after
    assert unasked > 50


@pytest.mark.rule("116.3d")
@pytest.mark.parametrize("seats", [2, 3])
def test_what_comes_after_a_pass_is_the_same_where_nothing_is_listed(seats: int) -> None:
    state, chance, in_a_row = placed((SIDE,) * seats, 12), random.Random(seats), 0
    for _ in range(200):
        question = state.pending
        if question is None:
            break
        answer = legal.sample(question, state, chance)
        other = state
        while isinstance(question := state.pending, q.PriorityQuestion) and answer == q.Take(0):
            in_a_row += other is not state
            state, happened = rules.submit(state, question.seat, answer)
            other, same = rules.pass_unlisted(other)
            assert same == happened
            assert rules.ask_again(other).pending == state.pending
            assert fingerprint(rules.ask_again(other)) == fingerprint(state)
            if isinstance(other.pending, q.PriorityQuestion):
                assert other.pending.actions == (q.Action("pass"),)
            if state.pending is None:
                break
            answer = legal.sample(state.pending, state, chance)
        if state.pending is not None:
            state, _ = rules.submit(state, state.pending.seat, answer)
    assert in_a_row > 20


@pytest.mark.rule("116.1")
def test_who_is_asked_something_else_cannot_pass() -> None:
    game = Game("AB")
    page = game.put("A", creature("Restless Page", 1, 1))
    game.begin()
    game.pass_until(purpose="attackers")
    before = game.state
    with pytest.raises(Illegal, match="priority"):
        rules.pass_unlisted(before)
    assert game.state is before and page in before.objects


@pytest.mark.rule("104.4b")
def test_a_loop_is_known_where_nobody_is_asked() -> None:
    untaps = echo("tap", "{this}", forms.Tap(what=noun("{this}"), untap=True))
    taps = echo("untap", "{this}", forms.Tap(what=noun("{this}")))
    game = Game("AB")
    page = game.put("A", creature("Restless Page", 1, 1, abilities=(untaps, taps)))
    nudge = game.put("B", instant("Nudge", forms.Tap(what=noun("target creature"))), "hand")
    game.begin()
    game.pass_to("B")
    game.cast("B", nudge, page)
    question = game.state.pending
    assert question is not None
    state, _ = rules.submit(game.state, question.seat, q.Take(0), lambda state, seat: True)
    assert state.result is not None and state.result.winners == ()
    assert state.turn.number == game.state.turn.number and state.passes < 200
