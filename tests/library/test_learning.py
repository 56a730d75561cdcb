"""The environment for learning: PettingZoo's own tests, and what a seat is shown."""

from __future__ import annotations

import doctest
import random
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra apnap[rl] is not installed")
np = pytest.importorskip("numpy", reason="the extra apnap[rl] is not installed")

from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test, state_test  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

from apnap.arena.bots import UnknownBot  # noqa: E402
from apnap.rl import apnap_v0  # noqa: E402
from apnap.rl import features as f  # noqa: E402
from apnap.rl.one_seat import OneSeat  # noqa: E402
from apnap.rl.tables import PRESETS, begin_game, table_options  # noqa: E402
from apnap.rl.watch import ALL, Watch  # noqa: E402
from server import rules  # noqa: E402
from server.knowledge.redacted import redact, write  # noqa: E402
from server.rules import State, legal  # noqa: E402
from server.rules.model.questions import Number, PriorityQuestion  # noqa: E402
from tests.secrecy.changes import Plan, begun, changed, prepared, setup_of  # noqa: E402

PARTS = ("objects", "players", "stack")
TABLES = [
    ("free_for_all", 2),
    ("free_for_all", 10),
    ("range_1", 5),
    ("attack_left", 3),
    ("attack_right", 3),
    ("attack_single", 4),
    ("two_headed_giant", 4),
    ("team_vs_team", 6),
    ("emperor", 6),
    ("alternating_teams", 4),
    ("commander", 4),
]


