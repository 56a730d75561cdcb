"""The one task that writes for all connections."""

from __future__ import annotations

import gc

import pytest
import trio
import trio.testing

from server.net.flusher import AT_ONCE, Flusher
from server.net.line import Gone


class Slow:
    """A writer whose socket takes nothing until it is `freed`."""

    def __init__(self) -> None:
        self.flushed = 0
        self.given_up = False
        self.freed = trio.Event()
        self.gone = False
        self.ended = False

    def over(self) -> None:
        raise AssertionError

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
        assert (free.flushed, gone.flushed) == (1, 1)
        gone.gone = True
        for writer in (free, gone):
            flusher.let_go(writer)
            writer.freed.set()
        await trio.testing.wait_all_tasks_blocked()
        assert (free.flushed, gone.flushed) == (1, 1)
        assert not free.given_up and not gone.given_up
        nursery.cancel_scope.cancel()


class Ready(Slow):
    """A writer whose socket takes all; it says when it is over."""

    def __init__(self) -> None:
        super().__init__()
        self.overs = 0

    def over(self) -> None:
        self.overs += 1

    def flush(self) -> bool:
        self.flushed += 1
        if self.gone:
            raise Gone
        return True


async def test_what_waits_is_written_in_the_turn_of_the_loop_in_which_it_came() -> None:
    flusher, writer = Flusher(60.0), Ready()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(flusher.run)
        ready = flusher.take_on(writer)
        await trio.testing.wait_all_tasks_blocked()
        ready()
        ready()
        assert writer.flushed == 0
        await trio.lowlevel.checkpoint()
        assert (writer.flushed, writer.overs) == (1, 0)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("end", ["ended", "gone"])
async def test_who_is_through_or_gone_is_told_at_once_though_the_loop_had_nothing_else_to_do(end: str) -> None:
    """What is found at the end of a turn, when the loop has decided to wait, still wakes the task that says so."""
    flusher, writer = Flusher(60.0), Ready()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(flusher.run)
        ready = flusher.take_on(writer)
        await trio.testing.wait_all_tasks_blocked()
        setattr(writer, end, True)
        ready()
        with trio.fail_after(5):
            await trio.testing.wait_all_tasks_blocked()
        assert (writer.overs, writer.given_up) == ((1, False) if end == "ended" else (0, True))
        nursery.cancel_scope.cancel()


async def test_more_than_one_turn_writes_is_written_in_the_next() -> None:
    flusher, writers = Flusher(60.0), [Ready() for _ in range(AT_ONCE + 1)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(flusher.run)
        waiting = [flusher.take_on(writer) for writer in writers]
        await trio.testing.wait_all_tasks_blocked()
        for ready in waiting:
            ready()
        await trio.lowlevel.checkpoint()
        assert [writer.flushed for writer in writers] == [1] * AT_ONCE + [0]
        await trio.testing.wait_all_tasks_blocked()
        assert writers[-1].flushed == 1
        nursery.cancel_scope.cancel()


def test_garbage_is_looked_for_when_something_was_written_and_nothing_waits() -> None:
    flusher, looked = Flusher(60.0), list[int]()
    ready = flusher.take_on(Ready())

    def look(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            looked.append(info["generation"])

    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(100_000, 10, 10)
    gc.callbacks.append(look)
    try:
        flusher.before_io_wait(1.0)
        young = [[number] for number in range(80_000)]
        flusher.before_io_wait(1.0)
        ready()
        flusher.before_io_wait(0.0)
        assert len(young) and looked == [], "nothing was written, or somebody waits"
        for _ in range(2):
            ready()
            flusher.before_io_wait(1.0)
        assert looked == [0], "and then there is little that is young"
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*before)
