"""The tree: what was tried from where the seat stands, over many games that it could be in.

Its root is raced: answers are tried in the same dealt games, so that they differ by what they are and not by the deal, and those that
fall behind the simple bot's, or the best, are tried no more. Below it is a tree of information sets: questions that look the same to
whoever is asked are one node, whichever game they came from. There answers are chosen by upper confidence bounds, each seat for
itself or, as far as `paranoia` says, against ours; new ones come in as a node is visited (progressive widening).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from apnap.search.candidates import others
from apnap.search.evaluation import chances, team_of
from apnap.search.policy import OutOfTime, Policy, after, as_the_rules_take_it, bots_pass, passes
from server import rules
from server.knowledge.questions import read_answer
from server.rules import Illegal, State, legal
from server.rules.model import questions as q

Values = tuple[float, ...]
EXPLORE = 0.15
"""Of the upper confidence bound; values are chances to win, which one answer rarely changes by more."""
WIDEN = 0.5
"""A node that was visited n times has at most 1 + this times the root of n answers."""
FIRST = 4
"""So many answers at the root are tried from the beginning,"""
ANOTHER = 6
"""and another one after each so many games."""
LEAST = 3
"""An answer is judged after so many games."""
BEHIND = 1.0
"""So many standard errors behind the best is too far."""
AHEAD = 0.7
"""So many standard errors an answer must be better than the simple bot's to be given instead."""
USUAL = 0.05
"""By so much answers differ from game to game, as is thought before any is seen;"""
THOUGHT = 2
"""that is worth so many games."""
DEEPEST = 6
"""Nodes below the root in one game; after them simple bots play on."""
LONGEST = 400
"""Answers that simple bots give in one game at most."""


class Horizon(msgspec.Struct, frozen=True):
    """How far a game is played: to the first question after turn `last`, or until `out_of_time`."""

    last: int
    out_of_time: Callable[[], bool]


class Edge:
    """An answer and what came of it: by deals its worth to the seat that gives it, and the nodes that it led to."""

    __slots__ = ("answer", "nodes", "worths")

    def __init__(self, answer: q.AnyAnswer) -> None:
        self.answer = answer
        self.worths: dict[int, float] = {}
        self.nodes: dict[bytes, Node] = {}

    @property
    def mean(self) -> float:
        """Its worth so far."""
        return sum(self.worths.values()) / max(len(self.worths), 1)


class Node:
    """Where a seat is asked something, by what it sees of the question."""

    __slots__ = ("edges", "seat", "visits", "waiting")

    def __init__(self, seat: int, answers: list[q.AnyAnswer]) -> None:
        self.seat = seat
        self.edges = [Edge(answer) for answer in answers[:1]]
        self.waiting = answers[1:]
        self.visits = 0

    def chosen(self) -> Edge:
        """The next one to try."""
        self.visits += 1
        if self.waiting and len(self.edges) < 1 + WIDEN * math.sqrt(self.visits):
            self.edges.append(Edge(self.waiting.pop(0)))
        weight = math.log(self.visits + 1)
        return max(self.edges, key=lambda edge: _bound(edge, weight))


def _bound(edge: Edge, weight: float) -> float:
    count = len(edge.worths)
    return edge.mean + EXPLORE * math.sqrt(weight / count) if count else math.inf


