"""A keeper and the ends of its wires, in one process: what becomes of rooms and records when workers come and go."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol.messages import Leave
from server.command.stores import reading_store
from server.lobby import people, waiting
from server.lobby.lobby import Lobby
from server.lobby.people import People
from server.net.connection import WebsocketConnection
from server.net.flusher import Flusher
from server.net.line import Line
from server.net.websocket import Unread, Websocket
from server.net.workers.keeper import Keeper
from server.net.workers.link import Link
from server.net.workers.messages import Asked
from server.net.workers.moving import Moved, hand_over, take_over
from server.net.workers.passing import Onward
from server.net.workers.wire import Wire
from server.settings import Limits, Store
from server.storage import RoomRecord, SqliteStorage, StorageFault
from tests.chaos.guests import until

ROOM = "bada-gida-lodo"


class Hall:
    """As much of a lobby as a link needs; the disk gives nothing the first `faults` times."""

    def __init__(self, faults: int = 0) -> None:
        self.tables: dict[str, Any] = {}
        self.taken: list[set[str] | None] = []
        self.peers = SimpleNamespace(only=lambda _, tell: None)
        self._faults = faults

    async def take_up(self, rooms: set[str] | None = None) -> None:
        if self._faults:
            self._faults -= 1
            raise StorageFault("the disk is full")
        self.taken.append(rooms)


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        theirs = socket.create_connection(listening.getsockname())
        return listening.accept()[0], theirs


async def nothing(_: Asked) -> bytes:
    return b""


class Ailing(SqliteStorage):
    """A disk that gives no rooms and takes nothing the first `faults` times, nor says the first `doubts` times how far they are; `ails`:
    what is wrong with it."""

    faults = 0
    doubts = 0
    ails = ""

    @property
    def fault(self) -> str:
        return self.ails

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        if self.faults:
            self.faults -= 1
            raise StorageFault("the disk is gone")
        return await super().rooms(of)

    async def settle(self, rooms: Collection[str]) -> None:
        if self.doubts and ROOM in rooms:
            self.doubts -= 1
            raise StorageFault("the disk is gone")


class Kept(NamedTuple):
    """What a test has of a keeper of two workers; those that are `still` do not run."""

    path: str
    storage: Ailing
    keeper: Keeper
    still: set[int]


async def live(link: Link, path: str, life: trio.CancelScope) -> None:
    """A worker that is killed when its life is cancelled."""
    with life:
        await link.run(path, lambda: None)


@asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[Kept]:
    """A keeper of two workers, and of a room without a worker."""
    storage, path = Ailing(folder), str(folder / "keeper")
    still: set[int] = set()
    await storage.put(waiting.KIND, ROOM, b"{}")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        async with trio.open_nursery() as nursery:
            keeper = Keeper(storage, 2, lambda one: one not in still)
            nursery.start_soon(keeper.run, listening)
            yield Kept(path, storage, keeper, still)
            nursery.cancel_scope.cancel()
    await storage.aclose()


@asynccontextmanager
async def keeping(folder: Path) -> AsyncIterator[str]:
    """The path of the keeper's socket."""
    async with kept(folder) as made:
        yield made.path


@pytest.mark.parametrize("faults", [0, 1])
async def test_rooms_given_to_a_worker_that_begins_are_taken_up_later(tmp_path: Path, faults: int) -> None:
    life = trio.CancelScope()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        path, one, other, hall = made.path, Link(0), Link(1), Hall(faults)
        nursery.start_soon(live, one, path, life)
        with trio.fail_after(5):
            await nursery.start(other.run, path, lambda: None)
            life.cancel()  # before the other serves anything
            await until(lambda: ROOM in other._adopting)
            other.serve(cast(Lobby, hall), nothing)
            nursery.start_soon(other.settled, nursery)
            await other.taken_up(ROOM)
        assert hall.taken == [{ROOM}]
        nursery.cancel_scope.cancel()


