"""A small policy that learns to play from nothing but who has won: a few minutes on one or two cores, numpy alone.

python examples/learn.py [--minutes 5] [--processes 2] [--save policy.npz]

It plays both seats of many duels at once (`apnap.rl.batch`). What a number stands for is told by the row of its object, its kind and the
question, and a network with one hidden layer scores each number that the mask allows; a second one guesses from the players and the
board who will win. Advantages are generalised (Schulman et al. 2016), the policy is moved by clipped steps (PPO, Schulman et al. 2017).
After each part of the time it plays against bots that draw and against the simple bot, and the curve is printed.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apnap.rl import features as f
from apnap.rl.batch import Batch
from apnap.rl.one_seat import Bot, OneSeat, drawn

Array = NDArray[np.float32]
TABLES, HORIZON, HIDDEN = 48, 96, 48
GAMMA, LAMBDA, CLIP, ENTROPY, RATE, EPOCHS = 0.997, 0.95, 0.2, 0.01, 2e-3, 3
WORDS: Final = 16
"""Purposes and what is said of a number are told as one of so many."""
STEPS: Final = 14
KINDS: Final = len(f.MEANT) + 1
COLUMNS: Final = {name: place for place, name in enumerate(f.OBJECTS)}
TOLD: Final = (
    [COLUMNS[name] for name in ("power", "toughness", "mana value", "tapped", "sick", "attacks player", "blocks")]
    + [COLUMNS[f"is {name}"] for name in f.TYPES]
    + [COLUMNS[f"has {name}"] for name in f.KEYWORDS]
    + [COLUMNS[f"tree {number}"] for number in range(f.TREE)]
)
"""The columns of an object that are told as they are."""
OPTION: Final = KINDS + WORDS + 3 + 2 + len(f.ZONES) + len(TOLD)
TABLE: Final = len(f.QUESTIONS) + 1 + WORDS + STEPS + 1 + 14


class Policy:
    """Weights of both networks, and Adam's memory of how they were moved."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)

        def layer(into: int, out: int) -> Array:
            return (chance.standard_normal((into, out)) / math.sqrt(into)).astype(np.float32)

        self.weights: dict[str, Array] = {
            "table": layer(TABLE, HIDDEN), "option": layer(OPTION, HIDDEN), "score": layer(HIDDEN, 1) * 0.1,
            "value": layer(TABLE, HIDDEN), "worth": layer(HIDDEN, 1) * 0.1,
        }  # fmt: skip
        self._first = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._second = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._moves = 0

    def move(self, slopes: dict[str, Array]) -> None:
        """One step of Adam against the slopes."""
        self._moves += 1
        size = math.sqrt(sum(float((slope**2).sum()) for slope in slopes.values()))
        for name, slope in slopes.items():
            slope = slope / max(1.0, size)
            self._first[name] += 0.1 * (slope - self._first[name])
            self._second[name] += 0.001 * (slope**2 - self._second[name])
            first = self._first[name] / (1 - 0.9**self._moves)
            second = self._second[name] / (1 - 0.999**self._moves)
            self.weights[name] -= RATE * first / (np.sqrt(second) + 1e-8)


class Asked(NamedTuple):
    """What is looked at of questions, one or many: (n, TABLE), and of all their numbers one after another (m, OPTION), where question
    i has those from `starts[i]` on; `numbers` are the numbers themselves.
    """

    table: Array
    options: Array
    starts: NDArray[np.int64]
    numbers: NDArray[np.int64]


def look(seen: dict[str, NDArray[Any]], masks: NDArray[Any]) -> Asked:
    """Observations of a batch, as the networks see them."""
    rows, numbers = masks.nonzero()
    starts = np.searchsorted(rows, np.arange(len(masks)))
    told = seen["options"][rows, numbers]
    place = told[:, f.OPTIONS.index("object")]
    objects = seen["objects"][rows, np.maximum(place - 1, 0)] * (place > 0)[:, None]
    player = told[:, f.OPTIONS.index("player")]
    owner = objects[:, COLUMNS["controller"]]
    parts = [
        _one_of(told[:, 0], KINDS),
        _one_of(told[:, f.OPTIONS.index("word")] % WORDS, WORDS),
        np.stack([player == 1, player > 1, told[:, f.OPTIONS.index("number")] / 4], axis=1),
        np.stack([owner == 1, owner > 1], axis=1),
        _one_of(objects[:, 0] - 1, len(f.ZONES)),
        np.clip(objects[:, TOLD], -8, 8) / 4,
    ]
    options = np.concatenate(parts, axis=1, dtype=np.float32)
    return Asked(_tables(seen), options, starts, numbers)


