"""`apnap bench env`: the same answers raw and through the environments."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

pytest.importorskip("pettingzoo", reason="the extra apnap[rl] is not installed")

from apnap.rl import apnap_v0
from apnap.rl.bench import Figures, drawn, plain_deck
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