class Tree:
    """A search from one question. `deal` gives the n-th of the games that the seat could be in, always the same."""

    def __init__(self, seat: int, deal: Callable[[int], State | None], horizon: Horizon, paranoia: float) -> None:
        self.seat = seat
        self.games = 0
        self._deal = deal
        self._horizon = horizon
        self._paranoia = paranoia
        self._passed = bots_pass(horizon.last)
        self._policy = Policy()
        self._out: list[Edge] = []

    def begin(self, state: State) -> q.AnyAnswer | None:
        """Look at the question; an answer if there is nothing to think about."""
        question = state.pending
        assert question is not None
        if passes(state, question):
            return q.Take(0)
        self._policy.anew()
        answers = self.likely(state, question)
        if len(answers) == 1:
            return answers[0]
        self._edges = [Edge(answer) for answer in answers[:FIRST]]
        self._waiting = answers[FIRST:]
        return None

    def grow(self) -> bool:
        """Play one more game; False when there is nothing left to find out. Raises OutOfTime."""
        if not self._edges[1:] and not self._waiting:
            return False
        self.games += 1
        if self._waiting and (self.games % ANOTHER == 0 or not self._edges[1:]):
            self._edges.append(Edge(self._waiting.pop(0)))
        edge = min(self._edges, key=lambda one: len(one.worths))
        number = len(edge.worths)
        state = self._deal(number)
        edge.worths[number] = math.nan if state is None else self._tried(edge, state)
        if number + 1 >= LEAST:
            self._drop()
        return True

    def ranked(self) -> list[q.AnyAnswer]:
        """All that it thought of, the best first."""
        first = self._edges[0]
        tried = sorted((*self._edges, *self._out), key=lambda edge: -compared(edge, first)[0])
        return list(dict.fromkeys((self.best(), *(edge.answer for edge in tried), *self._waiting)))

    def best(self) -> q.AnyAnswer:
        """The answer: the simple bot's, unless another is better and it does not look like luck."""
        first, *rest = self._edges
        found, most = first, 0.0
        for edge in (*rest, *self._out):
            mean, error, count = compared(edge, first)
            if count >= LEAST and mean - AHEAD * error > most:
                found, most = edge, mean - AHEAD * error
        return found.answer

    def _drop(self) -> None:
        """Those that are behind are tried no more, but for the simple bot's."""
        first = self._edges[0]
        best = max(self._edges, key=lambda one: compared(one, first)[0] if len(one.worths) >= LEAST else -math.inf)
        for edge in self._edges[1:]:
            mean, error, count = compared(edge, best)
            if edge is not best and count >= LEAST and mean + BEHIND * error <= 0:
                self._edges.remove(edge)
                self._out.append(edge)

    # --- one game ---

    def _tried(self, edge: Edge, state: State) -> float:
        self._policy.anew()
        try:
            state, _ = rules.submit(state, self.seat, edge.answer, self._passed)
        except Illegal:
            return math.nan
        path: list[tuple[int, Edge]] = []
        nodes = edge.nodes
        far = self._far()
        while len(path) < DEEPEST and (question := state.pending) is not None and not far(state):
            key = self._key(state, question)
            node = nodes.get(key)
            if node is None:
                nodes[key] = Node(question.seat, self._answers(state, question))
                break
            chosen = node.chosen()
            path.append((node.seat, chosen))
            state = after(state, chosen.answer, self._passed)
            nodes = chosen.nodes
        values = chances(self._policy.play(state, self._far(), self._passed))
        for seat, passed in path:
            passed.worths[len(passed.worths)] = self._worth(state, values, seat)
        return values[self.seat]

    def _far(self) -> Callable[[State], bool]:
        count, horizon = 0, self._horizon

        def far(state: State) -> bool:
            nonlocal count
            count += 1
            if count % 8 == 0 and horizon.out_of_time():
                raise OutOfTime
            return state.turn.number > horizon.last or count > LONGEST

        return far

    def _worth(self, state: State, values: Values, seat: int) -> float:
        """What it is worth to a seat: its own chance, and as far as it is paranoia that we do not win."""
        if team_of(state, seat) == team_of(state, self.seat):
            return values[seat]
        return (1 - self._paranoia) * values[seat] + self._paranoia * (1 - values[self.seat])

    def likely(self, state: State, question: q.AnyQuestion) -> list[q.AnyAnswer]:
        """What is worth a thought, none that is illegal."""
        return self._answers(state, question, check=True)

    def _answers(self, state: State, question: q.AnyQuestion, *, check: bool = False) -> list[q.AnyAnswer]:
        """The simple bot's answer, and the others in their order; if they are to be checked none that is illegal."""
        table, asked = self._policy.look(state, question)
        player = self._policy.player(question.seat)
        first = player.answer(table, asked)
        found: dict[q.AnyAnswer, None] = {}
        for answer in (first, *others(player, table, asked, first)):
            read = as_the_rules_take_it(state, question, lambda answer=answer: read_answer(answer))
            if not check or _is_legal(state, question, read):
                found[read] = None
        if not found:
            found[legal.default(question, state)] = None
        return list(found)

    def _key(self, state: State, question: q.AnyQuestion) -> bytes:
        _, asked = self._policy.look(state, question)
        return msgspec.msgpack.encode(msgspec.structs.replace(asked, id=""))


def compared(edge: Edge, other: Edge) -> tuple[float, float, int]:
    """By how much an answer was better than another in the games that both were tried in, the standard error, and how many these are."""
    gained = [worth - other.worths[n] for n, worth in edge.worths.items() if n in other.worths]
    gained = [one for one in gained if not math.isnan(one)]
    count = len(gained)
    if not count:
        return 0.0, math.inf, 0
    mean = sum(gained) / count
    squares = sum((one - mean) ** 2 for one in gained) + THOUGHT * USUAL * USUAL
    return mean, math.sqrt(squares / (count - 1 + THOUGHT) / count), count


def _is_legal(state: State, question: q.AnyQuestion, answer: q.AnyAnswer) -> bool:
    try:
        legal.check(state, question, answer)
    except Illegal:
        return False
    return True
