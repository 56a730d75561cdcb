"""Somebody answers for a puzzle's seat, and the others do what they can to prevent the goal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from apnap.game import Game
from apnap.legal import read
from protocol.questions import Answer
from server.knowledge.questions import write_answer
from server.rules import State
from server.rules.model import questions as q
from server.scenario.errors import ByChance
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver

Answerer = Callable[[Game], Answer]
"""Answers for the seat that a game asks. It should look at no more than `Game.knowledge` of that seat."""
WEIGHED = 12
"""Of so many answers of the others that all lose is the one taken after which the seat has the fewest that are right."""


def play(puzzle: Puzzle, answer: Answerer, solver: Solver | None = None) -> bool:
    """Whether the goal is reached by who answers so, against the best that the others can do. It ends as soon as the goal is reached,
    or is lost: when the others can prevent it, or chance decides. Raises Illegal for an answer that is none, TooLarge.
    """
    solver = solver or Solver(puzzle)
    state = puzzle.first()
    try:
        while solver.holds(state):
            question = state.pending
            if question is None or state.result is not None:
                return True
            given = read(answer(Game.at(state))) if question.seat == puzzle.seat else _against(puzzle, solver, state)
            state = puzzle.after(state, given)
    except ByChance:
        pass
    return False


def line(puzzle: Puzzle, solver: Solver | None = None) -> list[tuple[int, Answer]]:
    """Answers with their seats that lead to the goal against the others' best ones; empty if it cannot be reached. Raises TooLarge."""
    solver = solver or Solver(puzzle)
    state = puzzle.first()
    given: list[tuple[int, Answer]] = []
    while (question := state.pending) is not None and state.result is None and solver.holds(state):
        mine = question.seat == puzzle.seat
        answer = solver.sorted(state)[0][0] if mine else _against(puzzle, solver, state)
        given.append((question.seat, write_answer(answer)))
        state = puzzle.after(state, answer)
    return given


def _against(puzzle: Puzzle, solver: Solver, state: State) -> q.AnyAnswer:
    """The others' best answer."""
    good, bad = solver.sorted(state)
    return bad[0] if bad else min(islice(good, WEIGHED), key=lambda one: _right(puzzle, solver, state, one))


def _right(puzzle: Puzzle, solver: Solver, state: State, answer: q.AnyAnswer) -> float:
    """Which share of the seat's next answers is right after this one; 1 where it has no choice."""
    state = puzzle.after(state, answer)
    while state.pending is not None and state.pending.seat == puzzle.seat:
        good, bad = solver.sorted(state)
        if bad:
            return len(good) / (len(good) + len(bad))
        state = puzzle.after(state, good[0])
    return 1.0
