"""What `/metrics` tells of a lease on the database, and of its standbys."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("psycopg")

import psycopg
import trio

from server.metrics import LEASE_FAULTS, LEASE_TAKEN, STANDBY_LAG, STANDBYS_ATTACHED, STANDBYS_WANTED, Counter, Gauge
from server.storage.postgresql import open_postgresql
from server.storage.postgresql import storage as postgresql
from server.storage.postgresql.promise import measure
from tests.chaos.guests import until
from tests.storage.cluster import cluster
from tests.storage.test_postgresql import Pauses, closing, deaf, lapsed


def now(figure: Gauge | Counter) -> float | None:
    """What is told of it, None: nothing."""
    (family,) = figure.collect()
    return family.samples[0].value if family.samples else None


async def test_a_lease_that_ran_out_is_told_by_who_takes_it_and_one_that_was_let_go_of_is_not(database: str) -> None:
    LEASE_TAKEN.set(None)
    async with open_postgresql(database):
        pass
    async with open_postgresql(database):
        assert now(LEASE_TAKEN) is None
    async with deaf(database), closing(await lapsed(database)):
        taken = now(LEASE_TAKEN)
        assert taken is not None and 0 <= time.time() - taken < 60


async def test_a_renewal_that_failed_is_counted(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [False, False, True]

    def renew(*_: object) -> bool:
        if not found.pop(0):
            raise psycopg.OperationalError("no route")
        return True

    before = now(LEASE_FAULTS) or 0
    async with open_postgresql(database, lease=600) as storage:
        monkeypatch.setattr(postgresql, "renew", renew)
        with monkeypatch.context() as during:
            during.setattr(storage, "_ended", Pauses(3))
            await trio.to_thread.run_sync(storage._renew)
    assert now(LEASE_FAULTS) == before + 2


def test_of_a_database_without_standbys_none_is_missing(database: str) -> None:
    with psycopg.connect(database) as db:
        measure(db)
    assert (now(STANDBYS_WANTED), now(STANDBYS_ATTACHED), now(STANDBY_LAG)) == (0, 0, None)


async def test_a_standby_is_told_of_as_long_as_it_is_attached_and_how_far_behind_it_is() -> None:
    with cluster() as first:
        address = first.new()
        async with open_postgresql(address, lease=1):
            with cluster(of=first):
                with psycopg.connect(address, autocommit=True) as db:
                    db.execute("ALTER SYSTEM SET synchronous_standby_names = 'copy'")
                    db.execute("SELECT pg_reload_conf()")
                await until(lambda: (now(STANDBYS_WANTED), now(STANDBYS_ATTACHED)) == (1, 1))
                lag = now(STANDBY_LAG)
                assert lag is not None and 0 <= lag < 64 * 2**20
            await until(lambda: (now(STANDBYS_WANTED), now(STANDBYS_ATTACHED)) == (1, 0))
            with psycopg.connect(address, autocommit=True) as db:  # or the end waits for it, too
                db.execute("ALTER SYSTEM RESET synchronous_standby_names")
                db.execute("SELECT pg_reload_conf()")
