"""Journals in PostgreSQL: who may write, what becomes of a commit that nobody heard of, and of a server that stood still."""

from __future__ import annotations

import math
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import trio
import trio.testing

from server.command.stores import BACK_SECONDS
from server.rules.model import Take
from server.storage import (
    Answered,
    Conflict,
    Ended,
    InUse,
    NewerData,
    NoSuchRoom,
    Snapshot,
    StorageFault,
    Upgraded,
)
from server.storage.postgresql import PostgresqlStorage, held, holding, open_postgresql, readers, writer
from server.storage.postgresql import storage as postgresql
from server.storage.postgresql.holding import STANDS, Superseded
from server.storage.postgresql.tables import Db
from tests.chaos.guests import until
from tests.storage.test_storage import entries_of, setup_of

WAITS = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
SHORT = 0.3
"""Seconds of a lease whose end a test waits for, on the database's clock."""
NOBODY = "SELECT %s::text WHERE false"


@asynccontextmanager
async def deaf(address: str) -> AsyncIterator[PostgresqlStorage]:
    """A server that stands still: its lease is not renewed."""
    storage = PostgresqlStorage(address, lease=SHORT, name="one that stands still")
    storage._ended.set()
    storage._renewing.join()
    # The thread has given the line back as at an end; this one ended otherwise.
    with storage._connect() as db:
        db.execute(
            "INSERT INTO node (id, name, until, connections) OVERRIDING SYSTEM VALUE"
            " VALUES (%s, 'one that stands still', clock_timestamp() + make_interval(secs => %s), %s)",
            (storage._node, SHORT, storage._connections),
        )
    try:
        yield storage
    finally:
        await storage.aclose()


@asynccontextmanager
async def closing(storage: PostgresqlStorage) -> AsyncIterator[PostgresqlStorage]:
    try:
        yield storage
    finally:
        await storage.aclose()


async def lapsed(address: str) -> PostgresqlStorage:
    """Another server on that database, as soon as it may."""
    while True:
        try:
            return PostgresqlStorage(address, name="the other")
        except InUse:
            await trio.sleep(SHORT / 10)


async def test_a_process_takes_over_at_once_from_one_of_its_own_server(database: str) -> None:
    first = PostgresqlStorage(database, connections="apnap one")
    async with closing(PostgresqlStorage(database, connections="apnap one")) as second:
        await second.put("kind", "key", b"after it")
        with pytest.raises(StorageFault, match="another server"):
            await first.put("kind", "key", b"too late")
        assert await second.get("kind", "key") == b"after it"
        with pytest.raises(InUse):
            PostgresqlStorage(database, connections="apnap two")
    await first.aclose()


async def test_only_one_server_writes_a_database(database: str) -> None:
    async with open_postgresql(database, name="the first"):
        with pytest.raises(InUse, match="the first"):
            PostgresqlStorage(database)
    async with open_postgresql(database) as second:  # let go of at once: no lease has to run out
        await second.create(setup_of())


async def test_who_stood_still_writes_nothing_after_a_takeover(database: str) -> None:
    async with deaf(database) as old:
        await old.create(setup_of())
        await old.append("r1", entries_of())
        async with closing(await lapsed(database)) as new:
            with pytest.raises(Superseded):
                await old.append("r1", entries_of(4))
            with pytest.raises(Superseded):
                await old.put("person", "p1", b"late")
            assert old.superseded
            assert (await new.take_up("r1")).last == 3
            assert await new.get("person", "p1") is None
            await new.append("r1", entries_of(4))
            assert (await new.load("r1")).last == 6


async def test_what_waits_when_the_line_of_its_node_is_gone_is_not_written(database: str) -> None:
    """Also where no other has taken the room yet: its fence alone would let it pass."""
    async with deaf(database) as old:
        await old.create(setup_of())
        with old._connect() as db:
            db.execute("DELETE FROM node WHERE id = %s", (old._node,))
        with pytest.raises(Superseded):
            await old.append("r1", entries_of())
        async with closing(await lapsed(database)) as new:
            assert (await new.take_up("r1")).last == 0


async def test_who_is_told_that_another_has_taken_over_writes_nothing_more(database: str) -> None:
    """Its own lines to the database may be dead; nothing is waited for at its end."""
    storage = PostgresqlStorage(database)
    await storage.put("note", "key", b"before")
    storage.taken_over()
    with pytest.raises(Superseded):
        await storage.put("note", "key", b"after")
    assert storage.superseded
    assert await storage.get("note", "key") == b"before"
    await storage.aclose()


