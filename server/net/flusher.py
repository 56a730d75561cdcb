"""One task that writes what waits for all connections, and pings who is silent.

An outbox that gets something tells the flusher, which in the next turn of the loop writes all that is there by then, as much as the
sockets take without waiting. Where one takes no more, a task of its own waits for it; meanwhile its outbox fills up, as it may.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

import trio

from server.net.line import Gone

log = logging.getLogger("apnap.net")

AT_ONCE = 64
"""Connections that are written to in one turn of the event loop."""


class Writer(Protocol):
    """What the flusher knows of a connection."""

    def flush(self) -> bool:
        """Write what waits; whether all has left. Raises `Gone`."""
        ...

    async def drain(self) -> None:
        """Wait until what was written has left. Raises `Gone`, also when that takes too long."""
        ...

    def give_up(self) -> None:
        """Nothing can be written any more."""
        ...

    def look_after(self, now: float) -> None:
        """See that the other end is alive."""
        ...


class Flusher:
    """See the module. `interval`: seconds between two looks at who is silent."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._writers: dict[Writer, bool] = {}
        """Whether it is on the list, or has a task of its own."""
        self._ready: list[Writer] = []
        self._lot = trio.lowlevel.ParkingLot()

    def take_on(self, writer: Writer) -> Callable[[], None]:
        """Write for that one from now on; what to call when it has something to write."""
        self._writers[writer] = False

        def ready() -> None:
            if self._writers.get(writer) is False:
                self._writers[writer] = True
                self._ready.append(writer)
                if len(self._ready) == 1:  # else it is awake
                    self._lot.unpark()

        return ready

    def let_go(self, writer: Writer) -> None:
        """Write for that one no more."""
        self._writers.pop(writer, None)

    async def run(self) -> None:
        """Until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._look_after)
            while True:
                if not self._ready:
                    await self._lot.park()
                else:
                    await trio.lowlevel.checkpoint()
                now, self._ready = self._ready[:AT_ONCE], self._ready[AT_ONCE:]
                for writer in now:
                    if writer in self._writers and not self._flush(writer):
                        nursery.start_soon(self._drain, writer)

    def _flush(self, writer: Writer) -> bool:
        """Whether all has left."""
        try:
            if not writer.flush():
                return False
        except Gone:
            writer.give_up()
        except Exception:
            log.exception("writing failed")
            writer.give_up()
        if writer in self._writers:
            self._writers[writer] = False
        return True

    async def _drain(self, writer: Writer) -> None:
        try:
            while writer in self._writers and not self._flush(writer):
                await writer.drain()
            return
        except Gone:
            pass
        except Exception:
            log.exception("writing failed")
        if writer in self._writers:  # whoever was let go says goodbye by themselves
            writer.give_up()

    async def _look_after(self) -> None:
        while True:
            await trio.sleep(self._interval)
            now = trio.current_time()
            for writer in list(self._writers):
                try:
                    writer.look_after(now)
                except Exception:
                    log.exception("looking after a connection failed")
                    writer.give_up()
