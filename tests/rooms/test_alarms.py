"""One task wakes all who wait for a moment: each at the one for which it asked last, and once."""

from __future__ import annotations

import random
from math import inf

import pytest
import trio
from trio.testing import MockClock

from protocol.options import BankClock
from server.rooms import Room
from server.rooms.alarms import SPARE, Alarms, alarms
from server.rooms.inbox import Inbox
from server.storage import MemoryStorage
from tests.rooms.fake import FakeGame, setup_of
from tests.rooms.tables import running


class Woken:
    """A sleeper that notes when it is rung."""

    def __init__(self) -> None:
        self.rings_at = inf
        self.at: list[int] = []

    def rung(self) -> None:
        self.at.append(ms())


def ms() -> int:
    return round(trio.current_time() * 1000)


async def test_who_asks_again_is_rung_at_the_later_moment_alone(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    alarms, moved, other = Alarms(), Woken(), Woken()
    nursery.start_soon(alarms.run)
    begun = ms()
    alarms.ask(begun + 1000, moved)
    alarms.ask(begun + 2000, other)
    alarms.ask(begun + 3000, moved)
    await trio.sleep(10)
    assert (moved.at, other.at) == ([begun + 3000], [begun + 2000])


async def test_many_who_ask_again_and_again_are_each_rung_at_their_last_moment(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """Also when what nobody waits for any more has been taken out from among the others."""
    alarms, chance = Alarms(), random.Random(3)
    nursery.start_soon(alarms.run)
    begun, sleepers = ms(), [Woken() for _ in range(4 * SPARE)]
    asked = [0] * len(sleepers)
    for _ in range(12 * SPARE):
        which = chance.randrange(len(sleepers))
        asked[which] = begun + chance.randrange(1000, 9000)
        alarms.ask(asked[which], sleepers[which])
    await trio.sleep(10)
    assert [one.at for one in sleepers] == [[at] if at else [] for at in asked]


async def test_a_room_that_is_rung_too_early_goes_on_waiting(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    """What is due has become later since it asked: an answer came before."""
    inbox, begun = Inbox[str](2), ms()

    async def answer() -> None:
        await trio.sleep(1)
        assert inbox.takes("a")

    nursery.start_soon(answer)
    assert await inbox.next(begun + 5000) == "a"
    with trio.fail_after(60):
        assert await inbox.next(begun + 30_000) is None
    assert ms() == begun + 30_000


async def test_rooms_that_are_put_away_are_not_kept_for_their_clocks(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.rooms.alarms.SPARE", 4)
    for number in range(12):
        room = Room(setup_of(2, f"r{number}", clock=BankClock(ms=600_000)), MemoryStorage(), FakeGame())
        async with trio.open_nursery() as nursery:
            await running(nursery, room)
            nursery.cancel_scope.cancel()
        room.put_away()
    assert 0 < len(alarms()._moments) <= 8
