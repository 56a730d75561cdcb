"""Seating bots: the terminal client's bot kit, over a connection within the process. A bot has no other door."""

from __future__ import annotations

import random

import trio

from client_cli import bot_kit, bots
from client_cli.channels import MemoryChannel, memory_channels
from client_cli.errors import RequestRefused
from client_cli.session import Session
from protocol.messages import Stops
from protocol.questions import Answer, Question
from protocol.refusals import Code
from protocol.rooms import Resume, Room
from server.lobby.bots import BotSeat
from server.lobby.lobby import Lobby
from server.net.connection import MemoryConnection
from server.net.session import serve_connection

LEVELS = bots.LEVELS
PAUSE = (0.3, 0.9)
"""Seconds between which a bot pauses."""


def pauses(seed: int) -> bot_kit.Pause:
    """A while before each answer that people see; none before one that does nothing, as a pass."""
    chance = random.Random(seed)

    def pause(question: Question, answer: Answer) -> float:
        return 0 if answer == question.default else chance.uniform(*PAUSE)

    return pause


class Seats:
    """Plays seats for a lobby. Made before the lobby, which it serves; `lobby` is set once there is one."""

    def __init__(self) -> None:
        self.lobby: Lobby | None = None

    async def play(self, seat: BotSeat) -> None:
        """Play a seat until its game is over. Raises what the client raises when it cannot."""
        assert self.lobby is not None
        lobby = self.lobby
        async with trio.open_nursery() as nursery:

            async def dial() -> MemoryChannel:
                channel, end = memory_channels()
                nursery.start_soon(serve_connection, MemoryConnection(end.inbox, end.outbox), lobby)
                return channel

            session = Session(dial, seat.name, token=seat.token, client="seated bot", receipts=False)
            try:
                await session.connect()
                await session.request(Resume(id=session.new_id(), room=seat.room), Room)
                mine, others = bot_kit.BOT_STOPS
                try:
                    await session.do(Stops(id=session.new_id(), mine=list(mine), others=list(others)))
                except RequestRefused:
                    pass  # it only spares questions
                pause = pauses(seat.seed) if seat.pauses else bot_kit.at_once
                await bot_kit.play(session, bots.make(seat.level, seat.seed), pause)
            except RequestRefused as no:
                if no.refused.code != Code.CLOSING:
                    raise
            finally:
                await session.aclose()
                nursery.cancel_scope.cancel()
