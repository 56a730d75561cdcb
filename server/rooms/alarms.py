"""The moments at which something that waits is to look up, of one event loop: one task waits for all of them.

A task, or a scope, for each takes 2 KiB, and most rooms are never woken by theirs: an answer comes first.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from typing import Protocol

import trio
from trio.lowlevel import RunVar, spawn_system_task

SPARE = 64
"""Moments that nobody waits for any more, before they are looked for."""


class Sleeper(Protocol):
    """Who is woken. `rings_at`: the moment of which it has asked to be told, `inf` for none; any other is forgotten."""

    rings_at: float

    def rung(self) -> None:
        """That moment has come. It wakes a task at most, and asks again if it was too early."""
        ...


class Alarms:
    """See the module. Moments are milliseconds of trio's clock."""

    def __init__(self) -> None:
        self._moments: list[tuple[float, int, Sleeper]] = []
        """A heap, each with a number that no other has."""
        self._numbers = count()
        self._most = SPARE
        self._scope = trio.CancelScope()
        """Open while nothing is due."""

    def ask(self, at: float, sleeper: Sleeper) -> None:
        """Tell that one at that moment, and at none of which it has asked before."""
        sleeper.rings_at = at
        if len(self._moments) >= self._most:
            self._moments = [one for one in self._moments if one[0] == one[2].rings_at]
            heapify(self._moments)
            self._most = SPARE + 2 * len(self._moments)
        heappush(self._moments, (at, next(self._numbers), sleeper))
        if self._scope.deadline * 1000 > at:
            self._scope.deadline = at / 1000

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            first = self._moments[0][0] if self._moments else inf
            with trio.CancelScope(deadline=first / 1000) as self._scope:
                await trio.sleep_forever()
            now = round(trio.current_time() * 1000)
            while self._moments and self._moments[0][0] <= now:
                at, _, sleeper = heappop(self._moments)
                if sleeper.rings_at == at:
                    sleeper.rings_at = inf
                    sleeper.rung()


_alarms: RunVar[Alarms] = RunVar("alarms")


def alarms() -> Alarms:
    """Those of this event loop."""
    try:
        return _alarms.get()
    except LookupError:
        made = Alarms()
        _alarms.set(made)
        spawn_system_task(made.run)
        return made
