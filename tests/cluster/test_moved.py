"""Who says so in hello is told at which node a room is, and goes there with a ticket: over real websockets, on a real PostgreSQL."""

from __future__ import annotations

import http.client
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
import trio

from client_cli.channels import Channel, websocket_dial
from client_cli.errors import Disconnected
from client_cli.session import Session
from protocol import JSON_SUBPROTOCOL
from protocol import messages as m
from protocol.refusals import Code
from server.command.main import main
from tests.chaos.test_chaos import ROOT
from tests.cluster.door import Door
from tests.cluster.test_nodes import Node, begin
from tests.cluster.test_workers import Caller, calling
from tests.storage.cluster import cluster


class Reached(Node):
    """A node that clients reach at an address of its own."""

    def words(self) -> list[str]:
        return [*super().words(), "--node-url", f"http://127.0.0.1:{self.port}"]


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Reached, Reached]]:
    folder = tmp_path_factory.mktemp("moved")
    with cluster() as database, Door() as door:
        store = database.new()
        with Reached(folder / "first", door, store) as first, Reached(folder / "second", door, store) as second:
            trio.run(first.start)
            trio.run(second.start)
            trio.run(second.ready)
            yield first, second
            print(first.said(), "----", second.said())


async def said(address: str, ticket: str) -> m.ServerMessage:
    """What is said there to a hello with that ticket."""
    async with trio.open_nursery() as nursery:
        channel = await websocket_dial(address, nursery)()
        await channel.send(m.Hello(id="hello", name="Bo", ticket=ticket))
        found = await channel.receive()
        nursery.cancel_scope.cancel()
        return found
    raise AssertionError


async def told(caller: Caller, room: str) -> m.Moved:
    """What who asks for a room is told of where it is."""
    moved = await caller.ask(m.Join(id=caller.id(), room=room), m.Moved)
    assert moved.room == room
    return moved


