"""A worker as the keeper knows it: its wire, which rooms it may have, and what it has asked for."""

from __future__ import annotations

import trio

from server.net.workers import messages as w
from server.net.workers.wire import Wire


class Worker:
    """See the module."""

    def __init__(self, base: int, wire: Wire[w.FromWorker]) -> None:
        self.base = base
        """The first number of its node."""
        self.number = w.NOBODY
        self.wire = wire
        self.settles: int | None = None
        """The id under which it wants to hear that all have taken up their rooms."""
        self.unwritten: set[int] = set()
        """The ids of what it has asked for and is not on disk, or refused."""
        self.leaving = False
        """It stops, and gets no rooms any more."""
        self.written = trio.Event()

    async def all_written(self) -> None:
        """Waits for all that it has asked for by now."""
        before = self.unwritten.copy()
        while before & self.unwritten:
            await self.written.wait()
