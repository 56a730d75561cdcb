"""Try several nodes on this machine: `apnap cluster up` serves with some, and a PostgreSQL of their own, until Ctrl-C.

Everything lies in temporary folders and is gone at the end, also when the command is killed. `docs/operating.md` says how nodes are run
for good.
"""

from __future__ import annotations

import argparse
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from server.bench.thrown_away import PROCESS, SIGNALS, STOP_SECONDS, Tell, database, folder, swept

MOST_NODES = 10
READY_SECONDS = 120.0
"""How long all nodes may take until they serve."""
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
    with swept() as tell:
        for number in SIGNALS:  # a shell that puts us in the background has SIGINT ignored
            signal.signal(number, _stop)
        try:
            with database(tell) as made, ExitStack() as stack:
                folders = [stack.enter_context(folder("node", tell)) for _ in range(args.nodes)]
                nodes = [_Node(Path(one), made.address(), args.workers) for one in folders]
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
        tell(PROCESS, self.process.pid)
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
