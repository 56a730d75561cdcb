"""Time for the work of rooms: at most one slice of it in a turn of the event loop, and the room that has had least goes first.

A room's task plays, writes views and looks at previews in pieces without any await, each within `async with share`. A
piece goes at once while the slice of this turn of the loop has something left; else it waits, and of those that wait
those go on in the next turn whose rooms have used least lately, as many as a slice will do, as pieces are. So whatever one table is,
another waits for one slice of it and not for all of its work. A piece is as long as one decision may be: nothing cuts a decision in two.

It measures real time, also where trio's clock is another one.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush, heapreplace
from math import inf, log2
from typing import Any, TypeVar

import trio
from trio.abc import Instrument

T = TypeVar("T")
MOST_CALLED = 16
"""Rooms that are called for one turn. Each turn of the loop asks the system what has come, which costs as much as a tenth of an answer."""
REMEMBERED_PIECES = 16
"""Over about so many pieces it is looked how long they are."""

SLICE_SECONDS = 0.002
"""Of all rooms together, in one turn of the event loop. An answer is three turns away from what comes of it: read; played and
written; shown and sent. Where other rooms use each slice up, that is the time that their neighbour waits.
"""
QUIET_SECONDS = 0.0005
"""Of work that nobody waits for, in one turn of the loop: who comes meanwhile waits for that, and not for a whole slice."""
HALF_SECONDS = 1.0
"""After so long what a room has used counts for half."""


class Slices(Instrument):
    """Of one event loop. `shares` are handed out one a room."""

    def __init__(self, seconds: float = SLICE_SECONDS, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds = seconds
        self.clock = clock
        self._spent = 0.0
        """In this turn of the loop."""
        self._waiting: dict[trio.lowlevel.Task, tuple[Share, int]] = {}
        """Those that wait, each with the number by which it stands in the heap."""
        self._by_weight: list[tuple[float, int, trio.lowlevel.Task]] = []
        """A heap of those that wait, and of some that do no more: the weight that each had, and its number."""
        self._came = 0
        self._called: set[trio.lowlevel.Task] = set()
        """They go on in the next turn of the loop, and wait again where they find the slice used up."""
        self._piece = seconds
        """How long a piece takes, lately."""
        self._installed = False

    def share(self) -> Share:
        """One room's."""
        return Share(self)

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """See `trio.abc.Instrument`: another turn of the loop begins."""
        self._spent = 0.0

    @property
    def spent(self) -> float:
        """Seconds of this turn's slice that are used."""
        return self._spent

    def spend(self, seconds: float) -> None:
        """A piece has taken so long."""
        self._spent += seconds
        self._piece += (seconds - self._piece) / REMEMBERED_PIECES
        if self._waiting:
            self._call()

    def is_free(self, share: Share) -> bool:
        """Whether that share need not wait: there is something left in this turn of the loop, and nobody who waits has used less."""
        if self._spent and self._spent >= self.seconds or not self._installed:
            return False
        return not self._waiting or not self._any_lighter(share)

    def _calls_more(self) -> bool:
        """Whether one turn will do one more than are called, as long as pieces are lately; one it always does."""
        called = len(self._called)
        return not called or called < MOST_CALLED and (called + 1) * self._piece <= self.seconds

    async def wait(self, share: Share, *, shielded: bool = False) -> None:
        """Return in a turn of the loop in which there is something left for this share. `shielded`: not to be cancelled meanwhile."""
        if not self._installed:
            self._installed = True
            trio.lowlevel.add_instrument(self)
        if not shielded:
            await trio.lowlevel.checkpoint_if_cancelled()
        while not self.is_free(share):
            task = trio.lowlevel.current_task()
            if self._calls_more() and not self._any_lighter(share):
                self._called.add(task)
                try:
                    if shielded:
                        await trio.lowlevel.cancel_shielded_checkpoint()
                    else:
                        await trio.lowlevel.checkpoint()
                except BaseException:
                    self._called.discard(task)
                    self._call()
                    raise
            else:
                await self._parked(task, share, shielded=shielded)
            self._called.discard(task)

    def _any_lighter(self, share: Share) -> bool:
        task = self._lightest()
        return task is not None and self._waiting[task][0].weight < share.weight

    def _lightest(self) -> trio.lowlevel.Task | None:
        """Of those that wait. What a share weighs only grows, so that who has grown since is found on top, and sinks."""
        heap, waiting = self._by_weight, self._waiting
        while heap:
            weight, number, task = heap[0]
            share, known = waiting.get(task, (None, 0))
            if share is None or known != number:
                heappop(heap)
            elif share.weight > weight:
                heapreplace(heap, (share.weight, number, task))
            else:
                return task
        return None

    async def _parked(self, task: trio.lowlevel.Task, share: Share, *, shielded: bool) -> None:
        """Wait until it is called."""
        self._call()
        self._came += 1
        self._waiting[task] = (share, self._came)
        heappush(self._by_weight, (share.weight, self._came, task))

        def abort(_: Any) -> trio.lowlevel.Abort:
            if shielded or task not in self._waiting:
                return trio.lowlevel.Abort.FAILED  # it is called already, or waits whatever comes
            del self._waiting[task]
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _call(self) -> None:
        """Call the lightest of those that wait, unless as many are called as one turn will do."""
        while self._waiting and self._calls_more() and (task := self._lightest()) is not None:
            del self._waiting[task]
            heappop(self._by_weight)
            self._called.add(task)
            trio.lowlevel.reschedule(task)


