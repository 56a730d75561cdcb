"""Work that people ask for and that would take a table's time, done in a process of its own: bytes go in, bytes come out.

One piece of work after the other; of those that wait, networks, their addresses and the people there come in turn, so that whoever
asks for much, under whatever names, waits behind themselves. A
piece has so long, and the process so much memory; where either is not enough, or the process ends, that piece is refused, the others
go on waiting, and the next begins in a new process.
"""

from __future__ import annotations

import logging
import os
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO, TypeAlias, TypeVar

import trio

from protocol.refusals import Code, Refusal

log = logging.getLogger("apnap.rooms")

HEAD = struct.Struct("!I")
"""Before each message: how many bytes follow."""
MOST_BYTES = 64 * 1024 * 1024
SECONDS = 20.0
MEMORY = 1024 * 1024 * 1024
"""Bytes of address space."""
WAITING = 4
"""Pieces of one person that may wait, the one that is done included."""
NICE = 5
"""Tables go first where there are not cores enough."""
CHUNK = 65_536
Around: TypeAlias = tuple[str, str]
"""The network and the address from which somebody asks; "" for one of our own."""
NOWHERE: Around = ("", "")
ALARM = 120
"""Seconds after which the system ends a process that is still at one piece: longer than any server waits, which may be no more."""

PYTHON_NEEDS = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "SYSTEMROOT", "TMPDIR")
"""What of our environment a process gets: what Python may need to start. The rest, a host's settings among it, is not its affair."""

Waiting: TypeAlias = dict[str, dict[str, dict[str, deque[trio.Event]]]]
T = TypeVar("T")


class WorkerError(Exception):
    """A piece of work was not done: it took too long, or too much memory."""


class Worker:
    """See the module. `words` start the process, which speaks as `serve_work` does; it is started when there is something to do."""

    def __init__(self, words: Sequence[str], seconds: float = SECONDS) -> None:
        self._words = list(words)
        self._seconds = seconds
        self._process: trio.Process | None = None
        self._lives = 0
        """How many processes have been started: each begins without what the one before it kept."""
        self._busy = False
        self._waiting: Waiting = {}
        """By the network, the address and who asks, those whose turn comes next first."""
        self._asked: dict[str, int] = {}

    async def ask(self, body: bytes, who: str = "", around: Around = NOWHERE) -> bytes:
        """What comes of a piece of work that somebody asks for, from that network and address. Raises `WorkerError`, and `Refusal`: busy,
        where they ask for too much.
        """
        if self._asked.get(who, 0) >= WAITING:
            raise Refusal(Code.BUSY)
        self._asked[who] = self._asked.get(who, 0) + 1
        try:
            await self._turn(*around, who)
            try:
                return await self._done(body)
            finally:
                self._next()
        finally:
            self._asked[who] -= 1
            if not self._asked[who]:
                del self._asked[who]

    async def aclose(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with trio.CancelScope(shield=True):
            assert process.stdin is not None and process.stdout is not None
            await process.stdin.aclose()
            await process.stdout.aclose()
            await process.wait()

    @property
    def life(self) -> int:
        """The number of the process that there is now; 0: none."""
        return self._lives if self._process is not None and self._process.returncode is None else 0

    # --- whose turn it is ---

    async def _turn(self, network: str, address: str, who: str) -> None:
        if not self._busy:
            self._busy = True
            return
        turn = trio.Event()
        self._waiting.setdefault(network, {}).setdefault(address, {}).setdefault(who, deque()).append(turn)
        try:
            await turn.wait()
        except trio.Cancelled:
            if turn.is_set():
                self._next()
            else:
                addresses = self._waiting[network]
                people = addresses[address]
                people[who].remove(turn)
                for level, key in ((people, who), (addresses, address), (self._waiting, network)):
                    if not level[key]:
                        del level[key]
            raise

    def _next(self) -> None:
        """Whoever waits for their first piece, then for their next; those of one address, and of one network, as if they were one."""
        self._busy = bool(self._waiting)
        if self._busy:
            network, addresses = _first(self._waiting)
            address, people = _first(addresses)
            who, mine = _first(people)
            mine.popleft().set()
            if mine:
                people[who] = mine
            if people:
                addresses[address] = people
            if addresses:
                self._waiting[network] = addresses

    # --- the process ---

    async def _done(self, body: bytes) -> bytes:
        whole = False
        try:
            with trio.fail_after(self._seconds):
                if self._process is not None and self._process.returncode is not None:
                    await self.aclose()  # it has ended by itself
                process = self._process = self._process or await self._started()
                assert process.stdin is not None and process.stdout is not None
                await process.stdin.send_all(HEAD.pack(len(body)) + body)
                (size,) = HEAD.unpack(await _exactly(process.stdout, HEAD.size))
                if not 0 < size <= MOST_BYTES:
                    raise WorkerError("it could not be done")
                answer = await _exactly(process.stdout, size)
                whole = True
                return answer
        except trio.TooSlowError:
            raise WorkerError(f"it takes longer than {self._seconds:g} seconds") from None
        except (OSError, EOFError, trio.BrokenResourceError, trio.ClosedResourceError) as fault:
            raise WorkerError("the process that did it has ended") from fault
        finally:
            if not whole:  # also where whoever asked has gone: what it is at is of no use to anybody
                log.warning("a process that works for people ends: %s", " ".join(self._words[1:3]))
                await self.aclose()

    async def _started(self) -> trio.Process:
        self._lives += 1
        return await open_process(self._words)


async def open_process(words: Sequence[str]) -> trio.Process:
    """A process of ours, over a pair of pipes: it has no file of the server's, and nothing of its environment but `PYTHON_NEEDS`. It is
    behind the tables from its first import on: where a server begins anew, many of them start while games are taken up."""
    environment = {name: os.environ[name] for name in PYTHON_NEEDS if name in os.environ}
    process = await trio.lowlevel.open_process(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    if hasattr(os, "setpriority"):  # Unix
        with suppress(OSError):  # it has ended, or what keeps the server in refuses it
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
    return process


def _first(level: dict[str, T]) -> tuple[str, T]:
    """Whose turn it is, taken out."""
    key = next(iter(level))
    return key, level.pop(key)


async def _exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    """So many bytes. Raises EOFError."""
    found = bytearray()
    while len(found) < size:
        chunk = await stream.receive_some(min(CHUNK, size - len(found)))
        if not chunk:
            raise EOFError
        found += chunk
    return bytes(found)


# --- in the process ------------------------------------------------------------------------------------------------------


class Work:
    """The process's end: each message of its input, and the answer to it. It ends with its input."""

    def __init__(self, into: BinaryIO, out: BinaryIO) -> None:
        self._into = into
        self._out = out

    def next(self) -> bytes | None:
        """The next piece of work, None when there is no more."""
        _alarm(0)
        head = self._into.read(HEAD.size)
        _alarm(ALARM)
        return self._into.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else None

    def answer(self, body: bytes) -> None:
        """What came of it; nothing for what could not be done."""
        self._out.write(HEAD.pack(len(body)) + body)
        self._out.flush()


def _alarm(seconds: int) -> None:
    """Have the system end this process then; 0: not."""
    import signal

    if hasattr(signal, "alarm"):  # Unix
        signal.alarm(seconds)


def begin_work() -> Work:
    """As a process that works for a server: bounded in memory, and not ended by what tells the server to stop."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # no Unix
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    return Work(sys.stdin.buffer, out)
