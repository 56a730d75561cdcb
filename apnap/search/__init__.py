"""A bot that thinks: Monte-Carlo tree search over games that its seat could be in.

    >>> import random, apnap
    >>> from apnap.search import Search
    >>> decks = [apnap.house_deck("emberclan"), apnap.house_deck("tidewardens")]
    >>> game = apnap.Game.new(decks, seed="3", first=0)
    >>> answer = Search(decks, iterations=4).answer(game.knowledge(0), random.Random(1))
    >>> answer in game.legal
    True

It is given what a seat knows and nothing else (`Game.knowledge`), deals games from that, tries an answer in each, lets simple bots play on
for a turn or two and values where that leads. Where the game may end soon it tries everything, to win this turn or to live
on. By the same knowledge, iterations and generator it gives the same answer.

- `tree`: what was tried; `candidates`: which answers are; `policy`: the simple bot in every seat
- `forced`: what is won or survived whatever the others answer
- `evaluation`: who stands how well; `fitting`: makes its weights
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

from apnap.cards import Card, Deck
from apnap.known import Knowledge, beliefs
from apnap.search.evaluation import chances
from apnap.search.forced import Forced, Goal, may_lose, may_win
from apnap.search.policy import OutOfTime
from apnap.search.tree import Horizon, Tree
from protocol.questions import Answer
from server.knowledge.dealt import NoDeal
from server.knowledge.questions import write_answer
from server.rules import State
from server.scenario.solving import TooLarge

__all__ = ["Search", "chances"]

ITERATIONS = 200
WINNING = 0.5
"""Until so much of the time is over a win of this turn is looked for, where there may be one;"""
CHECKED = 0.5
"""so much of it is left to see whether one lives on after what was found best."""
STATES = 4
"""So many states are looked at for each of the `iterations`, once for either."""
ALL = 1_000_000
"""As many as there is time for."""


class Search:
    """`decks` are those that the seat believes everybody plays, by seats.

    It thinks for so many `iterations` (games that are tried out), or for so many `ms` of the CPU's time of its thread; then its answers
    also depend on how fast it is. Games are played `ahead` turns beyond the one under way. `paranoia`, from 0 to 1: how far the others
    are thought to care that we lose rather than that they win themselves; between two it is the same.
    """

    def __init__(
        self,
        decks: Sequence[Deck | Sequence[Card]],
        *,
        iterations: int | None = None,
        ms: float | None = None,
        ahead: int = 1,
        paranoia: float = 0.3,
    ) -> None:
        if iterations is not None and iterations < 1 or ms is not None and ms <= 0:
            raise ValueError("nothing is thought in no iterations and no time")
        self._beliefs = beliefs(decks)
        self._iterations = iterations if iterations is not None else ITERATIONS if ms is None else math.inf
        self._ms = ms
        self._ahead = ahead
        self._paranoia = paranoia

    def answer(self, known: Knowledge, chance: random.Random) -> Answer:
        """An answer to the question that the seat is asked. Raises ValueError if it is asked nothing, NoDeal if the decks do not lead to
        where it stands.
        """
        return write_answer(self._thought(known, f"{chance.getrandbits(64):x}"))

    def _thought(self, known: Knowledge, seed: str):
        began = time.thread_time()
        deals: dict[int, State | None] = {}

        def deal(number: int) -> State | None:
            if number not in deals:
                try:
                    deals[number] = known.dealt(self._beliefs, random.Random(f"{seed}/{number}"))
                except NoDeal:
                    deals[number] = None
            return deals[number]

        first = next((state for number in range(8) if (state := deal(number)) is not None), None)
        if first is None:
            raise NoDeal
        if first.pending is None or first.pending.seat != known.seat:
            raise ValueError(f"seat {known.seat} is asked nothing")
        seat, turn = known.seat, first.turn
        endangered = may_lose(first, seat)
        out_of_time = self._clock(began, 1 - CHECKED if endangered else 1)
        tree = Tree(seat, deal, Horizon(turn.number + self._ahead, out_of_time), self._paranoia)
        known_answer = tree.begin(first)
        if known_answer is not None:
            return known_answer
        if may_win(first, seat):
            goal = Goal(seat, turn.number, win=True, tick=_until(self._clock(began, WINNING)))
            if (found := self._forced(goal, deal, tree).first()) is not None:
                return found
        try:
            while tree.games < self._iterations and not out_of_time() and tree.grow():
                pass
        except OutOfTime:
            pass
        if endangered:
            goal = Goal(seat, turn.number + (turn.active == seat), win=False, tick=_until(self._clock(began, 1)))
            if (found := self._forced(goal, deal, tree).first(tree.ranked())) is not None:
                return found
        return tree.best()

    def _forced(self, goal: Goal, deal: Callable[[int], State | None], tree: Tree) -> Forced:
        most = ALL if self._ms is not None else int(self._iterations) * STATES
        return Forced(goal, deal, tree.likely, most)

    def _clock(self, began: float, share: float) -> Callable[[], bool]:
        if self._ms is None:
            return lambda: False
        end = began + share * self._ms / 1000
        return lambda: time.thread_time() >= end


def _until(out_of_time: Callable[[], bool]) -> Callable[[], None]:
    def tick() -> None:
        if out_of_time():
            raise TooLarge("there was no time for more")

    return tick