async def test_a_room_that_is_taken_up_waits_for_no_other(tmp_path: Path) -> None:
    """Whoever asks for a room is known to who takes it up, and goes on with it as soon as it is there."""

    class Slow(Hall):
        async def take_up(self, rooms: set[str] | None = None) -> None:
            await until(lambda: ROOM in other.asked())
            other.here(ROOM)
            assert not other.asked()
            await never.wait()

    life, never = trio.CancelScope(), trio.Event()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        nursery.start_soon(live, one, made.path, life)
        with trio.fail_after(5):
            await nursery.start(other.run, made.path, lambda: None)
            life.cancel()
            await until(lambda: ROOM in other._adopting)
            other.serve(cast(Lobby, Slow()), nothing)
            nursery.start_soon(other.settled, nursery)
            assert await other.whose(ROOM) is None
        nursery.cancel_scope.cancel()


async def test_no_room_is_taken_up_for_a_lobby_that_has_ended(tmp_path: Path) -> None:
    """A worker that stops as it begins still hears of rooms when its lobby has ended already."""

    class Slow(Hall):
        async def take_up(self, rooms: set[str] | None = None) -> None:
            await super().take_up(rooms)
            try:
                await trio.sleep_forever()
            finally:
                ended.set()

    ended, hall = trio.Event(), Slow()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            async with trio.open_nursery() as life:
                one.serve(cast(Lobby, hall), nothing)
                other.serve(cast(Lobby, Hall()), nothing)
                nursery.start_soon(other.settled, nursery)
                await one.settled(life)
                await until(lambda: hall.taken == [{ROOM}])
                life.cancel_scope.cancel()
            assert ended.is_set()
            await one.known()
            assert hall.taken == [{ROOM}] and not one.to_take_up()
        nursery.cancel_scope.cancel()


async def test_a_worker_serves_before_the_rooms_that_it_begins_with_are_taken_up(tmp_path: Path) -> None:
    class Slow(Hall):
        async def take_up(self, rooms: set[str] | None = None) -> None:
            await until(lambda: ROOM in one.asked())
            await may.wait()
            await super().take_up(rooms)

    may, found = trio.Event(), list[int | None]()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other, hall = Link(0), Link(1), Slow()
        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            for link, its in ((one, hall), (other, Hall())):
                link.serve(cast(Lobby, its), nothing)
            async with trio.open_nursery() as settling:
                settling.start_soon(one.settled, nursery)
                settling.start_soon(other.settled, nursery)
            assert not hall.taken and one.coming() == other.coming() == {ROOM}, "nobody knows yet who sits there"

            async def asks() -> None:
                found.append(await one.whose(ROOM))

            nursery.start_soon(asks)
            await until(lambda: ROOM in one.asked())
            assert not found
            may.set()
            await until(lambda: found == [None])
            assert hall.taken == [{ROOM}]
        nursery.cancel_scope.cancel()


async def both_begin(nursery: trio.Nursery, path: str, *links: Link) -> None:
    """Workers that have joined the keeper, which tells the first of them who is there once all are."""
    async with trio.open_nursery() as starting:
        for link in links:
            starting.start_soon(nursery.start, link.run, path, lambda: None)


async def test_a_guest_who_is_forgotten_is_recalled_by_nobody(tmp_path: Path) -> None:
    async with keeping(tmp_path) as path, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(5):
            await both_begin(nursery, path, one, other)
            here, there = (People(reading_store(Store(), tmp_path, link), others=link) for link in (one, other))
            ada = here.guest("Ada")
            _, token = await here.begin(ada, "")
            await one.known()  # the keeper has it
            assert (await there.come(token))[0].id == ada.id
            there.forget(ada)  # as who is one of too many
            await here.erase(ada)
            assert await other.recall(people.KIND, ada.id) is None
            with pytest.raises(Exception, match="token"):
                await there.come(token)
        nursery.cancel_scope.cancel()


