"""Connections of another node on their way to a worker: who sends them in part, or takes none, is not waited for without end."""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec
import trio
import trio.testing

from protocol import messages as m
from server.net.websocket import Unread
from server.net.workers.leading import deliver
from server.net.workers.moving import HEAD, SECONDS, Moved


def pair() -> tuple[trio.SocketStream, socket.socket]:
    """The end here of a line between two nodes, and the other one."""
    here, there = socket.socketpair()
    return trio.SocketStream(trio.socket.from_stdlib_socket(here)), there


async def test_a_node_that_sends_half_a_connection_is_hung_up_on(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    stream, there = pair()
    with there, trio.fail_after(2 * SECONDS):
        there.sendall(HEAD.pack(1000) + b"half")
        await deliver(stream, str(tmp_path / "worker"))
        assert not there.recv(1)


async def test_a_worker_that_takes_no_connection_is_not_waited_for_without_end(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    moved = Moved("", Unread(None, []), "p", "s", {}, m.Watch(id="w", room="r"), 1.0)
    body = msgspec.msgpack.encode(moved)
    with socket.socket(socket.AF_UNIX) as stands_still, trio.fail_after(3 * SECONDS):
        stands_still.bind(str(tmp_path / "worker"))
        stands_still.listen()
        stream, there = pair()
        with there:
            there.sendall(HEAD.pack(len(body)) + body)
            await deliver(stream, str(tmp_path / "worker"))
            there.settimeout(0)
            assert there.recv(1), "it was told that it is taken"
