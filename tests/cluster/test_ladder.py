"""Rated games where there are several workers, or several servers on one database: each counts once, whichever of them ends, and when.

`APNAP_LADDER_ROUNDS` sets how often a process ends right after its games.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from client_cli.channels import websocket_dial
from client_cli.errors import Disconnected
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.people import ListRatings, MakeAccount, RatingLine, Ratings
from server.lobby.ladder import DUE
from tests.chaos.guests import until
from tests.cluster.test_failover import Node
from tests.cluster.test_workers import Caller, Workers, served
from tests.storage.cluster import cluster

ROUNDS = int(os.environ.get("APNAP_LADDER_ROUNDS", "2"))
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All come from one address, so that they want accounts."""
    monkeypatch.setenv("APNAP_GAMES_LADDER", "true")
    monkeypatch.setenv("APNAP_PEOPLE_ACCOUNTS", "open")
    monkeypatch.setenv("APNAP_LIMITS_TRIES_PER_MINUTE", "1000")


@asynccontextmanager
async def owner(port: int, name: str) -> AsyncIterator[Caller]:
    """Somebody with an account, which is made when they come first."""
    async with trio.open_nursery() as nursery:
        for password in (PASSWORD, ""):
            channel = await websocket_dial(f"ws://127.0.0.1:{port}", nursery)()
            await channel.send(m.Hello(id="h", name=name, password=password, client="test"))
            welcome = await channel.receive()
            if isinstance(welcome, m.Welcome):
                break
        assert isinstance(welcome, m.Welcome), welcome
        caller = Caller(channel, welcome)
        if not welcome.role:
            await caller.ask(MakeAccount(id="a", password=PASSWORD), m.Ok)
        yield caller
        nursery.cancel_scope.cancel()


async def deal(winner: Caller, loser: Caller) -> str:
    """A rated game of two begins; its room."""
    options = RoomOptions(seats=2, rated=True)
    room = (await winner.ask(m.Open(id=winner.id(), options=options), m.Room)).room.id
    await loser.ask(m.Join(id=loser.id(), room=room), m.Room)
    deck = (await winner.ask(m.ListDecks(id=winner.id()), m.Decks)).decks[0].name
    for one in (winner, loser):
        await one.ask(m.ChooseDeck(id=one.id(), house=deck), object)
    await loser.ask(m.Ready(id=loser.id()), object)
    await winner.ask(m.Start(id=winner.id()), m.Ok)
    return room


async def concede(loser: Caller) -> None:
    """Until the end of the game is written, and told."""
    await loser.channel.send(m.Concede(id=loser.id()))
    with suppress(Disconnected):
        while not isinstance(await loser.channel.receive(), m.Over):
            pass


async def standing(port: int) -> dict[str, tuple[int, int]]:
    """By name: the games that have counted, and those of them that were won; somebody asks who has no seat."""
    async with owner(port, "Eve") as eve:
        lines: list[RatingLine] = (await eve.ask(ListRatings(id=eve.id()), Ratings)).rated
    return {line.name: (line.games, line.wins) for line in lines}


async def stand(port: int, wanted: dict[str, tuple[int, int]]) -> None:
    """Until the ladder is that."""
    found: dict[str, tuple[int, int]] = {}
    with trio.move_on_after(30):
        while found != wanted:
            with suppress(OSError, Disconnected):
                found = await standing(port)
            await trio.sleep(0.1)
    assert found == wanted


async def due(server: Workers) -> int:
    """How many games are still to count."""
    async with server.journals() as storage:
        return len(await storage.all(DUE))


@pytest.mark.parametrize("name", ["worker-0", "worker-1"])
async def test_a_rated_game_counts_once_on_either_worker_also_when_that_dies_at_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    caught = 0
    with served(tmp_path / "data") as server, trio.fail_after(300):
        await server.start()
        for played in range(1, ROUNDS + 1):
            async with AsyncExitStack() as stack:
                people = [await stack.enter_async_context(owner(server.port, one)) for one in ("Ada", "Bo", "Cy", "Di")]
                await deal(*people[:2])
                await deal(*people[2:])  # at the other worker, which has fewer
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(concede, people[1])
                    nursery.start_soon(concede, people[3])
                if played > 1:  # the first ends in peace
                    died = await server.named(name)
                    os.kill(died, signal.SIGKILL)
                    caught += await due(server)
                    await server.named(name, but=died)
            won, lost = (played, played), (played, 0)
            await stand(server.port, {"Ada": won, "Bo": lost, "Cy": won, "Di": lost})
        left = 1
        while left:  # what is on the ladder is struck out after that
            left = await due(server)
            await trio.sleep(0.1)
    with capsys.disabled():
        print(f"\n{name}: {caught} games were still to count when it ended, of {2 * (ROUNDS - 1)}")


async def test_a_rated_game_counts_once_when_its_server_dies_at_its_end_and_another_takes_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from server.storage.postgresql import open_postgresql

    caught = 0
    nodes: list[Node] = []
    with cluster() as database, trio.fail_after(300):
        address = database.new()
        try:
            for played in range(1, ROUNDS + 1):
                while len(nodes) < played + 1:
                    nodes.append(Node(tmp_path / f"node{len(nodes)}", address))
                    words = "serves at" if len(nodes) == 1 else "Standing by"
                    await until(lambda node=nodes[-1], words=words: node.says(words))
                serving, waiting = nodes[-2:]
                async with owner(serving.port, "Ada") as ada, owner(serving.port, "Bo") as bo:
                    await deal(ada, bo)
                    await concede(bo)
                    serving.process.kill()
                    await serving.ended()
                async with open_postgresql(address, read_only=True) as storage:
                    caught += len(await storage.all(DUE))
                await until(lambda waiting=waiting: waiting.says("serves at"))
                await stand(waiting.port, {"Ada": (played, played), "Bo": (played, 0)})
                async with open_postgresql(address, read_only=True) as storage:
                    assert not await storage.all(DUE)
        finally:
            for node in nodes:
                node.process.kill()
                await node.ended()
    with capsys.disabled():
        print(f"\nPostgreSQL: {caught} games were still to count when their server ended, of {ROUNDS}")
