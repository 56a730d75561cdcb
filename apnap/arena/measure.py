"""What games tell: intervals that hold however often one looks at them, and ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from openskill.models import PlackettLuce

POINTS = 400
"""Means between 0 and 1 that are asked about."""
WARY = 0.5
"""At most this share of the capital is bet."""


class Interval(msgspec.Struct, frozen=True):
    """A mean, and between which two it lies."""

    mean: float
    low: float
    high: float


class Bets:
    """A confidence sequence for the mean of numbers from 0 to 1 (Waudby-Smith and Ramdas, Estimating means of bounded random variables
    by betting, 2023): against each mean there might be a gambler bets, and those whose gambler grows rich are ruled out. With
    probability 1 - `alpha` the true mean is never ruled out, so that one may stop whenever one likes what one sees.

    >>> bets = Bets()
    >>> for _ in range(60):
    ...     bets.add(1.0)
    >>> bets.interval.low > 0.9
    True
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self._alpha = alpha
        self._means = [point / POINTS for point in range(POINTS + 1)]
        self._above = [0.0] * (POINTS + 1)
        self._below = [0.0] * (POINTS + 1)
        """The logarithms of the capital of those who bet that the mean is above, or below."""
        self._low, self._high = 0, POINTS
        self._count = 0
        self._sum = 0.0
        self._squares = 0.25

    def add(self, value: float) -> None:
        """One more number."""
        count = self._count + 1
        spread = self._squares / count
        bet = math.sqrt(2 * math.log(2 / self._alpha) / (spread * count * math.log(count + 1)))
        for point, mean in enumerate(self._means):
            self._above[point] += math.log1p(min(bet, WARY / max(mean, 1e-9)) * (value - mean))
            self._below[point] += math.log1p(-min(bet, WARY / max(1 - mean, 1e-9)) * (value - mean))
        self._count = count
        self._sum += value
        guess = (self._sum + 0.5) / (count + 1)
        self._squares += (value - guess) ** 2
        rich = math.log(2 / self._alpha)
        open_ = [p for p in range(self._low, self._high + 1) if max(self._above[p], self._below[p]) < rich]
        if open_:
            self._low, self._high = max(self._low, open_[0]), min(self._high, open_[-1])

    @property
    def interval(self) -> Interval:
        """As it is now; it never grows."""
        mean = self._sum / self._count if self._count else 0.5
        return Interval(round(mean, 4), self._means[self._low], self._means[self._high])


def ratings(line_up: Sequence[str], games: Iterable[Sequence[float]]) -> dict[str, Interval]:
    """By bots their rating (openskill's Plackett-Luce, which begins at 25), and two deviations to both sides. `games` are the shares by
    places of the line-up. A bot in several seats has one rating, the mean of what each seat would make of it.
    """
    model = PlackettLuce()
    rated: dict[str, Any] = {name: model.rating(name=name) for name in line_up}
    for shares in games:
        ranks = [1.0 - share for share in shares]
        made = model.rate([[rated[name]] for name in line_up], ranks=ranks)
        for name in rated:
            mine = [team[0] for team, whose in zip(made, line_up, strict=True) if whose == name]
            mu = sum(one.mu for one in mine) / len(mine)
            rated[name] = model.rating(mu=mu, sigma=sum(one.sigma for one in mine) / len(mine), name=name)
    return {
        name: Interval(round(one.mu, 2), round(one.mu - 2 * one.sigma, 2), round(one.mu + 2 * one.sigma, 2))
        for name, one in rated.items()
    }
