"""Journals on a real disk and in memory: what is written is there, in order, all or none."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio
from msgspec.structs import replace

from protocol.options import RoomOptions
from protocol.table import Stops
from server.cards.forms import Card
from server.rules.model import Blockers, Take
from server.storage import (
    Answered,
    AnyEntry,
    Check,
    Conceded,
    Conflict,
    Damaged,
    Ended,
    Instructed,
    InUse,
    Journal,
    MemoryStorage,
    NewerData,
    NoSuchRoom,
    Passed,
    RoomExists,
    Setup,
    Sitting,
    Snapshot,
    SqliteStorage,
    Storage,
    StorageFault,
    Upgraded,
    make_setup,
    open_sqlite,
    schema,
)
from server.storage.backup import restore
from server.storage.encoding import write_entry, write_setup
from server.storage.files import lines, read_file
from server.storage.schema import FILE

BEAR = Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2")
FOREST = Card(name="Forest", types="Basic Land — Forest")


def database(storage: SqliteStorage) -> sqlite3.Connection:
    """The connection that writes."""
    assert storage._writer is not None
    return storage._writer.db


def setup_of(room: str = "r1") -> Setup:
    deck = (FOREST,) * 24 + (Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2"), BEAR)
    sittings = [Sitting(name="Ann", person="p1", deck=deck), Sitting(name="Bot", kind="bot", level="simple", deck=deck)]
    return make_setup(room=room, options=RoomOptions(seats=2), seed="7", sittings=sittings, created=1000)


def entries_of(first: int = 1, number: int = 3) -> list[Answered]:
    return [Answered(seq=first + i, seat=i % 2, question=first + i, answer=Take(0), by="clock") for i in range(number)]


@asynccontextmanager
async def memory() -> AsyncIterator[Storage]:
    yield MemoryStorage()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Storage]:
    if request.param == "postgresql":
        from server.storage.postgresql import open_postgresql

        return open_postgresql(request.getfixturevalue("database"))
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
        assert replace(await storage.load("r1"), head=b"") == Journal(setup, tuple(written))
        assert [(r.room, r.finished, r.entries) for r in await storage.rooms()] == [("r1", False, 7)]
        await storage.append("r1", [Ended(seq=8, winners=(1,), why="concession", hash="cd")])
        assert (await storage.rooms())[0].finished
        await storage.create(setup_of("r2"))
        assert [r.room for r in await storage.rooms()] == ["r1", "r2"]
        assert [r.room for r in await storage.rooms(["r2", "nowhere"])] == ["r2"] and not await storage.rooms(())


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


async def test_what_is_appended_in_one_commit_goes_by_one_statement_however_many_rooms_it_is_of(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        rooms = [f"r{number}" for number in range(20)]
        for room in rooms:
            await storage.create(setup_of(room))
        said: list[str] = []
        before = storage.commits
        database(storage).set_trace_callback(said.append)
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(storage.append, room, entries_of())
        inserted = [words for words in said if words.startswith("INSERT INTO entry")]
        assert len(inserted) == storage.commits - before < 20
        for room in rooms:
            assert (await storage.load(room)).entries == tuple(entries_of())


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


async def test_an_entry_that_cannot_be_read_is_damage_also_the_last(tmp_path: Path) -> None:
    """It was acknowledged, and the journal's head knows it."""
    for seq in (3, 2):
        async with open_sqlite(tmp_path / str(seq)) as storage:
            await storage.create(setup_of())
            await storage.append("r1", entries_of())
            _edit(tmp_path / str(seq), f"UPDATE entry SET data = substr(data, 1, 20) WHERE seq = {seq}")
            with pytest.raises(Damaged, match="r1" if seq == 3 else "r1, entry 2"):
                await storage.load("r1")


async def test_a_torn_last_entry_of_an_earlier_version_is_dropped(tmp_path: Path) -> None:
    version_1(tmp_path)
    _edit(tmp_path, "UPDATE entry SET data = substr(data, 1, 20) WHERE seq = 3")
    async with open_sqlite(tmp_path) as storage:
        journal = await storage.load("r1")
        assert journal.torn and len(journal.entries) == 2
        await storage.cut("r1", 2)
        await storage.append("r1", entries_of(3))
        assert len((await storage.load("r1")).entries) == 5


