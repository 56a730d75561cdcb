"""Games that this worker takes up from another: each goes on as soon as it is read, whatever becomes of the others."""

from __future__ import annotations

import time
from collections.abc import Collection

import pytest
import trio

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code
from server.lobby import door
from server.lobby.others import Alone
from server.rooms import Prepared
from server.rooms.recover import TOGETHER, recover
from server.settings import Privacy, Settings
from server.storage import Damaged, Journal, MemoryStorage, StorageFault
from tests.lobby.parlour import Guest, lobby_of, refusal_of
from tests.lobby.test_tables import settle, started
from tests.rooms.fake import FakeGame


class Newcomer(Alone):
    """A worker that begins without rooms; `up`: those that it has taken up, in order; `left`: those that are still to be."""

    all_here = False

    def __init__(self) -> None:
        self.up: list[str] = []
        self.wanted: set[str] = set()
        self.left: set[str] = set()

    def coming(self) -> set[str]:
        return self.left - set(self.up)

    def here(self, room: str, /) -> None:
        self.up.append(room)

    def asked(self) -> set[str]:
        return self.wanted


class Slow(MemoryStorage):
    """Gives the rooms of `late` when it may; those of `lost` it cannot give now."""

    def __init__(self) -> None:
        super().__init__()
        self.late, self.lost = set[str](), set[str]()
        self.may = trio.Event()

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        if self.late & set(rooms):
            await self.may.wait()
        if self.lost & set(rooms):
            raise StorageFault("the disk does not give it now")
        return await super().take_up_all(rooms)


async def playing(storage: MemoryStorage, number: int) -> list[str]:
    """So many games that go on, oldest first."""
    async with lobby_of(storage) as lobby:
        return [(await started(lobby))[0].client.room for _ in range(number)]


async def test_who_comes_before_their_game_is_taken_up_has_a_seat_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are told of it, are called as they are there, and are not forgotten: neither as they wish nor as who stays away for long."""
    storage, others = MemoryStorage(), Newcomer()
    rules = Settings(privacy=Privacy(guest_days=1))
    async with lobby_of(storage, settings=rules) as lobby:
        guests = await started(lobby)
        (room,) = lobby.tables
        tokens = [guest.last(m.Welcome).token for guest in guests]
    others.left = {room}
    async with lobby_of(storage, settings=rules, others=others) as lobby:
        ada = Guest(lobby)
        welcome = await ada.hello("Another", tokens[0])
        assert (welcome.rooms, welcome.name) == ([room], "P0")
        assert await refusal_of(ada, p.ForgetMe(id="f")) == Code.IN_PLAY
        later = time.time() + 2 * 86_400
        monkeypatch.setattr("server.lobby.personal.time.time", lambda: later)
        await lobby.personal.sweep()
        await lobby.take_up({room})
        for token in tokens:
            assert (await Guest(lobby).hello("Another", token)).rooms == [room]


async def test_a_game_goes_on_before_the_others_are_read() -> None:
    storage, others = Slow(), Newcomer()
    rooms = await playing(storage, 2 * TOGETHER)
    storage.late = {rooms[-1]}
    others.wanted = {rooms[3]}
    async with lobby_of(storage, others=others) as lobby, trio.open_nursery() as nursery:
        nursery.start_soon(lobby.take_up, set(rooms))
        with trio.fail_after(5):
            while len(others.up) < TOGETHER:
                await trio.lowlevel.checkpoint()
        assert rooms[3] in others.up and rooms[-1] not in others.up
        table = lobby.tables[rooms[3]]
        assert table.state == "playing" and table.room is not None and table.room.state is not None
        watcher = Guest(lobby)
        await watcher.hello("Eve")
        await watcher.ask(m.Watch(id="w", room=rooms[3]))
        await settle()
        assert any(isinstance(message, m.ViewMessage) for message in watcher.read())
        storage.may.set()
    assert sorted(others.up) == sorted(rooms)


async def test_a_game_that_cannot_be_read_now_is_asked_for_again_alone() -> None:
    storage, others = Slow(), Newcomer()
    rooms = await playing(storage, 3)
    storage.lost = {rooms[0]}
    async with lobby_of(storage, others=others) as lobby:
        with pytest.raises(StorageFault):
            await lobby.take_up(set(rooms))
        assert set(lobby.tables) == set(others.up) == set(rooms[1:])
        before = {room: lobby.tables[room] for room in rooms[1:]}
        storage.lost = set()
        await lobby.take_up(set(rooms))
        assert others.up[2:] == rooms[:1] and lobby.tables[rooms[0]].state == "playing"
        assert {room: lobby.tables[room] for room in rooms[1:]} == before


async def test_what_was_prepared_is_taken_up_and_no_more_of_it_is_kept() -> None:
    """A game may have ended meanwhile, another have gone to another worker."""
    storage, others = Slow(), Newcomer()
    rooms = await playing(storage, 4)
    prepared = Prepared(storage, FakeGame())
    with trio.move_on_after(0.5):
        await prepared.run(0, 1, lambda: True)
    assert len(prepared) == 4
    await storage.finish(rooms[0])
    storage.lost = set(rooms)  # they are not read again
    async with lobby_of(storage, others=others) as lobby:
        lobby.upkeep.prepared = prepared
        await lobby.take_up(set(rooms[1:3]))
        assert set(others.up) == set(lobby.tables) == set(rooms[1:3])
        assert [table.state for table in lobby.tables.values()] == ["playing"] * 2
        assert len(prepared) == 2
        await lobby.take_up({rooms[0], rooms[3]})
        assert set(lobby.tables) == set(rooms[1:]) and len(prepared) == 0


async def test_a_room_whose_door_is_damaged_is_locked_and_no_other_is(caplog: pytest.LogCaptureFixture) -> None:
    storage = MemoryStorage()
    rooms = await playing(storage, 2)
    await storage.put(door.KIND, rooms[0], b"")  # as of a record that is not as it was written
    async with lobby_of(storage) as lobby:
        assert {room: table.state for room, table in lobby.tables.items()} == dict.fromkeys(rooms, "playing")
        eve = Guest(lobby)
        await eve.hello("Eve")
        assert await refusal_of(eve, m.Watch(id="w", room=rooms[0])) == Code.LOCKED
        assert await refusal_of(eve, m.Watch(id="w", room=rooms[0], password="damaged")) == Code.BAD_PASSWORD
        assert await refusal_of(eve, m.Watch(id="w", room=rooms[1])) == ""
    assert f"room {rooms[0]}: who may come in is damaged" in caplog.text


async def test_a_room_whose_turn_comes_as_all_rooms_end_is_not_taken_up(caplog: pytest.LogCaptureFixture) -> None:
    storage = MemoryStorage()
    await playing(storage, 1)
    (room,) = await recover(storage, FakeGame())
    async with lobby_of(storage, others=Newcomer()) as lobby:
        pass
    with trio.CancelScope() as life:
        life.cancel()
        await lobby.upkeep._take_up(room, None, [])
    assert life.cancelled_caught and not lobby.tables and not room.frozen and not caplog.records
