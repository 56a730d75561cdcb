"""Rooms that were played before it was known who takes them up are what they would be if they were restored then, or they are restored."""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable, Collection
from itertools import pairwise
from types import SimpleNamespace

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from server.rooms import RULES, Prepared, Room, recover_each
from server.rooms.memory import GAPS, Clock, write_clocks, write_gap
from server.rooms.receipts import receipts_of
from server.rooms.recover import CLOCKS, STARTS
from server.rules.model import Take
from server.storage import Answered, Damaged, Gap, Journal, MemoryStorage, RoomRecord, Setup, StorageFault
from tests.rooms.fake import FakeGame
from tests.rooms.fake import setup_of as fake_setup
from tests.rooms.tables import table
from tests.rooms.test_recover import OtherRules, begun, goes_on, views


async def prepared(storage: MemoryStorage, *, place: int = 0, count: int = 1, game: FakeGame | None = None) -> Prepared:
    """By a worker that waits for a while."""
    ahead = Prepared(storage, game or RULES)
    with trio.move_on_after(1):
        await ahead.run(place, count, lambda: True)
    return ahead


async def taken_up(storage: MemoryStorage, ahead: Prepared | None = None, game: FakeGame | None = None) -> Room:
    """The only room, with what was prepared of it."""
    rooms: list[Room] = []
    if ahead is None:
        await recover_each(storage, game or RULES, {"whole"}, rooms.append)
    else:
        await recover_each(storage, game or RULES, {"whole"}, rooms.append, prepared=ahead)
    (room,) = rooms
    return room


async def sent(room: Room, storage: MemoryStorage) -> list[list[m.ServerMessage]]:
    """All that seats and spectators are sent who come to the room when it runs, on a disk that takes nothing more."""

    async def refuse() -> None:
        raise StorageFault("full")

    room.keep_receipts(await receipts_of(storage))
    storage.before_append = refuse
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        clients = table(room, spectators=1)
        await wait_all_tasks_blocked()
        got = [client.read() for client in clients]
        nursery.cancel_scope.cancel()
    storage.before_append = None
    return got