async def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        pages = database(storage).execute("PRAGMA page_count").fetchone()[0]
        database(storage).execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of(1, 5000))
        database(storage).execute("PRAGMA max_page_count = 1000000")
        await storage.append("r1", entries_of(1, 5000))
        assert len((await storage.load("r1")).entries) == 5000


async def test_a_read_only_disk_refuses_and_says_so(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        database(storage).execute("PRAGMA query_only = ON")
        with pytest.raises(StorageFault, match="readonly"):
            await storage.append("r1", entries_of())
        assert "readonly" in storage.fault
        database(storage).execute("PRAGMA query_only = OFF")
        await storage.append("r1", entries_of())
        assert storage.fault == ""


def snapshot_of(seq: int, base: bool = False) -> Snapshot:
    return Snapshot(seq=seq, version="v", hash=f"h{seq}", state=b'{"s":1}' * 50, room=b"{}", base=base)


async def test_a_room_is_taken_up_from_its_last_snapshot(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 4), snapshot_of(4))
        await storage.append("r1", entries_of(5, 3), snapshot_of(7))
        await storage.append("r1", entries_of(8, 2))
        journal = await storage.take_up("r1")
        assert journal.snapshot == snapshot_of(7)
        assert [entry.seq for entry in journal.entries] == [8, 9] and journal.last == 9
        assert len((await storage.load("r1")).entries) == 9
        await storage.append("r1", [Ended(seq=10, winners=(), why="draw", hash="x")])
        assert (await storage.take_up("r1")).snapshot is None


async def test_a_base_is_kept_as_long_as_the_journal(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 2), snapshot_of(2, base=True))
        await storage.append("r1", entries_of(3, 1), snapshot_of(3))
        await storage.append("r1", [Ended(seq=4, winners=(), why="draw", hash="x")])
        assert (await storage.load("r1")).bases == (snapshot_of(2, base=True),)


async def test_a_journal_gets_other_names_and_is_deleted(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await storage.create(setup_of())
        await storage.create(setup_of("r2"))
        await storage.append("r1", entries_of(1, 2), snapshot_of(2, base=True))
        before = await storage.setup("r1")
        seats = tuple(replace(seat, name="Somebody") for seat in before.seats)
        await storage.amend("r1", replace(before, seats=seats))
        journal = await storage.load("r1")
        assert {seat.name for seat in journal.setup.seats} == {"Somebody"}
        assert journal.setup.cards == before.cards and journal.last == 2
        await storage.remove("r1")
        assert [record.room for record in await storage.rooms()] == ["r2"]
        for call in (storage.load, storage.setup, storage.remove):
            with pytest.raises(NoSuchRoom):
                await call("r1")
        await storage.create(setup_of())
        assert (await storage.load("r1")).entries == ()


async def test_a_torn_entry_is_cut_off_and_written_over(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 3))
        await storage.cut("r1", 2)
        await storage.append("r1", entries_of(3, 1))
        assert len((await storage.load("r1")).entries) == 3


