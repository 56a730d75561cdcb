"""Connections that have bad luck, or bring it: many that drop and come back at once, half-open ones, ten thousand frames a second."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from msgspec import structs

from client_cli.channels import WebsocketChannel, websocket_dial
from client_cli.errors import Unreachable
from client_cli.session import Session
from protocol import messages as m
from protocol.options import RoomOptions
from server.lobby.table import Table
from server.net.app import App
from server.settings import Limits, Listen, Settings
from tests.net.test_net import app_of, ask, client_of, until
from tests.net.test_websocket import REQUEST, says, wired

ROOMS, SEATS = 20, 10


class Dropping:
    """Somebody at a table whose line can be cut, as often as one likes."""

    def __init__(self, app: App, number: int, nursery: trio.Nursery) -> None:
        self._dial = websocket_dial(app.url, nursery)
        self.session = Session(self.dial, f"P{number % SEATS}")
        self.got: Counter[str] = Counter()
        self._channel: WebsocketChannel | None = None

    async def dial(self) -> WebsocketChannel:
        channel = await self._dial()
        assert isinstance(channel, WebsocketChannel)
        self._channel = channel
        return channel

    async def cut(self) -> None:
        assert self._channel is not None
        await trio.aclose_forcefully(self._channel._websocket.stream)

    async def come(self, room: str) -> str:
        """To a room, a new one without an id, with a deck, ready. Its id."""
        session = self.session
        await session.connect()
        new = m.Open(id="o", options=RoomOptions(seats=SEATS, private=True))
        await session.request(m.Join(id="j", room=room) if room else new, m.Room)
        await session.do(m.ChooseDeck(id="d", house="bears"))
        await session.do(m.Ready(id="r"))
        return session.room

    async def read(self) -> None:
        """Count what comes."""
        try:
            async for message in self.session:
                self.got[type(message).__name__] += 1
        except Unreachable:
            pass


async def test_two_hundred_drop_and_come_back_within_a_second(caplog: pytest.LogCaptureFixture) -> None:
    async with app_of() as app, trio.open_nursery() as nursery:
        people = [Dropping(app, number, nursery) for number in range(ROOMS * SEATS)]
        for first in range(0, len(people), SEATS):
            host, *others = people[first : first + SEATS]
            room = await host.come("")
            async with trio.open_nursery() as joining:
                for other in others:
                    joining.start_soon(other.come, room)
            await host.session.do(m.Start(id="s"))
        for person in people:
            nursery.start_soon(person.read)
        with trio.fail_after(60):
            await _until(lambda: all(person.session.table.started for person in people))
            before = {person: (person.session.token, person.session.table.tree) for person in people}
            with caplog.at_level(logging.ERROR):
                async with trio.open_nursery() as storm:
                    for person in people:
                        person.got.clear()
                        storm.start_soon(person.cut)
                await _until(lambda: all(person.got["ViewMessage"] for person in people))
        worst = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert not worst, "nobody's coming or going is an error of the server"
        for person in people:
            assert before[person] == (person.session.token, person.session.table.tree), "the same seat, the same game"
        for first in range(0, len(people), SEATS):
            host, *others = people[first : first + SEATS]
            asked = host.session.table.question
            assert asked is not None
            await host.session.answer(asked.id, asked.default)
            with trio.fail_after(10):
                await _until(lambda others=others: any(other.session.table.question for other in others))
        assert all(place.client is not None for table in app.lobby.tables.values() for place in table.places)
        nursery.cancel_scope.cancel()


async def test_a_connection_that_was_left_takes_no_seat_from_the_one_that_came_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each waits for a piece of the table's time, and the one that was left may get it last."""
    first, waiting = trio.Event(), [trio.Event(), trio.Event()]
    begun: list[int] = []

    @asynccontextmanager
    async def _time_of(table: Table) -> AsyncIterator[None]:
        begun.append(len(begun))
        waiting[begun[-1]].set()
        if len(begun) == 1:
            await first.wait()
        yield

    async with app_of() as app, trio.open_nursery() as nursery:
        host, guest = Dropping(app, 0, nursery), Dropping(app, 1, nursery)
        room = await host.come("")
        await guest.come(room)
        token = host.session.token
        await host.cut()
        monkeypatch.setattr("server.lobby.entrance._time_of", _time_of)
        hello, resume = says("hello", "h", name="P0", token=token), says("resume", "r", room=room)
        async with wired(app) as left:
            await left.send(hello, resume, first=REQUEST)
            with trio.fail_after(5):
                await waiting[0].wait()
        async with wired(app) as back:
            await back.send(hello, resume, first=REQUEST)
            with trio.fail_after(5):
                await back.opened()
                while (await back.message()).get("re") != "r":
                    pass
            first.set()
            await trio.testing.wait_all_tasks_blocked(0.05)
            await back.send(says("ready", "u", ready=False))
            told = [await back.message()]
            with trio.fail_after(5):
                while told[-1].get("re") != "u":
                    told.append(await back.message())
        assert "notice.elsewhere" not in [one.get("key") for one in told]
        assert told[-1].get("code") != "not_in_room"
        nursery.cancel_scope.cancel()


