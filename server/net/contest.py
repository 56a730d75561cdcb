"""A server whose rooms are the games of a contest, some of whose bots come over the network; the others play in processes of ours."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec
import trio

from client_cli.crew import Task
from protocol.refusals import Code, Refusal
from server.contests import HostedGame, HostedResult
from server.lobby.bots import BotSeat
from server.lobby.contest import ContestLobby
from server.lobby.decks import Deck, Decks
from server.net.app import GOODBYE_SECONDS, App
from server.net.bots import Crew
from server.net.endpoint import Endpoint
from server.settings import Games, Limits, Listen, Settings
from server.storage import MemoryStorage

PLAYERS = [sys.executable, "-m", "apnap.arena.seated"]
"""By its name alone: nothing that serves imports the library."""
MANY = 1_000_000
PATIENT = Limits(
    messages_per_second=MANY, burst=MANY, hellos_per_minute=MANY, guests_per_minute=MANY, setups_per_minute=MANY, previews_per_minute=MANY,
    views_per_minute=MANY, lists_per_minute=MANY, instructions_per_minute=MANY, journal_entries=100_000,
)  # fmt: skip
"""Bots play faster than people, and come again for each game."""


class Contest:
    """The server while it runs: plays the games that it is given."""

    def __init__(self, decks: Decks, lobby: ContestLobby) -> None:
        self.lobby = lobby
        self.url = ""
        self._decks = decks

    async def play(self, game: HostedGame) -> HostedResult:
        """A game, once all who come over the network are there. Raises `Refusal`, OSError for a deck that cannot be read."""
        return await self.lobby.host(game, [await self._deck(name) for name in game.decks])

    async def _deck(self, name: str) -> Deck:
        try:
            return self._decks.house(name)
        except Refusal as no:
            if no.code != Code.UNKNOWN_DECK:
                raise
        text = await trio.Path(name).read_text("utf-8")
        return msgspec.structs.replace(await self._decks.read(text), name=name)


@asynccontextmanager
async def hosting(decks: Decks, names: Iterable[str], listen: Listen, *, processes: int = 1) -> AsyncIterator[Contest]:
    """Such a server, as long as the block runs; `names` are those by which bots join, bots of ours play in so many `processes`. Raises
    OSError when it cannot listen there.
    """
    settings = Settings(name="apnap arena", listen=listen, limits=PATIENT, games=Games(pass_seconds=0, bot_processes=0))
    crews = [Crew(PLAYERS) for _ in range(processes)]

    async def play(bot: BotSeat) -> None:
        task = Task(bot.level, bot.name, bot.token, bot.room, lobby.seed_of(bot.room, bot.seat))
        left = await min(crews, key=lambda crew: crew.busy).play(task)
        lobby.left(bot.room, bot.seat, left.asked, left.failures, left.ms)

    lobby = ContestLobby(MemoryStorage(), decks, play, settings, names)
    endpoint = Endpoint(lobby, settings)
    contest = Contest(decks, lobby)
    async with trio.open_nursery() as nursery:
        for crew in crews:
            nursery.start_soon(crew.run, lobby)
        await nursery.start(lobby.run)
        port: int = await nursery.start(endpoint.serve)
        contest.url = App(lobby, endpoint, listen.host, port).url
        try:
            yield contest
        finally:
            with trio.CancelScope(shield=True):
                await lobby.close()
                with trio.move_on_after(GOODBYE_SECONDS):
                    await endpoint.empty()
            nursery.cancel_scope.cancel()
