"""Journals on a real disk and in memory: what is written is there, in order, all or none."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio

from protocol.messages import RoomOptions
from server.cards.forms import Card
from server.rules.questions import Blockers, Take
from server.storage import (
    Answered,
    Check,
    Conceded,
    Conflict,
    Damaged,
    Ended,
    InUse,
    Journal,
    MemoryStorage,
    NewerData,
    NoSuchRoom,
    Passed,
    RoomExists,
    Setup,
    Sitting,
    Storage,
    StorageFault,
    make_setup,
    open_sqlite,
)
from server.storage.files import lines, read_file
from server.storage.sqlite import FILE

BEAR = Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2")
FOREST = Card(name="Forest", types="Basic Land — Forest")


def setup_of(room: str = "r1") -> Setup:
    deck = (FOREST,) * 24 + (Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2"), BEAR)
    sittings = [Sitting(name="Ann", person="p1", deck=deck), Sitting(name="Bot", kind="bot", level="simple", deck=deck)]
    return make_setup(room=room, options=RoomOptions(seats=2), seed="7", sittings=sittings, created=1000)


def entries_of(first: int = 1, number: int = 3) -> list[Answered]:
    return [Answered(seq=first + i, seat=i % 2, question=first + i, answer=Take(0), by="clock") for i in range(number)]


@asynccontextmanager
async def memory() -> AsyncIterator[Storage]:
    yield MemoryStorage()


@pytest.fixture(params=["memory", "sqlite"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Storage]:
    return memory() if request.param == "memory" else open_sqlite_here(tmp_path)


@asynccontextmanager
async def open_sqlite_here(folder: Path) -> AsyncIterator[Storage]:
    async with open_sqlite(folder) as storage:
        yield storage


def test_setup_names_each_card_once() -> None:
    setup = setup_of()
    assert setup.cards == (FOREST, BEAR)
    assert setup.seats[0].deck == (0,) * 24 + (1, 1)
    assert setup.deck(1)[25] is setup.cards[1]
    assert setup.rules.seed == "7"
    assert len(setup.fingerprint) == 16


async def test_what_is_written_is_read(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        setup = setup_of()
        await storage.create(setup)
        written = [
            *entries_of(),
            Answered(seq=4, seat=1, question=9, answer=Blockers(((0, 5),))),
            Conceded(seq=5, seat=0),
            Passed(seq=6, question=10, number=3),
            Check(seq=7, hash="ab"),
        ]
        await storage.append("r1", written[:2])
        await storage.append("r1", written[2:])
        assert await storage.load("r1") == Journal(setup, tuple(written))
        assert [(r.room, r.finished, r.entries) for r in await storage.rooms()] == [("r1", False, 7)]
        await storage.append("r1", [Ended(seq=8, winners=(1,), why="concession", hash="cd")])
        assert (await storage.rooms())[0].finished


async def test_refuses_gaps_doubles_and_strangers(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await storage.create(setup_of())
        with pytest.raises(RoomExists):
            await storage.create(setup_of())
        with pytest.raises(NoSuchRoom):
            await storage.append("r2", entries_of())
        with pytest.raises(NoSuchRoom):
            await storage.load("r2")
        with pytest.raises(NoSuchRoom):
            await storage.finish("r2")
        await storage.append("r1", entries_of())
        for first in (3, 5):
            with pytest.raises(Conflict):
                await storage.append("r1", entries_of(first))
        assert len((await storage.load("r1")).entries) == 3
        await storage.append("r1", entries_of(4))


async def test_records(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        assert await storage.get("person", "a") is None
        await storage.put("person", "a", b"1")
        await storage.put("person", "a", b"2")
        await storage.put("person", "b", b"3")
        await storage.put("token", "a", b"4")
        assert await storage.all("person") == {"a": b"2", "b": b"3"}
        await storage.delete("person", "b")
        await storage.delete("person", "c")
        assert await storage.all("person") == {"a": b"2"}
        assert await storage.get("token", "a") == b"4"


async def test_one_commit_for_all_rooms(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        rooms = [f"r{i}" for i in range(30)]
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(storage.create, setup_of(room))
        before = storage.commits
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(storage.append, room, entries_of())
        assert storage.writes == 60
        assert storage.commits - before < 10


async def test_a_fault_of_one_is_no_other_s(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of("good"))
        outcomes: list[str] = []

        async def write(room: str) -> None:
            try:
                await storage.append(room, entries_of())
                outcomes.append(room)
            except NoSuchRoom:
                outcomes.append(f"no {room}")

        async with trio.open_nursery() as nursery:
            for room in ("bad", "good", "worse"):
                nursery.start_soon(write, room)
        assert sorted(outcomes) == ["good", "no bad", "no worse"]
        assert len((await storage.load("good")).entries) == 3


async def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        with pytest.raises(InUse):
            async with open_sqlite(tmp_path):
                pass
    async with open_sqlite(tmp_path) as storage:
        await storage.append("r1", entries_of(4))
    async with open_sqlite(tmp_path, read_only=True) as storage:
        assert len((await storage.load("r1")).entries) == 6
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of(7))


async def test_it_is_durable_while_it_is_open(tmp_path: Path) -> None:
    """Another reader sees what an append that returned has written: nothing waits in this process."""
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        async with open_sqlite(tmp_path, read_only=True) as reader:
            assert len((await reader.load("r1")).entries) == 3


async def test_a_torn_last_entry_is_dropped_another_is_damage(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        _edit(tmp_path, "UPDATE entry SET data = substr(data, 1, 20) WHERE seq = 3")
        journal = await storage.load("r1")
        assert journal.torn and len(journal.entries) == 2
        _edit(tmp_path, "UPDATE entry SET data = substr(data, 1, 20) WHERE seq = 2")
        with pytest.raises(Damaged, match="r1, entry 2"):
            await storage.load("r1")


async def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        pages = storage._write.execute("PRAGMA page_count").fetchone()[0]
        storage._write.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of(1, 5000))
        storage._write.execute("PRAGMA max_page_count = 1000000")
        await storage.append("r1", entries_of(1, 5000))
        assert len((await storage.load("r1")).entries) == 5000


async def test_newer_data_are_left_alone(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path):
        pass
    _edit(tmp_path, "PRAGMA user_version = 99")
    with pytest.raises(NewerData):
        async with open_sqlite(tmp_path):
            pass


async def test_no_journals_to_read(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRoom):
        async with open_sqlite(tmp_path, read_only=True):
            pass


def test_file(tmp_path: Path) -> None:
    journal = Journal(setup_of(), (*entries_of(), Check(seq=4, hash="x")))
    file = tmp_path / "game.jsonl"
    data = b"".join(lines(journal))
    file.write_bytes(data)
    assert read_file(file) == journal
    file.write_bytes(data[:-5])
    assert read_file(file) == Journal(journal.setup, journal.entries[:3], torn=True)
    for bad in (b"", b"{}\n", b'{"apnap":"journal","version":1}\n', b"\xff\n", data.replace(b'"seq":2', b'"seq":3')):
        file.write_bytes(bad)
        with pytest.raises(Damaged):
            read_file(file)
    file.write_bytes(msgspec.json.encode({"apnap": "journal", "version": 2}) + b"\n")
    with pytest.raises(NewerData):
        read_file(file)


def _edit(folder: Path, statement: str) -> None:
    db = sqlite3.connect(folder / FILE)
    db.execute(statement)
    db.commit()
    db.close()
