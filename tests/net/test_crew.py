"""Bots in a process of their own: they play, come back when it dies, and it goes with the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from client_cli.bot_kit import Outcome, play, prepare
from client_cli.bots import make
from client_cli.channels import MemoryChannel, memory_channels
from client_cli.crew import Kind, Task, frame, frames, play_seat
from client_cli.errors import RequestRefused, Unreachable
from client_cli.session import Session, open_session
from protocol.messages import Ok
from protocol.options import RoomOptions
from protocol.rooms import AddBot, Decks, ListDecks, Open, Room, Start
from server.command.decks import house_decks
from server.net import bots
from server.net.app import App, running
from server.settings import Games, Listen, Settings
from server.storage import MemoryStorage

ONE_PROCESS = Settings(listen=Listen(port=0), games=Games(pass_seconds=0, bot_processes=1))


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[trio.Process]:
    """The processes that were started for bots."""
    started: list[trio.Process] = []
    open_process = trio.lowlevel.open_process

    async def opened(*given: object, **more: object) -> trio.Process:
        started.append(await open_process(*given, **more))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(bots.trio.lowlevel, "open_process", opened)
    return started


@asynccontextmanager
async def server() -> AsyncIterator[App]:
    with trio.fail_after(120):
        async with running(MemoryStorage(), house_decks(), settings=ONE_PROCESS) as app:
            yield app


async def sit_down(session: Session) -> None:
    options = RoomOptions(seats=3, seed=5, life=8)
    await session.request(Open(id=session.new_id(), options=options), Room)
    await prepare(session)
    for level in ("simple", "random"):
        await session.do(AddBot(id=session.new_id(), level=level))
    await session.request(Start(id=session.new_id()), Ok)


async def test_bots_play_a_whole_game_from_a_process_of_their_own(processes: list[trio.Process]) -> None:
    async with server() as app, open_session(app.url, "Host") as session:
        assert processes == [], "it is started when a bot sits down"
        await sit_down(session)
        outcome: Outcome = await play(session, make("simple"))
        assert outcome.over is not None and len(outcome.over.result.standings) == 3
        assert len(processes) == 1
    assert processes[0].returncode is not None, "it goes with the server"


async def test_a_bot_waits_for_a_server_that_stands_still_until_it_goes_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Its game may wait for nobody else then; a line that ends is another thing."""
    channel, end = memory_channels()

    async def dial() -> MemoryChannel:
        return channel

    async def play_it() -> None:
        with pytest.raises(Unreachable, match="hung up"):
            await play_seat(dial, Task("simple", "Bot", "token", "room", 1))
        over.set()

    over = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_it)
        await trio.sleep(600)
        assert not over.is_set()
        end.outbox.close()


async def test_bots_come_back_when_their_process_is_killed(processes: list[trio.Process]) -> None:
    async with server() as app, open_session(app.url, "Host") as session:
        await sit_down(session)

        async def kill() -> None:
            while not session.table.started or session.table.view.turn < 2:  # noqa: ASYNC110
                await trio.sleep(0.01)
            processes[0].kill()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(kill)
            outcome = await play(session, make("simple"))
        assert outcome.over is not None
        assert len(processes) == 2 and processes[1].returncode is None


async def test_frames_come_out_as_they_went_in_however_they_are_cut() -> None:
    sent = [(Kind.OPEN, 1, b""), (Kind.MESSAGE, 1, b"x" * 100_000), (Kind.LEFT, 2**32 - 1, b"why")]
    data = b"".join(frame(*one) for one in sent)
    ours, theirs = trio.testing.memory_stream_one_way_pair()

    async def trickle() -> None:
        for at in range(0, len(data), 7_919):
            await ours.send_all(data[at : at + 7_919])
        await ours.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trickle)
        assert [one async for one in frames(theirs)] == sent


async def test_bots_that_think_ahead_play_a_whole_game_in_a_process_of_theirs(processes: list[trio.Process]) -> None:
    async with server() as app, open_session(app.url, "Host") as session:
        offered = await session.request(ListDecks(id=session.new_id()), Decks)
        assert offered.bots == ["simple", "random", "search 50 ms", "search 500 ms"]
        options = RoomOptions(seats=2, seed=5, life=5)
        await session.request(Open(id=session.new_id(), options=options), Room)
        await prepare(session)
        await session.do(AddBot(id=session.new_id(), level="search 50 ms"))
        await session.request(Start(id=session.new_id()), Ok)
        outcome = await play(session, make("simple"))
        assert outcome.over is not None and outcome.over.result.standings
        assert len(processes) == 1 and "apnap.seated" in str(processes[0].args), "the others' is not started for it"


async def test_without_processes_nobody_thinks_ahead() -> None:
    within = Settings(listen=Listen(port=0), games=Games(bot_processes=0))
    with trio.fail_after(60):
        async with (
            running(MemoryStorage(), house_decks(), settings=within) as app,
            open_session(app.url, "Host") as session,
        ):
            assert (await session.request(ListDecks(id=session.new_id()), Decks)).bots == ["simple", "random"]
            await session.request(Open(id=session.new_id(), options=RoomOptions(seats=2)), Room)
            with pytest.raises(RequestRefused, match="level"):
                await session.do(AddBot(id=session.new_id(), level="search 50 ms"))
