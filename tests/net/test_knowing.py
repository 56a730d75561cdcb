"""A bot of anybody's asks the server for what its seat knows, and thinks ahead from that."""

from __future__ import annotations

import sys

import pytest
import trio
from msgspec import UNSET

import apnap
from apnap.seated import SeatedSearcher
from client_cli.bot_kit import play, prepare
from client_cli.bots import LEVELS, THINKING
from client_cli.bots.simple import SimplePlayer
from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from client_cli.table import Table
from protocol.messages import Ok
from protocol.options import RoomOptions
from protocol.questions import Answer, Question
from protocol.rooms import AddBot, Join, Open, Room, RoomState, Start
from protocol.table import Know, Known
from server.command import bot
from server.command.decks import house_decks
from server.net.app import running
from server.settings import Games, Listen, Settings
from server.storage import MemoryStorage

SETTINGS = Settings(listen=Listen(port=0), games=Games(pass_seconds=0, bot_processes=0))


class Counting(SeatedSearcher):
    """Counts what it is told, and by how much it changes its mind."""

    def __init__(self) -> None:
        super().__init__(20, 1)
        self.thoughts = 0

    def answer_knowing(self, table: Table, question: Question, text: str) -> Answer:
        self.thoughts += 1
        return super().answer_knowing(table, question, text)


async def begin(session: Session, *, bots: int) -> None:
    await session.request(Open(id=session.new_id(), options=RoomOptions(seats=bots + 1, seed=3, life=8)), Room)
    await prepare(session)
    for _ in range(bots):
        await session.do(AddBot(id=session.new_id(), level="simple"))
    await session.request(Start(id=session.new_id()), Ok)


@pytest.mark.parametrize("bots", [1, 3])
async def test_it_thinks_at_each_question_and_is_never_refused(bots: int) -> None:
    with trio.fail_after(120):
        async with (
            running(MemoryStorage(), house_decks(), settings=SETTINGS) as app,
            open_session(app.url, "Host", bot=True) as session,
        ):
            await begin(session, bots=bots)
            player = Counting()
            outcome = await play(session, player)
            assert outcome.over is not None
            assert player.thoughts == outcome.decisions > 10
            assert (outcome.failures, outcome.refusals) == (0, 0), outcome.last_refusal


async def test_a_bot_that_thinks_sits_down_from_elsewhere() -> None:
    with trio.fail_after(200):
        async with (
            running(MemoryStorage(), house_decks(), settings=SETTINGS) as app,
            open_session(app.url, "Host") as session,
            trio.open_nursery() as nursery,
        ):
            opened = await session.request(
                Open(id=session.new_id(), options=RoomOptions(seats=2, seed=3, life=4)), Room
            )
            words = [sys.executable, "-m", "server.command.main", "bot", app.url, "--room", opened.room.id]
            words += ["--level", "search 50 ms", "--name", "Thinker"]
            said: list[bytes] = []

            async def sit() -> None:
                said.append((await trio.run_process(words, capture_stdout=True)).stdout)

            nursery.start_soon(sit)
            await prepare(session)
            while not all(seat.ready for seat in (await room(session)).seats):
                await session.receive()
            await session.request(Start(id=session.new_id()), Ok)
            outcome = await play(session, SimplePlayer())
            assert outcome.over is not None
        assert b"Thinker" in said[0] and b" 0 refused" in said[0]


def test_the_command_knows_all_levels() -> None:
    assert (*LEVELS, *THINKING) == bot.LEVELS


async def room(session: Session) -> RoomState:
    """The room as it is known."""
    while session.table.room is None:
        await session.receive()
    return session.table.room


async def test_only_who_is_asked_is_told_and_only_of_its_question() -> None:
    with trio.fail_after(60):
        async with (
            running(MemoryStorage(), house_decks(), settings=SETTINGS) as app,
            open_session(app.url, "Host") as one,
            open_session(app.url, "Guest") as other,
        ):
            opened = await one.request(Open(id=one.new_id(), options=RoomOptions(seats=2, seed=3)), Room)
            await other.request(Join(id=other.new_id(), room=opened.room.id, seat=UNSET), Room)
            await prepare(one)
            await prepare(other)
            await one.request(Start(id=one.new_id()), Ok)
            asked = await first_asked(one, other)
            waits = other if asked is one else one
            question = asked.table.question
            assert question is not None
            known = await asked.request(Know(id=asked.new_id(), question=question.id), Known)
            assert known.question == question.id
            knowledge = apnap.Game.read_knowledge(known.state)
            assert knowledge.seat == asked.table.you
            assert not knowledge.shown(1 - knowledge.seat), "nothing of the other's hand or library"
            for session, number in ((waits, question.id), (asked, "q00000000")):
                with pytest.raises(RequestRefused):
                    await session.request(Know(id=session.new_id(), question=number), Known)


async def first_asked(*sessions: Session) -> Session:
    """The one that is asked first."""
    found: list[Session] = []

    async def wait(session: Session) -> None:
        while session.table.question is None:
            await session.receive()
        found.append(session)
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for session in sessions:
            nursery.start_soon(wait, session)
    return found[0]
