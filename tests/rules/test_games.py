"""Random whole games of house cards, every law checked after every decision; and the same game on every machine."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from msgspec.structs import replace

from server import rules
from server.bench.decks import bench_decks, house_decks, piles
from server.bench.engine import deal, play
from server.bench.fuzz import fuzz_game, options_of, run_games
from server.bench.invariants import sound
from server.cards.forms import Card
from server.rules.model import Options, PriorityQuestion, Take
from server.rules.turn import legal
from tests.rules.play import BEAR, Game

SLOW = pytest.mark.slow


@pytest.mark.parametrize("seed", [1, 2, 3, pytest.param(0, marks=SLOW), pytest.param(7, marks=SLOW)])
def test_four_seats(seed: int) -> None:
    report = fuzz_game(seed)
    assert report.failures == ()
    assert report.decisions > 100 and report.views > 500 and report.hashes > 1


@pytest.mark.parametrize(("seats", "seed"), [(2, 11), (3, 12), pytest.param(6, 13, marks=SLOW)])
def test_other_tables(seats: int, seed: int) -> None:
    assert fuzz_game(seed, seats).failures == ()


@pytest.mark.parametrize("seed", [4, 19, *(pytest.param(seed, marks=SLOW) for seed in (9, 14, 24))])
def test_other_options(seed: int) -> None:
    """Limited range of influence, attacking left, right or one player only (801, 803, 506.2)."""
    assert options_of(seed) != Options(edition=options_of(seed).edition)
    assert fuzz_game(seed).failures == ()


@pytest.mark.parametrize("edition", ["2011", "current"])
def test_plain_decks(edition: str) -> None:
    assert fuzz_game(5, 4, bench_decks(4), Options(edition=edition)).failures == ()


@pytest.mark.slow
def test_a_hundred_games() -> None:
    report = run_games(100, first=1000)
    assert report.failures == ()
    assert report.games == 100


def test_a_broken_law_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks would say so: an engine that loses a card, one that lists what it refuses, one that crashes."""
    real = rules.submit

    def loses(state, seat, answer):
        after, log = real(state, seat, answer)
        p = after.players[0]
        if after.turn.number > 2 and p.hand:
            after = replace(after, players=(replace(p, hand=p.hand[1:]), *after.players[1:]))
        return after, log

    def refuses(state, seat, answer):
        if isinstance(state.pending, PriorityQuestion) and isinstance(answer, Take) and answer.index:
            raise rules.Illegal("no", "No.")
        return real(state, seat, answer)

    def crashes(state, seat, answer):
        if state.turn.number > 1:
            raise RuntimeError("at work")
        return real(state, seat, answer)

    for submit, words in ((loses, "is in no zone"), (refuses, "No."), (crashes, "at work")):
        monkeypatch.setattr(rules, "submit", submit)
        assert any(words in failure for failure in fuzz_game(0, 2, bench_decks(2)).failures)


SCRIPT = """
from server import rules
from server.bench.decks import house_decks
from server.bench.engine import play
state, count = play(house_decks(4, 21), 4, 21)
print(rules.fingerprint(state), count)
"""


def test_the_same_game_whatever_the_hash_seed() -> None:
    """No order of a set or of a hash decides anything."""
    said = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=env, check=True)
        said.append(done.stdout)
    assert said[0] == said[1] != ""


def test_passing_for_ever_ends_by_empty_libraries() -> None:
    state = deal(bench_decks(3), 0)
    while state.pending is not None:
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert state.result is not None
    assert [p.lost for p in state.players].count("") <= 1


@pytest.mark.rule("104.3a", "800.4")
def test_concessions_at_any_moment() -> None:
    """Whenever players leave, in whatever order: the game goes on among the others and ends with the last one."""
    for seed in range(6):
        chance = random.Random(seed)
        state = deal(piles(4, seed), seed)
        leavers = chance.sample(range(4), 3)
        for seat in leavers:
            for _ in range(chance.randrange(150)):
                if state.pending is None:
                    break
                answer = legal.sample(state.pending, state, chance)
                state, _ = rules.submit(state, state.pending.seat, answer)
            if state.result is None and not state.players[seat].lost:
                state, _ = rules.concede(state, seat)
                assert state.players[seat].lost
                assert not [o for o in state.objects.values() if o.owner == seat] or state.result is not None
        assert state.result is not None
        with pytest.raises(rules.Illegal):
            rules.concede(state, leavers[0])


@pytest.mark.rule("800.4a")
def test_what_is_exiled_as_a_player_leaves_is_attached_to_nothing() -> None:
    game = Game("ABC")
    bear = game.put("C", BEAR)
    coat = game.put("B", Card(name="Bark Coat", types="Artifact — Equipment"), under="A")
    game.attach(coat, bear)
    game.begin()
    game.concede("A")
    assert [game.state.objects[oid].definition.name for oid in game.state.exile] == ["Bark Coat"]
    assert game.state.objects[bear].attachments == () and sound(game.state) == []


def test_house_decks_are_drawn_by_the_seed() -> None:
    assert house_decks(4, 3) == house_decks(4, 3) != house_decks(4, 4)
    first, second = play(bench_decks(2), 2, 3), play(bench_decks(2), 2, 3)
    assert rules.fingerprint(first[0]) == rules.fingerprint(second[0]) and first[1] == second[1]
