"""The simple bot in every seat of games that are tried out, and how such a game goes on to some point."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import UNSET

from client_cli.bots.simple import SimplePlayer
from client_cli.player import BOT_STOPS
from client_cli.table import Table
from protocol.questions import Question
from protocol.refusals import Refusal
from protocol.view import Face, ObjectView
from server import rules
from server.knowledge.faces import face_by_hash
from server.knowledge.questions import Asker, ids_of, read_answer
from server.knowledge.rulings import Rules
from server.knowledge.stops import is_something, lets_go
from server.knowledge.views import Views
from server.rules import Illegal, State, legal
from server.rules.casting import actions
from server.rules.model import lookup
from server.rules.model import questions as q

MINE, OTHERS = map(frozenset, BOT_STOPS)
Passes: TypeAlias = Callable[[State, int], bool]
"""Who is not asked for priority."""


class OutOfTime(Exception):
    """What was tried out is given up: the time is over."""


class Seen(Table):
    """The table as a seat sees it, of a state that is here."""

    def face(self, thing: ObjectView) -> Face | None:
        """See `Table`."""
        return None if thing.face is UNSET else face_by_hash(thing.face)


class Policy:
    """What the simple bot would answer, in whichever state and seat. One for many games: of those that are alike most views are, too."""

    def __init__(self) -> None:
        self._rules = Rules()
        self._views = Views(self._rules)
        self._players: dict[int, SimplePlayer] = {}
        self._looked: tuple[State, q.AnyQuestion, tuple[Table, Question]] | None = None

    def anew(self) -> None:
        """Another game begins: what was done in a turn of the one before is forgotten."""
        self._players = {}

    def look(self, state: State, question: q.AnyQuestion) -> tuple[Table, Question]:
        """What who is asked sees."""
        if self._looked is not None and self._looked[0] is state and self._looked[1] is question:
            return self._looked[2]
        self._views.update(state)
        seat = question.seat
        table = Seen()
        table.tree = self._views.tree(seat)
        asker = Asker(self._rules, state, ids_of(""), lambda number: self._views.id_of(seat, number))
        seen = (table, asker.write(question))
        self._looked = (state, question, seen)
        return seen

    def player(self, seat: int) -> SimplePlayer:
        """The simple bot in that seat."""
        if seat not in self._players:
            self._players[seat] = SimplePlayer()
        return self._players[seat]

    def answer(self, state: State, question: q.AnyQuestion) -> q.AnyAnswer:
        """The simple bot's answer, legal or not."""
        table, asked = self.look(state, question)
        return as_the_rules_take_it(
            state, question, lambda: read_answer(self.player(question.seat).answer(table, asked))
        )

    def play(self, state: State, until: Callable[[State], bool], passed: Passes | None = None) -> State:
        """The game as it goes on with simple bots, at whose questions `until` says that it is enough; or to its end. Where `passed` says
        that nobody is asked, `until` is not either.
        """
        while (question := state.pending) is not None and not until(state):
            answer = q.Take(0) if passes(state, question) else self.answer(state, question)
            state = after(state, answer, passed)
        return state


def as_the_rules_take_it(state: State, question: q.AnyQuestion, answer: Callable[[], q.AnyAnswer]) -> q.AnyAnswer:
    """An answer, or the default where it is none."""
    try:
        return answer()
    except Refusal:
        return legal.default(question, state)


def passes(state: State, question: q.AnyQuestion) -> bool:
    """Whether a bot passes without being asked: where it has no stop, on its own spells, and where there is nothing else to do."""
    return isinstance(question, q.PriorityQuestion) and lets_pass(state, question.whose)


def lets_pass(state: State, seat: int) -> bool:
    """The same of a player who is about to be asked."""
    stops = MINE if lookup.is_active(state, seat) else OTHERS
    return lets_go(state, seat, stops) or not any(is_something(state, seat, action) for action in actions(state, seat))


def bots_pass(last: int) -> Passes:
    """Until turn `last` is over bots pass without being asked, as `passes` says."""
    return lambda state, seat: state.turn.number <= last and lets_pass(state, seat)


def after(state: State, answer: q.AnyAnswer, passed: Passes | None = None) -> State:
    """The state after an answer, and after the passes of who `passed` says is not to be asked; where it is illegal, after the default."""
    question = state.pending
    assert question is not None
    try:
        return rules.submit(state, question.seat, answer, passed)[0]
    except Illegal:
        return rules.submit(state, question.seat, legal.default(question, state), passed)[0]
