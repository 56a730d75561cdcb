"""Steps that there are not, ends that end nothing and turns that change nothing: what is not done is not passed through either."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.bench.placed import Side, placed
from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.model import NO_MANA, PriorityFrame, State, TurnFrame, events, with_rare
from server.rules.model import questions as q
from server.rules.turn import driver, legal
from tests.rules.play import creature, enchantment

BEAR = creature("Hill Bear", 2, 2)
LAND = Card(name="Mountain", types="Basic Land — Mountain")
SIDE = Side((BEAR,), (), (LAND,) * 9)
HASTY = enchantment("Haste of Law", forms.PlayerRule(rule="no maximum hand size", who=Noun("each player")))


class Walk:
    """Everybody passes, and attacks if they are said to, up to the next turn; every state between two steps is seen."""

    def __init__(self, state: State, attack: bool = False) -> None:
        self.states: list[State] = []
        self.log: list[events.Event] = []
        number = state.turn.number
        while state.turn.number == number:
            question = state.pending
            assert question is not None
            answer = legal.default(question, state)
            if attack and isinstance(question, q.AttackersQuestion):
                answer = q.Attackers(((0, 0),))
            state = driver.answer(state, answer, self.log, self._seen)
        self.last = state

    def _seen(self, state: State) -> bool:
        self.states.append(state)
        return False

    @property
    def steps(self) -> set[str]:
        """The steps that any state was in during the turn."""
        return {state.turn.step for state in self.states if state.turn.number == self.states[0].turn.number}

    @property
    def emptying(self) -> list[str]:
        """The steps whose end took something with it, of this turn."""
        ends = TurnFrame(at="next")
        return [
            s.turn.step for s in self.states if s.agenda[-1] == ends and s.turn.number == self.states[0].turn.number
        ]

    @property
    def entered(self) -> list[str]:
        """The steps that were told to be entered, up to the end of combat."""
        steps = [event.step for event in self.log if isinstance(event, events.StepEntered)]
        return steps[: steps.index("end_combat")]


@pytest.mark.rule("508.6")
def test_without_attackers_the_game_is_never_in_the_steps_that_there_are_not() -> None:
    walk = Walk(placed((SIDE, SIDE), 20))
    assert walk.entered == ["declare_attackers"]
    assert walk.steps.isdisjoint({"declare_blockers", "combat_damage"}) and "end_combat" in walk.steps


@pytest.mark.rule("508.6")
def test_with_attackers_it_is_in_all_of_them() -> None:
    walk = Walk(placed((SIDE, SIDE), 20), attack=True)
    assert walk.entered == ["declare_attackers", "declare_blockers", "combat_damage"]
    assert walk.steps >= {"declare_blockers", "combat_damage"}
    assert walk.last.players[1].life == 18


@pytest.mark.rule("508.6")
def test_where_a_rule_is_about_players_each_step_is_looked_at_by_itself() -> None:
    """A rule could have something to say about a step that there is not: what it says is asked in its turn."""
    ruled = replace(SIDE, battlefield=(BEAR, HASTY))
    walk = Walk(placed((ruled, SIDE), 20))
    assert walk.entered == ["declare_attackers"]
    assert walk.steps >= {"declare_blockers", "combat_damage"}


@pytest.mark.rule("500.4", "511.3")
def test_a_step_that_empties_nothing_is_followed_at_once() -> None:
    state = placed((SIDE, SIDE), 20)
    assert Walk(state).emptying == ["end_combat"]
    walk = Walk(replace(state, players=(replace(state.players[0], pool=(0, 0, 0, 1, 0, 0)), state.players[1])))
    assert walk.emptying == ["begin_combat", "end_combat"]
    assert walk.last.players[0].pool == NO_MANA


@pytest.mark.rule("302.6", "514.2")
def test_a_turn_that_changes_no_object_leaves_them_the_same_value() -> None:
    walk = Walk(placed((SIDE, SIDE), 20))
    first = walk.states[0]
    begun = next(state for state in walk.states if state.turn.number > first.turn.number)
    assert begun.objects is first.objects and begun.players is first.players


@pytest.mark.rule("302.6", "514.2")
def test_a_turn_that_changes_some_changes_these_alone() -> None:
    state = placed((replace(SIDE, battlefield=(BEAR, BEAR)), SIDE), 20)
    hurt, whole = (state.objects[oid] for oid in state.battlefield[:2])
    walk = Walk(replace(state, objects={**state.objects, hurt.id: with_rare(hurt, damage=1)}))
    assert walk.last.objects[hurt.id].damage == 0 and walk.last.objects[whole.id] is whole


@pytest.mark.rule("116.3d", "116.4")
def test_the_last_pass_on_an_empty_stack_is_no_step() -> None:
    walk = Walk(placed((SIDE, SIDE), 20))
    passed = [
        state for state in walk.states if isinstance(state.agenda[-1], PriorityFrame) and state.agenda[-1].answers
    ]
    assert passed == []
