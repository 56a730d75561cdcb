"""One task that writes what waits for all connections, and pings who is silent.

An outbox that gets something tells the flusher, which at the end of that turn of the loop writes all that is there by then, as much as
the sockets take without waiting. Where one takes no more, a task of its own waits for it; meanwhile its outbox fills up, as it may.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from typing import Protocol

import trio
from trio.abc import Instrument

from server.net.line import Gone

log = logging.getLogger("apnap.net")

AT_ONCE = 64
"""Connections that are written to in one turn of the event loop."""
SOON = 0.75
"""Of the things that there may be before Python looks for garbage among them: it takes milliseconds."""


class Writer(Protocol):
    """What the flusher knows of a connection."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come to be written. Asked when all has left."""
        ...

    def flush(self) -> bool:
        """Write what waits; whether all has left. Wakes no task. Raises `Gone`."""
        ...

    def over(self) -> None:
        """All has left, and nothing more will come."""
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


class _Place:
    """Of a writer that is written for. `listed`: it is on the list of those that have something, or has a task of its own."""

    __slots__ = ("listed", "there", "writer", "_ready")

    def __init__(self, writer: Writer, ready: list[_Place]) -> None:
        self.writer = writer
        self.there = True
        self.listed = False
        self._ready = ready

    def ready(self) -> None:
        """It has something to write."""
        if not self.listed:
            self.listed = True
            self._ready.append(self)


class Flusher(Instrument):
    """See the module. `interval`: seconds between two looks at who is silent.

    Writing is done as trio's instrument: a task of its own would come a turn of the loop later, which costs as much as a tenth of an
    answer where few are there. By then the loop has decided how long it will wait, so what wakes tasks is left to one.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._places: dict[Writer, _Place] = {}
        self._ready: list[_Place] = []
        """The list. It is the same as long as the flusher is."""
        self._stalled: list[_Place] = []
        self._calls: list[Callable[[], None]] = []
        self._lot = trio.lowlevel.ParkingLot()
        self._token: trio.lowlevel.TrioToken | None = None

    def take_on(self, writer: Writer) -> Callable[[], None]:
        """Write for that one from now on; what to call when it has something to write."""
        place = self._places[writer] = _Place(writer, self._ready)
        return place.ready

    def let_go(self, writer: Writer) -> None:
        """Write for that one no more."""
        if (place := self._places.pop(writer, None)) is not None:
            place.there = False

    async def run(self) -> None:
        """Until cancelled."""
        self._token = trio.lowlevel.current_trio_token()
        trio.lowlevel.add_instrument(self)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._look_after)
                while True:
                    await self._lot.park()
                    calls, self._calls = self._calls, []
                    for call in calls:
                        call()
                    stalled, self._stalled = self._stalled, []
                    for place in stalled:
                        nursery.start_soon(self._drain, place)
        finally:
            trio.lowlevel.remove_instrument(self)

    def before_io_wait(self, timeout: float) -> None:
        """See `trio.abc.Instrument`: a turn of the loop ends."""
        if not self._ready:
            return
        now = self._ready[:AT_ONCE]
        del self._ready[:AT_ONCE]
        for place in now:
            if place.there and not self._flush(place):
                self._stalled.append(place)
        if self._stalled or self._calls or self._ready:
            assert self._token is not None
            self._token.run_sync_soon(self._lot.unpark_all, idempotent=True)
        elif timeout > 0:
            _collect()

    def _flush(self, place: _Place) -> bool:
        """Whether all has left, or nothing will any more."""
        writer = place.writer
        try:
            if not writer.flush():
                return False
            if writer.ended:
                self._calls.append(writer.over)
        except Gone:
            self._calls.append(writer.give_up)
        except Exception:
            log.exception("writing failed")
            self._calls.append(writer.give_up)
        place.listed = False
        return True

    async def _drain(self, place: _Place) -> None:
        """Whoever was let go says goodbye by themselves."""
        try:
            while place.there:
                await place.writer.drain()
                if place.there and self._flush(place):
                    self._lot.unpark_all()
                    return
        except Gone:
            pass
        except Exception:
            log.exception("writing failed")
        if place.there:
            place.writer.give_up()

    async def _look_after(self) -> None:
        while True:
            await trio.sleep(self._interval)
            now = trio.current_time()
            for writer in list(self._places):
                try:
                    writer.look_after(now)
                except Exception:
                    log.exception("looking after a connection failed")
                    writer.give_up()


def _collect() -> None:
    """Look for garbage among what is young, or not old, where that is soon to be done: later somebody waits for it."""
    (young, later, _), (most_young, most_later, _) = gc.get_count(), gc.get_threshold()
    if young > most_young * SOON > 0 and gc.isenabled():
        gc.collect(1 if later > most_later else 0)
