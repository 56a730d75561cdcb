"""The one task that writes for all connections."""

from __future__ import annotations

import trio
import trio.testing

from server.net.flusher import Flusher
from server.net.line import Gone


class Slow:
    """A writer whose socket takes nothing until it is `freed`."""

    def __init__(self) -> None:
        self.flushed = 0
        self.given_up = False
        self.freed = trio.Event()
        self.gone = False

    def flush(self) -> bool:
        self.flushed += 1
        return False

    async def drain(self) -> None:
        await self.freed.wait()
        if self.gone:
            raise Gone

    def give_up(self) -> None:
        self.given_up = True

    def look_after(self, now: float) -> None:
        pass


async def test_for_who_was_let_go_while_its_line_is_full_nothing_more_is_written_and_its_line_is_left_alone() -> None:
    """It says goodbye on that line by itself, behind which nothing may follow."""
    flusher, free, gone = Flusher(60.0), Slow(), Slow()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(flusher.run)
        for writer in (free, gone):
            flusher.take_on(writer)()
        await trio.testing.wait_all_tasks_blocked()
        assert (free.flushed, gone.flushed) == (2, 2)
        gone.gone = True
        for writer in (free, gone):
            flusher.let_go(writer)
            writer.freed.set()
        await trio.testing.wait_all_tasks_blocked()
        assert (free.flushed, gone.flushed) == (2, 2)
        assert not free.given_up and not gone.given_up
        nursery.cancel_scope.cancel()
