"""What a database keeps of what it acknowledged, as it is told at the start of a server, and kept when the machine of the database dies."""

from __future__ import annotations

import pytest
import trio

pytest.importorskip("psycopg")

import psycopg

from server.storage.postgresql import PostgresqlStorage, open_postgresql, reach
from server.storage.postgresql.promise import Promise, promise, wanted
from tests.chaos.guests import until
from tests.storage.cluster import cluster
from tests.storage.test_storage import entries_of, setup_of

ALONE, HIDDEN = "on no other", "GRANT pg_monitor"


@pytest.mark.parametrize(
    ("found", "says", "kept"),
    [
        (Promise("on", True, 0, 0), ALONE, False),
        (Promise("local", True, 1, 1), ALONE, False),
        (Promise("on", True, 1, 1), "on the disks of a standby: it outlives the loss of its machine", True),
        (Promise("remote_apply", True, 2, 2), "on the disks of 2 standbys", True),
        (Promise("remote_write", True, 1, 1), "with the systems, if not yet on the disks, of a standby", True),
        (
            Promise("on", True, 2, 1),
            "1 of them are attached now, and until there are more nothing is acknowledged",
            False,
        ),
        (Promise("on", True, 1, None), HIDDEN, True),
        (Promise("off", True, 1, 1), "synchronous_commit is off", False),
        (Promise("on", False, 1, 1), "may be lost altogether", False),
    ],
)
def test_what_is_said_of_what_was_found(found: Promise, says: str, kept: bool) -> None:
    assert says in str(found) and found.kept == kept


@pytest.mark.parametrize(
    ("names", "count"),
    [("", 0), ("  ", 0), ("a", 1), ("a, b", 1), ("*", 1), ("2 (a, b, c)", 2), ("FIRST 1 (a)", 1), ("any 3 (*)", 3)],
)
def test_how_many_standbys_the_names_ask_for(names: str, count: int) -> None:
    assert wanted(names) == count


def test_what_a_connection_asks_for_itself_counts(database: str) -> None:
    with psycopg.connect(database, options="-c synchronous_commit=off") as db:
        assert promise(db) == Promise("off", False, 0, 0)  # a database of the tests is without durability


def test_a_standby_that_somebody_may_not_see_is_not_counted(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("CREATE ROLE nosy")
        db.execute("SET ROLE nosy")
        assert promise(db).attached == 0
        db.execute("RESET ROLE")
        db.execute("DROP ROLE nosy")


async def test_what_was_acknowledged_outlives_the_machine_of_the_database() -> None:
    """The standby stands where the server that is gone stood, whenever that was."""
    with cluster() as first:
        address = first.new()
        with psycopg.connect(address, autocommit=True) as db:
            db.execute("ALTER SYSTEM SET synchronous_standby_names = 'copy'")
            db.execute("SELECT pg_reload_conf()")
        with cluster(of=first) as second:
            told = 0
            enough = trio.Event()
            async with trio.open_nursery() as nursery:

                async def write() -> None:
                    nonlocal told
                    async with open_postgresql(address, lease=1) as storage:
                        await until(lambda: reach(address).attached != 0)
                        found = reach(address)
                        assert (found.commit, found.wanted, found.attached) == ("on", 1, 1)
                        await storage.create(setup_of())
                        while True:
                            await storage.append("r1", entries_of(told + 1, 1))
                            told += 1
                            if told == 40:
                                enough.set()

                nursery.start_soon(write)
                with trio.fail_after(60):
                    await enough.wait()
                await trio.to_thread.run_sync(first.stop)
                nursery.cancel_scope.cancel()
            second.promote()
            with psycopg.connect(second.address(), autocommit=True) as db:
                db.execute("ALTER SYSTEM RESET synchronous_standby_names")
                db.execute("SELECT pg_reload_conf()")
            either = address.replace(str(first.folder), f"{first.folder},{second.folder}")
            async with open_postgresql(f"{either}&target_session_attrs=read-write", lease=1) as storage:
                there = len((await storage.load("r1")).entries)
                assert told <= there <= told + 1
            first.start()


async def test_who_stops_gives_its_lease_back_though_the_standby_is_gone() -> None:
    """By a line that is made for it: the one by which the lease was renewed has broken, or never was."""
    with cluster() as database, psycopg.connect(database.address(), autocommit=True) as db:
        storage = PostgresqlStorage(database.address(), lease=60.0)
        db.execute("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
        db.execute("SELECT pg_reload_conf()")
        await until(lambda: db.execute("SHOW synchronous_standby_names").fetchone() == ("gone",))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(storage.aclose)
            with trio.move_on_after(10) as stops:
                await until(lambda: not storage._renewing.is_alive())
            db.execute("ALTER SYSTEM RESET synchronous_standby_names")
            db.execute("SELECT pg_reload_conf()")
        assert not stops.cancelled_caught
        assert db.execute("SELECT count(*) FROM node").fetchone() == (0,)