def played(env: Any, seed: int, most: int = 10_000) -> list[int]:
    """A drawn game; the numbers that were taken."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    taken: list[int] = []
    for agent in env.agent_iter(most):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        allowed = np.flatnonzero(observation["action_mask"])
        assert len(allowed), f"{agent} may do nothing"
        taken.append(int(allowed[chance.randrange(len(allowed))]))
        env.step(taken[-1])
    return taken


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_tests_of_pettingzoo_pass(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is told that observations are dictionaries
        api_test(apnap_v0.env(seats), num_cycles=100)
        seed_test(lambda: apnap_v0.env(seats), num_cycles=60)
        as_called: Any = apnap_v0.env
        render_test(lambda render_mode=None: as_called(seats, render_mode=render_mode))
        state_test(apnap_v0.env(seats), turn_based_aec_to_parallel(apnap_v0.env(seats)))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_benchmark_of_pettingzoo_runs(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(apnap_v0.env(seats))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_drawn_game_of_every_preset_is_played(preset: str, seats: int) -> None:
    env = apnap_v0.raw_env(seats, preset=preset, edition="current", decisions=400)
    assert played(env, 3)
    assert not env.agents
    assert {preset for preset, _ in TABLES} == set(PRESETS)


def test_the_same_seed_is_the_same_game() -> None:
    one, two = (apnap_v0.raw_env(3, decisions=600) for _ in range(2))
    assert played(one, 5) == played(two, 5) != played(two, 6)
    assert np.array_equal(one.state(), one.state()) and not np.array_equal(one.state(), two.state())


def test_a_number_that_is_not_allowed_is_refused_and_changes_nothing() -> None:
    env = apnap_v0.raw_env(2)
    env.reset(seed=1)
    before = env.observe(env.agent_selection)
    with pytest.raises(ValueError, match="not allowed"):
        env.step(int(np.flatnonzero(before["action_mask"] == 0)[0]))
    assert env.observe(env.agent_selection) is before


def test_who_takes_what_is_not_allowed_has_lost_in_the_usual_wrappers() -> None:
    env = apnap_v0.env(2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(127)
    assert all(env.terminations.values()) and env.rewards[agent] == -1


def test_a_long_game_is_truncated() -> None:
    env = apnap_v0.raw_env(2, decisions=50)
    played(env, 2, most=50)
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_who_wins_is_rewarded() -> None:
    env = apnap_v0.raw_env(2)
    for seed in range(5):
        env.reset(seed=seed)
        chance = random.Random(seed)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            allowed = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(allowed[chance.randrange(len(allowed))]))
        if any(env.terminations.values()):
            assert sorted(env.rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_any_seat_may_look_at_any_time_and_sees_no_question_of_others() -> None:
    env = apnap_v0.raw_env(3)
    env.reset(seed=4)
    asked = env.agent_selection
    for agent in env.agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        kind = seen["observation"]["question"][f.QUESTION.index("kind")]
        assert (kind > 0) == (agent == asked)
        if agent != asked:
            assert list(np.flatnonzero(seen["action_mask"])) == [0]


def test_observations_are_values_that_nobody_writes_to() -> None:
    env = apnap_v0.raw_env(2)
    env.reset(seed=4)
    seen = env.observe(env.agent_selection)
    with pytest.raises(ValueError, match="read-only"):
        seen["observation"]["objects"][0, 0] = 7
    with pytest.raises(ValueError, match="read-only"):
        seen["action_mask"][0] = 1


def test_the_page_does_what_it_says() -> None:
    tests = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "learning.md"), module_relative=False)
    assert tests.attempted and not tests.failed


def fresh(state: State, viewer: int) -> Any:
    watch = Watch(len(state.players), 300)
    watch.update(state)
    return watch.seen(viewer)


@pytest.mark.parametrize(
    ("preset", "seats", "seed"), [("free_for_all", 2, 1), ("free_for_all", 3, 2), ("commander", 3, 3)]
)
def test_what_is_kept_up_is_what_would_be_written_anew(preset: str, seats: int, seed: int) -> None:
    options = table_options(preset, seats, "current")
    compared = 0
    for game in range(4):
        state, _ = begin_game(options, None, seats, seed * 100 + game)
        watch, chance = Watch(seats, 300), random.Random(seed)
        watch.update(state)
        for _ in range(600):
            if state.pending is None:
                break
            state, happened = rules.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))
            watch.update(state, happened)
            viewer = chance.randrange(-1, seats)
            kept, new = watch.seen(viewer), fresh(state, viewer)
            for part in PARTS:
                assert np.array_equal(getattr(kept, part), getattr(new, part)), (part, viewer)
            assert kept.rows == new.rows
            compared += 1
    assert compared > 500


CHANGES = ("hidden cards", "hand", "libraries", "dealt", "bottom of the library", "hand that was shown")


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_seat_may_not_know_changes_nothing_that_it_is_shown(change: str) -> None:
    compared = different = 0
    for seed in range(12):
        options = table_options("free_for_all", 3, "2011")
        _, sitting = begin_game(options, None, 3, seed)
        plan = Plan(
            seed=seed, decks=tuple(one.deck for one in sitting), before=60 + 40 * seed, change=change, owner=seed % 3
        )
        first = prepared(begun(setup_of(plan), plan), plan)
        second = changed(first, plan)
        different += not np.array_equal(fresh(first, ALL).objects, fresh(second, ALL).objects)
        for seat in range(3):
            if write(redact(first, seat)) != write(redact(second, seat)):
                continue
            compared += 1
            for part in PARTS:
                assert np.array_equal(getattr(fresh(first, seat), part), getattr(fresh(second, seat), part)), (
                    seed,
                    seat,
                    part,
                )
    assert compared > 12
    assert different or "librar" in change


def test_a_bot_that_answers_whole_questions_plays_in_another_seat() -> None:
    """The simple bot beats who draws, at each of three seeds."""
    for seed in range(3):
        table = OneSeat(seats=2, bots=["simple"], stops=True)
        _, chance, over = table.reset(seed=seed), random.Random(seed), False
        reward = 0.0
        while not over:
            allowed = np.flatnonzero(table.action_masks())
            _, reward, terminated, truncated, _ = table.step(int(chance.choice(allowed)))
            over = terminated or truncated
        assert reward == -1.0


def test_nobody_sits_who_is_no_bot() -> None:
    with pytest.raises(UnknownBot, match="nobody"):
        OneSeat(seats=2, bots=["nobody"]).reset(seed=1)


def test_where_no_stop_is_priority_is_passed_by_itself() -> None:
    """So a game is the same with fewer steps: nobody is asked who can only pass."""
    asked = []
    for stops in (False, True):
        env = apnap_v0.raw_env(seats=2, stops=stops)
        asked.append(len(played(env, 5)))
        assert env.game.result is not None
    assert asked[1] * 2 < asked[0]
    env.reset(seed=5)
    for _ in range(200):
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.sum() > 1 or not isinstance(env.game.pending, PriorityQuestion)
        env.step(int(mask.argmax()))


def test_a_whole_answer_is_taken_or_changes_nothing() -> None:
    env = apnap_v0.raw_env(seats=2)
    env.reset(seed=1)
    before = env.game
    with pytest.raises(rules.Illegal):
        env.answer(Number(3))
    assert env.game is before
    assert before.pending is not None
    env.answer(legal.default(before.pending, before))
    assert env.game is not before