def _tables(seen: dict[str, NDArray[Any]]) -> Array:
    """(n, TABLE): the question, whose turn it is, both players and what they have on the battlefield."""
    question, players, objects = seen["question"], seen["players"], seen["objects"]
    there = objects[:, :, 0] == f.ZONES.index("battlefield") + 1
    cells: list[NDArray[Any]] = [question[:, f.QUESTION.index("active")] == 1]
    for who in (0, 1):
        theirs = there & (objects[:, :, COLUMNS["controller"]] == who + 1)
        creatures = theirs & (objects[:, :, COLUMNS["is creature"]] > 0)
        cells += [
            players[:, who, f.PLAYERS.index("life")] / 10,
            players[:, who, f.PLAYERS.index("hand")] / 4,
            (theirs & (objects[:, :, COLUMNS["is land"]] > 0)).sum(axis=1) / 4,
            creatures.sum(axis=1) / 4,
            (creatures * objects[:, :, COLUMNS["power"]]).sum(axis=1) / 8,
            (creatures * objects[:, :, COLUMNS["toughness"]]).sum(axis=1) / 8,
            (creatures & (objects[:, :, COLUMNS["tapped"]] == 0)).sum(axis=1) / 4,
        ]
    parts = [
        _one_of(question[:, 0], len(f.QUESTIONS) + 1),
        _one_of(question[:, 1] % WORDS, WORDS),
        _one_of(question[:, f.QUESTION.index("step")] % STEPS, STEPS),
        np.stack(cells, axis=1),
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _one_of(numbers: NDArray[Any], count: int) -> Array:
    """(n, count): 1 in the column of each number, none for a number that has none."""
    return (numbers[:, None] == np.arange(count)[None, :]).astype(np.float32)


def chances(policy: Policy, asked: Asked) -> tuple[Array, Array]:
    """The chance of each number, all questions one after another; and the hidden layer behind it."""
    weights, counts = policy.weights, np.diff(asked.starts, append=len(asked.numbers))
    hidden = np.tanh(np.repeat(asked.table @ weights["table"], counts, axis=0) + asked.options @ weights["option"])
    scores: Array = (hidden @ weights["score"])[:, 0]
    scores = scores - np.repeat(np.maximum.reduceat(scores, asked.starts), counts)
    powers = np.exp(scores)
    return (powers / np.repeat(np.add.reduceat(powers, asked.starts), counts)).astype(np.float32), hidden


def values(policy: Policy, table: Array) -> tuple[Array, Array]:
    """Who will win, from -1 to 1, as is guessed; and the hidden layer behind it."""
    hidden = np.tanh(table @ policy.weights["value"])
    return np.tanh(hidden @ policy.weights["worth"])[:, 0], hidden


def draw(chance: Array, starts: NDArray[np.int64], dice: np.random.Generator) -> NDArray[np.int64]:
    """For each question the place of a number among all, drawn by their chances."""
    total = np.concatenate([[0.0], np.cumsum(chance, dtype=np.float64)])
    ends = np.append(starts[1:], len(chance))
    at = total[starts] + dice.random(len(starts)) * (total[ends] - total[starts])
    return np.clip(np.searchsorted(total, at, side="right") - 1, starts, ends - 1)


class Moment(NamedTuple):
    """A decision as it is learnt from: what was asked, which of its numbers was taken and how likely it was; what it was worth."""

    table: Array
    options: Array
    taken: int
    chance: float
    value: float
    advantage: float = 0.0


class Collector:
    """Plays both seats of all tables and hands out what was decided, with advantages, once it is known what came of it."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self._batch = batch
        self._dice = np.random.default_rng(seed)
        self._open: dict[tuple[int, int], list[Moment]] = {}
        self.games = 0
        batch.reset(seed=seed)

    def collect(self, policy: Policy) -> list[Moment]:
        """What is learnt from so many steps of each table."""
        known: list[Moment] = []
        batch = self._batch
        for _ in range(HORIZON):
            seats, asked = batch.seats.copy(), look(dict(batch.observations), batch.masks)
            chance, _ = chances(policy, asked)
            value, _ = values(policy, asked.table)
            taken = draw(chance, asked.starts, self._dice)
            ends = np.append(asked.starts[1:], len(asked.numbers))
            for table, (low, high) in enumerate(zip(asked.starts, ends, strict=True)):
                if high - low > 1:
                    moment = Moment(
                        asked.table[table], asked.options[low:high], int(taken[table] - low), float(chance[taken[table]]),
                        float(value[table]),
                    )  # fmt: skip
                    self._open.setdefault((table, int(seats[table])), []).append(moment)
            batch.step(asked.numbers[taken])
            for table in batch.ended.nonzero()[0]:
                self.games += 1
                for seat, reward in enumerate(batch.rewards[table]):
                    known += _credited(self._open.pop((int(table), seat), []), float(reward))
        return known


def _credited(moments: list[Moment], reward: float) -> list[Moment]:
    """The decisions of one seat in one game with their advantages; `value` is what they turned out to be worth."""
    advantage, following, found = 0.0, reward, list[Moment]()
    for place, moment in enumerate(reversed(moments)):
        gone_on = following if place == 0 else GAMMA * following
        advantage = gone_on - moment.value + GAMMA * LAMBDA * advantage
        found.append(moment._replace(advantage=advantage, value=moment.value + advantage))
        following = moment.value
    return found


def learn(policy: Policy, moments: list[Moment], dice: np.random.Generator) -> None:
    """Move both networks by what was decided."""
    spread = float(np.std([moment.advantage for moment in moments])) + 1e-6
    for _ in range(EPOCHS):
        order = dice.permutation(len(moments))
        for low in range(0, len(order), 2048):
            _move(policy, [moments[place] for place in order[low : low + 2048]], spread)


def _move(policy: Policy, moments: list[Moment], spread: float) -> None:
    counts = np.array([len(moment.options) for moment in moments])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    asked = Asked(
        np.stack([moment.table for moment in moments]), np.concatenate([moment.options for moment in moments]),
        starts, np.zeros(int(counts.sum()), np.int64),
    )  # fmt: skip
    chance, hidden = chances(policy, asked)
    taken = starts + np.array([moment.taken for moment in moments])
    advantage = np.array([moment.advantage for moment in moments], np.float32) / spread
    ratio = chance[taken] / np.array([moment.chance for moment in moments], np.float32)
    free = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    pull = np.where(free, advantage * ratio, 0.0)
    logs = np.log(np.maximum(chance, 1e-9))
    spread_out = -np.add.reduceat(chance * logs, starts)
    slope = chance * np.repeat(pull, counts) + ENTROPY * chance * (logs + np.repeat(spread_out, counts))
    slope[taken] -= pull
    slope = (slope / len(moments))[:, None].astype(np.float32)
    inner = slope @ policy.weights["score"].T * (1 - hidden**2)
    value, behind = values(policy, asked.table)
    worth = np.array([moment.value for moment in moments], np.float32)
    error = ((value - worth) * (1 - value**2) / len(moments))[:, None].astype(np.float32)
    policy.move(
        {
            "score": hidden.T @ slope,
            "option": asked.options.T @ inner,
            "table": asked.table.T @ np.add.reduceat(inner, starts),
            "worth": behind.T @ error,
            "value": asked.table.T @ (error @ policy.weights["worth"].T * (1 - behind**2)),
        }
    )


def won(policy: Policy, bot: Bot | str, games: int, seed: int, options: dict[str, Any]) -> int:
    """How many of so many games the policy wins against a bot, in each seat as often."""
    dice, wins = np.random.default_rng(seed), 0
    for game in range(games):
        table = OneSeat(seats=2, seat=game % 2, bots=[bot], **options)
        told, _ = table.reset(seed=seed + game // 2)
        over, reward = False, 0.0
        while not over:
            seen = {name: array[None] for name, array in told["observation"].items()}
            asked = look(seen, told["action_mask"][None])
            chance, _ = chances(policy, asked)
            told, reward, terminated, truncated, _ = table.step(int(asked.numbers[draw(chance, asked.starts, dice)[0]]))
            over = terminated or truncated
        wins += reward > 0
    return wins


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's, of 95 %."""
    z, share = 1.96, wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def main() -> None:
    """Learn, and print the curve."""
    words = argparse.ArgumentParser(description="Learns to play duels; prints how often it wins.")
    words.add_argument("--minutes", type=float, default=5.0)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--games", type=int, default=60, help="of each bot for each point of the curve")
    words.add_argument("--points", type=int, default=4)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--save", help="where the weights go (.npz)")
    given = words.parse_args()
    options: dict[str, Any] = {"stops": True, "decisions": 1500, "rows": 64}
    policy, dice = Policy(given.seed), np.random.default_rng(given.seed)
    random.seed(given.seed)
    print(f"{'minutes':>8} {'games':>6} {'decisions':>10}   against drawn   against simple")
    with Batch(TABLES, processes=given.processes, seats=2, **options) as batch:
        collector, spent, decisions = Collector(batch, given.seed), 0.0, 0
        for point in range(given.points + 1):
            while spent < given.minutes * 60 * point / given.points:
                begun = time.monotonic()
                moments = collector.collect(policy)
                decisions += len(moments)
                if moments:
                    learn(policy, moments, dice)
                spent += time.monotonic() - begun
            line = f"{spent / 60:8.1f} {collector.games:6} {decisions:10}"
            for bot in (drawn, "simple"):
                wins = won(policy, bot, given.games, 1_000_000, options)
                low, high = interval(wins, given.games)
                line += f"   {wins / given.games:4.0%} ({low:.0%}-{high:.0%})"
            print(line, flush=True)
    if given.save:
        np.savez(given.save, version=f.VERSION, **policy.weights)  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    main()
