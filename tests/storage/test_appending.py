"""What could go wrong with the one statement by which all rooms append: bytes, poolers, and one room that takes the others with it."""

from __future__ import annotations

import pytest
import trio

from server.storage import Conflict, StorageError, StorageFault
from server.storage.postgresql import PostgresqlStorage, open_postgresql
from server.storage.postgresql.appending import NAME, prepare_append
from server.storage.postgresql.tables import Db
from server.storage.writes import Append
from tests.storage.test_storage import entries_of, setup_of, snapshot_of


def line(storage: PostgresqlStorage) -> Db:
    """The connection that writes."""
    assert storage._writer is not None
    return storage._writer._db


async def together(storage: PostgresqlStorage, *appends: Append) -> list[bytes | StorageError]:
    """What came of appends that waited for one transaction."""
    found: dict[str, bytes | StorageError] = {}

    async def append(one: Append) -> None:
        try:
            found[one.room] = await storage.write(one)
        except StorageError as fault:
            found[one.room] = fault

    async with trio.open_nursery() as nursery:
        with storage._connect() as db, db.transaction():
            db.execute("LOCK TABLE node")  # who writes first waits, and the others come together
            nursery.start_soon(storage.put, "kind", "key", b"")
            await trio.sleep(0.1)
            for one in appends:
                nursery.start_soon(append, one)
            await trio.sleep(0.1)
    return [found[one.room] for one in appends]


@pytest.mark.parametrize("lost", ["DEALLOCATE ALL", "DISCARD ALL"])
async def test_a_statement_that_the_database_has_forgotten_is_prepared_again(database: str, lost: str) -> None:
    """A pooler leads to another connection of the database, where nobody has prepared it."""
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 1))
        line(storage).execute(lost.encode())
        await storage.append("r1", entries_of(2, 1))
        assert line(storage).execute("SELECT name FROM pg_prepared_statements").fetchall() == [(NAME.decode(),)]
        line(storage).execute(lost.encode())
        await storage.append("r1", entries_of(3, 1), snapshot_of(2))
        journal = await storage.take_up("r1")
        assert journal.snapshot == snapshot_of(2) and journal.last == 3
        assert storage.fault == ""


async def test_a_statement_that_another_has_prepared_is_used(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        prepare_append(line(storage))
        await storage.append("r1", entries_of(1, 1))


async def test_any_bytes_are_kept_as_they_are(database: str) -> None:
    lines = [
        b"",
        b"\0\0",
        bytes(range(256)),
        b"NULL",
        b"{\"'\\\\}",
        "é€".encode("latin-1", "replace"),
        b"x" * 3_000_000,
    ]
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.write(Append("r1", list(enumerate(lines, 1)), None, False))
        with storage._connect() as db:
            assert [data for (data,) in db.execute("SELECT data FROM entry ORDER BY seq")] == lines


@pytest.mark.parametrize("numbers", [(1, 3), (1, 1), (2,), (1, 2, 2), (0, 1)])
async def test_no_number_is_left_out_and_none_comes_twice(database: str, numbers: tuple[int, ...]) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        with pytest.raises(Conflict):
            await storage.write(Append("r1", [(number, b"{}") for number in numbers], None, False))
        await storage.append("r1", entries_of(1, 2))


async def test_what_is_wrong_with_one_room_keeps_no_other_from_being_written(database: str) -> None:
    async with open_postgresql(database) as storage:
        for room in ("r1", "r2", "r3"):
            await storage.create(setup_of(room))
        with storage._connect() as db:  # an entry that the room's line knows nothing of
            db.execute("INSERT INTO entry SELECT no, 1, '' FROM room WHERE id = 'r2'")
        before = storage.commits
        appends = [Append(room, [(1, b"{}")], None, False) for room in ("r1", "r2", "r\0", "r3")]
        came = await together(storage, *appends)
        assert isinstance(came[0], bytes) and isinstance(came[3], bytes)
        assert isinstance(came[1], StorageFault) and isinstance(came[2], StorageError)
        assert storage.commits > before
        with storage._connect() as db:
            rows = db.execute(
                "SELECT id, room.seq, count(entry) FROM room JOIN entry ON room = no GROUP BY no ORDER BY no"
            )
            assert rows.fetchall() == [("r1", 1, 1), ("r2", 0, 1), ("r3", 1, 1)]


async def test_who_waits_no_more_is_written_all_the_same(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        with trio.move_on_after(0):
            await storage.append("r1", entries_of(1, 1))
        await storage.append("r1", entries_of(2, 1))
        assert (await storage.load("r1")).last == 2
