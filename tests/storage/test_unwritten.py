"""A server says that nothing can be written, and that it can again, also where nobody writes: people are sent by what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import trio

from server.command import stores
from server.command.stores import open_store
from server.settings import Store
from server.storage import StorageFault
from server.storage.postgresql import open_postgresql
from tests.chaos.guests import until
from tests.cluster.door import DatabaseLine
from tests.storage.cluster import Cluster

SHORT = 0.5
"""Seconds of a lease."""


@pytest.fixture
def line(postgresql: Cluster) -> Iterator[DatabaseLine]:
    with DatabaseLine(postgresql.folder) as made:
        yield made


def by(line: DatabaseLine, database: str) -> str:
    """The address of a database by that line."""
    return database.replace(str(line.of), str(line.folder))


@pytest.mark.parametrize("dead", [False, True], ids=["cut", "dead"])
async def test_who_cannot_renew_its_lease_says_so_though_nobody_writes(
    database: str, line: DatabaseLine, dead: bool
) -> None:
    async with open_postgresql(by(line, database), lease=SHORT) as storage:
        await trio.sleep(SHORT * 2)
        assert storage.fault == ""
        line.cut_off(dead=dead)
        with trio.fail_after(30):
            await until(lambda: storage.fault != "")
        line.mend()
        with trio.fail_after(30):
            await until(lambda: storage.fault == "")


async def test_a_database_that_takes_writes_again_is_found_though_nobody_writes(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "AGAIN_SECONDS", 0.05)
    async with open_store(Store(address=database), tmp_path) as storage:
        with psycopg.connect(database, autocommit=True) as db:
            db.execute("ALTER TABLE record RENAME TO away")
            with pytest.raises(StorageFault):
                await storage.put("person", "ada", b"{}")
            assert "does not exist" in storage.fault
            db.execute("ALTER TABLE away RENAME TO record")
        with trio.fail_after(30):
            await until(lambda: storage.fault == "")
