"""A room that is at another address of the server's: a session asks for it there, and comes back where that is of no use."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from client_cli.channels import Channel, ServerEnd, dial_beside
from client_cli.errors import Unreachable
from client_cli.session import MOST_MOVES, Session
from protocol.messages import ClientMessage, Hello, Moved, Refused
from protocol.rooms import Join, Resume, Room
from tests.client.fake import Fake, Send

THERE = "ws://there.invalid/ws"


class Elsewhere(Fake):
    """The room is there; who does not move is passed on."""

    def __init__(self) -> None:
        super().__init__([])
        self.moves = False

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, Hello):
            self.moves = message.moves
        if isinstance(message, Join | Resume) and self.moves:
            self.got.append(message)
            await send(Moved(re=message.id, room="r1", address=THERE, ticket="once"))
            return False
        return await super().message(message, send)


class Suspicious(Fake):
    """Good for no ticket."""

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, Hello) and message.ticket:
            await send(Refused(re=message.id, code="bad_ticket", sentence="No."))
            return True
        return await super().message(message, send)


class Surly(Fake):
    """Hangs up on everybody."""

    async def message(self, message: ClientMessage, send: Send) -> bool:
        return False


class Frail(Fake):
    """Its lines can be cut."""

    def __init__(self) -> None:
        super().__init__([])
        self._lines: list[trio.CancelScope] = []

    def hang_up(self) -> None:
        self._lines.pop().cancel()

    async def _serve_memory(self, end: ServerEnd) -> None:
        with trio.CancelScope() as line:
            self._lines.append(line)
            await super()._serve_memory(end)


async def entered(here: Fake, there: Fake | None) -> tuple[Session, list[str]]:
    """A session that has asked for the room, and what it has dialled beside."""
    dialled: list[str] = []
    lost: list[str] = []

    async def beside(address: str) -> Channel:
        dialled.append(address)
        assert len(dialled) < 100, "it is led on for ever"
        if there is None:
            raise Unreachable("nobody answers")
        return await there.dial_memory(nursery)()

    async with trio.open_nursery() as nursery:
        session = Session(here.dial_memory(nursery), "Ann", beside=beside)
        session.on_lost = lost.append
        await session.connect()
        assert (await session.request(Join(id=session.new_id(), room="r1"), Room)).room.id == "r1"
        nursery.cancel_scope.cancel()
    assert session.room == "r1" and session.token == "t1" and not lost
    return session, dialled


async def test_a_session_asks_again_where_the_room_is(autojump_clock: trio.testing.MockClock) -> None:
    here, there = Elsewhere(), Fake([])
    _, dialled = await entered(here, there)
    assert dialled == [THERE]
    hello, join = there.got
    assert isinstance(hello, Hello) and (hello.ticket, hello.token) == ("once", "")
    assert join == here.got[-1]


@pytest.mark.parametrize("there", [None, Suspicious([]), Surly([])], ids=["nobody", "refused", "hung up"])
async def test_where_the_ticket_is_of_no_use_it_comes_back(
    autojump_clock: trio.testing.MockClock, there: Fake | None
) -> None:
    here = Elsewhere()
    _, dialled = await entered(here, there)
    assert dialled == [THERE]
    first, asked, hello, again = here.got
    assert isinstance(first, Hello) and first.moves
    assert isinstance(hello, Hello) and (hello.token, hello.ticket, hello.moves) == ("t1", "", False)
    assert again == asked


async def test_nobody_is_led_round_and_round(autojump_clock: trio.testing.MockClock) -> None:
    here, there = Elsewhere(), Elsewhere()
    _, dialled = await entered(here, there)
    assert dialled == [THERE] * MOST_MOVES
    *_, hello, again = here.got
    assert isinstance(hello, Hello) and (hello.token, hello.moves) == ("t1", False)
    assert again == there.got[-1]


async def test_another_wish_is_led_on_anew(autojump_clock: trio.testing.MockClock) -> None:
    here, there = Elsewhere(), Fake([])
    dialled: list[str] = []
    async with trio.open_nursery() as nursery:

        async def beside(address: str) -> Channel:
            dialled.append(address)
            return await there.dial_memory(nursery)()

        session = Session(here.dial_memory(nursery), "Ann", beside=beside)
        for _ in range(MOST_MOVES + 1):
            await session.connect()
            await session.request(Join(id=session.new_id(), room="r1"), Room)
        nursery.cancel_scope.cancel()
    assert dialled == [THERE] * (MOST_MOVES + 1)


async def test_who_comes_back_after_a_lost_connection_is_led_on(autojump_clock: trio.testing.MockClock) -> None:
    here, there = Elsewhere(), Frail()
    async with trio.open_nursery() as nursery:

        async def beside(_: str) -> Channel:
            return await there.dial_memory(nursery)()

        session = Session(here.dial_memory(nursery), "Ann", beside=beside)
        await session.connect()
        await session.request(Join(id=session.new_id(), room="r1"), Room)
        there.got.clear()
        there.hang_up()
        while not isinstance(await session.receive(), Room):
            pass
        hello, resume = there.got
        assert isinstance(hello, Hello) and hello.ticket == "once"
        assert isinstance(resume, Resume) and resume.room == "r1"
        nursery.cancel_scope.cancel()


async def test_from_an_encrypted_line_nobody_goes_to_an_open_one() -> None:
    async with trio.open_nursery() as nursery:
        with pytest.raises(Unreachable, match="not encrypted"):
            await dial_beside("wss://table.invalid", nursery)(THERE)


async def test_without_a_way_to_dial_nothing_is_said_of_moving(autojump_clock: trio.testing.MockClock) -> None:
    here = Elsewhere()
    async with trio.open_nursery() as nursery:
        session = Session(here.dial_memory(nursery), "Ann")
        await session.connect()
        await session.request(Join(id=session.new_id(), room="r1"), Room)
        nursery.cancel_scope.cancel()
    assert isinstance(here.got[0], Hello) and not here.got[0].moves
