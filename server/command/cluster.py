"""Try several nodes on this machine: `apnap cluster up` serves with some, and a PostgreSQL of their own, until Ctrl-C.

Everything lies in temporary folders and is gone at the end, also when the command is killed. `docs/operating.md` says how nodes are run
for good.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

MOST_NODES = 10
READY_SECONDS = 120.0
"""How long all nodes may take until they serve."""
STOP_SECONDS = 30.0
SIGNALS = signal.SIGINT, signal.SIGTERM
FOLDER, NODE, DONE = "folder", "node", "done"
Tell: TypeAlias = Callable[[str, object], object]
"""Says that there is another folder or node now."""
MISSING = "apnap cluster: PostgreSQL is not installed here (initdb), or psycopg is not: pip install 'apnap[postgresql]'"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap cluster`."""
    parser.add_argument("action", choices=("up",), help="serve until Ctrl-C")
    parser.add_argument("--nodes", type=int, default=3, metavar="N", help=f"1 to {MOST_NODES} (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="of each node (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """0 when it was stopped; 1 when it could not be brought up, or a node has ended by itself."""
    from importlib.util import find_spec

    from server.bench.postgres import program

    if not 1 <= args.nodes <= MOST_NODES or not 1 <= args.workers <= 64:
        print(f"apnap cluster: --nodes takes 1 to {MOST_NODES}, --workers 1 to 64", file=sys.stderr)
        return 2
    if program("initdb") is None or find_spec("psycopg") is None:
        print(MISSING, file=sys.stderr)
        return 1
    with _swept() as tell:
        for number in SIGNALS:  # a shell that puts us in the background has SIGINT ignored
            signal.signal(number, _stop)
        try:
            with _database(tell) as address, ExitStack() as stack:
                folders = [stack.enter_context(_folder("node", tell)) for _ in range(args.nodes)]
                nodes = [_Node(Path(folder), address, args.workers) for folder in folders]
                for node in nodes:
                    stack.enter_context(node.serving(tell))
                return _serve(nodes)
        except KeyboardInterrupt:
            print("Stopped; the games are gone.", flush=True)
            return 0


def _stop(*_: object) -> None:
    for number in SIGNALS:  # who is told twice stops once, in order
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


# --- what stays when this process is killed ---


@contextmanager
def _swept() -> Iterator[Tell]:
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
    nodes = [int(which) for what, which in told if what == NODE]
    _end(nodes, signal.SIGTERM)
    for node in nodes:
        with suppress(ProcessLookupError):
            os.killpg(node, signal.SIGKILL)
    databases: list[int] = []
    for folder in folders:
        with suppress(OSError, ValueError, IndexError):
            databases.append(int((folder / "data" / "postmaster.pid").read_text().split()[0]))
    _end(databases, signal.SIGQUIT)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


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
def _folder(what: str, tell: Tell) -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix=f"apnap-{what}-")
    tell(FOLDER, folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _database(tell: Tell) -> Iterator[str]:
    """The address of a database that lasts as long as the block does. Raises OSError."""
    from server.bench.postgres import Postgres

    with _folder("pg", tell) as folder:
        database = Postgres(Path(folder))
        try:
            with _undisturbed():
                database.make()
                database.start()
            yield database.address()
        finally:
            with suppress(OSError):  # it has not come up
                database.stop()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Who is told to stop meanwhile does so at the end: PostgreSQL's programs, which hear Ctrl-C as well, leave nothing half done."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def _serve(nodes: list[_Node]) -> int:
    """Until one ends, or Ctrl-C."""
    until = time.monotonic() + READY_SECONDS
    while not all(node.ready() for node in nodes):
        if time.monotonic() > until or any(node.code() is not None for node in nodes):
            print("apnap cluster: not all nodes have come up:", *(node.said() for node in nodes), file=sys.stderr)
            return 1
        time.sleep(0.2)
    for node in nodes:
        print(f"http://127.0.0.1:{node.port}  (apnap admin nodes --data {node.folder}; process {node.process.pid})")
    print(f"{len(nodes)} nodes serve as one. End one of them and see; Ctrl-C ends all.", flush=True)
    gone: set[int] = set()
    while len(gone) < len(nodes):
        for node in nodes:
            if (code := node.code()) is not None and node.port not in gone:
                gone.add(node.port)
                print(f"The node at port {node.port} has ended ({code}).", flush=True)
        time.sleep(0.2)
    return 1


class _Node:
    """A process of `apnap serve`."""

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, database: str, workers: int) -> None:
        self.folder = folder
        self.port, calls = _free(2)
        words = ["serve", "--port", str(self.port), "--data", str(folder), "--store", database]
        self._words = [*words, "--workers", str(workers), "--node", f"127.0.0.1:{calls}"]
        self._words += ["--node-url", f"http://127.0.0.1:{self.port}"]

    @contextmanager
    def serving(self, tell: Tell) -> Iterator[None]:
        """It serves while the block runs; told to stop then."""
        log = self.folder / "log"
        with log.open("wb") as out:
            command = [sys.executable, "-m", "server.command.main", *self._words]
            # In a session of its own: Ctrl-C is for us, who end all in order.
            self.process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        tell(NODE, self.process.pid)
        try:
            yield
        finally:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def code(self) -> int | None:
        """Its exit code, None while it runs."""
        return self.process.poll()

    def said(self) -> str:
        """The end of its log."""
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def ready(self) -> bool:
        """Whether a new player is welcome."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=5) as reply:
                return bool(json.load(reply)["ready"])
        except (OSError, urllib.error.URLError, ValueError):
            return False


def _free(count: int) -> list[int]:
    with ExitStack() as stack:
        found = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in found]
