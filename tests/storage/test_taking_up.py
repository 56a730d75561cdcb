"""Many journals read at once, to go on from: as many statements as for one, and what is wrong with one is no other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from threading import Barrier, Lock, Semaphore
from typing import Any

import psycopg
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from server.rooms import recover
from server.storage import Damaged, Ended, SqliteStorage, Storage
from server.storage.postgresql import open_postgresql
from server.storage.postgresql.readers import READERS, Readers
from server.storage.postgresql.tables import Db
from tests.rooms.fake import FakeGame
from tests.storage.test_storage import backend, entries_of, setup_of, snapshot_of

__all__ = ["backend"]


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Each statement that is sent from here on."""
    sent: list[object] = []
    execute = psycopg.Cursor.execute

    def noting(self: Any, query: Any, *args: Any, **more: Any) -> Any:
        sent.append(query)
        return execute(self, query, *args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Cursor, "execute", noting)
        yield sent


async def write(storage: Storage, rooms: int) -> None:
    for number in range(rooms):
        await storage.create(setup_of(f"r{number}"))
        await storage.append(f"r{number}", entries_of(1, 5), snapshot_of(4) if number % 2 else None)


async def test_journals_are_read_together_as_each_alone(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await write(storage, 4)
        found = await storage.take_up_all(["r2", "r0", "nowhere", "r3"])
        assert found == {room: await storage.take_up(room) for room in ("r0", "r2", "r3")}
        assert await storage.take_up_all([]) == {}


async def test_a_mark_is_another_when_anything_is(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        await write(storage, 2)
        marks = {record.mark for record in await storage.rooms(["r0", "r1"])}
        if isinstance(storage, SqliteStorage):
            assert marks == {b""}, "nobody waits there for another server's lease"
            return
        assert len(marks) == 2 and {record.mark for record in await storage.rooms()} == {b""}

        async def mark() -> bytes:
            (record,) = await storage.rooms(["r1"])
            assert record.mark not in marks and (await storage.rooms(["r1"])) == [record]
            marks.add(record.mark)
            return record.mark

        await storage.append("r1", [replace(entries_of(1, 5)[0], seq=6)])
        await mark()
        await storage.append("r1", [], snapshot_of(6))
        await mark()
        setup = await storage.setup("r1")
        await storage.amend("r1", replace(setup, seats=(replace(setup.seats[0], name="Else"), *setup.seats[1:])))
        await mark()


async def test_records_are_read_together_as_each_alone(backend: AbstractAsyncContextManager[Storage]) -> None:
    async with backend as storage:
        for kind, key in (("a", "x"), ("a", "y"), ("b", "x")):
            await storage.put(kind, key, f"{kind} {key}".encode())
        found = await storage.some([("a", "x"), ("b", "x"), ("b", "y"), ("c", "x")])
        assert found == {("a", "x"): b"a x", ("b", "x"): b"b x"}
        assert await storage.some([]) == {}


async def test_many_journals_take_as_many_statements_as_one(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_postgresql(database) as storage:
        await write(storage, 40)
        await storage.rooms()  # a line to read by is there
        counts: list[int] = []
        for number in (1, 40):
            with counted(monkeypatch) as sent:
                assert len(await storage.take_up_all([f"r{n}" for n in range(number)])) == number
                counts.append(len(sent))
        assert counts[0] == counts[1] <= 5


async def test_a_takeover_takes_a_statement_for_several_rooms(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law for a takeover is in statements, each of which waits for the database once, and not in seconds."""
    async with open_postgresql(database) as storage:
        for number in range(40):
            await storage.create(replace(setup_of(f"r{number}"), version=FakeGame().version))
        with counted(monkeypatch) as sent:
            rooms = await recover(storage, FakeGame())
        assert len(rooms) == 40 and not any(room.frozen for room in rooms)
        assert len(sent) <= 40, "each room of its own would take five, and as many again around them"


async def test_what_is_wrong_with_one_journal_is_no_others(database: str) -> None:
    async with open_postgresql(database) as storage:
        await write(storage, 4)
        with storage._connect() as db:
            db.execute(
                "UPDATE entry SET data = data || ' ' WHERE room = (SELECT no FROM room WHERE id = 'r0') AND seq = 2"
            )
            db.execute("UPDATE snapshot SET hash = 'h' WHERE room = (SELECT no FROM room WHERE id = 'r1')")
            db.execute("UPDATE room SET setup = setup || ' ' WHERE id = 'r2'")
        found = await storage.take_up_all([f"r{n}" for n in range(4)])
        said = {room: str(one) for room, one in found.items() if isinstance(one, Damaged)}
        assert said.keys() == {"r0", "r1", "r2"}
        assert "entries" in said["r0"] and "snapshot" in said["r1"] and "setup" in said["r2"]


async def test_a_card_that_is_damaged_stops_only_those_who_play_with_it(database: str) -> None:
    async with open_postgresql(database) as storage:
        await write(storage, 1)
        other = setup_of("r1")
        card = replace(other.cards[1], name="Another Bear")
        await storage.create(replace(other, cards=(other.cards[0], card)))
        with storage._connect() as db:
            db.execute("UPDATE card SET data = data || ' ' WHERE position('Another Bear'::bytea IN data) > 0")
        found = await storage.take_up_all(["r0", "r1"])
        assert isinstance(found["r1"], Damaged) and not isinstance(found["r0"], Damaged)


#: As where the disk has lost a place of a table: whoever reads it there has an error of the database's.
LOST = """
CREATE FUNCTION lost() RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'missing chunk number 0 for toast value' USING ERRCODE = 'data_corrupted';
END $$;
ALTER TABLE snapshot RENAME TO kept;
CREATE VIEW snapshot AS SELECT room, seq, version, hash, base,
    CASE WHEN room = (SELECT no FROM room WHERE id = 'r3') THEN lost() ELSE state END AS state, data, seal FROM kept;
"""


async def test_a_place_of_the_disk_that_is_lost_costs_one_room_its_snapshot(database: str) -> None:
    async with open_postgresql(database) as storage:
        for number in range(4):
            await storage.create(replace(setup_of(f"r{number}"), version=FakeGame().version))
            await storage.append(f"r{number}", [], snapshot_of(0))
        with storage._connect() as db:
            db.execute(LOST)
        with pytest.raises(Damaged):
            await storage.take_up("r3")
        rooms = {room.id: room for room in await recover(storage, FakeGame())}
        assert rooms.keys() == {"r0", "r1", "r2", "r3"}
        assert not rooms["r3"].frozen, "it is played from its beginning"


async def test_nothing_is_written_where_is_read(database: str) -> None:
    async with open_postgresql(database) as storage:
        await write(storage, 1)
        readers = Readers(storage._connect)
        with suppress(psycopg.errors.ReadOnlySqlTransaction):
            readers.read(lambda db: db.execute("DELETE FROM entry"))
        await storage.append("r0", [Ended(seq=6, winners=(), why="draw", hash="x")])
        assert len((await storage.load("r0")).entries) == 6
        readers.close()


async def test_however_many_come_back_at_once_few_connections_read_for_them(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_postgresql(database) as storage:
        made, open_, most, connect, lock = 0, 0, 0, storage._connect, Lock()
        all_read = Barrier(READERS)

        def connects() -> Db:
            nonlocal made, open_, most
            with lock:
                made, open_, most = made + 1, open_ + 1, max(most, open_ + 1)
                first = made <= READERS
            if first:
                all_read.wait(20)  # so many do read at once
            db = connect()
            close = db.close

            def closes() -> None:
                nonlocal open_
                close()
                with lock:
                    open_ -= 1

            monkeypatch.setattr(db, "close", closes)
            return db

        monkeypatch.setattr(storage._readers, "_connect", connects)
        found: list[bytes | None] = []

        async def comes() -> None:
            found.append(await storage.get("person", "ada"))

        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                for _ in range(5 * READERS):
                    nursery.start_soon(comes)
        assert len(found) == 5 * READERS
        assert most <= READERS + 1, "and the one that is kept for who reads next"


async def test_readings_that_nobody_waits_for_any_more_are_few_too(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the database does not answer, and people hang up and try again."""
    async with open_postgresql(database) as storage:
        begun, may = Semaphore(0), Barrier(2 * READERS + 1)
        connect = storage._connect

        def connects() -> Db:
            begun.release()
            may.wait(20)
            return connect()

        with monkeypatch.context() as patched:
            patched.setattr(storage._readers, "_connect", connects)
            with trio.fail_after(20):
                for _ in range(2 * READERS):
                    with trio.move_on_after(5) as life:
                        async with trio.open_nursery() as nursery:
                            nursery.start_soon(storage.get, "person", "ada")
                            await trio.to_thread.run_sync(begun.acquire)
                            life.cancel()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(storage.get, "person", "ada")
                    await trio.testing.wait_all_tasks_blocked()
                    assert storage._threads.statistics().tasks_waiting == 1, "no more are begun"
                    await trio.to_thread.run_sync(may.wait, 20)
        assert await storage.get("person", "ada") is None, "when they are over, others read"


async def test_a_base_stays_one_where_the_game_stands_still_after_it(
    backend: AbstractAsyncContextManager[Storage],
) -> None:
    """A server with other rules took the game up, nobody answered, and it was asked to stop."""
    async with backend as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 3), snapshot_of(3, base=True))
        await storage.append("r1", [], snapshot_of(3))
        assert (await storage.take_up("r1")).last == 3
        await storage.append("r1", entries_of(4, 2), snapshot_of(5))
        assert (await storage.load("r1")).bases == (snapshot_of(3, base=True),)
        assert (await storage.take_up("r1")).snapshot == snapshot_of(5)
