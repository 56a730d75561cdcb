"""Bots that a server seats, played in a process of their own: `python -m client_cli.crew`, with the server at its
standard input and output.

Over one pair of pipes go the lines of many bots. Each is a connection as any other: whole messages in both directions,
as MessagePack, and a bot is told what its seat may know. Frames are a head (what it is, of which line or bot, how many
bytes follow) and those bytes. The process ends with its input.
"""

from __future__ import annotations

import os
import signal
import struct
from collections.abc import AsyncIterator, Callable
from enum import IntEnum
from math import inf
from typing import TypeAlias

import msgspec
import trio

from client_cli import bot_kit, bots
from client_cli.channels import Dial
from client_cli.errors import Disconnected, RequestRefused, Unreachable
from client_cli.player import BOT_STOPS, Player
from client_cli.session import Session
from client_cli.watching import Watched
from protocol import MSGPACK_SUBPROTOCOL
from protocol.codec import BY_SUBPROTOCOL, Malformed
from protocol.messages import ClientMessage, ServerMessage, Stops
from protocol.refusals import Code
from protocol.rooms import Resume, Room

CODEC = BY_SUBPROTOCOL[MSGPACK_SUBPROTOCOL]
HEAD = struct.Struct("!BII")
CHUNK = 65_536
WAITING = 256
"""Messages that may wait for one bot."""


Make: TypeAlias = Callable[[str, int], Player]
"""Makes a player of a level, with a seed. Raises KeyError for one that there is not."""


class Kind(IntEnum):
    """What a frame is: `PLAY` and `LEAVE` are said to the process of a bot, and `LEFT` by it; the others of a line, which the
    process opens.
    """

    OPEN = 1
    MESSAGE = 2
    CLOSE = 3
    PLAY = 4
    LEAVE = 5
    LEFT = 6


class Task(msgspec.Struct, frozen=True):
    """A seat to be played, of a room that has one for who says hello with the token."""

    level: str
    name: str
    token: str
    room: str
    seed: int
    pauses: bool = False
    """Whether it waits until people have seen what was before."""


class Left(msgspec.Struct, frozen=True):
    """How a bot has left its seat: what went wrong, "" if nothing; how many questions it was asked, how many of its answers were none,
    and what they took of the CPU's time.
    """

    fault: str = ""
    asked: int = 0
    failures: int = 0
    ms: float = 0.0


def frame(kind: Kind, number: int, body: bytes = b"") -> bytes:
    """One frame."""
    return HEAD.pack(kind, number, len(body)) + body


async def frames(stream: trio.abc.ReceiveStream) -> AsyncIterator[tuple[Kind, int, bytes]]:
    """The frames of a pipe until it ends. Raises ValueError for what is none."""
    buffer = bytearray()
    while chunk := await stream.receive_some(CHUNK):
        buffer += chunk
        at = 0
        while len(buffer) - at >= HEAD.size:
            kind, number, size = HEAD.unpack_from(buffer, at)
            if len(buffer) - at - HEAD.size < size:
                break
            at += HEAD.size
            yield Kind(kind), number, bytes(buffer[at : at + size])
            at += size
        del buffer[:at]


async def play_seat(dial: Dial, task: Task, make: Make = bots.make) -> Left:
    """Play a seat until its game is over. Raises KeyError for a level that there is not, and what the session raises when it cannot."""
    # Its server is there, or the line ends: one that stands still for a while is not given up.
    session = Session(dial, task.name, token=task.token, client="seated bot", receipts=False, patience=inf)
    try:
        await session.connect()
        await session.request(Resume(id=session.new_id(), room=task.room), Room)
        mine, others = BOT_STOPS
        try:
            await session.do(Stops(id=session.new_id(), mine=list(mine), others=list(others)))
        except RequestRefused:
            pass  # it only spares questions
        watched = Watched(task.seed) if task.pauses else None
        did = await bot_kit.play(session, make(task.level, task.seed), watched)
        return Left(asked=did.decisions, failures=did.failures + did.refusals, ms=did.ms)
    except RequestRefused as no:
        if no.refused.code != Code.CLOSING:
            raise
        return Left()
    finally:
        await session.aclose()


