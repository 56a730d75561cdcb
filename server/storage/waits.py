"""Tasks that wait for what another thread does, woken so that they go on in the turn of the event loop that hears of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import trio
from trio.abc import Instrument

T = TypeVar("T")


class Waits(Instrument, Generic[T]):
    """Made inside a running trio loop; `wake` is called there for each thing that is done.

    What `run_sync_soon` calls is called by a task, and what that wakes goes on a turn of the loop later; a turn costs as much as a
    tenth of an answer where rooms are few. So it is only the bell here, and what is done is looked for as each turn begins.
    """

    def __init__(self, wake: Callable[[T], None]) -> None:
        self._wake = wake
        self._done: deque[T] = deque()
        self._token = trio.lowlevel.current_trio_token()
        trio.lowlevel.add_instrument(self)

    def done(self, these: Iterable[T]) -> None:
        """Called by the thread."""
        self._done.extend(these)
        try:
            self._token.run_sync_soon(self._look, idempotent=True)
        except trio.RunFinishedError:
            pass  # nobody waits any more

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """See `trio.abc.Instrument`."""
        self._look()

    def close(self) -> None:
        """Nothing will be done any more. Called in the loop."""
        trio.lowlevel.remove_instrument(self)
        self._look()

    def _look(self) -> None:
        while self._done:
            self._wake(self._done.popleft())
