"""The bot that thinks sees what its seat knows and nothing else, and thinks the same of the same."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import pytest
from msgspec.structs import replace

import apnap
from apnap import puzzles
from apnap.search import Search, chances, forced
from apnap.search.evaluation import FEATURES
from apnap.search.fitting import Moment, fit, played
from apnap.search.policy import Policy, passes
from apnap.search.tree import Edge, Node, compared
from server.knowledge.questions import write_answer
from server.rules.model import questions as q
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver
from tests.scenario.test_puzzles import puzzle

DECKS = [apnap.house_deck(name) for name in apnap.house_decks()[:2]]


def begun(answers: int, seats: int = 2) -> apnap.Game:
    """A game, some answers old, at a question with more than one answer."""
    game, chance = apnap.Game.new(DECKS * (seats // 2), seed="search", first=0), random.Random(5)
    for _ in range(answers):
        game.push(game.legal.sample(chance))
    while len(list(zip(range(2), game.legal, strict=False))) < 2:
        game.push(game.legal.sample(chance))
    return game


def test_it_answers_legally_and_the_same_again() -> None:
    game = begun(150)
    assert game.seat is not None
    search = Search(DECKS, iterations=8)
    answers = [search.answer(game.knowledge(game.seat), random.Random(3)) for _ in range(2)]
    assert answers[0] == answers[1] and answers[0] in game.legal


@pytest.mark.parametrize(("seats", "answers"), [(2, 90), (2, 160), (4, 120)])
def test_what_its_seat_may_not_know_does_not_change_its_answer(seats: int, answers: int) -> None:
    game = begun(answers, seats)
    decks = DECKS * (seats // 2)
    seat = game.seat
    assert seat is not None
    known = game.knowledge(seat)
    other = known.deal(decks, random.Random(77))  # the same to the seat, other hidden cards and another future
    away = (seat + 1) % seats
    assert other.knowledge(away).to_json() != game.knowledge(away).to_json()
    search = Search(decks, iterations=8)
    assert search.answer(known, random.Random(4)) == search.answer(other.knowledge(seat), random.Random(4))


def test_it_asks_who_is_asked() -> None:
    game = begun(40)
    assert game.seat is not None
    with pytest.raises(ValueError, match="asked nothing"):
        Search(DECKS, iterations=2).answer(game.knowledge(1 - game.seat), random.Random(1))


def test_nothing_is_thought_in_no_iterations() -> None:
    with pytest.raises(ValueError, match="no iterations"):
        Search(DECKS, iterations=0)


def test_no_time_is_refused_too() -> None:
    with pytest.raises(ValueError, match="no time"):
        Search(DECKS, ms=0)


def test_it_keeps_to_its_time() -> None:
    game = begun(150)
    assert game.seat is not None
    Search(DECKS, iterations=2).answer(
        game.knowledge(game.seat), random.Random(1)
    )  # what is remembered for all games is there
    known, before = game.knowledge(game.seat), time.thread_time()
    Search(DECKS, ms=60).answer(known, random.Random(1))
    assert time.thread_time() - before < 0.3


def test_chances_are_shared_by_who_is_left() -> None:
    game = apnap.Game.new([*DECKS, *DECKS], seed="chances", first=0)
    game.concede(2)
    found = chances(game.state)
    assert found[2] == 0 and sum(found) == pytest.approx(1)
    game.concede(0)
    game.concede(1)
    assert chances(game.state) == (0, 0, 0, 1)


def test_more_life_is_a_better_chance() -> None:
    game = apnap.Game.new(DECKS, seed="life", first=0)
    one, other = game.state.players
    hurt = replace(game.state, players=(replace(one, life=6), other), memo={})
    assert chances(hurt)[0] < chances(game.state)[0]


def test_answers_are_compared_in_the_games_that_both_were_tried_in() -> None:
    one, other = Edge(q.Take(0)), Edge(q.Take(1))
    one.worths.update({0: 0.2, 1: 0.9, 2: math.nan})
    other.worths.update({0: 0.1, 1: 0.8, 2: 0.5, 3: 0.0})
    mean, error, count = compared(one, other)
    assert count == 2 and mean == pytest.approx(0.1) and 0 < error < 0.1


def test_a_node_takes_new_answers_as_it_is_visited_and_prefers_the_better() -> None:
    node = Node(0, [q.Take(n) for n in range(10)])
    for _ in range(100):
        edge = node.chosen()
        assert isinstance(edge.answer, q.Take)
        edge.worths[len(edge.worths)] = 0.9 if edge.answer.index == 3 else 0.1
    assert 4 <= len(node.edges) < 10
    assert max(node.edges, key=lambda edge: len(edge.worths)).answer == q.Take(3)


def test_weights_are_fitted_to_who_won() -> None:
    size, chance = len(FEATURES), random.Random(1)
    moments: list[Moment] = []
    for _ in range(60):
        rows = [tuple(chance.random() for _ in range(size)) for _ in range(3)]
        moments.append(Moment(rows, max(range(3), key=lambda n, rows=rows: rows[n][2] - rows[n][5])))
    weights, likely = fit(moments)
    assert weights[2] > 1 > -1 > weights[5], "the third is good, the sixth is bad"
    assert likely > math.log(1 / 3) / 2


def test_moments_of_a_game_say_who_won() -> None:
    moments = played(2, random.Random("moments"))
    assert len({moment.won for moment in moments}) == 1
    assert all(len(moment.rows) == 2 and len(moment.rows[0]) == len(FEATURES) for moment in moments)


@pytest.mark.parametrize(
    ("life", "mine", "theirs", "hand"),
    [
        (
            5,
            ("Moor Hound", "Moor Stag"),
            ("Moor Stag",),
            ("Grit",),
        ),  # first the blocker may not block, then both attack
        (
            4,
            ("Moor Hound", "Moor Hound"),
            ("Moor Hound",),
            ("Surge",),
        ),  # both attack, and the one that is not blocked grows
    ],
)
def test_it_wins_this_turn_where_the_simple_bot_does_not_see_how(
    life: int, mine: tuple[str, ...], theirs: tuple[str, ...], hand: tuple[str, ...]
) -> None:
    one = Puzzle(puzzle(life, mine, theirs, hand))
    solver, policy, chance = Solver(one), Policy(), random.Random(1)
    stags = [apnap.read_card("Moor Stag", types="Creature — Elk", cost="{3}", power="3", toughness="3")] * 10
    search = Search([stags, stags], iterations=80)

    def simple(game: apnap.Game) -> apnap.Answer:
        assert game.state.pending is not None
        answer = write_answer(policy.answer(game.state, game.state.pending))
        return answer if answer in game.legal else game.legal.default

    def thinks(game: apnap.Game) -> apnap.Answer:
        assert game.seat is not None
        return search.answer(game.knowledge(game.seat), chance)

    assert not puzzles.play(one, simple, solver)
    assert puzzles.play(one, thinks, solver)


STAGS = [apnap.read_card("Moor Stag", types="Creature — Elk", cost="{3}", power="3", toughness="3")] * 10
LIVES_ON: dict[str, Any] = {
    "until": {"turn": 2, "step": "end_turn"},
    "expect": [{"check": "lost", "player": "A", "lost": False}],
}


def thinking(iterations: int) -> puzzles.Answerer:
    search, chance = Search([STAGS, STAGS], iterations=iterations), random.Random(1)

    def answer(game: apnap.Game) -> apnap.Answer:
        state = game.state
        assert state.pending is not None
        passed = passes(state, state.pending)
        return write_answer(q.Take(0)) if passed else search.answer(game.knowledge(state.pending.seat), chance)

    return answer


FORCED = [
    # The bird that could block may not, and both others fly.
    puzzle(3, ("Dusk Swift", "Dusk Swift"), ("Dusk Swift", "Moor Stag"), ("Grit",)),
    # Who attacks does not block.
    puzzle(8, ("Moor Hound", "Moor Hound"), ("Dusk Swift", "Moor Hound"), ("Grit",), own=4, **LIVES_ON),
    puzzle(4, ("Moor Stag", "Moor Stag", "Moor Hound"), ("Moor Stag", "Moor Stag"), own=3, **LIVES_ON),
]


@pytest.mark.parametrize("scenario", FORCED)
def test_what_can_be_forced_needs_no_luck(scenario: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Puzzle(scenario)
    assert puzzles.play(one, thinking(12), Solver(one))
    monkeypatch.setattr("apnap.search.may_win", lambda *_: False)
    monkeypatch.setattr("apnap.search.may_lose", lambda *_: False)
    assert not puzzles.play(one, thinking(12), Solver(one)), "so few games alone do not tell"


@pytest.mark.parametrize(
    ("own", "theirs"), [(20, ("Dusk Swift", "Moor Stag")), (4, ("Dusk Swift", "Moor Hound", "Moor Hound"))]
)
def test_what_others_hold_does_not_change_what_is_forced(own: int, theirs: tuple[str, ...]) -> None:
    answers: list[apnap.Answer] = []
    for held in ("Jolt", "Moor Stag"):
        scenario = puzzle(3, ("Dusk Swift", "Dusk Swift"), theirs, ("Grit",), own=own, held=(held,))
        game = apnap.Game.at(Puzzle(scenario).first())
        assert forced.may_win(game.state, 0) and forced.may_lose(game.state, 0) == (own == 4)
        answers.append(Search([STAGS, STAGS], iterations=12).answer(game.knowledge(0), random.Random(2)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("lives", "found"), [((4, 4, 5), True), ((5, 4, 4), True), ((5, 4, 5), False)])
def test_what_is_forced_is_so_in_most_of_the_games_that_the_seat_could_be_in(
    lives: tuple[int, ...], found: bool
) -> None:
    deals = [Puzzle(puzzle(life, ("Moor Hound", "Moor Hound"), ("Moor Hound",), ("Surge",))).first() for life in lives]

    def tick() -> None:
        pass

    goal = forced.Goal(0, 1, win=True, tick=tick)
    looked = forced.Forced(goal, deals.__getitem__, lambda *_: (), 10_000)
    assert (looked.first() is not None) == found


@pytest.mark.parametrize("seed", "abcd")
def test_what_a_coin_decides_is_forced_by_nobody(seed: str) -> None:
    first = Puzzle(puzzle(3, (), (), ("Luck",))).first()
    first = replace(first, options=replace(first.options, seed=seed))

    def tick() -> None:
        pass

    goal = forced.Goal(0, 1, win=True, tick=tick)
    assert forced.Forced(goal, lambda _: first, lambda *_: (), 10_000).first() is None


def test_where_the_first_games_cannot_be_dealt_nothing_is_forced() -> None:
    def tick() -> None:
        pass

    goal = forced.Goal(0, 1, win=True, tick=tick)
    assert forced.Forced(goal, lambda _: None, lambda *_: (), 10_000).first() is None
