"""Folders, processes and a PostgreSQL for a while: gone at the end, also where whoever made them is killed."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from server.bench.postgres import Postgres

STOP_SECONDS = 30.0
SIGNALS = signal.SIGINT, signal.SIGTERM
FOLDER, PROCESS, DONE = "folder", "process", "done"
Tell: TypeAlias = Callable[[str, object], object]
"""Says that there is another folder now, by its path, or process, by its number."""


@contextmanager
def swept() -> Iterator[Tell]:
    """What is told of in the block, another process ends and removes if this one is killed."""
    reads, writes = os.pipe()
    if not (sweeper := os.fork()):
        os.setsid()  # Ctrl-C is not for it
        os.close(writes)
        try:
            _sweep(reads)
        finally:
            os._exit(0)
    os.close(reads)
    try:
        yield lambda what, which: os.write(writes, f"{what} {which}\n".encode())
    finally:
        os.write(writes, f"{DONE}\n".encode())
        os.close(writes)
        os.waitpid(sweeper, 0)


def _sweep(reads: int) -> None:
    """Wait for the end of the other process, and clean up after it unless it has done so itself."""
    with os.fdopen(reads) as lines:
        told = [line.split() for line in lines]
    if [DONE] in told:
        return
    folders = [Path(which) for what, which in told if what == FOLDER]
    processes = [int(which) for what, which in told if what == PROCESS]
    _end(processes, signal.SIGTERM)
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
    databases: list[int] = []
    for one in folders:
        with suppress(OSError, ValueError, IndexError):
            databases.append(int((one / "data" / "postmaster.pid").read_text().split()[0]))
    _end(databases, signal.SIGQUIT)
    for one in folders:
        shutil.rmtree(one, ignore_errors=True)


def _end(processes: list[int], number: int) -> None:
    """Tell processes to stop, and wait until they have."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)
    until = time.monotonic() + STOP_SECONDS
    for process in processes:
        with suppress(ProcessLookupError):
            while time.monotonic() < until:
                os.kill(process, 0)
                time.sleep(0.1)


@contextmanager
def folder(what: str, tell: Tell) -> Iterator[str]:
    """The path of one that lasts as long as the block does."""
    made = tempfile.mkdtemp(prefix=f"apnap-{what}-")
    tell(FOLDER, made)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def database(tell: Tell) -> Iterator[Postgres]:
    """A PostgreSQL that lasts as long as the block does. Raises OSError."""
    with folder("pg", tell) as where:
        made = Postgres(Path(where))
        try:
            with _undisturbed():
                made.make()
                made.start()
            yield made
        finally:
            with suppress(OSError):  # it has not come up
                made.stop()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Who is told to stop meanwhile does so at the end: PostgreSQL's programs, which hear Ctrl-C as well, leave nothing half done."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
