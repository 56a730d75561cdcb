"""What waits for a room, and the moment at which it looks up, for which all rooms have one task."""

from __future__ import annotations

from math import inf

import pytest
import trio
from trio.testing import MockClock

from server.rooms.alarms import SPARE, alarms
from server.rooms.inbox import Inbox


@pytest.fixture
def inbox() -> Inbox[str]:
    return Inbox[str](2)


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


async def test_each_of_many_is_woken_at_its_own_moment_by_one_task(autojump_clock: MockClock) -> None:
    begun, woken, before = ms(), dict[int, int](), trio.lowlevel.current_statistics().tasks_living

    async def wait(second: int) -> None:
        assert await Inbox[str](1).next(begun + 1000 * second) is None
        woken[second] = ms() - begun

    async with trio.open_nursery() as nursery:
        for second in (7, 3, 5, 2, 11):
            nursery.start_soon(wait, second)
        await trio.testing.wait_all_tasks_blocked()
        assert trio.lowlevel.current_statistics().tasks_living == before + 5 + 1
    assert woken == {second: 1000 * second for second in (2, 3, 5, 7, 11)}


async def test_moments_that_nobody_waits_for_any_more_are_not_kept(autojump_clock: MockClock) -> None:
    inbox, other = Inbox[str](1), Inbox[str](1)
    begun, day = ms(), 24 * 60 * 60 * 1000
    with trio.move_on_after(0.001):
        await other.next(begun + 5000)
    for _ in range(10 * SPARE):  # each time a day, then something that comes before it
        assert await inbox.next(ms() + 10) is None
        with trio.move_on_after(0.001):
            await inbox.next(ms() + day)
    assert len(alarms()._moments) <= 2 * SPARE + 4
    assert ms() < begun + 60_000


async def test_what_is_put_away_is_not_kept_for_its_moment(autojump_clock: MockClock) -> None:
    kept = Inbox[str](1)
    for _ in range(3 * SPARE):
        one = Inbox[str](1)
        with trio.move_on_after(0.001):
            await one.next(ms() + 1_000_000)
        one.put_away()
    with trio.move_on_after(0.001):
        await kept.next(ms() + 1_000_000)
    assert len(alarms()._moments) <= 2 * SPARE
