"""A real server with bad luck: a disk that takes nothing for a while, a clock that jumps, a second server on the same data."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import trio
import trio.testing

from client_cli.channels import websocket_dial
from client_cli.errors import RequestRefused
from client_cli.session import Session
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.questions import Question
from server.rooms import RULES, Room, recover, replay
from server.storage import MemoryStorage, open_sqlite
from server.storage.schema import FILE
from tests.chaos.test_chaos import ROOT, Server
from tests.rooms.tables import running
from tests.rooms.test_whole_games import Chance, play, setup_of

resource = pytest.importorskip("resource")


async def game_with_a_bot(session: Session) -> Question:
    """A game of two; the first question."""
    await session.request(m.Open(id="o", options=RoomOptions(seats=2, private=True)), m.Room)
    deck = (await session.request(m.ListDecks(id="l"), m.Decks)).decks[0].name
    await session.do(m.ChooseDeck(id="d", house=deck))
    await session.do(m.AddBot(id="b", level="simple"))
    await session.do(m.Start(id="s"))
    return await question(session)


async def question(session: Session) -> Question:
    while True:
        message = await session.receive()
        if isinstance(message, m.ViewMessage | m.QuestionMessage) and message.question:
            return message.question


async def answered(session: Session, asked: Question) -> None:
    """Answer by the default. Raises `RequestRefused`."""
    await session.do(m.AnswerMessage(id=session.new_id(), question=asked.id, answer=asked.default))


def limit_files(pid: int, size: int) -> None:
    """No file of that process may grow beyond so many bytes: as good as a full disk."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size if size >= 0 else hard, hard))


def says(server: Server, path: str) -> int:
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=10).status
    except urllib.error.HTTPError as answer:
        return answer.code


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit")
async def test_a_full_disk_loses_nothing_and_is_got_over(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        await server.start()
        assert server.process is not None
        async with trio.open_nursery() as nursery:
            session = Session(websocket_dial(f"ws://127.0.0.1:{server.port}", nursery), "Ann")
            other = Session(websocket_dial(f"ws://127.0.0.1:{server.port}", nursery), "Ben")
            await session.connect()
            await other.connect()
            first = await game_with_a_bot(session)
            limit_files(server.process.pid, 0)
            with pytest.raises(RequestRefused) as refused:
                await answered(session, first)
            assert refused.value.refused.code == "busy" and "journal" in refused.value.refused.sentence
            assert await trio.to_thread.run_sync(says, server, "/health") == 200
            assert await trio.to_thread.run_sync(says, server, "/ready") == 503, "nothing new is sent here meanwhile"
            with pytest.raises(RequestRefused) as refused:
                await other.request(m.Open(id="o", options=RoomOptions(seats=2)), m.Room)
            assert refused.value.refused.code == "busy"
            limit_files(server.process.pid, -1)
            await answered(session, first)
            await answered(session, await question(session))
            opened = await other.request(m.Open(id="o2", options=RoomOptions(seats=2)), m.Room)
            assert opened.room.state == "gathering"
            await server.kill()
            nursery.cancel_scope.cancel()
    async with open_sqlite(tmp_path, read_only=True) as storage:
        journal = await storage.load(session.room)
    assert not journal.torn
    mine = [
        turned
        for turned in replay(journal, RULES)
        if turned.entry is not None and getattr(turned.entry, "seat", 1) == 0
    ]
    assert len(mine) >= 2


def test_a_second_server_on_the_same_data_says_so_and_ends(tmp_path: Path) -> None:
    async def both() -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(tmp_path)]
        with Server(tmp_path) as server:
            await server.start()
            return await trio.to_thread.run_sync(
                lambda: subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
            )

    done = trio.run(both)
    assert done.returncode == 1
    assert done.stderr.startswith("apnap serve: another server works on ") and len(done.stderr.splitlines()) == 1


def test_data_that_cannot_be_read_are_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database, whatever it is called" * 100)
    words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith("apnap serve: ") and "Traceback" not in done.stderr


async def test_a_clock_that_jumps_changes_no_game(monkeypatch: pytest.MonkeyPatch, autojump_clock: object) -> None:
    """The day's time goes back ten years, then forward: deadlines, epochs and restarts do not care."""
    storage = MemoryStorage()
    setup = setup_of(2, "jump", answer_ms=60_000)
    epochs: set[int] = set()
    begun = time.time()
    for jump in (0.0, -3e8, 5e8, -6e8):
        monkeypatch.setattr(time, "time", lambda jump=jump: begun + jump)
        rooms = await recover(storage)
        room = rooms[0] if rooms else Room(setup, storage)
        async with trio.open_nursery() as nursery:
            clients = await running(nursery, room)
            assert not epochs & {client.epoch for client in clients}, "no two starts give the same epoch"
            clock = room.clock()
            assert clock is not None
            await play(room, clients, Chance(str(jump)), [], most=3)
            epochs |= {client.epoch for client in clients}
            seq = room.seq
            await trio.sleep(61)
            assert room.seq > seq, "the clock ran out as ever"
            nursery.cancel_scope.cancel()
    assert not room.frozen


@pytest.fixture
def autojump_clock() -> trio.abc.Clock:
    return trio.testing.MockClock(autojump_threshold=0)
