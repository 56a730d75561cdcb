"""Connections that are passed on to another node: what goes through, what comes back, and when they end."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import msgspec
import pytest
import trio
import trio.testing

from protocol import messages as m
from server.net.line import Line
from server.net.websocket import Unread
from server.net.workers.moving import Moved
from server.net.workers.nodes import Far
from server.net.workers.passing import CLOSE_SECONDS, Ahead, Returned, Ways

SEND_SECONDS = 3.0
MOVED = Moved("192.0.2.1", Unread(None, []), "p", "s", {}, m.Join(id="1", room="r"), 1.0)


def pair() -> tuple[socket.socket, trio.SocketStream]:
    """A line's socket, and what is at its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        theirs = socket.create_connection(listening.getsockname())
        ours, _ = listening.accept()
    return ours, trio.SocketStream(trio.socket.from_stdlib_socket(theirs))


class Passing:
    """A client that is passed on from worker 3 to node 2."""

    def __init__(self) -> None:
        sock, self.client = pair()
        self.line = Line(sock)
        far, self.node = pair()
        self.ways = Ways(lambda worker: Far("a", worker, b"", "1"), 3, SEND_SECONDS)
        onward = self.ways.onward(130, None)
        assert onward.passed is not None and (onward.passed.worker, onward.passed.to) == (3, 2)
        self.passed = onward.passed
        self.ahead = Ahead(trio.SocketStream(trio.socket.from_stdlib_socket(far)), onward.passed)
        self.over = trio.Event()
        self.returned: Returned | None = None

    async def run(self) -> None:
        self.returned = await self.ways.pass_on(self.line, self.ahead)
        self.over.set()

    async def give_back(self) -> trio.SocketStream:
        """The other node gives it back, over the line that is returned, on which it sends what it has not read."""
        sock, there = pair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(sock))
        moved = msgspec.structs.replace(MOVED, passed=self.passed)
        self.nursery.start_soon(self.ways.given_back, stream, moved)
        return there

    nursery: trio.Nursery


@asynccontextmanager
async def passing() -> AsyncIterator[Passing]:
    made = Passing()
    async with made.client, made.node, trio.open_nursery() as nursery:
        made.nursery = nursery
        nursery.start_soon(made.run)
        await trio.testing.wait_all_tasks_blocked()
        yield made
        nursery.cancel_scope.cancel()
    made.line.close()


async def test_what_is_said_goes_through_both_ways_until_both_have_ended() -> None:
    async with passing() as it:
        await it.client.send_all(b"question")
        assert await it.node.receive_some() == b"question"
        await it.client.send_eof()
        assert await it.node.receive_some() == b""
        await it.node.send_all(b"answer")
        await it.node.aclose()
        assert await it.client.receive_some() == b"answer"
        assert await it.client.receive_some() == b""
        await it.over.wait()
        assert it.returned is None


async def test_given_back_it_loses_nothing_that_was_on_its_way() -> None:
    async with passing() as it:
        await it.client.send_all(b"unread")
        await trio.testing.wait_all_tasks_blocked()
        back = await it.give_back()
        await trio.testing.wait_all_tasks_blocked()
        await it.client.send_all(b"later")
        assert await it.node.receive_some() == b"unread"
        assert await it.node.receive_some() == b"", "it is the last"
        await back.send_all(b"unread")
        await it.node.send_all(b"last words")
        await it.node.aclose()
        await back.aclose()
        await it.over.wait()
        assert it.returned == Returned(MOVED, b"unread")
        assert await it.client.receive_some() == b"last words"
        assert await it.line.receive() == b"later"


async def test_one_that_is_given_back_in_part_ends(autojump_clock: trio.testing.MockClock) -> None:
    async with passing() as it:
        await it.give_back()
        with trio.fail_after(60):
            await it.over.wait()
        assert it.returned is None and it.line.closed


async def test_a_client_that_stays_when_the_other_node_has_ended_is_let_go(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with passing() as it:
        await it.node.aclose()
        with trio.fail_after(CLOSE_SECONDS + 1):
            await it.over.wait()


async def test_a_client_that_does_not_read_is_let_go(autojump_clock: trio.testing.MockClock) -> None:
    async with passing() as it:
        with trio.fail_after(SEND_SECONDS + 1):
            with pytest.raises(trio.BrokenResourceError):
                while True:
                    await it.node.send_all(bytes(1 << 20))
            await it.over.wait()
        assert it.line.closed


async def test_what_leads_to_a_node_that_serves_no_more_ends() -> None:
    async with passing() as it:
        it.ways.only({0, 1, 2})
        assert not it.line.closed
        it.ways.only({0, 1})
        await it.over.wait()
        assert it.line.closed


async def test_a_line_that_is_passed_on_goes_to_the_next_node_from_where_it_came() -> None:
    ways = Ways(lambda worker: Far("a", worker, b"", "1") if worker > 63 else str(worker))
    first = ways.onward(64, None)
    assert first.passed is not None and not first.back
    for worker in (64, 128):
        again = ways.onward(worker, msgspec.structs.replace(first.passed, worker=70))
        assert again.back and cast(Far, again.way).place == 70
    assert ways.onward(5, first.passed).passed == first.passed, "another worker of the node goes on with it"
