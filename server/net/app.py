"""The whole server put together: storage, lobby, bots, endpoint; and how it stops.

`apnap serve`, `apnap demo`, `apnap bench server` and the tests all start it here.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import trio

from server.lobby.decks import Decks
from server.lobby.desk import AnyReply, AnyRequest, Failed, answer
from server.lobby.ladder import Rater
from server.lobby.lobby import Lobby
from server.net.bots import Seats
from server.net.desk import serve_desk
from server.net.endpoint import Endpoint
from server.net.workers.board import Board
from server.net.workers.link import Link
from server.net.workers.messages import Asked, node_of, place_of
from server.net.workers.moving import take_over
from server.net.workers.nodes import Far, Way, version_of
from server.net.workers.passing import Ways
from server.rooms.game import RULES, Game
from server.rooms.prepared import Prepared
from server.rooms.worker import Worker
from server.settings import Games, Listen, Settings
from server.storage import Storage

log = logging.getLogger("apnap.net")

ANYWHERE = Settings(listen=Listen(port=0), games=Games(pass_seconds=0, bot_processes=0))
GOODBYE_SECONDS = 3.0
"""How long clients have to read that the server stops."""
HAND_OVER_SECONDS = 12.0
"""So long games are handed over one by one; those that are left stop together. Init systems wait for 20 seconds (see `deploy`)."""


class App(msgspec.Struct, frozen=True):
    """A running server: its lobby, its endpoint, and the port that it listens on."""

    lobby: Lobby
    endpoint: Endpoint
    host: str
    port: int

    @property
    def url(self) -> str:
        """Where clients connect."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"ws://{host}:{self.port}"


class Joined(msgspec.Struct, frozen=True):
    """What a worker has that is one of several: its end of the wire, the sockets that all listen on, the one over which it takes
    connections, the paths of those of all workers, and who is on the porch of each.
    """

    link: Link
    listening: list[socket.socket]
    arrivals: socket.socket
    paths: list[str]
    board: Board


def _way_to(joined: Joined, version: str, worker: int) -> Way:
    nodes, node = joined.link.nodes, node_of(worker)
    if node == node_of(joined.link.number):
        return joined.paths[place_of(worker)]
    url = nodes.urls.get(node, "")
    return Far(nodes.addresses.get(node, ""), place_of(worker), nodes.secret, version, url)


async def _answer(endpoint: Endpoint, lobby: Lobby, asked: Asked) -> bytes:
    """What this worker says when all are asked."""
    if asked.what != "desk":
        return endpoint.own(asked.what)
    try:
        reply: AnyReply = await answer(lobby, msgspec.json.decode(asked.data, type=AnyRequest))
    except Exception:
        log.exception("a request at the desk failed")
        reply = Failed("the server met a defect; its log says which")
    return msgspec.json.encode(reply)


async def _leave(lobby: Lobby, endpoint: Endpoint, link: Link) -> None:
    """One of several workers stops. Its games go on with others one after the other, each stopped no longer than that takes it."""
    others = False
    with trio.move_on_after(GOODBYE_SECONDS):  # where this worker fails, nobody reads what the keeper says
        others = await link.leave()
    if others:
        endpoint.close()
        until = trio.current_time() + HAND_OVER_SECONDS
        for table in list(lobby.tables.values()):
            if trio.current_time() < until:
                await lobby.hand_over(table)
    await lobby.close(at_once=others)


@asynccontextmanager
async def running(
    storage: Storage,
    decks: Decks,
    *,
    settings: Settings = ANYWHERE,
    game: Game = RULES,
    desk: Path | None = None,
    replayer: Worker | None = None,
    foreseer: Worker | None = None,
    joined: Joined | None = None,
    rate: Rater | None = None,
    prepared: Prepared | None = None,
) -> AsyncIterator[App]:
    """A server that runs while the block does, without other settings on a free port of this machine. Raises OSError when it cannot
    listen there or read its certificate. `desk`: the directory in which the host's local socket lies;
    `replayer` plays finished games again, `foreseer` looks ahead at large tables; `joined`: it is one worker of several;
    `rate` makes ratings of the games that count for the ladder, without it there is none; `prepared`: what is played already of them.

    At the end clients are told to come back, and games stay in their journals. The storage is left open.
    """
    seats = Seats(settings.games.bot_processes)
    lobby = Lobby(
        storage,
        decks,
        bots=seats.play,
        levels=seats.levels,
        settings=settings,
        game=game,
        replayer=replayer,
        others=None if joined is None else joined.link,
        rate=rate,
    )
    lobby.foreseer = foreseer
    lobby.upkeep.prepared = prepared or lobby.upkeep.prepared
    seats.lobby = lobby
    endpoint = Endpoint(lobby, settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats.run)
        if joined is not None:
            joined.link.serve(lobby, partial(_answer, endpoint, lobby))
        await nursery.start(lobby.run)
        if desk is not None:
            await nursery.start(serve_desk, partial(answer, lobby), desk)
        if joined is not None:
            endpoint.porch.share(joined.board, joined.link.place)
            way_to, number = partial(_way_to, joined, version_of(game.version)), joined.link.number
            endpoint.ways, endpoint.ask_all = Ways(way_to, number, settings.limits.send_seconds), joined.link.ask_all
            joined.link.on_nodes = endpoint.know
            endpoint.know(joined.link.nodes)
            await joined.link.settled(nursery)
            nursery.start_soon(take_over, joined.arrivals, endpoint.arrive)
        bound: int = await nursery.start(endpoint.serve, () if joined is None else joined.listening)
        try:
            yield App(lobby, endpoint, settings.listen.host, bound)
        finally:
            with trio.CancelScope(shield=True):
                await (lobby.close() if joined is None else _leave(lobby, endpoint, joined.link))
                with trio.move_on_after(GOODBYE_SECONDS):
                    await endpoint.empty()
            nursery.cancel_scope.cancel()