async def _until(true) -> None:
    """Wait for what other tasks do."""
    while not true():  # noqa: ASYNC110
        await trio.sleep(0.02)


async def test_faces_that_a_connection_has_are_known_in_its_next_room_too() -> None:
    async with app_of() as app, trio.open_nursery() as nursery:
        host, other = Dropping(app, 0, nursery), Dropping(app, 1, nursery)
        for number in range(2):
            for person in (host, other):
                if not number:
                    await person.session.connect()
            opened = await host.session.request(m.Open(id="o", options=RoomOptions(seats=2, private=True)), m.Room)
            await other.session.request(m.Join(id="j", room=opened.room.id), m.Room)
            for person in (host, other):
                await person.session.do(m.ChooseDeck(id="d", house="bears"))
                await person.session.do(m.Ready(id="r"))
            await host.session.do(m.Start(id="s"))
            while not host.session.table.started:
                await host.session.receive()
            shown = host.session.table
            hand = shown.view.players["0"].hand
            assert len(hand) == 3 and all(shown.face(shown.view.objects[card]) for card in hand)
            if not number:
                await host.session.do(m.Concede(id="c"))  # what the room tells of it is not read any more
            for person in (host, other):
                await person.session.do(m.Leave(id="l"))
        nursery.cancel_scope.cancel()


async def test_a_half_open_connection_is_noticed_and_its_seat_told_to_be_away(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The line is dead but nobody says so: no answer to a ping, no end of the stream."""
    quick = Settings(listen=Listen(port=0), limits=Limits(idle_seconds=0.9))
    async with app_of(settings=quick) as app, client_of(app, "Bob") as other:
        stream = await trio.open_tcp_stream(app.host, app.port)
        request = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        await stream.send_all(request.encode())

        async def write(data: dict[str, object]) -> None:
            payload = json.dumps(data).encode().ljust(130)
            await stream.send_all(bytes([0x81, 0x80 | 126]) + len(payload).to_bytes(2, "big") + b"\0\0\0\0" + payload)

        await write({"type": "hello", "id": "h", "name": "Dead"})
        room = (await ask(other, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        await write({"type": "join", "id": "j", "room": room})
        while not (seats := (await until(other, "room"))["room"]["seats"])[1].get("connected"):
            pass
        with trio.fail_after(10):
            while (seats := (await until(other, "room"))["room"]["seats"])[1].get("connected"):
                pass
        assert seats[1]["name"] == "Dead", "the seat stays theirs"
        assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong", "who answers pings stays"
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
        await stream.aclose()


async def test_ten_thousand_frames_at_once_are_braked_and_hold_nobody() -> None:
    limits = structs.replace(Limits(), burst=200, messages_per_second=100)
    settings = Settings(listen=Listen(port=0), limits=limits)
    async with (
        app_of(settings=settings) as app,
        client_of(app, "Flood") as flood,
        client_of(app, "Ann") as other,
        trio.open_nursery() as nursery,
    ):
        got: Counter[str] = Counter()

        async def send() -> None:
            for number in range(10_000):
                await flood.send(f'{{"type":"ping","id":"{number}"}}')

        async def receive() -> None:
            while True:
                message = json.loads(await flood.recv())
                got[message.get("code") or message["type"]] += 1

        begun = time.monotonic()
        nursery.start_soon(send)
        nursery.start_soon(receive)
        with trio.fail_after(20):
            while not got["too_fast"]:
                assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"
        assert got["pong"] <= 200 + 100 * (time.monotonic() - begun) + 1
        nursery.cancel_scope.cancel()
