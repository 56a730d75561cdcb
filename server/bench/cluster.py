"""What it costs that journals lie in PostgreSQL, and that a keeper writes them: CPU time an answer, by process, at a steady rate.

Servers in turn, each a child with its load in this process: one process on its directory and one on a database of its own, then a keeper
with two workers on each. A database that is thrown away does not sync (`server.bench.postgres`): waiting for disks is no CPU time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import msgspec

from server.bench.bare import percentiles
from server.bench.child import BENCH, Child, allow_files, children_of, cpu_of
from server.bench.engine import reference
from server.bench.load import Load
from server.bench.postgres import Postgres
from server.bench.thrown_away import PROCESS, Tell, database, folder, swept

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
    """What `apnap bench cluster --json` prints. `kept`: of all turns together; `turns`: of each. CPU time on the database to that on the
    directory, the database's own not counted: `ratio` of one process, `node_ratio` of a keeper and two workers.
    """

    rooms: int
    rate: float
    kept: list[Kept]
    turns: list[Kept]
    ratio: float
    node_ratio: float
    reference_ms: float


class Times(msgspec.Struct, frozen=True):
    """Seconds of CPU time so far."""

    plays: float
    keeper: float
    database: float


SERVERS = (
    ("one process, its directory", False, 1),
    ("one process, PostgreSQL", True, 1),
    ("a keeper and two workers, its directory", False, 2),
    ("a keeper and two workers, PostgreSQL", True, 2),
)
"""Names, whether there is a database, and how many workers there are."""


def measure(rooms: int, rate: float, seconds: float, turns: int = 1, *, say: Callable[[str], None] = print) -> Figures:
    """All figures. Raises `LoadError`, OSError where there is no PostgreSQL."""
    allow_files(rooms * 4 + 200)
    references = [reference()]
    found: list[list[Kept]] = [[] for _ in SERVERS]
    with swept() as tell, database(tell) as made:
        for _ in range(turns):
            for (name, in_it, workers), of_it in zip(SERVERS, found, strict=True):
                store = made.address() if in_it else ""
                of_it.append(_measured(name, store, workers, made, rooms, rate, seconds, tell))
                references.append(reference())
                say(line(of_it[-1]))
    kept = [_together(of_it) for of_it in found]
    one, one_there, node, node_there = (one.plays_us + one.keeper_us for one in kept)
    all_turns = [one for turn in zip(*found, strict=True) for one in turn]
    ratios = round(one_there / one, 3), round(node_there / node, 3)
    return Figures(rooms, rate, kept, all_turns, *ratios, round(min(references), 2))


def _together(turns: Sequence[Kept]) -> Kept:
    """All turns as one; of latencies the middle one."""
    answers = sum(one.answers for one in turns)

    def us(figure: Callable[[Kept], float]) -> float:
        return round(sum(figure(one) * one.answers for one in turns) / answers, 1)

    def middle(figure: Callable[[Kept], float]) -> float:
        return median(map(figure, turns))

    return Kept(
        turns[0].name,
        answers,
        us(lambda one: one.plays_us),
        us(lambda one: one.keeper_us),
        us(lambda one: one.database_us),
        middle(lambda one: one.p50_ms),
        middle(lambda one: one.p99_ms),
    )


def line(kept: Kept) -> str:
    """One row, for people."""
    return (
        f"  {kept.name:<40} {kept.plays_us:6.0f} us an answer where it is played, {kept.keeper_us:4.0f} the keeper,"
        f" {kept.database_us:4.0f} the database; {kept.p50_ms:.1f} ms p50, {kept.p99_ms:.1f} ms p99 ({kept.answers} answers)"
    )


def _measured(
    name: str, store: str, workers: int, of: Postgres, rooms: int, rate: float, seconds: float, tell: Tell
) -> Kept:
    with _serving(store, workers, tell) as (child, host, port):
        load = Load(host, port)
        load.open(rooms)
        load.steady(rate, WARM_SECONDS)
        before, answers = _times(child, workers, of, store), load.answers
        latencies = load.steady(rate, seconds)
        after, done = _times(child, workers, of, store), max(1, load.answers - answers)
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
def _serving(store: str, workers: int, tell: Tell) -> Iterator[tuple[Child, str, int]]:
    with folder("bench", tell) as data:
        words = ["-m", "server.command.main", "serve", "--port", "0", "--data", data, "--workers", str(workers)]
        child = Child(words, {**BENCH, "APNAP_STORE_ADDRESS": store})
        tell(PROCESS, child.process.pid)
        try:
            yield child, *child.where()
        finally:
            child.stop()


def _times(child: Child, workers: int, of: Postgres, store: str) -> Times:
    plays, keeper = child.cpu(), 0.0
    if workers > 1:
        children = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in children_of(child.process.pid)}
        keeper = sum(cpu_of(pid) for pid, comm in children.items() if comm == "apnap-keeper")
        plays = sum(cpu_of(pid) for pid, comm in children.items() if comm.startswith("apnap-worker-"))
    postmaster = int(Path(of.data, "postmaster.pid").read_text().split()[0])
    of_database = cpu_of(postmaster, ended=True) + sum(map(cpu_of, children_of(postmaster))) if store else 0.0
    return Times(plays, keeper, of_database)
