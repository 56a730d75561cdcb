"""What the environment costs: the same answers played raw, through `raw_env()` and through `env()`, in CPU time of one core.

`python -m apnap.rl.bench`, which `apnap bench env` starts. Answers are drawn beforehand; raw is submitting them, in the environments
`last()` stands before each step, so that every observation is made. The three take turns game by game, so that what else the machine
does falls on all alike.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pool
from typing import Any

import msgspec

from apnap.cards import Card, Deck, house_card, house_deck, house_decks, read_card
from apnap.rl import apnap_v0
from apnap.rl.drawn_games import Broken, drawn_games
from apnap.rl.env import DECISIONS
from apnap.rl.tables import begin_game, table_options
from apnap.steps import begin, path
from server import rules
from server.rules import State, legal
from server.rules.model import questions as q

CURVE = (
    ("{R}", 1, 1),
    ("{1}{G}", 2, 2),
    ("{1}{R}", 2, 1),
    ("{2}{G}", 3, 3),
    ("{3}{R}", 4, 3),
    ("{4}{G}", 5, 4),
    ("{5}{G}", 6, 6),
)
"""Cost, power and toughness of creatures without text, four of each."""
MOST_DRAWN = 2_000
"""Decisions after which a drawn game is truncated."""


class Paces(msgspec.Struct, frozen=True):
    """Of a table of so many `seats`: microseconds of CPU time for an answer, and how much of the raw speed is left, in percent."""

    seats: int
    games: int
    answers: int
    steps: int
    truncated: int
    raw_us: float
    raw_env_us: float
    env_us: float
    raw_env_percent: float
    env_percent: float
    games_per_s: float


class Figures(msgspec.Struct, frozen=True):
    """What `--json` prints. Steps a second are by the clock, of duels with plain decks in one process, and in two together."""

    house: bool
    duel: Paces
    four_seats: Paces
    kib_a_game: float
    steps_per_s: float
    two_processes_steps_per_s: float


def plain_deck() -> tuple[Card, ...]:
    """60 cards: 24 basics, 28 creatures without text, 8 instants that deal 3 damage, as `apnap bench engine` plays."""
    cards = [house_card(name) for name in ("Mountain", "Forest") for _ in range(12)]
    for cost, power, toughness in CURVE:
        name = f"Plain Beast {power}/{toughness}"
        cards += [read_card(name, types="Creature — Beast", cost=cost, power=str(power), toughness=str(toughness))] * 4
    text = "Plain Burn deals 3 damage to any target."
    return (*cards, *[read_card("Plain Burn", types="Instant", cost="{R}", text=text)] * 8)


def _decks(seats: int, game: int, house: bool) -> list[Deck | Sequence[Card]]:
    if not house:
        return [plain_deck()] * seats
    names = [name for name in house_decks() if not house_deck(name).commander]
    random.Random(f"bench {game}").shuffle(names)
    return [house_deck(names[seat % len(names)]) for seat in range(seats)]


def drawn(seats: int, decks: Sequence[Deck | Sequence[Card]], game: int) -> tuple[State, list[q.AnyAnswer], list[int]]:
    """A drawn game: how it begins, its answers, and the steps that they are in the environment."""
    env_seed = random.Random(f"apnap {game}").randrange(1 << 62)
    first, _ = begin_game(table_options("free_for_all", seats, "2011"), decks, seats, env_seed)
    state, chance = first, random.Random(game)
    answers: list[q.AnyAnswer] = []
    numbers: list[int] = []
    while state.pending is not None and len(answers) < DECISIONS:
        answer = legal.sample(state.pending, state, chance)
        numbers.extend(path(begin(state, state.pending), answer))
        answers.append(answer)
        state, _ = rules.submit(state, state.pending.seat, answer)
    return first, answers, numbers


def _raw(state: State, answers: Sequence[q.AnyAnswer]) -> None:
    for answer in answers:
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, answer)


def _through(env: Any, numbers: Sequence[int]) -> None:
    for number in numbers:
        env.last()
        env.step(number)


def _timed(work: Callable[[], None]) -> float:
    gc.collect()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def paces(seats: int, games: int, house: bool) -> Paces:
    """The three side by side."""
    spent = [0.0, 0.0, 0.0]
    count = steps = truncated = 0
    for game in range(games):
        decks = _decks(seats, game, house)
        first, answers, numbers = drawn(seats, decks, game)
        raw, wrapped = apnap_v0.raw_env(seats, decks=decks), apnap_v0.env(seats, decks=decks)
        raw.reset(seed=game)
        wrapped.reset(seed=game)
        spent[0] += _timed(partial(_raw, first, answers))
        spent[1] += _timed(partial(_through, raw, numbers))
        spent[2] += _timed(partial(_through, wrapped, numbers))
        count += len(answers)
        steps += len(numbers)
        truncated += len(answers) >= DECISIONS
    each = [seconds / count * 1e6 for seconds in spent]
    return Paces(
        seats=seats,
        games=games,
        answers=count,
        steps=steps,
        truncated=truncated,
        raw_us=round(each[0], 1),
        raw_env_us=round(each[1], 1),
        env_us=round(each[2], 1),
        raw_env_percent=round(100 * each[0] / each[1], 1),
        env_percent=round(100 * each[0] / each[2], 1),
        games_per_s=round(games / spent[2], 2),
    )


def _kib_a_game() -> float:
    """What an environment of four seats takes after 300 steps, all seats having looked, as the process is larger for it."""
    env = apnap_v0.raw_env(4, decks=[plain_deck()] * 4)
    env.reset(seed=0)
    tracemalloc.start()
    kept = [apnap_v0.raw_env(4, decks=[plain_deck()] * 4) for _ in range(4)]
    for seed, one in enumerate(kept):
        chance = random.Random(seed)
        one.reset(seed=seed)
        for _ in range(300):
            mask = one.observe(one.agent_selection)["action_mask"]
            allowed = mask.nonzero()[0]
            one.step(int(allowed[chance.randrange(len(allowed))]))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round(held / len(kept) / 1024, 1)


def _rate(seed: int) -> float:
    """Steps a second by the clock of some duels through `env()`."""
    decks = _decks(2, 0, house=False)
    steps, spent = 0, 0.0
    for game in range(seed * 100, seed * 100 + 8):
        _, _, numbers = drawn(2, decks, game)
        env = apnap_v0.env(2, decks=decks)
        env.reset(seed=game)
        begun = time.perf_counter()
        _through(env, numbers)
        spent += time.perf_counter() - begun
        steps += len(numbers)
    return steps / spent


def measure(house: bool, games: int) -> Figures:
    """All figures; four seats play a third of the games."""
    duel, four = paces(2, games, house), paces(4, max(1, games // 3), house)
    one = _rate(1)
    with Pool(2) as pool:
        two = sum(pool.map(_rate, [1, 2], 1))
    return Figures(house, duel, four, _kib_a_game(), round(one, 1), round(two, 1))


def _drawn_games(args: argparse.Namespace) -> int:
    try:
        found = drawn_games(args.drawn, decisions=MOST_DRAWN, jobs=args.jobs, first=args.first)
    except Broken as fault:
        print(fault, file=sys.stderr)
        return 1
    if args.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    print(
        f"{found.games} games, {found.truncated} truncated after {MOST_DRAWN} decisions, {found.steps} steps in {found.seconds:.0f} s:"
        f" no mask was empty, nothing allowed was refused, {found.refused} numbers that were not allowed were; {found.again} games played"
        " again by their seeds were the same"
    )
    return 0


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="apnap bench env")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--house", action="store_true")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if args.drawn:
        return _drawn_games(args)
    found = measure(args.house, args.games)
    if args.json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return 0
    for one in (found.duel, found.four_seats):
        print(
            f"{one.seats} seats: raw {one.raw_us} us an answer, raw_env() {one.raw_env_us} ({one.raw_env_percent} %), env() {one.env_us}"
            f" ({one.env_percent} %), {one.games_per_s} games/s; {one.games} games, {one.answers} answers, {one.steps} steps,"
            f" {one.truncated} truncated"
        )
    rates = f"{found.steps_per_s:,.0f} steps/s, two processes {found.two_processes_steps_per_s:,.0f}, by the clock"
    print(f"{found.kib_a_game} KiB a game; {rates}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
