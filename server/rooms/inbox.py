"""What waits for a room, one item after the other; and the moment at which it is to look up though nothing has come.

A channel and a scope around each wait do the same, in three times as many steps: this is done with every answer.
"""

from __future__ import annotations

from math import inf
from typing import Any, Generic, TypeVar

import trio

T = TypeVar("T")


class Inbox(Generic[T]):
    """See the module. One task has them (`next`); anyone may add one (`takes`). Moments are milliseconds of trio's clock; `ring` is a task
    beside it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: list[T] = []
        """Mostly empty, and never long: an empty list takes 56 bytes, an empty deque 760."""
        self._reader: trio.lowlevel.Task | None = None
        """The task that waits for an item."""
        self._due = inf
        self._alarm = trio.CancelScope()
        """Open while `ring` waits; at its deadline, which is never later than what is due, it looks."""

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
            if self._alarm.deadline * 1000 > due:
                self._alarm.deadline = due / 1000
            self._reader = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._abort)
        return self._items.pop(0) if self._items else None

    async def ring(self) -> None:
        """Wake who waits when it is due. Until cancelled."""
        while True:
            with trio.CancelScope(deadline=self._due / 1000) as self._alarm:
                await trio.sleep_forever()
            if self._due <= _now():
                self._due = inf
                self._wake()

    def _wake(self) -> None:
        if self._reader is not None:
            task, self._reader = self._reader, None
            trio.lowlevel.reschedule(task)

    def _abort(self, _: Any) -> trio.lowlevel.Abort:
        self._reader = None
        return trio.lowlevel.Abort.SUCCEEDED


def _now() -> int:
    return round(trio.current_time() * 1000)
