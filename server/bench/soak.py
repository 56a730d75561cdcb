"""Whether a server that is played at for long stays as it was: rooms that stand still, times of answers, memory, open files.

Rooms of four clients play one random game after the other over websockets (`server.bench.load`), each question answered after a
pace that leaves the server room to breathe, so that times are the server's and not those of a queue; at the end for a while
as fast as it answers. Rooms have clocks, and some questions are left to them: a room stands still when nothing has come of
it for longer than its clock allows. Memory is read at intervals. Games that begin together grow old together, and an old game
holds more than a young one, so slopes are taken from when rooms are of all ages: once twice as many games have ended as there
are rooms. Memory and open files come from /proc (Linux; 0 elsewhere).
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from server.bench.bare import percentiles
from server.bench.child import BENCH, Child, allow_files, last_core, serving
from server.bench.load import Load

CLOCK_MS = 5_000
"""How long a room gives for an answer."""
STILL_SECONDS = CLOCK_MS / 1000 + 10.0
"""After which a room in which nothing has come counts as stuck; a busy machine is late, too."""
CONCEDE = 0.02
"""How often a client concedes where it should answer: games are short, so that many end."""
SAMPLES = 20
STEADY_GAMES = 2
"""Games a room that have ended before slopes are taken."""
AT_FULL_SPEED = 0.1
"""Part of the time that is played without a pace, at the end."""
SETTINGS = {**BENCH, "APNAP_LIMITS_EMPTY_ROOM_SECONDS": "15"}
"""Rooms that everybody has left are put away soon, so that even a short run sees how many there are at a time."""


class Sample(msgspec.Struct, frozen=True):
    """The server at a moment: seconds since the games began, games finished by then, resident KiB, open files."""

    at_s: float
    games: int
    rss_kib: float
    files: int


class Played(msgspec.Struct, frozen=True):
    """A part of the run. Milliseconds are from an answer sent to its last patch applied by the last of four clients."""

    seconds: float
    answers_per_s: float
    p50_ms: float
    p99_ms: float
    server_cpu: float


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench soak --json` prints. `stuck`: rooms in which nothing came for longer than their clocks allow;
    `still_s`: the longest that a room stood still. `slope_*`: of the memory from the sample at `steady_s` on, None if the run was
    too short to come there.
    """

    rooms: int
    games: int
    answers: int
    left_to_the_clock: int
    stuck: int
    still_s: float
    paced: Played
    full_speed: Played
    steady_s: float | None
    slope_kib_a_minute: float | None
    slope_kib_a_game: float | None
    samples: list[Sample]


def measure(
    rooms: int, minutes: float, pace: float, *, sample_seconds: float = 0.0, say: Callable[[str], None] = print
) -> Figures:
    """Play and look. `pace`: seconds that a client thinks, on average; `sample_seconds` 0: twenty samples in all. Raises
    LoadError and WireError when the server refuses or hangs up.
    """
    allow_files(rooms * 4 + 200)
    seconds = minutes * 60
    every = sample_seconds or seconds / SAMPLES
    with serving(SETTINGS) as (child, host, port):
        load = Load(host, port, clock_ms=CLOCK_MS, concede=CONCEDE)
        load.open(rooms)
        gc.collect()
        with last_core():
            watch = _Watch(child, load, say)
            paced = watch.play(seconds * (1 - AT_FULL_SPEED), pace, every)
            say(f"  at a pace: {paced.answers_per_s} answers/s, p50 {paced.p50_ms} ms, p99 {paced.p99_ms} ms")
            samples = list(watch.samples)
            fast = watch.play(seconds * AT_FULL_SPEED, 0.0, every)
        load.close()
    steady = steady_of(samples, rooms)
    return Figures(
        rooms=rooms,
        games=load.games,
        answers=load.answers,
        left_to_the_clock=load.left_to_the_clock,
        stuck=len(watch.stuck),
        still_s=round(watch.still, 2),
        paced=paced,
        full_speed=fast,
        steady_s=steady[0].at_s if steady else None,
        slope_kib_a_minute=_slope([sample.at_s / 60 for sample in steady], [sample.rss_kib for sample in steady]),
        slope_kib_a_game=_slope([float(sample.games) for sample in steady], [sample.rss_kib for sample in steady]),
        samples=watch.samples,
    )


def steady_of(samples: list[Sample], rooms: int) -> list[Sample]:
    """The samples from when rooms are of all ages."""
    return [sample for sample in samples if sample.games >= STEADY_GAMES * rooms]


class _Watch:
    """Plays and looks at intervals."""

    def __init__(self, child: Child, load: Load, say: Callable[[str], None]) -> None:
        self.samples: list[Sample] = []
        self.stuck: set[int] = set()
        self.still = 0.0
        self._child, self._load, self._say = child, load, say
        self._begun = time.perf_counter()

    def play(self, seconds: float, pace: float, every: float) -> Played:
        """Play at a pace for so long."""
        load, latencies = self._load, list[float]()
        begun, answers, cpu = time.perf_counter(), load.answers, self._child.cpu()
        while (left := begun + seconds - time.perf_counter()) > 0:
            latencies += load.play(min(every, left), pace)
            self._look()
        wall = time.perf_counter() - begun
        p50, p99 = percentiles(latencies)
        return Played(
            seconds=round(wall, 1),
            answers_per_s=round((load.answers - answers) / wall, 1),
            p50_ms=p50,
            p99_ms=p99,
            server_cpu=round((self._child.cpu() - cpu) / wall, 3),
        )

    def _look(self) -> None:
        now = time.perf_counter()
        for table in self._load.tables:
            if table.over:  # waits for the bench, not for the server
                continue
            self.still = max(self.still, now - table.moved_at)
            if now - table.moved_at > STILL_SECONDS:
                self.stuck.add(table.number)
        sample = Sample(
            at_s=round(now - self._begun, 1),
            games=self._load.games,
            rss_kib=self._child.rss_kib(),
            files=_open_files(self._child.process.pid),
        )
        self.samples.append(sample)
        self._say(
            f"  {sample.at_s:6.0f} s  {sample.games:6} games  {sample.rss_kib / 1024:7.1f} MiB  {sample.files:5} files"
            f"  {len(self.stuck)} stuck"
        )


def _open_files(pid: int) -> int:
    folder = Path(f"/proc/{pid}/fd")
    return len(os.listdir(folder)) if folder.exists() else 0


def _slope(x: list[float], y: list[float]) -> float | None:
    """Of the straight line through the points that fits best; None where there is none."""
    if len(set(x)) < 2:
        return None
    return round(statistics.linear_regression(x, y).slope, 3)