class Pauses(threading.Event):
    """Between renewals of a lease; after so many nothing is renewed any more."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.seconds: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.seconds.append(timeout)
        return len(self.seconds) > self.count


async def test_a_lease_that_cannot_be_renewed_is_tried_again_before_others_take_it(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The database was away for all; what is the same is told once."""
    found, pauses = [False, False, True, False, True], Pauses(5)

    def renew(*_: object) -> bool:
        if not found.pop(0):
            raise psycopg.OperationalError("no route")
        return True

    async with open_postgresql(database, lease=600) as storage:
        monkeypatch.setattr(postgresql, "renew", renew)
        with monkeypatch.context() as during:
            during.setattr(storage, "_ended", pauses)
            await trio.to_thread.run_sync(storage._renew)
    again = postgresql.RENEW_SECONDS
    assert pauses.seconds == [150, again, again, 150, again, 150] and again < BACK_SECONDS
    assert caplog.text.count("could not be renewed: no route") == 2


async def test_who_stands_by_is_told_when_the_lease_ends(database: str) -> None:
    async with open_postgresql(database, lease=600) as storage:
        assert 300 < held(database) <= 600
        with storage._connect() as db:
            db.execute("UPDATE node SET until = clock_timestamp() - interval '1 s'")
        assert -60 < held(database) < 0
    assert held(database) == -math.inf


async def test_a_takeover_ends_a_transaction_that_does_not(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "END", NOBODY)  # who only waits for a client that is not heard of is not waited for
    async with deaf(database) as old:
        await old.create(setup_of())
        hanging = old._connect()  # not the one that writes now: the database has not heard that its line broke
        hanging.execute("BEGIN")
        hanging.execute(STANDS, (old._node,))
        hanging.execute("UPDATE room SET seq = 99 WHERE id = 'r1'")
        async with closing(await lapsed(database)) as new:
            assert (await new.take_up("r1")).last == 0
            with pytest.raises(StorageFault):
                await old.append("r1", entries_of())
            assert (await new.take_up("r1")).last == 0


@pytest.mark.parametrize(("seconds", "there"), [(0.8, 1), (60, 0)])
async def test_a_takeover_waits_a_moment_for_a_statement_that_runs(database: str, seconds: float, there: int) -> None:
    """What ends by then is there; what does not is ended."""
    async with deaf(database) as old, trio.open_nursery() as nursery:
        hanging, locked = old._connect(), trio.Event()
        hanging.execute("CREATE TABLE late (number int)")

        def late() -> None:
            with suppress(psycopg.OperationalError), hanging.transaction():
                hanging.execute(STANDS, (old._node,))
                trio.from_thread.run_sync(locked.set)
                hanging.execute("INSERT INTO late SELECT 1 FROM pg_sleep(%s)", (seconds,))

        nursery.start_soon(trio.to_thread.run_sync, late)
        await locked.wait()
        async with closing(await lapsed(database)) as new:
            with new._connect() as db:
                assert db.execute("SELECT count(*) FROM late").fetchone() == (there,)


async def test_a_room_that_goes_on_elsewhere_is_refused_and_no_other(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of("r1"))
        await storage.create(setup_of("r2"))
        with storage._connect() as db:
            db.execute("UPDATE room SET fence = fence + 1 WHERE id = 'r1'")
        refused: list[str] = []

        async def write(room: str) -> None:
            try:
                await storage.append(room, entries_of(), Snapshot(seq=3, version="1", hash="x", state=b"{}"))
            except Conflict:
                refused.append(room)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write, "r1")
            nursery.start_soon(write, "r2")
        assert refused == ["r1"]
        assert (await storage.load("r1")).last == 0
        assert (await storage.take_up("r1")).snapshot is None
        assert (await storage.take_up("r2")).snapshot is not None
        with pytest.raises(Conflict):  # for good: it was not for this server to look where the room is now
            await storage.append("r1", entries_of())


