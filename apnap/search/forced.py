"""What a seat can force: to win by the end of this turn, or not to have lost by the end of the next one, whatever the others answer.

It is found out by trying everything (`server.scenario.solving`), in games that the seat could be in; an answer is forced if it leads there
in most of them. What chance decides, and what there are too many answers for, is forced by nobody. So a search does not have to
be lucky where a game is about to end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from apnap.search.policy import lets_pass, passes
from server import rules
from server.rules import RulesError, State, characteristics
from server.rules.casting import actions
from server.rules.model import lookup
from server.rules.model import questions as q
from server.scenario.solving import Solver, TooLarge, answers

DEALS = 3
"""In so many games an answer is looked at,"""
MOST_OF_THEM = 2
"""in so many of which it must lead to the goal."""
MOST = 600
"""So many declarations are tried; where others could make more, nothing is forced."""
BOLD = (q.PriorityQuestion, q.AttackersQuestion)
"""Here who wants the end soon tries to do much before little."""
A_CARD = 3
"""What a card in hand may add to an attack, as is thought before it is looked at."""


class Goal:
    """To have won (`win`), or not to have lost, when turn `last` is over. `tick` is called at each state and raises what ends it all."""

    def __init__(self, seat: int, last: int, *, win: bool, tick: Callable[[], None]) -> None:
        self.seat = seat
        self._last = last
        self.win = win
        self._tick = tick

    def decided(self, state: State) -> bool | None:
        """See `server.scenario.solving.Goal`."""
        self._tick()
        if state.chance:
            return False
        if state.result is not None:
            return self.seat in state.result.winners
        if state.players[self.seat].lost:
            return False
        return not self.win if state.pending is None or state.turn.number > self._last else None

    def after(self, state: State, answer: q.AnyAnswer, /) -> State:
        """See `server.scenario.solving.Goal`; who could only pass has passed."""
        assert state.pending is not None
        return rules.submit(state, state.pending.seat, answer, self._passes)[0]

    def _passes(self, state: State, seat: int) -> bool:
        """Whether a player would be asked for priority for nothing: what the others could do they may do anywhere."""
        if state.turn.number > self._last:
            return False
        if seat == self.seat == lookup.decider(state, seat) and lets_pass(state, seat):
            return True
        return all(action.mana or action.type == "pass" for action in actions(state, seat))


class Forced:
    """Looks for answers of a seat that force a goal. `deal` gives the n-th of the games that it could be in, `likely` answers to a
    question of its own that has too many. No more than `most` states are looked at.
    """

    def __init__(
        self,
        goal: Goal,
        deal: Callable[[int], State | None],
        likely: Callable[[State, q.AnyQuestion], Sequence[q.AnyAnswer]],
        most: int,
    ) -> None:
        self._goal = goal
        self._likely = likely
        self._solver = Solver(goal, most, self._listed)
        dealt = [state for number in range(DEALS) if (state := deal(number)) is not None]
        self._deals = [replace(state, chance=0) for state in dealt]

    def first(self, likely: Iterable[q.AnyAnswer] = ()) -> q.AnyAnswer | None:
        """An answer that forces it, of those that are `likely` the first; None if there is none, or it was not found in time."""
        if not self._deals:
            return None
        state = self._deals[0]
        assert state.pending is not None
        try:
            for answer in dict.fromkeys((*likely, *self._listed(state, state.pending))):
                if self._forces(answer):
                    return answer
        except (TooLarge, RulesError, RecursionError):
            pass
        return None

    def _forces(self, answer: q.AnyAnswer) -> bool:
        """In as few games as decide it."""
        wanted = min(MOST_OF_THEM, len(self._deals))
        for left, state in zip(range(len(self._deals), 0, -1), self._deals, strict=True):
            if wanted > left:
                return False
            wanted -= self._solver.holds(self._goal.after(state, answer))
            if not wanted:
                return True
        return False

    def _listed(self, state: State, question: q.AnyQuestion) -> Iterable[q.AnyAnswer]:
        mine = question.seat == self._goal.seat
        if mine and passes(state, question):
            return (q.Take(0),)
        if _declarations(question) > MOST:
            if not mine:
                raise TooLarge(f"more than {MOST} declarations")
            return self._likely(state, question)
        if mine == self._goal.win and type(question) in BOLD:
            return reversed(list(answers(state, question)))
        return answers(state, question)


def _declarations(question: q.AnyQuestion) -> int:
    """How many there are, legal or not; 1 of what is not declared."""
    if isinstance(question, q.AttackersQuestion):
        return math.prod(1 + len(one.defenders) for one in question.attackers)
    if isinstance(question, q.BlockersQuestion):
        each = ((one.most, len(one.attackers)) for one in question.blockers)
        return math.prod(sum(math.comb(count, n) for n in range(min(most, count) + 1)) for most, count in each)
    if isinstance(question, q.ChooseQuestion):
        return sum(math.comb(len(question.options), n) for n in range(question.least, question.most + 1))
    if isinstance(question, q.OrderQuestion):
        return math.factorial(len(question.options))
    if isinstance(question, q.DivideQuestion):
        return math.comb(question.amount + len(question.options), len(question.options))
    return 1


def may_win(state: State, seat: int) -> bool:
    """Whether it is worth a thought that the seat wins this turn: its creatures and its hand could take all that the others have left."""
    foes = lookup.opponents(state, seat)
    return sum(max(state.players[foe].life, 0) for foe in foes) <= _reach(state, seat)


def may_lose(state: State, seat: int) -> bool:
    """Whether the seat could lose until the next turn is over."""
    life = state.players[seat].life
    return any(_reach(state, foe) >= life for foe in lookup.opponents(state, seat))


def _reach(state: State, seat: int) -> int:
    power = 0
    for number in state.battlefield:
        if state.objects[number].controller == seat:
            it = characteristics(state, number)
            power += max(it.power or 0, 0) if "creature" in it.types else 0
    held = sum("land" not in state.objects[card].definition.base.types for card in state.players[seat].hand)
    return power + A_CARD * held
