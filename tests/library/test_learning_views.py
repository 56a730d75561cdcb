"""One seat against bots as gymnasium has it, and many tables at once."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra apnap[rl] is not installed")
np = pytest.importorskip("numpy", reason="the extra apnap[rl] is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from apnap.rl.batch import Batch  # noqa: E402
from apnap.rl.one_seat import OneSeat, drawn  # noqa: E402


def test_the_checker_of_gymnasium_passes() -> None:
    class Lenient(OneSeat):
        """Its checker takes any number: here it stands for the one that is allowed next."""

        def step(self, action: int) -> Any:
            allowed = np.flatnonzero(self.action_masks())
            return super().step(int(allowed[action % len(allowed)]))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Lenient(2), skip_render_check=True)


@pytest.mark.parametrize("seat", [0, 2])
def test_one_seat_plays_against_bots_to_the_end(seat: int) -> None:
    env = OneSeat(3, seat=seat, decisions=300)
    chance = random.Random(1)
    ended = rewards = 0.0
    for seed in range(2):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            assert np.array_equal(env.action_masks(), observation["action_mask"].astype(bool))
            observation, reward, terminated, truncated, _ = env.step(drawn(observation, chance))
            over = terminated or truncated
            rewards += abs(reward)
        ended += 1
    assert ended == 2 and rewards <= 2


def test_a_bot_is_asked_for_each_other_seat() -> None:
    asked: list[int] = []

    def first(observation: Any, _: random.Random) -> int:
        asked.append(1)
        return int(np.flatnonzero(observation["action_mask"])[0])

    env = OneSeat(2, bots=[first])
    observation, _ = env.reset(seed=1)
    for _ in range(50):
        observation, _, over, _, _ = env.step(drawn(observation, random.Random(2)))
        assert not over
    assert asked
    with pytest.raises(ValueError, match="2 bots are not for 1 other"):
        OneSeat(2, bots=[first, first])
    with pytest.raises(ValueError, match="no seat 2"):
        OneSeat(2, seat=2)


def stepped(processes: int, steps: int) -> list[Any]:
    """What a batch of four tables shows after each of some drawn steps."""
    chance = np.random.default_rng(3)
    seen: list[Any] = []
    with Batch(4, processes=processes, seats=2, decisions=40) as batch:
        batch.reset(seed=9)
        for _ in range(steps):
            allowed = [np.flatnonzero(mask) for mask in batch.masks]
            assert all(len(one) for one in allowed)
            batch.step(np.array([one[chance.integers(len(one))] for one in allowed]))
            shown = [array.copy() for array in batch.observations.values()]
            seen.append((*shown, batch.masks.copy(), batch.seats.copy(), batch.ended.copy()))
    return seen


def test_many_tables_are_the_same_by_one_process_and_by_two() -> None:
    one, two = stepped(1, 45), stepped(2, 45)
    for first, second in zip(one, two, strict=True):
        for array, other in zip(first, second, strict=True):
            assert np.array_equal(array, other)
    assert any((shown[-1] == 2).any() for shown in one)


def test_a_number_that_is_not_allowed_is_refused_by_the_batch() -> None:
    with Batch(2, processes=1, seats=2) as batch:
        batch.reset(seed=1)
        with pytest.raises(ValueError, match="not allowed"):
            batch.step(np.array([127, 127]))
        batch.reset(seed=1)
        assert batch.masks[:, :2].all()


def test_a_batch_says_what_it_cannot_step_and_nothing_has_changed() -> None:
    """65536 would be 0 in the 16 bits in which numbers go to the processes."""
    with Batch(2, processes=1, seats=2) as batch:
        with pytest.raises(ValueError, match="`reset` comes before"):
            batch.step(np.array([0, 0]))
        batch.reset(seed=1)
        shown = batch.observations["question"].copy()
        for wrong in ([65536, 0], [-1, 0], [0.5, 0], [0], [0, 0, 0]):
            with pytest.raises(ValueError, match="numbers"):
                batch.step(np.array(wrong))
        assert np.array_equal(shown, batch.observations["question"])
        batch.step(batch.masks.argmax(axis=1))
    with pytest.raises(ValueError, match="nothing after `close`"):
        batch.step(np.array([0, 0]))
    batch.close()
