"""A table of bots at which people look on takes as long as a game that one can follow."""

from __future__ import annotations

import trio
import trio.testing

from protocol import messages as m
from protocol.options import RoomOptions
from server.command.decks import house_decks
from server.lobby.bots import BotSeat
from server.lobby.lobby import Lobby
from server.net.bots import Seats
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest

LEAST, MOST = 4 * 60, 12 * 60
"""Seconds."""


async def seconds_of_a_game() -> float:
    """How long four bots play, after the host, who has opened their table, has conceded."""
    seats = Seats()
    over = trio.Event()

    async def play(seat: BotSeat) -> None:
        await seats.play(seat)
        over.set()

    lobby = Lobby(MemoryStorage(), house_decks(), bots=play, levels=("simple",))
    seats.lobby = lobby
    async with trio.open_nursery() as nursery:
        await nursery.start(lobby.run)
        host = Guest(lobby)
        await host.hello("Ada")
        await host.ask(m.Open(id="o", options=RoomOptions(seats=5, seed=2, bot_pauses=True)))
        for _ in range(4):
            await host.ask(m.AddBot(id=host.id()))
        await host.ask(m.ChooseDeck(id=host.id(), house="Emberclan"))
        await host.ask(m.Start(id=host.id()))
        await host.ask(m.Concede(id=host.id()))
        start = trio.current_time()
        await over.wait()
        assert isinstance(host.last(m.Over), m.Over)
        nursery.cancel_scope.cancel()
    return trio.current_time() - start


async def test_a_game_of_four_watched_bots_takes_four_to_twelve_minutes(autojump_clock: trio.testing.MockClock) -> None:
    assert LEAST <= await seconds_of_a_game() <= MOST
