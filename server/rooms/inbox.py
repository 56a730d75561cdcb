"""What waits for a room, one item after the other; and the moment at which it is to look up though nothing has come.

A channel and a scope around each wait do the same, in three times as many steps: this is done with every answer.
"""

from __future__ import annotations

from math import inf
from typing import Any, Generic, TypeVar

import trio

from server.rooms.alarms import alarms

T = TypeVar("T")


class Inbox(Generic[T]):
    """See the module. One task has them (`next`); anyone may add one (`takes`). Moments are milliseconds of trio's clock."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: list[T] = []
        """Mostly empty, and never long: an empty list takes 56 bytes, an empty deque 760."""
        self._reader: trio.lowlevel.Task | None = None
        """The task that waits for an item."""
        self._due = inf
        self.rings_at = inf
        """Never later than what is due, and mostly earlier: what is due grows later with each answer."""

    def takes(self, item: T) -> bool:
        """Add an item; False where too many wait."""
        if len(self._items) >= self._most:
            return False
        self._items.append(item)
        self._wake()
        return True

    async def next(self, due: float) -> T | None:
        """The next item; None as soon as that moment has come and there is none."""
        await trio.lowlevel.checkpoint_if_cancelled()
        if not self._items and due > _now():
            self._due = due
            if self.rings_at > due:
                alarms().ask(due, self)
            self._reader = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._abort)
        return self._items.pop(0) if self._items else None

    def put_away(self) -> None:
        """Nobody will have what is in it, nor waits for a moment."""
        self._items.clear()
        self.rings_at = self._due = inf

    def rung(self) -> None:
        """See `Sleeper`."""
        if self._due <= _now():
            self._due = inf
            self._wake()
        elif self._due < inf:
            alarms().ask(self._due, self)

    def _wake(self) -> None:
        if self._reader is not None:
            task, self._reader = self._reader, None
            trio.lowlevel.reschedule(task)

    def _abort(self, _: Any) -> trio.lowlevel.Abort:
        self._reader = None
        return trio.lowlevel.Abort.SUCCEEDED


def _now() -> int:
    return round(trio.current_time() * 1000)
