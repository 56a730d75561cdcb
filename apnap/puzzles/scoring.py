"""How many puzzles a bot solves."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from apnap.arena.bots import Sitting, maker
from apnap.game import Game
from apnap.puzzles.collection import decks
from apnap.puzzles.playing import Answerer, play
from apnap.search.policy import Policy, passes
from protocol.questions import Answer
from server.knowledge.questions import write_answer
from server.rules.model import questions as q
from server.scenario import Scenario
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver, TooLarge


class Solved(msgspec.Struct, frozen=True):
    """Which puzzles, by id, a bot solved and which not; its `failures` are answers that were none; `fault` is what the first was."""

    bot: str
    solved: tuple[str, ...]
    missed: tuple[str, ...]
    failures: int
    ms_an_answer: float
    fault: str = ""


def score(bot: str, puzzles: Sequence[Scenario], seed: int = 0) -> Solved:
    """What a bot by name (apnap.arena.bots) makes of puzzles. It is asked where bots have their stops, sees what its seat may know and
    the decks, and plays against who knows all answers. Raises UnknownBot.
    """
    solved: list[str] = []
    missed: list[str] = []
    sitting: list[Sitting] = []
    for scenario in puzzles:
        puzzle = Puzzle(scenario)
        sitting.append(Sitting(maker(bot)(random.Random(f"{seed}/{scenario.id}").getrandbits(32)), decks(scenario)))
        (solved if _solves(puzzle, sitting[-1]) else missed).append(scenario.id)
    answers = sum(one.answers for one in sitting)
    return Solved(
        bot=bot,
        solved=tuple(solved),
        missed=tuple(missed),
        failures=sum(one.failures for one in sitting),
        ms_an_answer=round(1000 * sum(one.seconds for one in sitting) / max(answers, 1), 1),
        fault=next((one.fault for one in sitting if one.fault), ""),
    )


def _solves(puzzle: Puzzle, sitting: Sitting) -> bool:
    """Where a bot has led the game to what is too large to be proved, the goal counts as lost."""
    try:
        return play(puzzle, answerer(sitting), Solver(puzzle))
    except TooLarge:
        return False


def answerer(sitting: Sitting) -> Answerer:
    """A bot in the seat of a puzzle."""
    policy = Policy()

    def answer(game: Game) -> Answer:
        state = game.state
        question = state.pending
        assert question is not None
        return write_answer(q.Take(0) if passes(state, question) else sitting.answer(state, question, policy))

    return answer
