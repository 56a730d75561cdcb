"""Servers as child processes on a core of their own, with their CPU time and memory read from /proc (Linux; 0 elsewhere)."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from server.bench.load import LoadError

BENCH = {
    "APNAP_LOG_LEVEL": "warning",
    "APNAP_LIMITS_CONNECTIONS_PER_ADDRESS": "2000",
    "APNAP_LIMITS_CONNECTIONS": "4000",
    "APNAP_LIMITS_ADDRESS_SHARE": "10000",
    "APNAP_LIMITS_GUESTS_PER_MINUTE": "100000",
    "APNAP_LIMITS_HELLOS_PER_MINUTE": "100000",
    "APNAP_LIMITS_HANDSHAKES_PER_ADDRESS": "4000",
    "APNAP_LIMITS_ROOMS_PER_ADDRESS": "4000",
    "APNAP_LIMITS_BOTS_PER_ADDRESS": "40000",
    "APNAP_LIMITS_BOTS": "40000",
    "APNAP_GAMES_PASS_SECONDS": "0",
}
"""All clients come from one address, and in a storm before the server has seen that they are gone. They are programs, which look
for no secrets, and no answer waits for the sake of those who do."""


class Child:
    """A server process, on the first core if there are two, or on so many `cores`."""

    def __init__(self, words: list[str], settings: Mapping[str, str] = {}, cores: int = 1) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *words],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=partial(on_cores, cores),
            env={**os.environ, **settings},
        )
        self.samples = Path()
        """Where samples of its time go, if it takes any."""

    def line(self) -> str:
        """Its next line of output."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def where(self) -> tuple[str, int]:
        """Where `apnap serve` says that it serves. Raises `LoadError` when it does not."""
        found = re.search(r"ws://([^:]+):(\d+)", self.line())
        if found is None:
            raise LoadError("the server did not start")
        return found[1], int(found[2])

    def cpu(self) -> float:
        """Seconds of CPU time so far."""
        return cpu_of(self.process.pid)

    def rss_kib(self) -> float:
        """Resident memory in KiB."""
        try:
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        except OSError:
            return 0.0
        return float(found[1]) if found else 0.0

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def on_cores(count: int, first: int = 0) -> None:
    """This process on so many of its cores from now on, from the `first` one on."""
    cores = _cores()
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[first : first + count])


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def cpu_of(pid: int, *, ended: bool = False) -> float:
    """Seconds of CPU time of a process so far, with that of its children that have `ended`; 0 where it is not there."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def last_core() -> Iterator[None]:
    """This process on the last core while the block runs; its children begin on any."""
    cores = _cores()
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[-1:])
    try:
        yield
    finally:
        if len(cores) > 1:
            os.sched_setaffinity(0, cores)


@contextmanager
def serving(settings: Mapping[str, str] = BENCH) -> Iterator[tuple[Child, str, int]]:
    """`apnap serve` on a free port, with its journal in a folder of its own; `settings` as in the environment."""
    with tempfile.TemporaryDirectory(prefix="apnap-bench") as folder:
        samples, data = Path(folder, "samples"), str(Path(folder, "data"))
        child = Child(["-m", "server.bench.parts", str(samples), "serve", "--port", "0", "--data", data], settings)
        child.samples = samples
        try:
            yield child, *child.where()
        finally:
            child.stop()


def allow_files(wanted: int) -> None:
    """As many open files as four connections a room need, here and in the children."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
