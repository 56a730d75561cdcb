"""Scenarios with a goal: what a seat can reach whatever the others answer is proved by trying everything."""

from __future__ import annotations

import random
from typing import Any

import pytest

import apnap
from apnap import puzzles
from server.rules import State
from server.scenario import BadScenario, CardSource, play, read
from server.scenario.every import every
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver, prove

CARDS = [
    {"name": "Moor Hound", "types": "Creature — Dog", "cost": "{2}", "power": "2", "toughness": "2", "text": ""},
    {"name": "Moor Stag", "types": "Creature — Elk", "cost": "{3}", "power": "3", "toughness": "3", "text": ""},
    {"name": "Dusk Swift", "types": "Creature — Bird", "cost": "{2}", "power": "2", "toughness": "1", "text": "Flying"},
    {"name": "Jolt", "types": "Instant", "cost": "{0}", "text": "Jolt deals 2 damage to any target."},
    {"name": "Surge", "types": "Instant", "cost": "{0}", "text": "Target creature gets +2/+2 until end of turn."},
    {
        "name": "Luck",
        "types": "Sorcery",
        "cost": "{0}",
        "text": "Flip a coin. If you win the flip, Luck deals 3 damage to any target.",
    },
    {"name": "Grit", "types": "Sorcery", "cost": "{0}", "text": "Target creature can't block this turn."},
]


def puzzle(
    life: int,
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
    hand: tuple[str, ...] = (),
    own: int = 20,
    held: tuple[str, ...] = (),
    **keys: Any,
) -> Any:
    made: dict[str, Any] = {
        "id": "test",
        "rules": "current",
        "goal": "A",
        "cards": CARDS,
        "setup": [
            *({"zone": "battlefield", "player": "A", "card": name} for name in mine),
            *({"zone": "battlefield", "player": "B", "card": name} for name in theirs),
            *({"zone": "hand", "player": "A", "card": name} for name in hand),
            *({"zone": "hand", "player": "B", "card": name} for name in held),
            {"zone": "library", "player": "A", "card": "Moor Stag", "count": 5},
            {"zone": "library", "player": "B", "card": "Moor Stag", "count": 5},
            {"zone": "life", "player": "A", "life": own},
            {"zone": "life", "player": "B", "life": life},
        ],
        "until": {"turn": 1, "step": "end_turn"},
        "expect": [{"check": "lost", "player": "B"}],
    }
    return read({**made, **keys})


ALL = ("Moor Hound", "Dusk Swift", "Moor Stag")
BLOCKERS = ("Moor Hound", "Moor Stag")


@pytest.mark.parametrize(("life", "outcome"), [(4, "passed"), (5, "failed")])
def test_a_goal_is_reached_only_if_no_block_prevents_it(life: int, outcome: str) -> None:
    # Both on the ground are blocked; the bird deals 2 and the burn 2.
    assert play(puzzle(life, ALL, BLOCKERS, ("Jolt",)), CardSource()).outcome == outcome


@pytest.mark.parametrize(("life", "outcome"), [(5, "passed"), (6, "failed")])
def test_what_can_be_done_before_the_attack_is_tried(life: int, outcome: str) -> None:
    # The one blocker may not block, so that both deal their damage.
    assert play(puzzle(life, ("Moor Hound", "Moor Stag"), ("Moor Stag",), ("Grit",)), CardSource()).outcome == outcome


@pytest.mark.parametrize(("life", "outcome"), [(4, "passed"), (5, "failed")])
def test_what_is_blocked_is_not_like_what_is_unblocked(life: int, outcome: str) -> None:
    # One of two hounds is blocked, whichever; the other one grows.
    scenario = puzzle(life, ("Moor Hound", "Moor Hound"), ("Moor Hound",), ("Surge",))
    assert play(scenario, CardSource()).outcome == outcome


def test_a_goal_that_a_coin_decides_is_not_called_proved() -> None:
    report = play(puzzle(3, (), (), ("Luck",)), CardSource())
    assert report.outcome == "error", report
    assert "chance" in report.why


