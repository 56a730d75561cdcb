"""How much more two cores play than one: server and load together on one core, then with two workers and two loads on two.

Beside it stands what two plain loops do to each other on the same cores. Both by the clock and by CPU time: what the neighbours of a shared
machine take of the clock's time is not ours, but what two processes cost each other in a cache or a core's other half is in both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack

import msgspec

from server.bench.child import BENCH, Child, allow_files, children_of, cpu_of, on_cores
from server.bench.engine import reference
from server.bench.load import Load, LoadError

LOOP_SECONDS = 3.0


class Done(msgspec.Struct, frozen=True):
    """What was done, answers or rounds of a loop, in how many seconds, and their CPU time."""

    count: int
    seconds: float
    cpu: float


class Turn(msgspec.Struct, frozen=True):
    """On one core and on two: answers a second, microseconds of CPU time an answer, server and load together, and of how many cores that
    was; the same of rounds of a plain loop.
    """

    per_s: tuple[float, float]
    us: tuple[float, float]
    cores: tuple[float, float]
    loops_per_s: tuple[float, float]
    loop_us: tuple[float, float]


class Cores(msgspec.Struct, frozen=True):
    """What `apnap bench cluster --cores --json` prints: how many times as much two cores do as one, in proportion to plain loops, by the
    clock and by CPU time; of all turns together.
    """

    rooms: int
    by_clock: float
    by_cpu: float
    turns: list[Turn]


def measure(rooms: int, seconds: float, turns: int = 1, *, say: Callable[[str], None] = print) -> Cores:
    """All figures, with so many `rooms` for each core. Raises `LoadError` where there are not two cores."""
    allow_files(rooms * 8 + 400)
    found: list[Turn] = []
    for _ in range(turns):
        pairs = [(_served(cores, rooms, seconds), _looped(cores)) for cores in (1, 2)]
        (one, one_loop), (two, two_loops) = pairs
        found.append(
            Turn(
                per_s=(_per_s(one), _per_s(two)),
                us=(_us(one), _us(two)),
                cores=(_busy(one), _busy(two)),
                loops_per_s=(_per_s(one_loop), _per_s(two_loops)),
                loop_us=(_us(one_loop), _us(two_loops)),
            )
        )
        say(line(found[-1]))
    return Cores(rooms, _ratio(found, lambda turn: turn.per_s, lambda turn: turn.loops_per_s), _by_cpu(found), found)


def line(turn: Turn) -> str:
    """One turn, for people."""
    (one, two), (us, us_two), (busy, busy_two) = turn.per_s, turn.us, turn.cores
    (loops, loops_two), (loop, loop_two) = turn.loops_per_s, turn.loop_us
    return (
        f"  one core: {one:,.0f} answers/s, {us:,.0f} us of CPU each ({busy:.2f} of it); two: {two:,.0f}, {us_two:,.0f} us"
        f" ({busy_two:.2f}); plain loops: {loops:.1f} and {loops_two:.1f} rounds/s, {loop / 1000:.1f} and {loop_two / 1000:.1f} ms"
    )


def _ratio(
    turns: list[Turn], mine: Callable[[Turn], tuple[float, float]], loops: Callable[[Turn], tuple[float, float]]
) -> float:
    """How many times as much the second does as the first, in proportion to loops."""
    (one, two), (loop, loops_two) = ([sum(of(turn)[at] for turn in turns) for at in (0, 1)] for of in (mine, loops))
    return round(two / one / (loops_two / loop), 3)


def _by_cpu(turns: list[Turn]) -> float:
    return round(1 / _ratio(turns, lambda turn: turn.us, lambda turn: turn.loop_us), 3)


def _per_s(done: Done) -> float:
    return round(done.count / done.seconds, 2)


def _us(done: Done) -> float:
    return round(done.cpu / max(1, done.count) * 1e6, 1)


def _busy(done: Done) -> float:
    return round(done.cpu / done.seconds, 3)


def _served(cores: int, rooms: int, seconds: float) -> Done:
    """A server of so many workers, and as many loads, as fast as it goes."""
    with tempfile.TemporaryDirectory(prefix="apnap-bench") as folder, ExitStack() as stack:
        words = ["-m", "server.command.main", "serve", "--port", "0", "--data", folder, "--workers", str(cores)]
        server = Child(words, BENCH, cores)
        stack.callback(server.stop)
        host, port = server.where()
        loads = [_start("load", cores, 0, host, str(port), str(rooms), str(seconds)) for _ in range(cores)]
        for load in loads:
            stack.callback(load.kill)
        for load in loads:
            if _said(load) != "ready":
                raise LoadError("a load did not come in")
        processes = [server.process.pid, *children_of(server.process.pid)]
        before = sum(map(cpu_of, processes))
        played = _all(loads)
        spent = sum(map(cpu_of, processes)) - before
    return Done(played.count, played.seconds, round(spent + played.cpu, 3))


def _looped(cores: int) -> Done:
    """Plain loops, one on each of so many cores."""
    loops = [_start("loop", 1, core, str(LOOP_SECONDS)) for core in range(cores)]
    for loop in loops:
        _said(loop)
    return _all(loops)


def _start(what: str, cores: int, first: int, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "server.bench.cores", what, str(cores), str(first), *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _all(processes: list[subprocess.Popen[str]]) -> Done:
    """Have them all begin, and what they have done together."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    done = [msgspec.json.decode(_said(process) or b"", type=Done) for process in processes]
    for process in processes:
        process.wait()
    return Done(
        sum(one.count for one in done), max(one.seconds for one in done), round(sum(one.cpu for one in done), 3)
    )


def _tell(word: str) -> None:
    print(word, flush=True)


def _load(host: str, port: str, rooms: str, seconds: str) -> Done:
    load = Load(host, int(port))
    load.open(int(rooms))
    _tell("ready")
    sys.stdin.readline()
    answers, began, cpu = load.answers, time.perf_counter(), time.process_time()
    load.saturate(float(seconds))
    done = Done(load.answers - answers, time.perf_counter() - began, time.process_time() - cpu)
    load.close()
    return done


def _loop(seconds: str) -> Done:
    reference()
    _tell("ready")
    sys.stdin.readline()
    rounds, began, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < float(seconds):
        reference()
        rounds += 1
    return Done(rounds, time.perf_counter() - began, time.process_time() - cpu)


def main(what: str, cores: str, first: str, *words: str) -> None:
    """A process of the measurement's, on so many cores."""
    on_cores(int(cores), int(first))
    _tell(msgspec.json.encode((_load if what == "load" else _loop)(*words)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