class Share:
    """What one room has used. `async with` it around each piece of work, in which nothing is awaited."""

    def __init__(self, slices: Slices) -> None:
        self._slices = slices
        self._used = 0.0
        self._at = 0.0
        self.weight = -inf
        """Whose is less has used less lately, at any time, as what all have used fades alike: the logarithm of what it will be worth."""
        self._begun = 0.0
        self._until = 0.0
        """When this turn's slice is used up by the piece that has begun."""
        self._worked = 0.0
        self._inside = False

    async def __aenter__(self) -> Share:
        if not self._slices.is_free(self):  # mostly it is
            await self._slices.wait(self)
        self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Around a piece of work that cannot wait, as the rest of a piece or by itself: what it takes is used all the same."""
        if self._inside:
            yield
            return
        self._begin()
        try:
            yield
        finally:
            self._end()

    def _begin(self) -> None:
        self._inside = True
        self._begun = self._slices.clock()
        self._until = self._begun + self._slices.seconds - self._slices.spent

    def _end(self) -> None:
        self._inside = False
        now = self._slices.clock()
        took = now - self._begun
        self._worked += took
        self._used = self._decayed(now) + took
        self._at = now
        self.weight = log2(self._used) + now / HALF_SECONDS if self._used > 0 else -inf
        self._slices.spend(took)

    @property
    def clock(self) -> Callable[[], float]:
        """What it is measured by, in seconds."""
        return self._slices.clock

    @property
    def used(self) -> float:
        """Seconds that it has used lately."""
        return self._decayed(self._slices.clock())

    @property
    def worked(self) -> float:
        """Seconds that all its pieces have taken, up to now."""
        return self._worked + (self._slices.clock() - self._begun if self._inside else 0.0)

    @property
    def over(self) -> bool:
        """Whether the slice is used up: what can wait for another turn of the loop should."""
        return self._slices.clock() >= self._until

    def _decayed(self, now: float) -> float:
        return self._used * 0.5 ** ((now - self._at) / HALF_SECONDS)

    async def through(self, pieces: Iterable[object], *, shielded: bool = False) -> None:
        """Do all the pieces, each of which is some work, in as many slices as that takes; `shielded`: whatever is cancelled meanwhile."""
        left = iter(pieces)
        more = True
        while more:
            if not self._slices.is_free(self):
                await self._slices.wait(self, shielded=shielded)
            self._begin()
            try:
                more = self.cuts(left)
            finally:
                self._end()

    def cuts(self, pieces: Iterator[object]) -> bool:
        """Do the pieces while the slice lasts; whether it was over before all were begun."""
        clock, until = self._slices.clock, self._until
        return any(clock() >= until for _ in pieces)

    async def spread(self, items: Iterable[T], *, quiet: bool = False) -> AsyncIterator[T]:
        """The items, each of which is some work to make, in as many slices as that takes; `quiet`: nobody waits for them."""
        left = iter(items)
        more = True
        while more:
            found: list[T] = []
            async with self:
                more = self._some(left, found, QUIET_SECONDS if quiet else inf)
            for item in found:
                yield item
            if more and quiet:
                await trio.lowlevel.checkpoint()

    def _some(self, left: Iterator[T], found: list[T], most: float) -> bool:
        """Take some, for so many seconds at most; False when there are no more."""
        until = min(self._until, self._begun + most)
        for item in left:
            found.append(item)
            if self._slices.clock() >= until:
                return True
        return False
