"""Actions that are kept from step to step are at every priority what they are when they are made anew."""

from __future__ import annotations

import pytest

from server import rules
from server.bench.invariants import remembered
from server.bench.placed import Side, placed
from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.model import State
from server.rules.model import questions as q
from server.rules.turn import legal
from tests.rules.play import creature, damage, instant, tapping

BURN = instant("Quick Fire", damage(2, "any target"), cost="{R}")
PINGER = creature("Stone Thrower", 1, 3, abilities=(tapping(damage(1, "any target")),))
SENTRY = creature("Sentry", 0, 3, "vigilance")
LAND = Card(name="Mountain", types="Basic Land — Mountain")
OF_THE_TIME = {
    "a target in combat": instant("Ambush", damage(3, "target attacking creature"), cost="{R}"),
    "a time for a spell": Card(
        name="War Cry",
        types="Instant",
        cost="{R}",
        abilities=(forms.SpellAbility(do=(damage(1, "any target"),)), forms.CastingRule(timing="combat")),
    ),
    "a time for an ability": creature("Gate Guard", 1, 3, abilities=(tapping(damage(1, "you"), timing="combat"),)),
    "a condition": creature(
        "Night Guard", 1, 3, abilities=(tapping(damage(1, "you"), condition=forms.During(step="end_turn")),)
    ),
    "a prohibition": creature(
        "Herald of Peace",
        1,
        3,
        abilities=(
            forms.PlayerRule(rule="can't cast", who=Noun("each player"), condition=forms.During(step="end_turn")),
        ),
    ),
}


def games(*cards: Card) -> State:
    side = Side((*cards, PINGER, *(LAND,) * 5), (BURN, *cards), (BURN, *cards) * 8)
    return placed((side, side), 60)


def at_priority_of(seat: int, step: str, state: State) -> State:
    """Nobody does anything until that player has priority in that step."""
    while not (isinstance(state.pending, q.PriorityQuestion) and (state.pending.seat, state.turn.step) == (seat, step)):
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    return state


def test_a_list_that_asks_for_no_time_is_the_same_in_the_next_step() -> None:
    state = at_priority_of(1, "begin_combat", games())
    later = at_priority_of(1, "end_turn", state).pending
    assert isinstance(state.pending, q.PriorityQuestion) and isinstance(later, q.PriorityQuestion)
    assert [action.type for action in later.actions] == ["pass", "cast", "activate", *["activate"] * 5]
    assert later.actions is state.pending.actions


@pytest.mark.parametrize("why", OF_THE_TIME)
def test_a_list_that_asks_for_the_time_is_made_for_each_step(why: str) -> None:
    state = games(SENTRY, OF_THE_TIME[why])
    lists: set[tuple[q.Action, ...]] = set()
    while state.turn.step != "cleanup":  # nothing else changes: the only attacker stays untapped
        question = state.pending
        assert question is not None
        assert remembered(state) == []
        if isinstance(question, q.PriorityQuestion) and question.seat == 1:
            lists.add(question.actions)
        attack = q.Attackers(((0, 0),)) if isinstance(question, q.AttackersQuestion) else legal.default(question, state)
        state, _ = rules.submit(state, question.seat, attack)
    assert len(lists) > 1
