"""How slow the machine is on which a test runs, for the few that bound a cost: what is bounded is ours, not the machine's."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.bench.engine import REFERENCE_MS, reference

ROOM = 4
"""How many times the promised cost a test lets pass: it is there to catch a search that multiplies, `apnap bench` to measure."""


def slower() -> float:
    """How many times as long as at reference speed a fixed piece of Python takes here and now; never less than one."""
    return max(1.0, min(reference() for _ in range(3)) / REFERENCE_MS)


def stretched() -> float:
    """How many times as long as at reference speed, with nothing else to do, a fixed piece of Python takes here and now by the clock on the
    wall, at the worst of three; never less than one."""
    took = [1.0]
    for _ in range(3):
        begun = time.perf_counter()
        reference()
        took.append((time.perf_counter() - begun) * 1000 / REFERENCE_MS)
    return max(took)


def crowded() -> float:
    """How many times as long as its CPU time a fixed piece of Python takes here and now by the clock on the wall, at the worst of three:
    what the neighbours take of the machine, however fast it is."""
    worst = 1.0
    for _ in range(3):
        begun = time.perf_counter()
        milliseconds = reference()
        worst = max(worst, (time.perf_counter() - begun) * 1000 / milliseconds)
    return worst


def fastest(work: Callable[[], object], times: int = 1, rounds: int = 5) -> float:
    """Seconds of CPU time for one call at reference speed, the best of several rounds of `times` calls, divided by `ROOM`."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - start) / times)
    return best / slower() / ROOM
