"""What it costs that journals lie in PostgreSQL, and that a keeper writes them: CPU time an answer, by process, at a steady rate.

Servers in turn, each a child with its load in this process: one on its directory, one on a database of its own, and a node of two workers
with its keeper on that. A database that is thrown away does not sync (`server.bench.postgres`): waiting for disks is no CPU time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from server.bench.bare import percentiles
from server.bench.child import BENCH, Child, allow_files
from server.bench.engine import reference
from server.bench.load import Load
from server.bench.postgres import Postgres

WARM_SECONDS = 2.0


class Kept(msgspec.Struct, frozen=True):
    """Microseconds of CPU time an answer of the processes that play, of the keeper, of the database; latency in ms as in
    `server.bench.server`.
    """

    name: str
    answers: int
    plays_us: float
    keeper_us: float
    database_us: float
    p50_ms: float
    p99_ms: float


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench cluster --json` prints. `ratio`: CPU time of one process on the database to one on its directory."""

    rooms: int
    rate: float
    kept: list[Kept]
    ratio: float
    reference_ms: float


class Times(msgspec.Struct, frozen=True):
    """Seconds of CPU time so far."""

    plays: float
    keeper: float
    database: float


def measure(rooms: int, rate: float, seconds: float, *, say: Callable[[str], None] = print) -> Figures:
    """All figures. Raises `LoadError`, OSError where there is no PostgreSQL."""
    allow_files(rooms * 4 + 200)
    references = [reference()]
    kept: list[Kept] = []
    with tempfile.TemporaryDirectory(prefix="apnap-pg-") as folder:
        database = Postgres(Path(folder))
        database.make()
        database.start()
        try:
            for name, store, workers in (
                ("one process, its directory", "", 1),
                ("one process, PostgreSQL", database.address(), 1),
                ("a node of two workers, PostgreSQL", database.address(), 2),
            ):
                kept.append(_measured(name, store, workers, database, rooms, rate, seconds))
                references.append(reference())
                say(line(kept[-1]))
        finally:
            database.stop()
    return Figures(rooms, rate, kept, round(kept[1].plays_us / kept[0].plays_us, 3), round(min(references), 2))


def line(kept: Kept) -> str:
    """One row, for people."""
    return (
        f"  {kept.name:<34} {kept.plays_us:6.0f} us an answer where it is played, {kept.keeper_us:4.0f} the keeper,"
        f" {kept.database_us:4.0f} the database; {kept.p50_ms:.1f} ms p50, {kept.p99_ms:.1f} ms p99 ({kept.answers} answers)"
    )


def _measured(name: str, store: str, workers: int, database: Postgres, rooms: int, rate: float, seconds: float) -> Kept:
    with _serving(store, workers) as (child, host, port):
        load = Load(host, port)
        load.open(rooms)
        load.steady(rate, WARM_SECONDS)
        before, answers = _times(child, workers, database, store), load.answers
        latencies = load.steady(rate, seconds)
        after, done = _times(child, workers, database, store), max(1, load.answers - answers)
        load.close()
    p50, p99 = percentiles(latencies)[:2]

    def us(now: float, then: float) -> float:
        return round((now - then) / done * 1e6, 1)

    return Kept(
        name,
        done,
        us(after.plays, before.plays),
        us(after.keeper, before.keeper),
        us(after.database, before.database),
        p50,
        p99,
    )


@contextmanager
def _serving(store: str, workers: int) -> Iterator[tuple[Child, str, int]]:
    with tempfile.TemporaryDirectory(prefix="apnap-bench") as folder:
        words = ["-m", "server.command.main", "serve", "--port", "0", "--data", folder, "--workers", str(workers)]
        child = Child(words, {**BENCH, "APNAP_STORE_ADDRESS": store})
        try:
            yield child, *child.where()
        finally:
            child.stop()


def _times(child: Child, workers: int, database: Postgres, store: str) -> Times:
    plays, keeper = child.cpu(), 0.0
    if workers > 1:
        children = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in _children(child.process.pid)}
        keeper = sum(_cpu(pid) for pid, comm in children.items() if comm == "apnap-keeper")
        plays = sum(_cpu(pid) for pid, comm in children.items() if comm.startswith("apnap-worker-"))
    postmaster = int(Path(database.data, "postmaster.pid").read_text().split()[0])
    of_database = _cpu(postmaster, ended=True) + sum(map(_cpu, _children(postmaster))) if store else 0.0
    return Times(plays, keeper, of_database)


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _cpu(pid: int, *, ended: bool = False) -> float:
    """Seconds of CPU time of a process, with that of its children that have `ended`."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")