async def the_same(room: Room, other: Room, storage: MemoryStorage) -> None:
    """State, seats, journal, memory, clocks, and whatever anybody is told."""
    assert room.state is not None and other.state is not None
    assert RULES.fingerprint(room.state) == RULES.fingerprint(other.state)
    assert (views(room), room.seats, room.seq, room.bots) == (views(other), other.seats, other.seq, other.bots)
    one, two = room._under_way.history, other._under_way.history
    assert one.head == two.head and one._kept == two._kept
    kept = [
        await history._snapshot(history.state, history.seq, history.seats) for history in (one, two) if history.state
    ]
    assert kept[0] == kept[1]
    assert await sent(room, storage) == await sent(other, storage)
    assert (room.clock(), room.frozen) == (other.clock(), other.frozen)


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the server starts, it starts at the same moment."""
    clock = SimpleNamespace(time=lambda: 1_900_000_000.0, perf_counter=time.perf_counter)
    monkeypatch.setattr(sys.modules["server.rooms.recover"], "time", clock)


async def again(storage: MemoryStorage, ahead: Prepared | None = None) -> Room:
    """As by the same start of the server."""
    await storage.delete(*STARTS)
    return await taken_up(storage, ahead)


@pytest.mark.usefixtures("moment")
@pytest.mark.parametrize("snapshots", [30, 10_000])
async def test_a_prepared_room_is_what_it_would_be_if_it_were_restored_now(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, snapshots: int
) -> None:
    monkeypatch.setattr("server.rooms.history.SNAPSHOT_EVERY", snapshots)
    storage = MemoryStorage()
    await begun(storage, 80, answer_ms=60_000)
    ahead = await prepared(storage)
    assert len(ahead) == 1
    pending = (await taken_up(storage)).state
    assert pending is not None and pending.pending is not None
    # What is noted beside the journal may be noted until the last moment.
    await storage.put(*CLOCKS, write_clocks({"whole": Clock(pending.pending.number, 7_000)}))
    await storage.put(GAPS, "whole", write_gap(Gap(3, 5)))
    appends = storage.appends
    room = await again(storage, ahead)
    assert len(ahead) == 0 and storage.appends == appends
    await the_same(room, await again(storage), storage)
    clock = room.clock()
    assert clock is not None and clock.spent == 7_000
    await goes_on(await again(storage, await prepared(storage)))


async def answered(storage: MemoryStorage) -> None:
    """Whoever had the room answered once more."""
    await storage.append("whole", [answer_of(await taken_up(storage))])


def answer_of(room: Room) -> Answered:
    """What would be written next."""
    assert room.state is not None and room.state.pending is not None
    pending = room.state.pending
    return Answered(seq=room.seq + 1, seat=pending.seat, question=pending.number, answer=Take(0), by="clock")


async def named_otherwise(storage: MemoryStorage) -> None:
    setup = await storage.setup("whole")
    await storage.amend("whole", replace(setup, seats=(replace(setup.seats[0], name="Else"), *setup.seats[1:])))


async def came_to_rest(storage: MemoryStorage) -> None:
    await (await taken_up(storage)).rest()


@pytest.mark.usefixtures("moment")
@pytest.mark.parametrize("change", [answered, named_otherwise, came_to_rest])
async def test_a_room_that_has_changed_meanwhile_is_restored(
    autojump_clock: trio.testing.MockClock, change: Callable[[MemoryStorage], Awaitable[None]]
) -> None:
    storage = MemoryStorage()
    await begun(storage, 40)
    ahead, before = await prepared(storage), await taken_up(storage)
    assert len(ahead) == 1
    await change(storage)
    room = await again(storage, ahead)
    assert len(ahead) == 0, "it is let go"
    assert (room.seq, room.setup, room._under_way.history._kept) != (
        before.seq,
        before.setup,
        before._under_way.history._kept,
    )
    await the_same(room, await again(storage), storage)


@pytest.mark.usefixtures("moment")
async def test_a_write_that_is_undone_after_it_was_read_counts_for_nothing(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody heard of it: the journal is as it was before by the time at which somebody takes it up."""
    storage = MemoryStorage()
    await begun(storage, 40)
    read = storage.take_up_all

    async def late(rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        monkeypatch.setattr(storage, "take_up_all", read)
        length = len(storage._entries["whole"])
        await answered(storage)
        found = await read(rooms)
        await storage.cut("whole", length)
        return found

    monkeypatch.setattr(storage, "take_up_all", late)
    ahead = await prepared(storage)
    await the_same(await again(storage, ahead), await again(storage), storage)


@pytest.mark.usefixtures("moment")
async def test_a_game_that_has_ended_meanwhile_is_not_taken_up(autojump_clock: trio.testing.MockClock) -> None:
    storage = MemoryStorage()
    await begun(storage, 20)
    ahead = await prepared(storage)
    await storage.finish("whole")
    rooms: list[Room] = []
    await recover_each(storage, RULES, {"whole"}, rooms.append, prepared=ahead)
    assert rooms == []


class Counting(MemoryStorage):
    """What was `read`, by rooms; it gives journals so many times more."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.down_after = 100

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        if not self.down_after:
            raise StorageFault("the database is not there")
        self.down_after -= 1
        self.read += rooms
        return await super().take_up_all(rooms)


def deal(room: str) -> Setup:
    return replace(fake_setup(room=room), version=FakeGame.version)


async def several(rooms: int) -> Counting:
    """So many games, of which only the deal is known, and between them one that is over."""
    storage = Counting()
    for number in range(rooms):
        await storage.create(deal(f"r{number}"))
        if number == 2:
            await storage.create(deal("over"))
            await storage.finish("over")
    return storage


async def recovered(storage: MemoryStorage, of: set[str], ahead: Prepared, asked: Collection[str] = ()) -> list[str]:
    taken: list[str] = []
    await recover_each(storage, FakeGame(), of, lambda room: taken.append(room.id), lambda: asked, ahead)
    return taken


async def test_each_worker_prepares_what_would_come_to_it(autojump_clock: trio.testing.MockClock) -> None:
    storage = await several(20)
    first = await prepared(storage, place=0, count=2, game=FakeGame())
    assert storage.read == [f"r{number}" for number in range(0, 20, 2)]
    second = await prepared(storage, place=1, count=2, game=FakeGame())
    assert len(first) == len(second) == 10
    storage.read.clear()
    mine = {f"r{number}" for number in range(0, 20, 2)}
    assert set(await recovered(storage, mine, first)) == mine and storage.read == []


async def test_what_comes_to_another_is_let_go(autojump_clock: trio.testing.MockClock) -> None:
    storage = await several(10)
    ahead = await prepared(storage, game=FakeGame())
    ahead.only({"r1", "r2", "elsewhere"})
    assert len(ahead) == 2
    storage.read.clear()
    assert set(await recovered(storage, {"r1", "r3"}, ahead)) == {"r1", "r3"}
    assert storage.read == ["r3"]
    ahead.only(())
    assert len(ahead) == 0


async def test_rooms_of_who_may_end_are_prepared_beside_those_that_are_coming() -> None:
    """What is just being taken up is kept, what has been prepared is not read again, and of others nothing stays."""
    storage = await several(6)
    ahead = Prepared(storage, FakeGame())
    await ahead.have(["r0", "r1", "over", "elsewhere"])
    assert storage.read == ["r0", "r1"]
    await ahead.have(["r1", "r3"], coming={"r0"})
    assert storage.read == ["r0", "r1", "r3"] and len(ahead) == 3
    await ahead.have([])
    assert len(ahead) == 0
    storage.down_after = 0
    await ahead.have(["r4"])
    assert len(ahead) == 0, "and nobody is told more than that: they are taken up as ever"


async def test_a_room_that_is_prepared_in_part_is_put_away(monkeypatch: pytest.MonkeyPatch) -> None:
    storage, put_away = MemoryStorage(), list[str]()
    await begun(storage, 40)
    read, scope = storage.take_up_all, trio.CancelScope()

    async def last(rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        found = await read(rooms)
        scope.cancel()
        return found

    monkeypatch.setattr(storage, "take_up_all", last)
    monkeypatch.setattr(sys.modules["server.rooms.recover"], "AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(Room, "put_away", lambda room: put_away.append(room.id))
    with scope:
        await Prepared(storage).have(["whole"])
    assert scope.cancelled_caught and put_away == ["whole"]


async def test_people_are_answered_between_any_two_rooms_that_are_prepared() -> None:
    async def plays() -> None:
        while True:
            seen.append(len(ahead))
            await trio.lowlevel.checkpoint()

    storage, seen = await several(6), list[int]()
    ahead = Prepared(storage, FakeGame())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(plays)
        await ahead.have([f"r{number}" for number in range(6)])
        nursery.cancel_scope.cancel()
    assert max(later - before for before, later in pairwise([*seen, 6])) <= 2, "two have their turns in any order"


async def test_where_nothing_tells_whether_a_room_has_changed_none_is_prepared() -> None:
    class Unmarked(Counting):
        async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
            return [replace(record, mark=b"") for record in await super().rooms(of)]

    storage = Unmarked()
    await storage.create(deal("r0"))
    ahead = Prepared(storage, FakeGame())
    await ahead.have(["r0"])
    assert len(ahead) == 0 and storage.read == []


async def test_those_that_are_asked_for_come_first(autojump_clock: trio.testing.MockClock) -> None:
    storage = await several(10)
    ahead = await prepared(storage, game=FakeGame())
    taken = await recovered(storage, {f"r{number}" for number in range(10)}, ahead, asked={"r7"})
    assert taken[0] == "r7" and len(taken) == 10


async def test_only_what_is_wished_is_there(autojump_clock: trio.testing.MockClock) -> None:
    """A lease that is renewed costs nothing; when it seems to end a second time, what has been written meanwhile counts."""
    storage, wished, told = await several(10), False, list[bool]()
    ahead = Prepared(storage, FakeGame())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ahead.run, 0, 1, lambda: wished, told.append)
        await trio.sleep(1)
        assert len(ahead) == 0 and storage.read == [] and not any(told)
        wished = True
        await trio.sleep(1)
        assert len(ahead) == len(storage.read) == 10 and told[-1]
        wished = False
        await trio.sleep(1)
        assert len(ahead) == 0 and not told[-1]
        await storage.create(deal("new"))
        wished = True
        await trio.sleep(1)
        assert len(ahead) == 11 and len(storage.read) == 21
        nursery.cancel_scope.cancel()


async def test_a_database_that_is_not_there_is_asked_again(autojump_clock: trio.testing.MockClock) -> None:
    storage, wished, told = await several(20), True, list[bool]()
    ahead = Prepared(storage, FakeGame())
    async with trio.open_nursery() as nursery:
        storage.down_after = 1
        nursery.start_soon(ahead.run, 0, 1, lambda: wished, told.append)
        await trio.sleep(1)
        assert len(ahead) == len(storage.read) == 8, "those that it gave"
        assert told and not any(told)
        wished = False
        await trio.sleep(1)
        assert len(ahead) == 0, "others may play on"
        wished = True
        await trio.sleep(1)
        assert len(ahead) == 0
        storage.down_after = 100
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert len(ahead) == 20


async def test_what_wants_more_than_to_be_played_is_not_prepared(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A journal that is torn, of other rules, or that does not play: who takes it up does what is to be done, and says it."""
    storage = MemoryStorage()
    await begun(storage, 40, drained=True)
    later = Prepared(storage, OtherRules())
    with trio.move_on_after(1):
        await later.run(0, 1, lambda: True)
    storage._snapshots["whole"] = [replace(storage._snapshots["whole"][0], hash="another")]
    unplayable = await prepared(storage)
    assert not (await taken_up(storage, unplayable)).frozen
    caplog.clear()
    await begun(storage := MemoryStorage(), 40)
    entries = storage._entries["whole"]
    entries[-1] = entries[-1][:20]
    torn = await prepared(storage)
    assert len(later) == len(unplayable) == len(torn) == 0
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert not (await taken_up(storage, torn)).frozen