async def test_a_card_is_kept_once_for_all_rooms(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        for room in ("r1", "r2"):
            await storage.create(setup_of(room))
        assert database(storage).execute("SELECT count(*) FROM card").fetchone() == (2,)
        first, second = [(await storage.load(room)).setup for room in ("r1", "r2")]
        assert first.cards == (FOREST, BEAR)
        assert first.cards[0] is second.cards[0]


async def test_what_many_rooms_write_at_once_lies_together(tmp_path: Path) -> None:
    rooms, commits, line = range(1, 31), 60, b"x" * 150
    db = schema.connect(tmp_path / FILE)
    schema.prepare(db, tmp_path / FILE)
    db.executemany("INSERT INTO room VALUES (?, ?, 0, 0, X'00')", [(number, str(number)) for number in rooms])
    for seq in range(1, commits + 1):
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO entry VALUES (?, ?, ?)", [(number, seq, line) for number in rooms])
        db.execute("COMMIT")
    _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    db.close()
    assert pages < commits * len(rooms) / 2


BY_ROOMS = schema.TABLES.replace("PRIMARY KEY (room, seq)) STRICT;", "PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID;")
"""Tables as databases have them that are older than this order of entries."""


def version_1(folder: Path) -> None:
    """A journal of three entries as the first version wrote it."""
    db = sqlite3.connect(folder / FILE)
    db.executescript(BY_ROOMS + "PRAGMA user_version = 1;")
    db.execute("INSERT INTO room (id, created, setup) VALUES (?, ?, ?)", ("r1", 1000, write_setup(setup_of())))
    db.executemany("INSERT INTO entry VALUES (1, ?, ?)", [(e.seq, write_entry(e)) for e in entries_of()])
    db.execute("INSERT INTO record VALUES ('person', 'a', X'00')")
    db.commit()
    db.close()


async def test_data_of_version_1_are_brought_to_this_version(tmp_path: Path) -> None:
    setup = setup_of()
    version_1(tmp_path)
    async with open_sqlite(tmp_path) as storage:
        assert replace(await storage.load("r1"), head=b"") == Journal(setup, tuple(entries_of()))
        await storage.append("r1", entries_of(4), snapshot_of(6))
        assert await storage.get("person", "a") == b"\0" and await storage.audit() == []
    kept = sqlite3.connect(tmp_path / f"{FILE}.version1")
    assert kept.execute("SELECT count(*) FROM entry").fetchone() == (3,)
    kept.close()


async def test_a_migration_that_fails_leaves_the_data_as_they_were(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / FILE)
    db.executescript(schema.TABLES + "PRAGMA user_version = 1;")
    db.execute("INSERT INTO room (id, created, setup) VALUES ('r1', 1, 'no setup')".replace("'no setup'", "X'00'"))
    db.commit()
    db.close()
    with pytest.raises(Damaged):
        async with open_sqlite(tmp_path):
            pass
    db = sqlite3.connect(tmp_path / FILE)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'card'").fetchone() == (0,)
    db.close()


async def test_a_backup_while_it_is_written_and_back(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite3"
    async with open_sqlite(data) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(storage.backup, copy)
            for first in range(4, 40, 3):
                await storage.append("r1", entries_of(first))
        with pytest.raises(InUse):
            restore(copy, data)
        written = (await storage.load("r1")).entries
    assert restore(copy, data) == 1
    async with open_sqlite(data) as storage:
        entries = (await storage.load("r1")).entries
        assert 3 <= len(entries) <= 39 and entries == written[: len(entries)]
        await storage.append("r1", entries_of(len(entries) + 1))
    assert restore(copy, tmp_path / "elsewhere") == 1


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    for data in (b"", b"no database" * 200):
        (tmp_path / "x").write_bytes(data)
        with pytest.raises(Damaged):
            restore(tmp_path / "x", tmp_path / "data")
    with pytest.raises(Damaged):
        restore(tmp_path / "absent", tmp_path / "data")


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
    journal = Journal(setup_of(), (*entries_of(), Check(seq=4, hash="x")), bases=(snapshot_of(2, base=True),))
    file = tmp_path / "game.jsonl"
    data = b"".join(lines(journal))
    file.write_bytes(data)
    assert read_file(file) == journal
    file.write_bytes(data[:-5])
    assert read_file(file) == Journal(journal.setup, journal.entries[:3], True, journal.bases)
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


@pytest.mark.parametrize("number", [1, 7, 100])
async def test_the_entry_that_answered_a_question_is_found(
    backend: AbstractAsyncContextManager[Storage], number: int
) -> None:
    """Among instructions and hashes, passes of many questions, and what an upgrade has made void."""
    async with backend as storage:
        await storage.create(setup_of())
        entries: list[AnyEntry] = []
        for step in range(number):
            question = 5 * step + 1
            for entry in (
                Answered(seq=0, seat=step % 2, question=question, answer=Take(step)),
                Check(seq=0, hash="x"),
                Passed(seq=0, question=question + 1, number=3),
                Instructed(seq=0, seat=0, message=Stops(id="-")),
            ):
                entries.append(replace(entry, seq=len(entries) + 1))
        await storage.append("r1", entries)
        assert await storage.answer_to("r1", 0) is None
        for step in range(number):
            found = await storage.answer_to("r1", 5 * step + 1)
            assert isinstance(found, Answered) and found.answer == Take(step)
            assert isinstance(await storage.answer_to("r1", 5 * step + 3), Passed)
        base = len(entries) - 4
        upgraded = Upgraded(seq=len(entries) + 1, base=base, version="v", hash="h")
        await storage.append("r1", [upgraded], snapshot_of(upgraded.seq, base=True))
        assert await storage.answer_to("r1", 5 * number - 4) == (entries[base - 2] if number > 1 else None)
        again = Answered(seq=upgraded.seq + 1, seat=0, question=5 * number - 4, answer=Take(77))
        await storage.append("r1", [again])
        assert await storage.answer_to("r1", 5 * number - 4) == again
