"""`examples/learn.py`: the worked example of a policy that learns, run for moments and looked at closely."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the extra apnap[rl] is not installed")
pytest.importorskip("pettingzoo", reason="the extra apnap[rl] is not installed")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "learn.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("learn_example", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_it_plays_learns_and_prints_its_curve(tmp_path: Path) -> None:
    saved = tmp_path / "policy.npz"
    words = f"--minutes 0.02 --points 1 --games 1 --processes 1 --save {saved}".split()
    done = subprocess.run([sys.executable, str(EXAMPLE), *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    head, *points = done.stdout.splitlines()
    assert head.split() == ["minutes", "games", "decisions", "against", "drawn", "against", "simple"]
    assert [int(point.split()[2]) > 0 for point in points] == [False, True]
    assert set(np.load(saved)) == {"version", "table", "option", "score", "value", "worth"}


def test_what_came_to_good_becomes_likelier_and_what_did_not_less(example: Any) -> None:
    dice = np.random.default_rng(0)
    policy = example.Policy(0)
    table = dice.standard_normal(example.TABLE).astype(np.float32)
    options = dice.standard_normal((3, example.OPTION)).astype(np.float32)
    asked = example.Asked(table[None], options, np.array([0]), np.arange(3))
    before, _ = example.chances(policy, asked)
    moments = [
        example.Moment(table, options, taken, float(before[taken]), 0.0, advantage)
        for taken, advantage in ((0, 1.0), (1, -1.0))
    ]
    for _ in range(5):
        example.learn(policy, moments * 8, dice)
    after, _ = example.chances(policy, asked)
    assert after[0] > before[0] and after[1] < before[1]
    assert after.sum() == pytest.approx(1.0, abs=1e-5)


def test_the_guess_of_who_wins_comes_nearer(example: Any) -> None:
    dice = np.random.default_rng(1)
    policy = example.Policy(1)
    table = dice.standard_normal(example.TABLE).astype(np.float32)
    options = dice.standard_normal((2, example.OPTION)).astype(np.float32)
    before, _ = example.values(policy, table[None])
    for _ in range(40):
        example.learn(policy, [example.Moment(table, options, 0, 0.5, 0.9)] * 8, dice)
    after, _ = example.values(policy, table[None])
    assert abs(after[0] - 0.9) < abs(before[0] - 0.9) and after[0] > 0.5


def test_credit_goes_back_from_the_end_of_a_game(example: Any) -> None:
    """With guesses of zero, what a decision is worth is what came of the game, the less the longer ago."""
    nothing = np.zeros(1, np.float32)
    moments = [example.Moment(nothing, nothing, 0, 1.0, 0.0) for _ in range(3)]
    last, middle, first = example._credited(moments, 1.0)
    step = example.GAMMA * example.LAMBDA
    assert [one.advantage for one in (last, middle, first)] == pytest.approx([1.0, step, step**2])
