"""Seating bots: the terminal client's bot kit, over connections of their own. A bot has no other door.

They play in processes of their own (`client_cli.crew`; those that think ahead `apnap.seated`), which are started when the first bot sits
down, so that what they think costs no table its time; or, with none, within this one, and then none thinks ahead.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import suppress

import msgspec
import trio

from client_cli import bots
from client_cli.channels import MemoryChannel, memory_channels
from client_cli.crew import CODEC, Kind, Left, Task, frame, frames, play_seat
from protocol.messages import ClientMessage, ServerMessage
from server.lobby.bots import BotSeat
from server.lobby.lobby import Lobby
from server.net.connection import SEND_SECONDS, MemoryConnection, OneAfterTheOther
from server.net.line import Gone
from server.net.session import serve_connection
from server.rooms.worker import open_process

log = logging.getLogger("apnap.net")

LEVELS = bots.LEVELS
THINKING = tuple(bots.THINKING)
"""Levels that are played in a process of their own only."""
UNSENT = 4 * 1024 * 1024
"""Bytes that may wait for a process before those who have more for it wait."""
WAITING = 64
"""Messages of one bot that may wait for us."""
WORDS = [sys.executable, "-m", "client_cli.crew"]
THINKERS = [sys.executable, "-m", "apnap.seated"]
"""By its name alone: nothing that serves imports the library."""


class CrewError(Exception):
    """A bot could not go on, or its process is gone."""


class Seats:
    """Plays seats for a lobby, in so many processes. Made before the lobby, which it serves; `lobby` is set once there is one."""

    def __init__(self, processes: int = 0) -> None:
        self.lobby: Lobby | None = None
        self._crews = [Crew(WORDS) for _ in range(processes)]
        self._thinkers = [Crew(THINKERS) for _ in range(processes)]

    @property
    def levels(self) -> tuple[str, ...]:
        """Those that are played."""
        return (*LEVELS, *THINKING) if self._thinkers else LEVELS

    async def run(self) -> None:
        """Hold the processes until cancelled."""
        assert self.lobby is not None
        async with trio.open_nursery() as nursery:
            for crew in (*self._crews, *self._thinkers):
                nursery.start_soon(crew.run, self.lobby)

    async def play(self, seat: BotSeat) -> None:
        """Play a seat until its game is over. Raises `CrewError`, or what the client raises, when it cannot."""
        assert self.lobby is not None
        task = Task(seat.level, seat.name, seat.token, seat.room, seat.seed, pauses=seat.pauses)
        crews = self._thinkers if seat.level in THINKING else self._crews
        if crews:
            await min(crews, key=lambda crew: crew.busy).play(task)
        else:
            await _play_here(task, self.lobby)


async def _play_here(task: Task, lobby: Lobby) -> None:
    async with trio.open_nursery() as nursery:

        async def dial() -> MemoryChannel:
            channel, end = memory_channels()
            nursery.start_soon(serve_connection, MemoryConnection(end.inbox, end.outbox), lobby)
            return channel

        await play_seat(dial, task)
        nursery.cancel_scope.cancel()


class _Bot:
    """One that plays in the process."""

    def __init__(self) -> None:
        self.gone = trio.Event()
        self.left = Left()


class Crew:
    """One process; started when there is a bot for it, and anew when it has ended."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._wanted = trio.Event()
        self._bots: dict[int, _Bot] = {}
        self._lines: dict[int, PipeConnection] = {}
        self._numbers = 0
        self._unsent = bytearray()
        self._more = trio.Event()
        self._taken = trio.Event()

    @property
    def busy(self) -> int:
        """How many bots it plays."""
        return len(self._bots)

    async def play(self, task: Task) -> Left:
        """Play a seat until its game is over; what it did there. Raises `CrewError`."""
        self._numbers += 1
        number, bot = self._numbers, _Bot()
        self._bots[number] = bot
        self._wanted.set()
        self.put(frame(Kind.PLAY, number, msgspec.msgpack.encode(task)))
        try:
            await bot.gone.wait()
        except trio.Cancelled:
            self.put(frame(Kind.LEAVE, number))
            raise
        finally:
            self._bots.pop(number, None)
        if bot.left.fault:
            raise CrewError(bot.left.fault)
        return bot.left

    async def run(self, lobby: Lobby) -> None:
        """Hold the process until cancelled."""
        while True:
            await self._wanted.wait()
            try:
                await self._life(lobby)
            except* (OSError, ValueError, trio.BrokenResourceError, trio.ClosedResourceError) as fault:
                log.error("the process of the bots: %s", fault.exceptions[0])
            finally:
                self._wanted = trio.Event()
                self._unsent.clear()
                for bot in self._bots.values():
                    bot.left = Left(bot.left.fault or "the process of the bots has ended")
                    bot.gone.set()

    async def _life(self, lobby: Lobby) -> None:
        process = await open_process(self._words)
        assert process.stdin is not None and process.stdout is not None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, process.stdin)
                async for kind, number, body in frames(process.stdout):
                    await self._came(kind, number, body, nursery, lobby)
                nursery.cancel_scope.cancel()
        finally:
            process.kill()
            for line in self._lines.values():
                line.end()
            self._lines.clear()
            with trio.CancelScope(shield=True):
                await process.stdin.aclose()
                await process.stdout.aclose()
                await process.wait()

    async def _came(self, kind: Kind, number: int, body: bytes, nursery: trio.Nursery, lobby: Lobby) -> None:
        match kind:
            case Kind.OPEN:
                line = self._lines[number] = PipeConnection(self, number)
                nursery.start_soon(serve_connection, line, lobby)
            case Kind.MESSAGE if number in self._lines:
                await self._lines[number].came(body)
            case Kind.CLOSE if number in self._lines:
                self._lines.pop(number).end()
            case Kind.LEFT if number in self._bots:
                self._bots[number].left = msgspec.msgpack.decode(body, type=Left)
                self._bots[number].gone.set()
            case _:
                pass

    # --- what goes to it ---

    def put(self, data: bytes) -> None:
        """Write whole frames when the process takes them."""
        self._unsent += data
        self._more.set()

    async def room(self) -> None:
        """Wait until not too much waits. Raises `Gone` where the process takes nothing."""
        with trio.move_on_after(SEND_SECONDS):
            while len(self._unsent) > UNSENT:
                await self._taken.wait()
            return
        raise Gone

    async def _write(self, stdin: trio.abc.SendStream) -> None:
        while True:
            while not self._unsent:
                self._more = trio.Event()
                await self._more.wait()
            data = bytes(self._unsent)
            self._unsent.clear()
            await stdin.send_all(data)
            self._taken.set()
            self._taken = trio.Event()

    def forget(self, number: int) -> None:
        """Our end of a line hangs up."""
        if self._lines.pop(number, None) is not None:
            self.put(frame(Kind.CLOSE, number))


class PipeConnection(OneAfterTheOther):
    """The server's end of a bot's line."""

    local = True

    def __init__(self, crew: Crew, number: int) -> None:
        self._crew = crew
        self._number = number
        self._put, self._get = trio.open_memory_channel[bytes](WAITING)

    async def came(self, data: bytes) -> None:
        """A message has come."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._put.send(data)

    def end(self) -> None:
        """The other end has hung up."""
        self._put.close()

    async def receive(self) -> ClientMessage:
        """See `Connection`."""
        try:
            return CODEC.read_client(await self._get.receive())
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise Gone from None

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """See `OneAfterTheOther`."""
        for message in messages:
            self._crew.put(frame(Kind.MESSAGE, self._number, CODEC.encode(message)))
        await self._crew.room()

    async def aclose(self) -> None:
        """See `Connection`."""
        self._get.close()
        self._crew.forget(self._number)
        await trio.lowlevel.checkpoint()
