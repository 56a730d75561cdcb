"""A keeper and the ends of its wires, in one process: what becomes of rooms and records when workers come and go."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing

from protocol.messages import Leave
from server.lobby import people, waiting
from server.lobby.lobby import Lobby
from server.lobby.people import People
from server.net.connection import WebsocketConnection
from server.net.flusher import Flusher
from server.net.line import Line
from server.net.websocket import Unread, Websocket
from server.net.workers.keeper import Keeper
from server.net.workers.link import KeptStorage, Link
from server.net.workers.messages import Asked
from server.net.workers.moving import Moved
from server.settings import Limits
from server.storage import SqliteStorage, StorageFault
from tests.chaos.guests import until

ROOM = "bada-gida-lodo"


class Hall:
    """As much of a lobby as a link needs; the disk gives nothing the first `faults` times."""

    def __init__(self, faults: int = 0) -> None:
        self.tables: dict[str, Any] = {}
        self.taken: list[set[str] | None] = []
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


@asynccontextmanager
async def keeping(folder: Path) -> AsyncIterator[str]:
    """A keeper of two workers, and of a room without a worker; the path of its socket."""
    storage, path = SqliteStorage(folder), str(folder / "keeper")
    await storage.put(waiting.KIND, ROOM, b"{}")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Keeper(storage, 2).run, listening)
            yield path
            nursery.cancel_scope.cancel()
    await storage.aclose()


@pytest.mark.parametrize("faults", [0, 1])
async def test_rooms_given_to_a_worker_that_begins_are_taken_up_later(tmp_path: Path, faults: int) -> None:
    async def live(link: Link, path: str) -> None:
        with life:
            await link.run(path, lambda: None)

    life = trio.CancelScope()
    async with keeping(tmp_path) as path, trio.open_nursery() as nursery:
        one, other, hall = Link(0, 2), Link(1, 2), Hall(faults)
        nursery.start_soon(live, one, path)
        with trio.fail_after(5):
            await nursery.start(other.run, path, lambda: None)
            life.cancel()  # before the other serves anything
            await until(lambda: other.for_new_room() == 0)  # it has a room, and the first one none
            other.serve(cast(Lobby, hall), nothing)
            nursery.start_soon(other.settled)
            await other.taken_up(ROOM)
        assert hall.taken == [{ROOM}]
        nursery.cancel_scope.cancel()


async def both_begin(nursery: trio.Nursery, path: str, *links: Link) -> None:
    """Workers that have joined the keeper, which tells the first of them who is there once all are."""
    async with trio.open_nursery() as starting:
        for link in links:
            starting.start_soon(nursery.start, link.run, path, lambda: None)


async def test_a_guest_who_is_forgotten_is_recalled_by_nobody(tmp_path: Path) -> None:
    async with keeping(tmp_path) as path, trio.open_nursery() as nursery:
        one, other = Link(0, 2), Link(1, 2)
        with trio.fail_after(5):
            await both_begin(nursery, path, one, other)
            here, there = (People(KeptStorage(tmp_path, link), others=link) for link in (one, other))
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
        one, other = Link(0, 2), Link(1, 2)
        with trio.fail_after(5):
            await both_begin(nursery, path, one, other)
            here, there = (People(KeptStorage(tmp_path, link), others=link) for link in (one, other))
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
            await connection.hand_over(path, lambda _: Moved("", unread, "", "", {}, cast(Any, Leave(id="l"))))
        assert connection.hung_up