class Line:
    """A bot's connection, as a channel."""

    def __init__(self, crew: Crew, number: int) -> None:
        self._crew = crew
        self._number = number
        self._put, self._get = trio.open_memory_channel[bytes](WAITING)

    async def send(self, message: ClientMessage) -> None:
        """Send a message. Raises `Disconnected`."""
        if self._number not in self._crew.lines:
            raise Disconnected("closed")
        data = CODEC.write(message)
        await self._crew.send(frame(Kind.MESSAGE, self._number, data if isinstance(data, bytes) else data.encode()))

    async def receive(self) -> ServerMessage:
        """The next message; what cannot be read is skipped. Raises `Disconnected`."""
        while True:
            try:
                return CODEC.read_server(await self._get.receive())
            except Malformed:
                continue
            except trio.EndOfChannel:
                raise Disconnected("closed") from None

    async def came(self, data: bytes) -> None:
        """A message has come for it."""
        try:
            await self._put.send(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    def end(self) -> None:
        """The server has hung up."""
        self._put.close()

    async def aclose(self) -> None:
        """Hang up."""
        if self._crew.lines.pop(self._number, None) is not None:
            self._get.close()
            with trio.CancelScope(shield=True):
                await self._crew.send(frame(Kind.CLOSE, self._number))


class Crew:
    """The process: its bots and their lines."""

    def __init__(self, into: trio.abc.ReceiveStream, out: trio.abc.SendStream, make: Make = bots.make) -> None:
        self.lines: dict[int, Line] = {}
        self._into = into
        self._out = out
        self._make = make
        self._writing = trio.Lock()
        self._opened = 0
        self._bots: dict[int, trio.CancelScope] = {}

    async def send(self, data: bytes) -> None:
        """Write whole frames."""
        async with self._writing:
            await self._out.send_all(data)

    async def run(self) -> None:
        """Until the input ends."""
        async with trio.open_nursery() as nursery:
            async for kind, number, body in frames(self._into):
                match kind:
                    case Kind.MESSAGE if number in self.lines:
                        await self.lines[number].came(body)
                    case Kind.CLOSE if number in self.lines:
                        self.lines.pop(number).end()
                    case Kind.PLAY:
                        nursery.start_soon(self._play, number, msgspec.msgpack.decode(body, type=Task))
                    case Kind.LEAVE if number in self._bots:
                        self._bots[number].cancel()
                    case _:
                        pass
            nursery.cancel_scope.cancel()

    async def _dial(self) -> Line:
        self._opened += 1
        line = self.lines[self._opened] = Line(self, self._opened)
        await self.send(frame(Kind.OPEN, self._opened))
        return line

    async def _play(self, number: int, task: Task) -> None:
        left = Left()
        with trio.CancelScope() as scope:
            self._bots[number] = scope
            try:
                left = await play_seat(self._dial, task, self._make)
            except (Unreachable, RequestRefused) as no:
                left = Left(f"{type(no).__name__}: {no}")
            except Exception as defect:  # of this bot, and none of the others' affair
                left = Left(repr(defect))
        del self._bots[number]
        await self.send(frame(Kind.LEFT, number, msgspec.msgpack.encode(left)))


def run(make: Make = bots.make) -> None:
    """Be such a process."""
    for number in (signal.SIGINT, signal.SIGTERM):  # also where all processes are told: the server's; the input ends it
        signal.signal(number, signal.SIG_IGN)
    trio.run(_main, make)


async def _main(make: Make) -> None:
    async with trio.lowlevel.FdStream(os.dup(0)) as into, trio.lowlevel.FdStream(os.dup(1)) as out:
        try:
            await Crew(into, out, make).run()
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the server is gone


if __name__ == "__main__":
    run()
