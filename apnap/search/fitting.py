"""Makes the weights of the evaluation from games of simple bots among themselves:

    python -m apnap.search.fitting --games 400 --seed 1 --write apnap/search/weights.json

Half of the games are duels, the others of four, with house decks that are drawn. A moment of each turn is kept, as its first question is
asked, and the weights are those under which who won later was likeliest (a multinomial logit, by its gradient). The same
numbers give the same weights.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec

from apnap.cards import house_deck, house_decks
from apnap.game import Game
from apnap.search.evaluation import FEATURES, Weights, features
from apnap.search.policy import Policy
from server.rules import State

MOST_TURNS = 80
"""A game that is longer counts for nothing."""
STEPS = 200
RIDGE = 1e-4


class Moment(msgspec.Struct):
    """The features of those in the game, and which of them won in the end."""

    rows: list[tuple[float, ...]]
    won: int


def played(seats: int, chance: random.Random) -> list[Moment]:
    """The moments of one game; none if nobody won alone."""
    names = [name for name in house_decks() if not house_deck(name).commander]
    decks = [house_deck(chance.choice(names)) for _ in range(seats)]
    state = Game.new(decks, edition="current", seed=str(chance.random())).state
    policy, kept = Policy(), list[State]()

    def seen(now: State) -> bool:
        if now.turn.number and (not kept or kept[-1].turn.number != now.turn.number):
            kept.append(now)
        return now.turn.number > MOST_TURNS

    state = policy.play(state, seen)
    if state.result is None or len(state.result.winners) != 1:
        return []
    (winner,) = state.result.winners
    moments: list[Moment] = []
    for moment in kept:
        found = features(moment)
        if winner in found and len(found) > 1:
            moments.append(Moment(list(found.values()), list(found).index(winner)))
    return moments


def _game(wanted: tuple[int, str]) -> list[Moment]:
    seats, seed = wanted
    return played(seats, random.Random(seed))


def fit(moments: Sequence[Moment]) -> tuple[tuple[float, ...], float]:
    """The weights, and the mean of the logarithms of how likely the winners were by them."""
    size = len(FEATURES)
    weights, speed, rate = [0.0] * size, [0.0] * size, 0.5
    likely = 0.0
    for _ in range(STEPS):
        slope, likely = [-RIDGE * weight for weight in weights], 0.0
        for moment in moments:
            strengths = [sum(map(float.__mul__, weights, row)) for row in moment.rows]
            most = max(strengths)
            grown = [math.exp(one - most) for one in strengths]
            whole = sum(grown)
            likely += (strengths[moment.won] - most - math.log(whole)) / len(moments)
            for number, row in enumerate(moment.rows):
                pull = ((number == moment.won) - grown[number] / whole) / len(moments)
                for place, value in enumerate(row):
                    slope[place] += pull * value
        for place in range(size):
            speed[place] = 0.9 * speed[place] + slope[place]
            weights[place] += rate * speed[place]
    return tuple(weights), likely


def main() -> int:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(prog="python -m apnap.search.fitting", description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FILE")
    args = parser.parse_args()
    moments: list[Moment] = []
    wanted = [(4 if number % 2 else 2, f"{args.seed}/{number}") for number in range(args.games)]
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        for number, found in enumerate(pool.map(_game, wanted, chunksize=4), 1):
            moments.extend(found)
            if number % 50 == 0:
                print(f"{number} games, {len(moments)} moments", file=sys.stderr)
    weights, likely = fit(moments)
    made = f"{args.games} games, seed {args.seed}, {len(moments)} moments, mean log likelihood {likely:.4f}"
    written = Weights({name: round(weight, 4) for name, weight in zip(FEATURES, weights, strict=True)}, made)
    text = msgspec.json.format(msgspec.json.encode(written), indent=2).decode() + "\n"
    if args.write:
        args.write.write_text(text)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