async def test_a_session_that_has_ended_lets_no_guest_in_elsewhere(tmp_path: Path) -> None:
    async with keeping(tmp_path) as path, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(5):
            await both_begin(nursery, path, one, other)
            here, there = (People(reading_store(Store(), tmp_path, link), others=link) for link in (one, other))
            ada = here.guest("Ada")
            session, token = await here.begin(ada, "")
            await here.end(ada, session)
            await one.known()
            with pytest.raises(Exception, match="token"):
                await there.come(token)
        nursery.cancel_scope.cancel()


async def test_a_message_in_several_frames_goes_on_in_another_process() -> None:
    ours, theirs = pair()
    with theirs:
        line = Line(ours)
        websocket = Websocket.again(line, 1.0, Unread(None, [], b"on", True))
        theirs.send(bytes((0x80, 0x80 | 3)) + bytes(4) + b"ce ")
        with trio.fail_after(5):
            assert await websocket.receive() == "once "
        line.close()


async def test_nobody_waits_for_ever_for_a_worker_that_takes_no_connection(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    path = str(tmp_path / "worker")
    ours, theirs = pair()
    with socket.socket(socket.AF_UNIX) as deaf, theirs:
        deaf.bind(path)
        deaf.listen()
        unread = Unread(None, [])
        connection = WebsocketConnection(Websocket.again(Line(ours), 1.0, unread), Flusher(1.0), Limits())
        with trio.fail_after(60):
            await connection.hand_over(
                Onward(path, None), lambda _: Moved("", unread, "", "", {}, cast(Any, Leave(id="l")), 1.0)
            )
        assert connection.hung_up


# --- who serves -------------------------------------------------------------------------------------------------------


def lobby(tables: dict[str, Any] | None = None, people_: People | None = None) -> Lobby:
    """As much of a lobby as a link needs."""

    async def take_up(rooms: set[str]) -> None:
        made.taken |= rooms

    peers = SimpleNamespace(only=lambda _, tell: None)
    made = SimpleNamespace(tables=tables or {}, people=people_, peers=peers, take_up=take_up, taken=set())
    return cast(Lobby, made)


async def both_serve(nursery: trio.Nursery, path: str, *links: Link) -> None:
    """Workers that have joined and settled."""
    await both_begin(nursery, path, *links)
    async with trio.open_nursery() as settling:
        for link in links:
            link.serve(lobby(), nothing)
            settling.start_soon(link.settled, nursery)


async def test_no_new_room_is_for_a_worker_that_stands_still(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)  # the first has the room that there is
        with trio.fail_after(10):
            await both_serve(nursery, made.path, one, other)
            await until(lambda: one.for_new_room() == 1)
            made.still.add(1)
            await until(lambda: one.for_new_room() is None)
            made.still.clear()
            await until(lambda: one.for_new_room() == 1)
        nursery.cancel_scope.cancel()


async def test_no_new_room_is_for_a_worker_that_has_ended(tmp_path: Path) -> None:
    life = trio.CancelScope()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        nursery.start_soon(live, other, made.path, life)
        with trio.fail_after(10):
            await nursery.start(one.run, made.path, lambda: None)
            for link in (one, other):
                link.serve(lobby(), nothing)
            async with trio.open_nursery() as settling:
                settling.start_soon(one.settled, nursery)
                settling.start_soon(other.settled, nursery)
            await until(lambda: one.for_new_room() == 1)
            life.cancel()
            await until(lambda: one.for_new_room() is None)
        nursery.cancel_scope.cancel()


async def test_what_is_wrong_with_the_disk_every_worker_knows_until_it_is_mended(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(10):
            await both_begin(nursery, made.path, one, other)
            here, there = (reading_store(Store(), tmp_path, link) for link in (one, other))
            made.storage.ails = "the disk is full"
            await until(lambda: here.fault == there.fault == "the disk is full")
            made.storage.ails = ""
            await until(lambda: here.fault == there.fault == "")  # though neither writes anything
        nursery.cancel_scope.cancel()


async def test_a_question_to_all_keeps_no_rooms_from_a_worker_that_is_there(tmp_path: Path) -> None:
    async def never(_: Asked) -> bytes:
        await trio.sleep_forever()
        return b""

    life = trio.CancelScope()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)  # the first has the room
        nursery.start_soon(live, one, made.path, life)
        with trio.fail_after(3):  # less than who does not answer is waited for
            await nursery.start(other.run, made.path, lambda: None)
            one.serve(lobby(), nothing)
            other.serve(lobby(), never)
            async with trio.open_nursery() as settling:
                settling.start_soon(one.settled, nursery)
                settling.start_soon(other.settled, nursery)
            nursery.start_soon(one.ask_all, "figures")
            await one.known()  # the keeper has that
            life.cancel()
            await until(lambda: other._owners.get(ROOM) == 1)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("faults", "doubts"), [(1, 0), (0, 1)], ids=["which go on", "how far they are"])
