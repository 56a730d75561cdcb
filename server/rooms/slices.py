"""Time for the work of rooms: at most one slice of it in a turn of the event loop, and the room that has had least goes first.

A room's task plays, writes views and looks at previews in pieces without any await, each within `async with share`. A
piece goes at once while the slice of this turn of the loop has something left; else it waits, and of those that wait
the one goes on in the next turn whose room has used least lately. So whatever one table is, another waits for one slice
of it and not for all of its work. A piece is as long as one decision may be: nothing cuts a decision in two.

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

SLICE_SECONDS = 0.002
"""Of all rooms together, in one turn of the event loop. An answer is some six turns away from what comes of it: read, played, written,
shown, sent. Where other rooms use each slice up, that is the time that their neighbour waits.
"""
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
        self._called: trio.lowlevel.Task | None = None
        """It goes on in the next turn of the loop."""
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
        self._call()

    async def wait(self, share: Share) -> None:
        """Return in a turn of the loop in which there is something left for this share."""
        if not self._installed:
            self._installed = True
            trio.lowlevel.add_instrument(self)
        await trio.lowlevel.checkpoint_if_cancelled()
        while (self._spent and self._spent >= self.seconds) or self._any_lighter(share):
            task = trio.lowlevel.current_task()
            if self._called is None and not self._any_lighter(share):
                self._called = task
                try:
                    await trio.lowlevel.checkpoint()
                except BaseException:
                    self._called = None
                    self._call()
                    raise
            else:
                await self._parked(task, share)
            self._called = None

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

    async def _parked(self, task: trio.lowlevel.Task, share: Share) -> None:
        """Wait until it is called."""
        self._call()
        self._came += 1
        self._waiting[task] = (share, self._came)
        heappush(self._by_weight, (share.weight, self._came, task))

        def abort(_: Any) -> trio.lowlevel.Abort:
            if task not in self._waiting:
                return trio.lowlevel.Abort.FAILED  # it is called already
            del self._waiting[task]
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _call(self) -> None:
        """Call the lightest of those that wait, unless one is called already."""
        if self._called is None and (task := self._lightest()) is not None:
            del self._waiting[task]
            heappop(self._by_weight)
            self._called = task
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
        self._inside = False

    async def __aenter__(self) -> Share:
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

    def _end(self) -> None:
        self._inside = False
        now = self._slices.clock()
        self._used = self._decayed(now) + now - self._begun
        self._at = now
        self.weight = log2(self._used) + now / HALF_SECONDS if self._used > 0 else -inf
        self._slices.spend(now - self._begun)

    @property
    def used(self) -> float:
        """Seconds that it has used lately."""
        return self._decayed(self._slices.clock())

    @property
    def over(self) -> bool:
        """Whether the slice is used up: what can wait for another turn of the loop should."""
        return self.past(1.0)

    def past(self, part: float) -> bool:
        """Whether that part of the slice is used up."""
        return self._slices.spent + self._slices.clock() - self._begun >= self._slices.seconds * part

    def _decayed(self, now: float) -> float:
        return self._used * 0.5 ** ((now - self._at) / HALF_SECONDS)

    async def spread(self, items: Iterable[T]) -> AsyncIterator[T]:
        """The items, each of which is some work to make, in as many slices as that takes."""
        left = iter(items)
        more = True
        while more:
            found: list[T] = []
            async with self:
                more = self._some(left, found)
            for item in found:
                yield item

    def _some(self, left: Iterator[T], found: list[T]) -> bool:
        """Take some; False when there are no more."""
        for item in left:
            found.append(item)
            if self.over:
                return True
        return False