async def test_a_ticket_leads_to_the_room_as_who_one_is(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada, calling(first, "Bo", moves=True) as bo:
        room = await ada.open("one")
        moved = await told(bo, room)
        assert moved.address == f"ws://127.0.0.1:{second.port}/ws"
        with pytest.raises(Disconnected):
            await bo.channel.receive()
        async with calling(second, "Bo", ticket=moved.ticket, moves=True) as there:
            assert (there.welcome.person, there.welcome.token) == (bo.welcome.person, "")
            joined = await there.ask(m.Join(id="j", room=room), m.Room)
            assert [seat.name for seat in joined.room.seats] == ["Ada", "Bo"]
            async with calling(first, "Bo", bo.welcome.token) as again:
                assert again.welcome.rooms == [room], "the token of before stays good"


def test_the_host_is_told_where_clients_reach_each_node(
    reached: tuple[Reached, Reached], capsys: pytest.CaptureFixture[str]
) -> None:
    for node in reached:
        assert main(["admin", "nodes", "--data", str(node.folder)]) == 0
        *rows, count = capsys.readouterr().out.splitlines()
        assert [row.split()[-1] for row in rows] == [f"http://127.0.0.1:{one.port}" for one in reached]
        assert count == "2 nodes"


async def test_who_does_not_say_so_is_passed_on(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada, calling(first, "Bo") as bo:
        room = await ada.open("one")
        joined = await bo.ask(m.Join(id=bo.id(), room=room), m.Room)
        assert [seat.name for seat in joined.room.seats] == ["Ada", "Bo"]


async def test_that_one_moves_is_known_to_each_worker_of_a_node(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with (
        calling(second, "Ada") as ada,
        calling(first, "Cleo") as cleo,
        calling(first, "Dan") as dan,
        calling(first, "Bo", moves=True) as bo,
    ):
        for host in (cleo, dan):  # the second goes where there are fewer: to one of them Bo is handed over
            await bo.ask(m.Join(id=bo.id(), room=await host.open("here")), m.Room)
            await bo.ask(m.Leave(id=bo.id()), m.Ok)
        await told(bo, await ada.open("one"))


async def test_a_ticket_is_of_use_once_and_none_can_be_made_up(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada, calling(first, "Bo", moves=True) as bo:
        moved = await told(bo, await ada.open("one"))
        assert isinstance(await said(moved.address, moved.ticket), m.Welcome)
        for ticket in (moved.ticket, moved.ticket[:-1], "x" * 32):
            refused = await said(moved.address, ticket)
            assert isinstance(refused, m.Refused) and refused.code == Code.BAD_TICKET


async def test_a_ticket_is_for_the_room_that_was_asked_for(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada, calling(second, "Cleo") as cleo, calling(first, "Bo", moves=True) as bo:
        room, other = await ada.open("one"), await cleo.open("other")
        ticket = (await told(bo, room)).ticket
        async with calling(second, "Bo", ticket=ticket) as there:
            refused = await there.ask(m.Join(id="j", room=other), m.Refused)
            assert refused.code == Code.BAD_TICKET


async def test_an_address_that_leads_elsewhere_leads_nobody_round_and_round(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada, calling(first, "Bo", moves=True) as bo:
        room = await ada.open("one")
        ticket = (await told(bo, room)).ticket
        async with calling(first, "Bo", ticket=ticket, moves=True) as back:
            joined = await back.ask(m.Join(id="j", room=room), m.Room)
            assert [seat.name for seat in joined.room.seats] == ["Ada", "Bo"]


async def test_a_session_follows_without_a_word(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    lost: list[str] = []
    dialled: list[str] = []
    async with calling(second, "Ada") as ada, trio.open_nursery() as nursery:

        async def beside(address: str) -> Channel:
            dialled.append(address)
            return await websocket_dial(address, nursery)()

        room = await ada.open("one")
        bo = Session(websocket_dial(f"ws://127.0.0.1:{first.port}", nursery), "Bo", beside=beside)
        bo.on_lost = lost.append
        await bo.connect()
        token = bo.token
        joined = await bo.request(m.Join(id=bo.new_id(), room=room), m.Room)
        assert [seat.name for seat in joined.room.seats] == ["Ada", "Bo"]
        assert dialled == [f"ws://127.0.0.1:{second.port}/ws"]
        assert (bo.room, bo.token, lost) == (room, token, [])
        await bo.aclose()
        nursery.cancel_scope.cancel()


async def test_a_bot_plays_at_another_node_when_the_way_it_came_is_shut(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    async with calling(second, "Ada") as ada:
        room = await ada.open("one")
        with Door() as door:
            door.leads_to = first.port
            words = ["bot", f"ws://127.0.0.1:{door.port}", "--room", room]
            command = [sys.executable, "-m", "server.command.main", *words]
            with trio.fail_after(60):
                async with trio.open_nursery() as nursery:
                    bot = await nursery.start(partial(trio.run_process, command, capture_stdout=True, cwd=ROOT))
                    await until_seated(ada)
                    door.leads_to = 0
                    door.cut()
                    await begin(ada)
                    await ada.ask(m.Concede(id="c"), m.Ok)
            assert bot.returncode == 0, "it has seen the end of its game"


async def until_seated(caller: Caller) -> None:
    """Until both seats of the caller's room are taken, and the other one is ready."""
    while not (isinstance(message := await caller.channel.receive(), m.Room) and message.room.seats[1].ready):
        pass


def test_pages_of_each_node_may_come_to_all(reached: tuple[Reached, Reached]) -> None:
    first, second = reached
    for node, other in ((first, second), (second, first)):
        with urllib.request.urlopen(f"http://127.0.0.1:{node.port}/", timeout=5) as reply:
            assert f"ws://127.0.0.1:{other.port}" in reply.headers["Content-Security-Policy"]
        assert upgraded(node.port, f"http://127.0.0.1:{other.port}") == 101
        assert upgraded(node.port, f"http://127.0.0.1:{node.calls}") == 403


def upgraded(port: int, origin: str) -> int:
    """What a page of that origin is told which opens a websocket there."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Origin": origin}
    headers |= {"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Sec-WebSocket-Protocol": JSON_SUBPROTOCOL}
    asking.request("GET", "/ws", headers=headers)
    with closing(asking):
        return asking.getresponse().status
