"""When a room keeps a snapshot: after so many inputs, and sooner where they take long to be played again."""

from __future__ import annotations

import pytest
import trio

from server.rooms import Room, recover
from server.rooms.age import SNAPSHOT_COSTS, SNAPSHOT_EVERY, SNAPSHOT_SOONEST, Age
from server.rooms.history import History
from server.storage import MemoryStorage
from tests.rooms.tables import running
from tests.rooms.test_whole_games import Chance, play, setup_of


def due_after(age: Age, seconds: float) -> int:
    """After how many inputs of so many seconds each the next one is due."""
    inputs = age.at
    while not age.due(inputs):
        age.played(seconds)
        inputs += 1
    return inputs - age.at


def test_one_is_due_by_the_number_of_inputs_or_by_what_they_cost() -> None:
    age = Age()
    assert due_after(age, 0.0) == SNAPSHOT_EVERY
    age.kept(SNAPSHOT_EVERY)
    age.costs = 0.002
    assert due_after(age, age.costs * SNAPSHOT_COSTS / 50) in (50, 51)  # as sums of such numbers come out
    age.kept(1000)
    assert not age.due(1000)
    assert due_after(age, 10.0) == SNAPSHOT_SOONEST


def test_on_a_machine_that_is_busy_both_take_longer_alike() -> None:
    idle, busy = Age(), Age()
    assert due_after(idle, 10.0) == SNAPSHOT_EVERY, "nothing is known of the first one"
    idle.kept(0)
    idle.costs, busy.costs = 0.002, 0.02
    assert due_after(idle, 0.00025) == due_after(busy, 0.0025)


async def test_a_game_whose_inputs_take_long_is_kept_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that who takes it up plays little again."""
    took = Age.played
    monkeypatch.setattr(Age, "played", lambda self, seconds: took(self, seconds + 1.0))
    storage, kept = MemoryStorage(), list[int]()
    write = History._snapshot

    async def noting(self: History, *args: object, **more: object) -> object:
        found = await write(self, *args, **more)  # type: ignore[arg-type]
        kept.append(found.seq)
        assert self._age.costs < 1.0
        return found

    monkeypatch.setattr(History, "_snapshot", noting)
    room = Room(setup_of(3, "up"), storage)
    room._under_way.history._age.costs = 0.01
    async with trio.open_nursery() as nursery:
        clients = await running(nursery, room)
        await play(room, clients, Chance("up"), [], most=100)
        nursery.cancel_scope.cancel()
    assert len(kept) >= 3
    journal = await storage.take_up("whole")
    assert (
        journal.snapshot is not None
        and sum(getattr(one, "number", 1) for one in journal.entries) <= 2 * SNAPSHOT_SOONEST + 32
    )
    (again,) = await recover(storage)
    assert [again.view(seat) for seat in range(3)] == [room.view(seat) for seat in range(3)]
