"""All lines that wait for what comes next are read here, in a row, as a turn of the event loop begins.

They stand together in an `epoll` of their own: the system is not asked anew for each frame, as trio does, and for most of what comes no
task is woken. What has to wait for nothing is done at once (`AtOnce`), so that a room hears of an answer in the turn of the loop that
brings it; all else is left to the line's own task. Of a line no more is read in a turn than one read brings, and nothing while its task
does something.
"""

from __future__ import annotations

import logging
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import trio
from trio.abc import Instrument

log = logging.getLogger("apnap.net")

READ_BYTES = 4096
"""The most that is read from a socket at once; a longer frame takes several reads. Each read makes room for so much while few bytes come:
with 64 KiB and hundreds of connections the heap was full of holes and grew by 5 MiB a minute.
"""
LINES = 64
"""Lines that are read in one turn of the loop; those that are left come first in the next."""

AtOnce = Callable[[bytes], bool]
"""Is offered what has come. Whether it has done all with it that is to be done; else nothing. It wakes tasks, but is called in none."""


class Waiting:
    """A line that waits for what comes. `came`: that, or what failed."""

    __slots__ = ("_lines", "at_once", "came", "sock", "task")

    def __init__(self, lines: dict[int, Waiting], sock: socket.socket, at_once: AtOnce) -> None:
        self._lines = lines
        self.sock = sock
        self.at_once = at_once
        self.came: bytes | Exception | None = None
        self.task = trio.lowlevel.current_task()

    def __call__(self, _: Any) -> trio.lowlevel.Abort:
        """Its task waits no more."""
        del self._lines[self.sock.fileno()]
        return trio.lowlevel.Abort.SUCCEEDED

    def taken(self) -> bytes | None:
        """What has come. Raises what failed."""
        came, self.came = self.came, None
        if isinstance(came, Exception):
            try:
                raise came
            finally:
                del came  # it holds this frame: together they would keep the connection until all garbage is looked for
        return came


class Reader(Instrument):
    """See the module. Of one event loop, where the system has `epoll`; elsewhere, and unless it `runs`, each line waits by itself."""

    def __init__(self) -> None:
        self.runs = False
        self._epoll: select.epoll | None = None
        self._known: set[int] = set()
        """Descriptors that stand in the epoll."""
        self._lines: dict[int, Waiting] = {}
        """By descriptor, those whose tasks wait."""

    async def run(self) -> None:
        """Until cancelled. trio's own `epoll` looks after this one, and so the loop wakes up."""
        if not hasattr(select, "epoll"):
            return
        self._epoll = select.epoll()
        trio.lowlevel.add_instrument(self)
        self.runs = True
        try:
            while True:
                await trio.lowlevel.wait_readable(self._epoll.fileno())
        finally:
            self.runs = False
            trio.lowlevel.remove_instrument(self)
            self._epoll.close()
            self._known.clear()
            for descriptor in list(self._lines):
                self._wake(descriptor, None)

    def next(self, sock: socket.socket, at_once: AtOnce) -> Waiting:
        """How the line's task waits: `wait_task_rescheduled` with that for its abort function. Then there is `taken` what has come and was
        not done `at_once`, at most `READ_BYTES`; nothing when nothing will come any more, None where the line is to wait by itself from
        now on. That raises OSError, and `trio.ClosedResourceError` when it was `closed`.
        """
        assert self._epoll is not None
        descriptor = sock.fileno()
        if descriptor not in self._known:
            self._epoll.register(descriptor, select.EPOLLIN)
            self._known.add(descriptor)
        wait = self._lines[descriptor] = Waiting(self._lines, sock, at_once)
        return wait

    def closed(self, sock: socket.socket) -> None:
        """That socket is about to be closed here, though another process may have it."""
        self._leave(sock.fileno())
        self._wake(sock.fileno(), trio.ClosedResourceError("closed"))

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """See `trio.abc.Instrument`: another turn of the loop begins."""
        if self._epoll is None or self._epoll.closed:
            return
        for descriptor, _ in self._epoll.poll(0, LINES):
            wait = self._lines.get(descriptor)
            if wait is None:
                self._leave(descriptor)  # its task does something: it would only be told of again and again
            else:
                self._read(descriptor, wait)

    def _read(self, descriptor: int, wait: Waiting) -> None:
        """What has come, or failed, is handed to the line's task unless all is done with it. No caller's frame may keep what failed."""
        try:
            data = wait.sock.recv(READ_BYTES)
            if not data or not wait.at_once(data):
                self._wake(descriptor, data)
        except BlockingIOError:
            pass
        except Exception as fault:
            self._wake(descriptor, fault)

    def _leave(self, descriptor: int) -> None:
        if descriptor in self._known:
            assert self._epoll is not None
            self._known.discard(descriptor)
            with suppress(OSError):
                self._epoll.unregister(descriptor)

    def _wake(self, descriptor: int, came: bytes | Exception | None) -> None:
        wait = self._lines.pop(descriptor, None)
        if wait is not None:
            wait.came = came
            trio.lowlevel.reschedule(wait.task)
