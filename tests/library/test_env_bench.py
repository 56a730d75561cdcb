"""`apnap bench env`: the same answers raw and through the environments."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

pytest.importorskip("pettingzoo", reason="the extra apnap[rl] is not installed")

from apnap.rl import apnap_v0, drawn_games
from apnap.rl.bench import Figures, drawn, plain_deck
from apnap.rl.env import RawEnv
from server import rules


def test_the_figures_are_printed_as_one_object() -> None:
    words = [sys.executable, "-m", "server.command.main", "bench", "env", "--json", "--games", "1"]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    found = msgspec.json.decode(done.stdout, type=Figures)
    assert found.duel.answers <= found.duel.steps and found.four_seats.seats == 4
    assert found.duel.raw_us < found.duel.raw_env_us and found.two_processes_steps_per_s > 0


def test_the_steps_are_those_of_the_answers() -> None:
    decks = [plain_deck()] * 2
    state, answers, steps = drawn(2, decks, 3)
    env = apnap_v0.raw_env(2, decks=decks)
    env.reset(seed=3)
    assert rules.fingerprint(env.game) == rules.fingerprint(state)
    for step in steps:
        env.step(step)
    for answer in answers:
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, answer)
    assert rules.fingerprint(env.game) == rules.fingerprint(state)


def test_drawn_games_look_at_masks_and_seeds() -> None:
    found = drawn_games.drawn_games(2, decisions=60, jobs=1, first=9)
    assert (found.games, found.truncated, found.again) == (2, 2, 1)
    assert found.refused >= 2 and found.steps > 100


def test_a_mask_that_allows_too_much_or_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = RawEnv.observe

    def with_mask(number: int) -> None:
        def observe(env: RawEnv, agent: str) -> object:
            found = dict(seen(env, agent))
            found["action_mask"] = found["action_mask"].copy()
            found["action_mask"][:] = number
            return found

        monkeypatch.setattr(RawEnv, "observe", observe)

    with_mask(0)
    with pytest.raises(
        drawn_games.Broken, match=r"game 1 \(free_for_all, 2 seats, current\): the mask is empty at step 0"
    ):
        drawn_games.play(1, 20)
    with_mask(1)
    monkeypatch.setattr(drawn_games, "REFUSED_EVERY", 1_000_000)
    with pytest.raises(drawn_games.Broken, match="was allowed at step"):
        drawn_games.play(1, 20)
