"""A database whose disk is full: what does not fit is refused and nothing of it is there, and as soon as there is room it goes on."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from server.storage import StorageFault
from server.storage.postgresql import PostgresqlStorage, writer
from server.storage.writes import Append
from tests.storage.cluster import Cluster, cluster
from tests.storage.test_postgresql import closing as closed
from tests.storage.test_storage import setup_of

BIG = random.Random(0).randbytes(40_000)
"""An entry, as written, that takes pages of its own."""


class Small:
    """A database on a small disk, which can be filled."""

    def __init__(self, database: Cluster) -> None:
        self.database = database
        self.address = database.new()
        self._filling = database.folder / "filling"

    def fill(self) -> None:
        with suppress(OSError), self._filling.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65536))

    def free(self) -> None:
        self._filling.unlink()

    def there(self) -> int:
        with closing(psycopg.connect(self.address)) as db:
            row = db.execute("SELECT count(*) FROM entry").fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Small]:
    with tempfile.TemporaryDirectory(prefix="apnap-small-") as folder:
        words = ["mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", folder]
        with suppress(OSError):
            if subprocess.run(words, capture_output=True).returncode == 0:
                try:
                    monkeypatch.setattr(tempfile, "tempdir", folder)
                    Path(folder).chmod(0o755)
                    with cluster() as database:
                        yield Small(database)
                finally:
                    subprocess.run(["umount", "-l", folder], check=True)
                return
        pytest.skip("no file system can be mounted here")


async def test_what_does_not_fit_is_refused_until_there_is_room(small: Small) -> None:
    async with closed(PostgresqlStorage(small.address)) as storage:
        await storage.create(setup_of())
        await storage.write(Append("r1", [(1, BIG)], None, False))
        small.fill()
        seq, refused = 1, ""
        while not refused:  # what has room in files that are there is taken
            try:
                await storage.write(Append("r1", [(seq + 1, BIG)], None, False))
                seq += 1
            except StorageFault as fault:
                refused = str(fault)
        assert "No space left" in refused
        assert "No space left" in storage.fault, "which /ready tells"
        small.free()
        await storage.write(Append("r1", [(seq + 1, BIG)], None, False))
        assert storage.fault == "" and not storage.forgotten
        assert small.there() == seq + 1


async def test_a_database_that_dies_of_a_full_disk_has_all_that_it_acknowledged(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no room for what it writes ahead: it ends, and is started when there is."""
    monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.5)
    async with closed(PostgresqlStorage(small.address)) as storage:
        await storage.create(setup_of())
        await storage.write(Append("r1", [(1, BIG)], None, False))
        small.fill()
        with suppress(psycopg.Error), closing(psycopg.connect(small.address, autocommit=True)) as db:
            while True:
                db.execute("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))")
        with pytest.raises(StorageFault):
            await storage.write(Append("r1", [(2, BIG)], None, False))
        small.free()
        with suppress(OSError):  # it may have come back by itself
            small.database.start()
        await storage.write(Append("r1", [(2, BIG)], None, False))
        assert small.there() == 2 and not storage.forgotten
