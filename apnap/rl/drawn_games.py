"""Drawn games through `raw_env()`, in which the promises of masks and seeds are looked at: `apnap bench env --drawn N`.

No mask is empty, what a mask allows is taken, what it does not allow is refused and changes nothing, and the same seed and steps are
the same game. Most are duels, one in ten is of another preset with up to six seats, all with decks of the house.
"""

from __future__ import annotations

import random
import time
from functools import partial
from multiprocessing import get_context

import msgspec

from apnap.rl.env import RawEnv
from server import rules

TABLES = (
    ("free_for_all", 3),
    ("free_for_all", 4),
    ("range_1", 5),
    ("attack_left", 4),
    ("attack_right", 3),
    ("attack_single", 4),
    ("two_headed_giant", 4),
    ("team_vs_team", 4),
    ("emperor", 6),
    ("alternating_teams", 4),
    ("commander", 4),
)
EDITIONS = ("2011", "current", "2009")
REFUSED_EVERY = 40
"""Steps between two at which a number that is not allowed is tried."""
AGAIN_EVERY = 10
"""Games between two that are played again by their seed."""


class Broken(Exception):
    """A promise did not hold; says which, in which game."""


class Drawn(msgspec.Struct, frozen=True):
    """What was played: games, of which so many `truncated`, `steps`, numbers `refused` as they should be, games played `again`."""

    games: int
    truncated: int
    steps: int
    refused: int
    again: int
    seconds: float


def play(number: int, decisions: int) -> tuple[int, int, int, int]:
    """A game by its number: whether it was truncated, its steps, how many numbers were refused, and whether it was played again. Raises
    Broken.
    """
    preset, seats = TABLES[number // 10 % len(TABLES)] if number % 10 == 9 else ("free_for_all", 2)
    edition = EDITIONS[number % len(EDITIONS)]
    env = RawEnv(seats, preset=preset, edition=edition, decisions=decisions)
    where = f"game {number} ({preset}, {seats} seats, {edition})"
    taken, refused = _drawn(env, number, where)
    truncated = any(env.truncations.values())
    if number % AGAIN_EVERY:
        return truncated, len(taken), refused, 0
    ended = rules.fingerprint(env.game)
    env.reset(seed=number)
    for one in taken:
        env.step(one)
    if rules.fingerprint(env.game) != ended:
        raise Broken(f"{where}: the same seed and steps were another game")
    return truncated, len(taken), refused, 1


def _drawn(env: RawEnv, number: int, where: str) -> tuple[list[int], int]:
    chance = random.Random(f"drawn {number}")
    env.reset(seed=number)
    taken: list[int] = []
    refused = 0
    while not (any(env.terminations.values()) or any(env.truncations.values())):
        mask = env.observe(env.agent_selection)["action_mask"]
        allowed = mask.nonzero()[0].tolist()
        if not allowed:
            raise Broken(f"{where}: the mask is empty at step {len(taken)}")
        if len(taken) % REFUSED_EVERY == REFUSED_EVERY - 1:
            _is_refused(env, chance.choice([n for n in range(len(mask)) if not mask[n]]), f"{where}, step {len(taken)}")
            refused += 1
        one = chance.choice(allowed)
        try:
            env.step(one)
        except (ValueError, rules.RulesError) as fault:
            raise Broken(f"{where}: {one} was allowed at step {len(taken)} and refused: {fault}") from fault
        taken.append(one)
    return taken, refused


def _is_refused(env: RawEnv, number: int, where: str) -> None:
    before = env.game
    try:
        env.step(number)
    except ValueError:
        if env.game is before:
            return
    raise Broken(f"{where}: {number} was taken, which the mask does not allow")


def drawn_games(games: int, *, decisions: int, jobs: int, first: int = 0) -> Drawn:
    """So many games, in so many processes. Raises Broken."""
    begun = time.perf_counter()
    numbers = range(first, first + games)
    one = partial(play, decisions=decisions)
    if jobs > 1:
        with get_context("spawn").Pool(jobs) as pool:
            played = list(pool.imap_unordered(one, numbers, 4))
    else:
        played = list(map(one, numbers))
    truncated, steps, refused, again = map(sum, zip(*played, strict=True))
    return Drawn(games, truncated, steps, refused, again, round(time.perf_counter() - begun, 1))