async def test_a_disk_that_does_not_say_of_rooms_is_asked_again(tmp_path: Path, faults: int, doubts: int) -> None:
    life = trio.CancelScope()
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        nursery.start_soon(live, one, made.path, life)
        with trio.fail_after(10):
            await nursery.start(other.run, made.path, lambda: None)
            made.storage.faults, made.storage.doubts = faults, doubts
            life.cancel()
            await until(lambda: other._owners.get(ROOM) == 1)
            assert not made.storage.faults and not made.storage.doubts
        nursery.cancel_scope.cancel()


# --- what is kept -----------------------------------------------------------------------------------------------------


async def test_what_one_worker_asks_for_is_written_in_that_order(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(20):
            await both_begin(nursery, made.path, one, other)
            storage = reading_store(Store(), tmp_path, one)
            for turn in range(20):
                async with trio.open_nursery() as writes:
                    numbers = iter(range(8))

                    async def put(key: str, numbers: Iterator[int]) -> None:
                        # Whichever of these tasks is first asks first.
                        await storage.put("deck", key, b"%d" % next(numbers))

                    for _ in range(8):
                        writes.start_soon(put, str(turn), numbers)
                assert await made.storage.get("deck", str(turn)) == b"7"
        nursery.cancel_scope.cancel()


async def test_a_guest_who_goes_by_another_name_does_so_at_every_worker(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(10):
            await both_begin(nursery, made.path, one, other)
            here, there = (People(reading_store(Store(), tmp_path, link), others=link) for link in (one, other))
            other.serve(lobby(people_=there), nothing)
            ada = here.guest("Ada")
            _, token = await here.begin(ada, "")
            await one.known()
            same, _ = await there.come(token)
            await here.rename(ada, "Bea")
            await until(lambda: same.name == "Bea")
            assert not same.kept
        nursery.cancel_scope.cancel()


async def test_what_waits_for_who_reads_nothing_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.net.workers.wire.MOST_BYTES", 100_000)
    ours, theirs = pair()
    wire: Wire[object] = Wire(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), lambda data: data)
    with theirs, trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wire.run, lambda _: None)
            for _ in range(10_000):
                wire.put(Leave(id="x" * 10_000))
                await trio.lowlevel.checkpoint()
            # What waited was let go, and the wire has ended.
        assert len(wire._unsent) == 0


async def test_a_connection_that_is_taken_over_is_not_for_programs_that_are_started(tmp_path: Path) -> None:
    ours, theirs = pair()
    came: list[socket.socket] = []

    async def taken(sock: socket.socket, _: Moved) -> None:
        came.append(sock)

    with socket.socket(socket.AF_UNIX) as listening, theirs, ours:
        listening.bind(str(tmp_path / "worker"))
        listening.listen()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(take_over, listening, taken)
            moved = Moved("", Unread(None, []), "", "", {}, m.Watch(id="w", room="r"), 1.0)
            with trio.fail_after(10):
                await hand_over(str(tmp_path / "worker"), ours, moved)
                await until(lambda: bool(came))
            assert not came[0].get_inheritable()
            came[0].close()
            nursery.cancel_scope.cancel()
