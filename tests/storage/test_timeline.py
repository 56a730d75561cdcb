"""A database whose place its standby has taken is none for who knew the standby as primary."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path

import psycopg
import pytest

from server.storage import StorageFault
from server.storage.postgresql import PostgresqlStorage, Timelines
from server.storage.postgresql.timeline import Known, Older
from tests.storage.cluster import Cluster, cluster
from tests.storage.test_storage import entries_of, setup_of


@pytest.fixture(scope="module")
def parted() -> Iterator[tuple[str, str]]:
    """The addresses of one database in a primary that goes on, and in its standby, which was promoted beside it."""
    with cluster() as primary:
        address = primary.new()
        with cluster(of=primary) as standby:
            standby.promote()
            yield address, address.replace(str(primary.folder), str(standby.folder))


def storage(address: str, timelines: Timelines | None) -> PostgresqlStorage:
    return PostgresqlStorage(address, connections="apnap one", timelines=timelines)


async def test_a_node_refuses_a_database_older_than_it_knew(parted: tuple[str, str], tmp_path: Path) -> None:
    old, new = parted
    async with aclosing(storage(old, Timelines(tmp_path))) as first:
        await first.create(setup_of())
    async with aclosing(storage(new, Timelines(tmp_path))) as second:
        await second.put("person", "p1", b"since then")
    with pytest.raises(StorageFault, match="whose place a standby has taken"):
        storage(old, Timelines(tmp_path))
    reading = PostgresqlStorage(old, read_only=True, timelines=Timelines(tmp_path))
    with pytest.raises(StorageFault, match="whose place a standby has taken"):
        await reading.rooms()
    async with aclosing(storage(new, Timelines(tmp_path))) as again:
        assert await again.get("person", "p1") == b"since then"


async def test_a_line_that_leads_back_to_the_old_one_writes_nothing(
    parted: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node goes on all the while: its connections break, and what they are made to is another by then."""
    old, new = parted
    async with aclosing(storage(new, Timelines(tmp_path))) as writing:
        await writing.create(setup_of("r2"))
        writing._address = old
        with psycopg.connect(new, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'apnap one'")
        with pytest.raises(StorageFault):
            await writing.append("r2", entries_of())
        with pytest.raises(StorageFault):
            await writing.put("person", "p2", b"too old")
        writing._address = new
    with closing(psycopg.connect(old)) as db:
        assert db.execute("SELECT count(*) FROM record WHERE key = 'p2'").fetchone() == (0,)


def test_what_one_process_saw_another_knows(parted: tuple[str, str], tmp_path: Path) -> None:
    old, new = parted
    one, other = Timelines(tmp_path), Timelines(tmp_path)
    with psycopg.connect(old) as db:
        other.check(db)
        with psycopg.connect(new) as promoted:
            one.check(promoted)
        with pytest.raises(Older):
            other.check(db)


def test_another_database_is_not_an_older_one(parted: tuple[str, str], postgresql: Cluster, tmp_path: Path) -> None:
    """Whoever is told to use another one on purpose begins there anew."""
    timelines = Timelines(tmp_path)
    with psycopg.connect(parted[1]) as promoted:
        timelines.check(promoted)
    with psycopg.connect(postgresql.new()) as other:
        timelines.check(other)
        timelines.check(other)


def test_a_file_that_cannot_be_read_or_written_stops_nobody(parted: tuple[str, str], tmp_path: Path) -> None:
    """This process still knows what it has seen."""
    (tmp_path / "timeline.json").write_text("{")
    timelines = Timelines(tmp_path)
    shutil.rmtree(tmp_path)
    with psycopg.connect(parted[1]) as promoted, psycopg.connect(parted[0]) as db:
        timelines.check(promoted)
        with pytest.raises(Older):
            timelines.check(db)


def test_any_user_of_the_database_may_ask(postgresql: Cluster) -> None:
    address = postgresql.new()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE ROLE plain LOGIN")
    with psycopg.connect(address, user="plain") as db:
        timelines = Timelines()
        timelines.check(db)
        assert isinstance(timelines._latest(), Known)
