"""A database whose place its standby has taken is none for who knew the standby as primary."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path

import psycopg
import pytest

from server.command.main import main
from server.storage import StorageFault
from server.storage.postgresql import PostgresqlStorage, Timelines, held
from server.storage.postgresql.timeline import FOLDER, Older
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


def test_nothing_is_moved_from_a_database_older_than_the_directory_knew(
    parted: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = parted
    with closing(psycopg.connect(new)) as db:
        Timelines(tmp_path).check(db)
    assert main(["migrate", old, "--back", "--data", str(tmp_path)]) == 1
    assert "whose place a standby has taken" in capsys.readouterr().err


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


@pytest.mark.parametrize("order", ["the old one first", "the new one first"])
async def test_of_several_the_one_is_taken_that_took_the_others_place(
    parted: tuple[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture, order: str
) -> None:
    old, new = parted
    folders = [address.partition("host=")[2] for address in (old, new)]
    either = old.replace(folders[0], ",".join(folders if order == "the old one first" else folders[::-1]))
    async with aclosing(storage(new, Timelines(tmp_path))) as first:
        await first.put("person", "p3", b"since then")
    caplog.clear()
    timelines = Timelines(tmp_path)
    async with aclosing(storage(either, timelines)) as again:
        assert await again.get("person", "p3") == b"since then"
        with psycopg.connect(new, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'apnap one'")
        await again.create(setup_of("r3"))
        assert held(either, timelines) > 0
    assert caplog.text.count("whose place") == (order == "the old one first"), "told once"
    with closing(psycopg.connect(old)) as db:
        assert db.execute("SELECT count(*) FROM room WHERE id = 'r3'").fetchone() == (0,)


def test_what_one_process_saw_another_knows(parted: tuple[str, str], tmp_path: Path) -> None:
    old, new = parted
    one, other = Timelines(tmp_path), Timelines(tmp_path)
    with psycopg.connect(old) as db:
        other.check(db)
        with psycopg.connect(new) as promoted:
            one.check(promoted)
        with pytest.raises(Older):
            other.check(db)


@pytest.mark.parametrize("umask", [0o000, 0o777])
def test_what_is_noted_is_nobody_elses(parted: tuple[str, str], tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with psycopg.connect(parted[0]) as db:
            Timelines(tmp_path).check(db)
    finally:
        os.umask(before)
    folder = tmp_path / FOLDER
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())] == [0o700, 0o600]


def test_what_two_note_at_once_is_both_known(
    parted: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process is between looking and noting the old primary while another notes the promoted standby."""
    old, new = parted
    slow, noted = Timelines(tmp_path), Timelines._noted
    with psycopg.connect(old) as db, psycopg.connect(new) as promoted:

        def looks(self: Timelines, system: str) -> int:
            found = noted(self, system)
            if self is slow:
                Timelines(tmp_path).check(promoted)
            return found

        monkeypatch.setattr(Timelines, "_noted", looks)
        slow.check(db)
        with pytest.raises(Older):
            Timelines(tmp_path).check(db)


def test_another_database_is_not_an_older_one(parted: tuple[str, str], postgresql: Cluster, tmp_path: Path) -> None:
    """Whoever is told to use another one on purpose begins there anew, and what was known of the first is known when it is back."""
    old, new = parted
    with psycopg.connect(new) as promoted, psycopg.connect(postgresql.new()) as other, psycopg.connect(old) as db:
        first = Timelines(tmp_path)
        for database in (promoted, other, other):
            first.check(database)
        for timelines in (first, Timelines(tmp_path)):
            with pytest.raises(Older):
                timelines.check(db)


def test_what_cannot_be_read_or_written_is_told_and_stops_nobody(
    parted: tuple[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """This process still knows what it has seen."""
    (tmp_path / FOLDER).write_bytes(b"\xff")
    timelines = Timelines(tmp_path)
    with psycopg.connect(parted[1]) as promoted, psycopg.connect(parted[0]) as db:
        timelines.check(promoted)
        assert "cannot be read" in caplog.text and "cannot be noted" in caplog.text
        with pytest.raises(Older):
            timelines.check(db)
        (tmp_path / FOLDER).unlink()
        timelines.check(promoted)
        with pytest.raises(Older):
            Timelines(tmp_path).check(db)


def test_names_that_are_none_of_a_timeline_are_nothing(parted: tuple[str, str], tmp_path: Path) -> None:
    with psycopg.connect(parted[0]) as db:
        Timelines(tmp_path).check(db)
        system = next((tmp_path / FOLDER).iterdir()).name.rpartition("-")[0]
        for name in ("9", "-9", f"{system}-", f"{system}-9~", f"{system}--9", f"{system}-\u0669", f"0{system}-9"):
            (tmp_path / FOLDER / name).touch()
        Timelines(tmp_path).check(db)


async def test_a_standby_is_no_database(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is passed over where others are named, and refused where it is the one that answers."""
    with cluster() as primary:
        address = primary.new()
        with cluster(of=primary) as standby:
            alone = address.replace(str(primary.folder), str(standby.folder))
            either = address.replace(str(primary.folder), f"{standby.folder},{primary.folder}")
            async with aclosing(storage(either, Timelines(tmp_path))) as first:
                await first.put("person", "p1", b"of the primary")
            with pytest.raises(StorageFault, match="standby"):
                storage(alone, Timelines(tmp_path))
            reading = PostgresqlStorage(
                f"{alone}&target_session_attrs=any", read_only=True, timelines=Timelines(tmp_path)
            )
            for _ in range(2):
                with pytest.raises(StorageFault, match="may be behind"):
                    await reading.get("person", "p1")
            assert caplog.text.count("may be behind") == 1, "told once"


def test_any_user_of_the_database_may_ask(postgresql: Cluster) -> None:
    address = postgresql.new()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE ROLE plain LOGIN")
    with psycopg.connect(address, user="plain") as db:
        timelines = Timelines()
        timelines.check(db)
        assert list(timelines._known.values()) == [1]