def test_a_script_is_played_also_where_there_is_a_goal() -> None:
    line = {
        "turn": 1,
        "step": "precombat_main",
        "player": "A",
        "do": "cast",
        "card": "Jolt",
        "targets": [{"player": "B"}],
    }
    report = play(puzzle(3, (), (), ("Jolt",), script=[line]), CardSource())
    assert (report.outcome, report.why) == ("failed", "expect[0]: B has not lost")


def test_who_is_still_in_the_game_has_not_lost() -> None:
    kept = [{"check": "lost", "player": "B", "lost": False}]
    assert play(puzzle(3, ("Moor Stag",), (), goal="B", expect=kept), CardSource()).outcome == "failed"
    assert play(puzzle(4, ("Moor Stag",), (), goal="B", expect=kept), CardSource()).outcome == "passed"


def test_whose_goal_it_is_must_have_a_seat() -> None:
    with pytest.raises(BadScenario, match="goal: 'Z' has no seat"):
        puzzle(3, (), (), goal="Z")


def test_a_card_that_is_not_read_is_unsupported() -> None:
    odd = [*CARDS, {"name": "Odd", "types": "Instant", "cost": "{0}", "text": "Whistle a tune."}]
    report = play(puzzle(3, (), (), ("Odd",), cards=odd), CardSource())
    assert report.outcome == "unsupported"
    assert "'Odd' is not fully read" in report.why


def test_what_is_too_large_is_not_called_false() -> None:
    report = prove(puzzle(9, ALL, BLOCKERS, ("Jolt", "Grit")), CardSource(), most=20)
    assert (report.outcome, report.why) == ("error", "more than 20 states")


@pytest.mark.parametrize(
    ("life", "hand"), [(2, ()), (3, ()), (4, ("Jolt",)), (5, ("Jolt",)), (4, ("Surge",)), (5, ("Surge",))]
)
@pytest.mark.parametrize("mine", [("Moor Hound", "Moor Hound"), ("Dusk Swift", "Moor Hound")])
def test_what_is_left_out_changes_nothing(life: int, hand: tuple[str, ...], mine: tuple[str, ...]) -> None:
    one = Puzzle(puzzle(life, mine, ("Moor Hound",), hand))

    def plainly(state: State) -> bool:
        if state.pending is None or state.result is not None:
            return one.reached(state)
        after = (plainly(one.after(state, answer)) for answer in every(state, state.pending))
        return any(after) if state.pending.seat == one.seat else all(after)

    assert Solver(one).holds(one.first()) == plainly(one.first())


def test_who_answers_well_reaches_the_goal_and_who_only_passes_does_not() -> None:
    one = Puzzle(puzzle(4, ALL, BLOCKERS, ("Jolt",)))
    solver = Solver(one)

    line = puzzles.line(one, solver)
    answers = iter([answer for seat, answer in line if seat == one.seat])
    assert puzzles.play(one, lambda _: next(answers), solver)
    assert not puzzles.play(one, lambda game: game.legal.default, solver)
    chance = random.Random(1)
    assert sum(puzzles.play(one, lambda game: game.legal.sample(chance), solver) for _ in range(20)) < 12


def test_a_play_ends_as_soon_as_the_goal_is_lost() -> None:
    asked: list[str] = []

    def peaceful(game: apnap.Game) -> apnap.Answer:
        asked.append(type(game.question).__name__)
        return game.legal.default

    assert not puzzles.play(Puzzle(puzzle(4, ALL, BLOCKERS, ("Jolt",))), peaceful)
    assert asked[-1] == "AttackersQuestion", "who has not attacked is asked nothing more"


def test_what_chance_decides_is_lost() -> None:
    one = Puzzle(puzzle(3, ALL, (), ("Luck",)))

    def tries_its_luck(game: apnap.Game) -> apnap.Answer:
        casts = (answer for answer in game.legal if answer != game.legal.default)
        return next(casts, game.legal.default)

    assert not puzzles.play(one, tries_its_luck)


def test_there_is_no_line_where_the_goal_cannot_be_reached() -> None:
    assert puzzles.line(Puzzle(puzzle(5, ALL, BLOCKERS, ("Jolt",)))) == []
