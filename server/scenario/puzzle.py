"""A puzzle: where it begins, what an answer leads to, whether its goal is reached."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules import State
from server.rules.model import events
from server.rules.model import questions as q
from server.rules.turn import driver, legal, setup
from server.scenario.checking import check
from server.scenario.errors import BadScenario, ByChance, ScenarioError
from server.scenario.format import Scenario, read
from server.scenario.runner import Game as Played
from server.scenario.source import CardSource


class Puzzle:
    """A scenario with a goal, without its script: `seat` is to reach what the scenario expects, by its `until`.

    The others' hands and all libraries are the setup's, so that the seat knows all that can come.
    """

    def __init__(self, scenario: Scenario, source: CardSource | None = None) -> None:
        """Raises ScenarioError: BadScenario for one without a goal, Unsupported for a card that is not read."""
        if not scenario.head.goal:
            raise BadScenario("goal: whose it is must be said")
        self.scenario = scenario
        self.seat = scenario.head.seats.index(scenario.head.goal)
        self._played = Played(replace(scenario, script=()), source or CardSource())
        self._first = self._first_choice()

    @classmethod
    def read(cls, data: object, source: CardSource | None = None) -> Puzzle:
        """The puzzle of a decoded object. Raises ScenarioError."""
        return cls(read(data), source)

    @property
    def id(self) -> str:
        """The scenario's text of its own."""
        return self.scenario.id

    def first(self) -> State:
        """The state at the first question in a main phase: nobody does anything before."""
        return self._first

    def _first_choice(self) -> State:
        state, _ = setup.begin(self._played.state, self._played.stop)
        while state.pending is not None and state.turn.step != "precombat_main":
            state = self.after(state, legal.default(state.pending, state))
        return state

    def after(self, state: State, answer: q.AnyAnswer) -> State:
        """The state that a legal answer leads to: at the next question, or at the end of the puzzle."""
        log: list[events.Event] = []
        return driver.answer(state, answer, log, self._played.stop)

    def decided(self, state: State) -> bool | None:
        """Whether all that is expected holds at the puzzle's end; None before it. Raises ByChance where chance has had its say."""
        if state.chance != self._first.chance:
            raise ByChance("chance has its say")
        return self.reached(state) if state.pending is None or state.result is not None else None

    def reached(self, state: State) -> bool:
        """Whether all that is expected holds in the state at the puzzle's end."""
        seen = self._played.seen()._replace(state=state)
        try:
            for one in self.scenario.expect:
                check(seen, one)
        except ScenarioError:
            return False
        return True
