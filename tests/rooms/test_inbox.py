"""What waits for a room, and the moment at which it looks up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from math import inf

import pytest
import trio
from trio.testing import MockClock

from server.rooms.inbox import Inbox


@pytest.fixture
async def inbox() -> AsyncIterator[Inbox[str]]:
    one = Inbox[str](2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.ring)
        yield one
        nursery.cancel_scope.cancel()


def ms() -> int:
    return round(trio.current_time() * 1000)


async def test_items_come_in_order_and_too_many_are_refused(autojump_clock: MockClock, inbox: Inbox[str]) -> None:
    assert inbox.takes("a")
    assert inbox.takes("b")
    assert not inbox.takes("c")
    assert [await inbox.next(inf), await inbox.next(inf)] == ["a", "b"]


async def test_who_waits_is_woken_when_it_is_due_and_not_before(autojump_clock: MockClock, inbox: Inbox[str]) -> None:
    begun = ms()
    assert await inbox.next(begun + 5000) is None
    assert ms() == begun + 5000
    assert inbox.takes("a")
    assert await inbox.next(begun + 10_000) == "a"
    assert await inbox.next(begun + 30_000) is None, "what was due earlier is forgotten"
    assert ms() == begun + 30_000
    assert await inbox.next(begun + 31_000) is None
    assert ms() == begun + 31_000


async def test_what_is_due_earlier_than_what_was_waited_for_before_wakes_then(
    autojump_clock: MockClock, inbox: Inbox[str]
) -> None:
    begun = ms()

    async def send() -> None:
        await trio.sleep(1)
        assert inbox.takes("a")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        assert await inbox.next(begun + 60_000) == "a"
    assert await inbox.next(begun + 2000) is None
    assert ms() == begun + 2000


async def test_what_is_due_now_waits_for_nothing_and_what_has_come_goes_first(
    autojump_clock: MockClock, inbox: Inbox[str]
) -> None:
    begun = ms()
    assert inbox.takes("a")
    assert [await inbox.next(begun), await inbox.next(begun)] == ["a", None]
    assert ms() == begun


async def test_who_was_cancelled_while_waiting_loses_nothing(autojump_clock: MockClock, inbox: Inbox[str]) -> None:
    with trio.move_on_after(1):
        await inbox.next(inf)
    assert inbox.takes("a")
    assert await inbox.next(inf) == "a"
