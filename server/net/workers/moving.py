"""An open connection handed to another worker: its descriptor over a local socket, what has come and is not looked at, and who is there."""

from __future__ import annotations

import array
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
import trio

from protocol import messages as m
from server.lobby.listing import Told
from server.net.websocket import Unread

log = logging.getLogger("apnap.net")

HEAD = struct.Struct("!I")
MOST_BYTES = 64 * 1024 * 1024
CLOSED_IN_CHILDREN = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
"""No program that is started meanwhile has it, where the system can see to that."""
SECONDS = 5.0
"""How long a connection may take to be handed over."""


class Passed(msgspec.Struct, frozen=True):
    """A client's line that is passed on: the worker that has it, the node `to` which it leads, and by which token the worker knows it."""

    worker: int
    to: int
    token: str


class Moved(msgspec.Struct, frozen=True):
    """A connection on its way. `address`: where it comes from; `asks`: the message for which it moves; `client`: what was said in hello;
    `allowance`: how many messages it may send at once; `passed`: where another node has its client's line.
    """

    address: str
    unread: Unread
    person: str
    session: str
    client: dict[str, Any]
    asks: m.Open | m.Join | m.Watch | m.Resume
    allowance: float
    list: Told | None = None
    passed: Passed | None = None


read_moved = msgspec.msgpack.Decoder(Moved).decode


async def hand_over(path: str, sock: socket.socket, moved: Moved) -> None:
    """Hand a connection over; the caller closes its own descriptor. Raises OSError when nobody takes it."""
    body = msgspec.msgpack.encode(moved)
    with trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as there:
        await there.connect(path)
        descriptor = array.array("i", [sock.fileno()])
        await there.sendmsg([HEAD.pack(len(body))], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptor)])
        stream = trio.SocketStream(there)
        await stream.send_all(body)
        await stream.receive_some(1)  # until it is taken


async def take_over(listening: socket.socket, taken: Callable[[socket.socket, Moved], Awaitable[None]]) -> None:
    """Take connections that come over that socket, until cancelled; `taken` serves each from then on."""

    async def take(stream: trio.SocketStream) -> None:
        with trio.move_on_after(SECONDS):
            async with stream:
                found = await _receive(stream)
            if found is not None:
                nursery.start_soon(taken, *found)

    listener = trio.SocketListener(trio.socket.from_stdlib_socket(listening))
    async with trio.open_nursery() as nursery:
        await trio.serve_listeners(take, [listener], handler_nursery=nursery)


async def _receive(stream: trio.SocketStream) -> tuple[socket.socket, Moved] | None:
    size = array.array("i").itemsize
    head, ancillary, _, _ = await stream.socket.recvmsg(HEAD.size, socket.CMSG_SPACE(size), CLOSED_IN_CHILDREN)
    held = [socket.socket(fileno=number) for number in _descriptors(ancillary, size)]
    try:
        if len(head) == HEAD.size and len(held) == 1 and (length := HEAD.unpack(head)[0]) <= MOST_BYTES:
            body = bytearray()
            while len(body) < length:
                part = await stream.receive_some(length - len(body))
                if not part:
                    break
                body += part
            if len(body) == length:
                held[0].set_inheritable(False)
                return held.pop(), read_moved(body)
        log.warning("a connection came in part")
    except (OSError, trio.BrokenResourceError, msgspec.MsgspecError):
        log.exception("a connection cannot be taken over")
    finally:
        for sock in held:
            with suppress(OSError):
                sock.close()
    return None


def _descriptors(ancillary: list[tuple[int, int, bytes]], size: int) -> list[int]:
    found: list[int] = []
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            numbers = array.array("i")
            numbers.frombytes(data[: len(data) - len(data) % size])
            found += numbers
    return found