async def test_a_database_that_does_not_answer_is_a_fault_while_it_does_not(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing fails then, and games stand still all the same: nobody new should be sent here, and the host be told why."""
    monkeypatch.setattr(writer, "STILL_SECONDS", 0.01)
    async with open_postgresql(database) as storage, trio.open_nursery() as nursery:
        await storage.create(setup_of())
        assert not storage.fault
        with storage._connect() as other, other.transaction():
            other.execute("SELECT FROM room WHERE id = 'r1' FOR UPDATE")
            nursery.start_soon(storage.append, "r1", entries_of())
            await until(lambda: "has not answered" in storage.fault)
        await until(lambda: not storage.fault)
        assert (await storage.load("r1")).last == 3


async def test_what_waits_is_one_commit(database: str) -> None:
    async with open_postgresql(database) as storage:
        for number in range(20):
            await storage.create(setup_of(f"r{number}"))
        before = storage.commits
        with storage._connect() as db:
            async with trio.open_nursery() as nursery:
                with db.transaction():
                    db.execute("LOCK TABLE room IN EXCLUSIVE MODE")
                    for number in range(20):
                        nursery.start_soon(storage.append, f"r{number}", entries_of())
                        await until(lambda: db.execute("SELECT FROM pg_locks WHERE NOT granted").rowcount == 1)
                    await trio.testing.wait_all_tasks_blocked()  # the last of them have been asked for, too
        assert storage.commits - before == 2, "the first, and all that came while it was on its way"
        assert [record.entries for record in await storage.rooms()] == [3] * 20


async def test_two_appends_of_one_room_keep_their_order(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        async with trio.open_nursery() as nursery:
            for first in (1, 4, 7):
                nursery.start_soon(storage.append, "r1", entries_of(first))
                await trio.testing.wait_all_tasks_blocked()
        assert [entry.seq for entry in (await storage.load("r1")).entries] == list(range(1, 10))


async def test_an_end_takes_the_snapshots_away(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        base = Snapshot(seq=1, version="1", hash="b", state=b"{}", base=True)
        await storage.append("r1", entries_of(1, 1), base)
        await storage.append("r1", entries_of(2, 1), Snapshot(seq=2, version="1", hash="x", state=b"{}"))
        await storage.append("r1", [Ended(seq=3, winners=(0,), why="life", hash="h")])
        assert (await storage.load("r1")).bases == (base,)
        assert (await storage.take_up("r1")).snapshot == base
        assert [record.finished for record in await storage.rooms()] == [True]


async def test_writing_goes_on_when_the_database_has_come_back() -> None:
    from tests.storage.cluster import cluster

    with cluster() as own:
        async with open_postgresql(own.new()) as storage:
            await storage.create(setup_of())
            own.stop()
            own.start()
            with pytest.raises(StorageFault):  # the line is broken; that nothing was written is known by a new one
                await storage.append("r1", entries_of())
            await storage.append("r1", entries_of())
            assert [entry.seq for entry in (await storage.load("r1")).entries] == [1, 2, 3]


async def test_a_database_of_a_newer_apnap_is_left_alone(database: str) -> None:
    async with open_postgresql(database) as storage:
        with storage._connect() as db:
            db.execute("UPDATE version SET number = number + 1")
    with pytest.raises(NewerData):
        PostgresqlStorage(database)


async def test_what_was_changed_behind_our_back_is_told(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        await storage.put("person", "p1", b"Ann")
        assert await storage.audit() == []
        with storage._connect() as db:
            db.execute("DELETE FROM entry WHERE seq = 2")
            db.execute("UPDATE record SET data = 'Eve'")
        assert len(await storage.audit()) == 2
        assert await storage.get("person", "p1") == b""


async def test_an_answer_is_found_far_back(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 1200))
        found = await storage.answer_to("r1", 3)
        assert isinstance(found, Answered)
        assert found.question == 3


async def test_an_answer_that_counts_no_more_is_not_found_far_back_either(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of(1, 600))
        await storage.append("r1", [Upgraded(seq=601, base=50, version="2", hash="h")])
        await storage.append("r1", [Answered(seq=602, seat=0, question=400, answer=Take(0))])
        found = [await storage.answer_to("r1", number) for number in (399, 400)]
        assert [entry.seq for entry in found if entry is not None] == [50, 602]


async def test_a_journal_that_is_as_long_but_another_is_not_gone_on_with(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        with storage._connect() as db:
            db.execute("UPDATE room SET head = %s", (b"another",))
        with pytest.raises(Conflict):
            await storage.append("r1", entries_of(4))


def fences(storage: PostgresqlStorage) -> list[int]:
    with storage._connect() as db:
        return [row[0] for row in db.execute("SELECT fence FROM room ORDER BY no")]


async def test_a_takeover_raises_the_fences_of_rooms_that_go_on(database: str) -> None:
    async with open_postgresql(database) as storage:
        await storage.create(setup_of("r1"))
        await storage.create(setup_of("r2"))
        await storage.finish("r2")
        before = fences(storage)
    async with open_postgresql(database) as storage:
        assert [after - then for after, then in zip(fences(storage), before, strict=True)] == [1, 0]


async def test_what_waits_as_it_closes_is_written(database: str) -> None:
    storage = PostgresqlStorage(database)
    for number in range(30):
        await storage.create(setup_of(f"r{number}"))
    async with trio.open_nursery() as nursery:
        for number in range(30):
            nursery.start_soon(storage.append, f"r{number}", entries_of())
        await trio.testing.wait_all_tasks_blocked()
        await storage.aclose()
    async with open_postgresql(database, read_only=True) as after:
        assert {record.entries for record in await after.rooms()} == {3}


def waiting_for_standby(storage: PostgresqlStorage) -> int:
    """The backend that waits for one, 0: none does."""
    with storage._connect() as db:
        found = db.execute("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'").fetchone()
    return 0 if found is None else found[0]


async def test_a_commit_that_no_standby_has_is_not_acknowledged() -> None:
    from tests.storage.cluster import cluster

    with cluster() as own:
        async with open_postgresql(own.new()) as storage:
            await storage.create(setup_of())
            done: list[bytes] = []

            async def write() -> None:
                done.append(await storage.append("r1", entries_of()))

            def standby(name: str) -> None:
                with storage._connect() as db:
                    db.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'".encode())
                    db.execute("SELECT pg_reload_conf()")

            standby("ghost")
            assert storage._writer is not None
            writing = storage._writer._db  # each backend hears of it by itself
            await until(lambda: writing.execute("SHOW synchronous_standby_names").fetchone() == ("ghost",))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(write)
                await until(lambda: waiting_for_standby(storage) != 0)
                first = waiting_for_standby(storage)
                with storage._connect() as db:
                    db.execute("SELECT pg_cancel_backend(%s)", (first,))
                await until(lambda: waiting_for_standby(storage) not in (0, first))
                assert not done
                assert not storage.superseded
                standby("")
            assert done == [(await storage.load("r1")).head]
            await storage.append("r1", entries_of(4))


async def test_no_server_there_is_a_fault_in_words(tmp_path: Path) -> None:
    with pytest.raises(StorageFault):
        PostgresqlStorage(f"postgresql://apnap@/none?host={tmp_path}")


def backends(storage: PostgresqlStorage, looking: Db) -> list[int]:
    """Of all its connections but those that write and renew, and the one by which is looked."""
    asked = "SELECT pid FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid() ORDER BY pid"
    return [row[0] for row in looking.execute(asked, (storage._connections,))]


async def test_who_reads_one_after_the_other_has_one_line_and_another_where_it_breaks(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "KEPT_SECONDS", 600.0)
    async with open_postgresql(database) as storage:
        looking = storage._connect()
        await storage.create(setup_of())
        writes = backends(storage, looking)
        await storage.load("r1")
        (reads,) = set(backends(storage, looking)) - set(writes)
        await storage.load("r1")
        assert backends(storage, looking) == sorted([*writes, reads])
        with pytest.raises(NoSuchRoom):
            await storage.load("r2")
        assert backends(storage, looking) == sorted([*writes, reads])
        looking.execute("SELECT pg_terminate_backend(%s, 60000)", (reads,))  # which waits until it has ended
        assert (await storage.load("r1")).setup == setup_of()
        assert reads not in backends(storage, looking)
        looking.close()


async def test_a_reading_that_nobody_wants_any_more_is_not_waited_for(database: str) -> None:
    """Else whoever is to take over waits for a line that is dead until the system says so."""
    async with open_postgresql(database) as storage:
        await storage.create(setup_of())
        async with closing(PostgresqlStorage(database, read_only=True)) as reading:
            with storage._connect() as looks, storage._connect() as locks, locks.transaction(), trio.fail_after(20):
                locks.execute("LOCK TABLE room")
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(reading.rooms)
                    await until(lambda: bool(looks.execute(WAITS).fetchall()))
                    nursery.cancel_scope.cancel()
                assert looks.execute(WAITS).fetchall(), "the database has not answered yet"
            assert len(await reading.rooms()) == 1


async def test_the_same_fault_is_told_in_one_way(database: str) -> None:
    """Of a disk that is full each write names another file, and each change is told to the log and to all workers."""
    async with open_postgresql(database) as storage:
        with storage._connect() as db:
            db.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE EXCEPTION USING ERRCODE = NEW.kind, MESSAGE = 'no room for ' || NEW.key; END $$"
            )
            db.execute("CREATE TRIGGER fills BEFORE INSERT ON record FOR EACH ROW EXECUTE FUNCTION full_disk()")
        told: list[str] = []
        for kind, key in (("53100", "a"), ("53100", "b"), ("53400", "c"), ("53100", "d")):
            with pytest.raises(StorageFault, match=f"no room for {key}"):
                await storage.put(kind, key, b"")
            told.append(storage.fault.splitlines()[0])
        assert told == ["no room for a", "no room for a", "no room for c", "no room for d"]
        await storage.create(setup_of())
        assert storage.fault == ""
