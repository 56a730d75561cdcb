"""A game is handed over to another worker: where it stands, once, and not while anything of it is still to be written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol.options import BankClock
from server.lobby import waiting
from server.lobby.desk import Done, Failed, MoveRoom, answer
from server.lobby.hall import line_of
from server.lobby.lobby import Lobby
from server.lobby.others import Alone, RoomLine
from server.lobby.table import Table
from server.lobby.upkeep import AUDIT_AGAIN_SECONDS
from server.rooms.memory import read_clocks
from server.rooms.recover import CLOCKS
from server.rooms.room import Room
from server.storage import Damaged, Journal, MemoryStorage, RoomRecord, Setup, StorageFault
from tests.lobby.parlour import Guest, lobby_of
from tests.lobby.test_tables import finish, settle, started, watched


class Another(Alone):
    """There is another worker, or none is `there`; `parted` is all that was handed over to it."""

    def __init__(self, *, there: bool = True) -> None:
        self.parted: list[str] = []
        self.known_there: list[RoomLine] = []
        self._there = there

    def could_give(self) -> bool:
        return self._there

    def lines(self) -> list[RoomLine]:
        return self.known_there

    @asynccontextmanager
    async def parting(self, room: str, /) -> AsyncIterator[None]:
        yield
        self.parted.append(room)


def resting(monkeypatch: pytest.MonkeyPatch) -> tuple[trio.Event, trio.Event]:
    """Snapshots are written once the second event is set; the first tells that one is begun."""
    begun, may = trio.Event(), trio.Event()

    async def slowly(_: Room) -> None:
        begun.set()
        with trio.move_on_after(5):
            await may.wait()

    monkeypatch.setattr(Room, "rest", slowly)
    return begun, may


async def hands_over(lobby: Lobby, table: Table, found: list[bool]) -> None:
    found.append(await lobby.hand_over(table))


def told(guest: Guest) -> list[str]:
    return [message.code for message in guest.read() if isinstance(message, m.Closing)]


async def test_a_game_that_ends_as_it_is_to_be_handed_over_stays_with_its_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, may = resting(monkeypatch)
    others, found = Another(), list[bool]()
    async with lobby_of(others=others) as lobby, trio.open_nursery() as nursery:
        ada, bob = await started(lobby)
        table = lobby.tables[ada.client.room]
        nursery.start_soon(hands_over, lobby, table, found)
        with trio.fail_after(5):
            await begun.wait()
        await ada.ask(m.Concede(id="c"))
        await settle()  # she hears of it first
        assert table.state == "over"
        may.set()
        await settle()
        assert found == [False] and not others.parted
        assert lobby.tables == {table.id: table} and not told(bob)
        nursery.cancel_scope.cancel()


async def test_a_game_is_handed_over_once_though_two_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may = resting(monkeypatch)
    others, found = Another(), list[bool]()
    async with lobby_of(others=others) as lobby, trio.open_nursery() as nursery:
        ada, bob = await started(lobby)
        table = lobby.tables[ada.client.room]
        nursery.start_soon(hands_over, lobby, table, found)
        nursery.start_soon(hands_over, lobby, table, found)
        with trio.fail_after(5):
            await begun.wait()
        may.set()
        await settle()
        assert sorted(found) == [False, True] and others.parted == [table.id]
        assert told(ada) == told(bob) == ["moved"] and not lobby.tables
        assert ada.client.outbox.closed and bob.client.outbox.closed, "nothing more comes from here"
        nursery.cancel_scope.cancel()


async def test_who_moves_a_game_that_is_moving_is_told_so() -> None:
    others = Another()
    async with lobby_of(others=others) as lobby:
        ada, _ = await started(lobby)
        room = ada.client.room
        line = line_of(lobby.tables[room])
        assert await answer(lobby, MoveRoom(room)) == Done(2)
        others.known_there.append(line)
        assert await answer(lobby, MoveRoom(room)) == Failed("it is moving just now")
        assert await answer(lobby, MoveRoom("nowhere")) == Failed("there is no room nowhere")
        assert others.parted == [room]


async def test_who_of_two_moves_a_game_later_is_told_that_it_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may = resting(monkeypatch)
    others, found = Another(), list[object]()
    async with lobby_of(others=others) as lobby, trio.open_nursery() as nursery:
        ada, _ = await started(lobby)
        room = ada.client.room
        others.known_there.append(line_of(lobby.tables[room]))

        async def moves() -> None:
            found.append(await answer(lobby, MoveRoom(room)))

        nursery.start_soon(moves)
        nursery.start_soon(moves)
        with trio.fail_after(5):
            await begun.wait()
        may.set()
        await settle()
        assert sorted(map(repr, found)) == sorted(map(repr, [Done(2), Failed("it is moving just now")]))
        nursery.cancel_scope.cancel()


async def test_what_still_goes_on_at_a_table_is_over_before_another_has_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    others, found = Another(), list[list[str]]()

    async def writes(table: Table) -> None:
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.sleep(1)
            found.append(list(others.parted))

    async with lobby_of(others=others) as lobby:
        ada, _ = await started(lobby)
        table = lobby.tables[ada.client.room]
        assert table.nursery is not None
        table.nursery.start_soon(writes, table)
        await settle()
        assert await lobby.hand_over(table)
        assert found == [[]] and others.parted == [table.id]


async def test_what_has_not_begun_is_not_handed_over() -> None:
    others = Another()
    async with lobby_of(others=others) as lobby:
        ada = Guest(lobby)
        await ada.hello("Ada")
        await ada.ask(m.Open(id="o"))
        assert not await lobby.hand_over(lobby.tables[ada.client.room])
        assert not others.parted and not told(ada)


async def test_who_looks_on_is_told_to_come_back_as_well() -> None:
    others = Another()
    async with lobby_of(others=others) as lobby:
        (ada, bob), watcher = await watched(lobby)
        assert await lobby.hand_over(lobby.tables[ada.client.room])
        assert told(ada) == told(bob) == told(watcher) == ["moved"] and watcher.client.outbox.closed


async def test_a_match_between_two_games_stays_and_is_known_to_whoever_takes_it_up() -> None:
    """Until the next game its people have only a table; what was played is kept, and by that another worker has it when this one ends."""
    others, storage = Another(), MemoryStorage()
    async with lobby_of(storage, others=others) as lobby:
        guests = await started(lobby, best_of=3)
        await finish(guests)
        reply = await guests[1].ask(m.Rematch(id="r"))
        assert isinstance(reply, m.Room) and reply.room.match is not None
        for table in list(lobby.tables.values()):  # that of the game before, and that of the next
            assert not await lobby.hand_over(table)
        assert not others.parted and not told(guests[1])
        assert set(await storage.all(waiting.KIND)) == {reply.room.id}


async def test_a_game_stays_where_there_is_no_other_worker() -> None:
    others = Another(there=False)
    async with lobby_of(others=others) as lobby:
        ada, _ = await started(lobby)
        table = lobby.tables[ada.client.room]
        assert not await lobby.hand_over(table)
        assert lobby.tables == {table.id: table} and not told(ada)


async def test_what_a_clock_shows_goes_with_the_game(autojump_clock: trio.testing.MockClock) -> None:
    others, storage = Another(), MemoryStorage()
    async with lobby_of(storage, others=others) as lobby:
        ada, _ = await started(lobby, clock=BankClock(ms=60_000, grace_ms=1_000))
        table = lobby.tables[ada.client.room]
        assert table.room is not None
        autojump_clock.jump(0.5)  # less than after which it is noted anyway
        shown = table.room.clock()
        assert shown is not None
        assert await lobby.hand_over(table)
        noted = await storage.get(*CLOCKS)
        assert noted is not None and read_clocks(noted) == {table.id: shown}


class Failing(MemoryStorage):
    """Of its readings one fails, the one after so many others."""

    fails_after = -1

    def _read(self) -> None:
        self.fails_after -= 1
        if self.fails_after == -1:
            raise StorageFault("the line is cut")

    async def get(self, kind: str, key: str) -> bytes | None:
        self._read()
        return await super().get(kind, key)

    async def all(self, kind: str) -> dict[str, bytes]:
        self._read()
        return await super().all(kind)

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        self._read()
        return await super().rooms(of)

    async def setup(self, room: str) -> Setup:
        self._read()
        return await super().setup(room)

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        self._read()
        return await super().take_up_all(rooms)

    async def some(self, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        self._read()
        return await super().some(of)


class Newcomer(Alone):
    """A worker that begins without rooms."""

    all_here = False


async def test_rooms_that_the_disk_does_not_give_now_are_taken_up_when_it_does() -> None:
    """Whichever reading fails: no game stands still, and none is there twice."""
    storage = Failing()
    async with lobby_of(storage) as lobby:
        matched = await started(lobby, best_of=3)
        await finish(matched)
        reply = await matched[1].ask(m.Rematch(id="r"))
        assert isinstance(reply, m.Room)
        playing = {(await started(lobby))[0].client.room for _ in range(2)}
    rooms = {*playing, reply.room.id}
    failed = 0
    for readings in range(100):
        async with lobby_of(storage, others=Newcomer()) as lobby:
            storage.fails_after = readings
            try:
                await lobby.take_up(rooms)
            except StorageFault:
                failed += 1
                storage.fails_after = -1
                await lobby.take_up(rooms)
            done, storage.fails_after = storage.fails_after >= 0, -1
            assert {room: table.state for room, table in lobby.tables.items()} == {
                **dict.fromkeys(playing, "playing"),
                reply.room.id: "gathering",
            }
            assert set(await storage.all(waiting.KIND)) == {reply.room.id}
        if done:
            break
    assert failed > 4


async def test_data_that_the_disk_does_not_give_now_are_compared_when_it_does(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    class Cut(MemoryStorage):
        audits = 0

        async def audit(self) -> list[str]:
            self.audits += 1
            if self.audits == 1:
                raise StorageFault("the line is cut")
            return ["a card is not as it was written"]

    async with lobby_of(Cut()) as lobby:
        await trio.sleep(AUDIT_AGAIN_SECONDS + 1)
        assert lobby.upkeep.damage == ["a card is not as it was written"]
    said = [record for record in caplog.records if "compared" in record.message]
    assert len(said) == 1 and not said[0].exc_info, "it is no defect of ours"


async def test_no_game_is_moved_by_order_while_the_disk_takes_nothing_of_who_would_take_it_up() -> None:
    class Full(MemoryStorage):
        fault = ""

    storage, others = Full(), Another()
    async with lobby_of(storage, others=others) as lobby:
        ada, bob = await started(lobby)
        storage.fault = "disk full"
        reply = await answer(lobby, MoveRoom(ada.client.room))
        assert reply == Failed("no other worker could take it up now: disk full")
        assert not others.parted and not told(ada) and not told(bob)
