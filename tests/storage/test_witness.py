"""What the witness beside a database notices: a lost end, another copy, a witness that is damaged, old or gone."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import trio

from server.storage import Damaged, Ended, Gap, SqliteStorage, open_sqlite, schema
from server.storage import witness as witnesses
from server.storage.backup import restore
from server.storage.opening import DOUBTED
from server.storage.schema import FILE
from server.storage.witness import FILE as WITNESS
from server.storage.witness import GONE, Mark, Witness, read
from tests.storage.test_storage import entries_of, setup_of, snapshot_of

TIMES = 4


async def written(folder: Path, times: int = TIMES) -> None:
    """Rooms r1 and r2, with three entries more each time, in commits of their own."""
    async with open_sqlite(folder) as storage:
        for room in ("r1", "r2"):
            await storage.create(setup_of(room))
        for time in range(times):
            for room in ("r1", "r2"):
                await storage.append(room, entries_of(1 + 3 * time))


async def opened(folder: Path, caplog: pytest.LogCaptureFixture) -> tuple[dict[str, Gap], list[str]]:
    """What is found as the directory is opened: the gaps, and what the log is told."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        async with open_sqlite(folder) as storage:
            return storage.gaps, [record.getMessage() for record in caplog.records]


def copied(folder: Path, name: str = FILE) -> Path:
    """The database by itself, the log included, as a host would copy it while nothing runs."""
    for file in folder.glob(f"{FILE}*"):
        shutil.copy(file, folder.parent / file.name)
    return folder.parent / name


async def test_nothing_is_said_where_nothing_is_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        assert await opened(tmp_path, caplog) == ({}, [])
    await written(tmp_path)
    for _ in range(2):
        assert await opened(tmp_path, caplog) == ({}, [])
    async with open_sqlite(tmp_path) as storage:
        await storage.append("r1", [Ended(seq=13, winners=(), why="draw", hash="x")])
        await storage.remove("r2")
        await storage.put("person", "a", b"1")
    assert await opened(tmp_path, caplog) == ({}, [])


async def test_the_witness_knows_each_commit_when_it_is_acknowledged(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        for seq in range(1, 40):
            await storage.append("r1", entries_of(seq, 1))
            seen = read(tmp_path / WITNESS)
            assert seen is not None and seen.last is not None and seen.whole
            assert (seen.last.commit, seen.rooms) == (seq + 1, {1: seq})


async def test_a_lost_end_is_noticed_and_said_of_each_room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = tmp_path / "data"
    await written(data, 2)
    before = copied(data)
    async with open_sqlite(data) as storage:
        await storage.append("r2", entries_of(7, 5))
        await storage.create(setup_of("r3"))
    shutil.copy(before, data / FILE)
    gaps, said = await opened(data, caplog)
    assert gaps == {"r2": Gap(6, 11)}
    assert any("its last 2 commits are lost" in line for line in said)
    assert any("room r2: entries 7 to 11 are lost" in line for line in said) and any(
        "a room is lost" in x for x in said
    )
    assert (data / DOUBTED).exists()
    assert await opened(data, caplog) == ({}, []), "it is said once"


async def test_another_copy_in_its_place_is_noticed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Two that have gone on from the same copy: as far, or further."""
    for more in (1, 2, 7):
        data, other = tmp_path / f"data{more}", tmp_path / f"other{more}"
        await written(data)
        shutil.copytree(data, other)
        async with open_sqlite(data) as storage:
            await storage.put("person", "a", b"1")
        async with open_sqlite(other) as storage:
            for seq in range(more):
                await storage.append("r1", entries_of(13 + seq, 2)[:1])
                await storage.put("person", "b", b"2")
        shutil.copy(other / FILE, data / FILE)
        _, said = await opened(data, caplog)
        assert any("another copy" in line for line in said), said


@pytest.mark.parametrize("empty", ["deleted", "nothing in it", "no tables", "no rows"])
async def test_an_empty_database_beside_a_witness_is_refused(tmp_path: Path, empty: str) -> None:
    await written(tmp_path)
    testimony = (tmp_path / WITNESS).read_bytes()
    empty_database(tmp_path, empty)
    for _ in range(2):
        with pytest.raises(Damaged, match="apnap admin restore"):
            async with open_sqlite(tmp_path):
                pass
        assert (tmp_path / WITNESS).read_bytes() == testimony
    (tmp_path / WITNESS).unlink()
    async with open_sqlite(tmp_path) as storage:
        assert await storage.rooms() == []


def empty_database(folder: Path, how: str) -> None:
    for file in folder.glob(f"{FILE}*"):
        file.unlink()
    if how == "nothing in it":
        (folder / FILE).write_bytes(b"")
    if how in ("no tables", "no rows"):
        with closing(schema.connect(folder / FILE)) as db:
            if how == "no rows":
                schema.prepare(db, folder / FILE)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data)


def no_head(file: Path) -> None:
    file.write_bytes(b"x" * 16 + file.read_bytes()[16:])


def zeroed(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


@pytest.mark.parametrize("harm", [Path.unlink, cut_short, flipped, no_head, zeroed, lambda file: file.write_bytes(b"")])
async def test_a_witness_that_is_damaged_or_gone_is_said_and_made_anew(
    tmp_path: Path, harm: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    await written(tmp_path)
    harm(tmp_path / WITNESS)
    gaps, said = await opened(tmp_path, caplog)
    assert gaps == {} and len(said) >= 1 and "witness" in said[0]
    assert await opened(tmp_path, caplog) == ({}, [])


async def test_a_witness_of_an_earlier_time_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await written(tmp_path)
    old = (tmp_path / WITNESS).read_bytes()
    async with open_sqlite(tmp_path) as storage:
        for seq in range(13, 33):
            await storage.append("r1", entries_of(seq, 1))
    (tmp_path / WITNESS).write_bytes(old)
    gaps, said = await opened(tmp_path, caplog)
    assert gaps == {} and "20 commits behind" in said[0]


async def test_a_witness_is_written_anew_before_it_grows_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(witnesses, "MOST_BYTES", 500)
    await written(tmp_path, 30)
    assert (tmp_path / WITNESS).stat().st_size < 700
    seen = read(tmp_path / WITNESS)
    assert seen is not None and seen.rooms == {1: 90, 2: 90}
    assert await opened(tmp_path, caplog) == ({}, [])


def test_rooms_that_are_done_are_forgotten_when_it_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnesses, "MOST_BYTES", 0)
    witness = Witness(tmp_path / WITNESS, Mark(1, bytes(16)), {1: 5, 2: 6, 3: 7})
    witness.say(Mark(2, bytes(16)), {1: 9, 3: GONE}, done=[1])
    witness.close()
    seen = read(tmp_path / WITNESS)
    assert seen is not None and seen.rooms == {2: 6} and seen.last == Mark(2, bytes(16))


async def test_a_witness_on_a_full_disk_holds_nobody_and_is_whole_again_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        with monkeypatch.context() as patched:
            patched.setattr(witnesses.os, "pwrite", full)
            patched.setattr(witnesses.os, "write", full)
            for seq in (1, 4, 7):
                await storage.append("r1", entries_of(seq))
            assert sum("without witness" in record.getMessage() for record in caplog.records) == 1
        await storage.append("r1", entries_of(10))
        seen = read(tmp_path / WITNESS)
        assert seen is not None and seen.rooms == {1: 12}
    assert await opened(tmp_path, caplog) == ({}, [])


async def test_the_witness_is_synced_every_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = trio.Event()
    token = trio.lowlevel.current_trio_token()
    sync = witnesses.os.fdatasync

    def fdatasync(file: int) -> None:
        sync(file)
        token.run_sync_soon(synced.set)

    monkeypatch.setattr(witnesses.os, "fdatasync", fdatasync)
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        with trio.fail_after(5):
            await synced.wait()


async def test_a_backup_that_is_put_back_begins_a_witness_of_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    await written(data, 1)
    async with open_sqlite(data) as storage:
        await storage.backup(tmp_path / "copy")
        await storage.append("r1", entries_of(4))
    restore(tmp_path / "copy", data)
    assert await opened(data, caplog) == ({}, [])
    async with open_sqlite(data) as storage:
        await storage.append("r1", entries_of(4))
    assert await opened(data, caplog) == ({}, [])


async def test_data_without_a_witness_of_an_earlier_version_open_and_get_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await written(tmp_path)
    version_3(tmp_path)
    async with open_sqlite(tmp_path, read_only=True) as storage:
        assert len((await storage.load("r1")).entries) == 12
    assert await opened(tmp_path, caplog) == ({}, [])
    async with open_sqlite(tmp_path) as storage:
        assert await storage.audit() == []
        await storage.append("r1", entries_of(13), snapshot_of(13))
        assert (await storage.load("r1")).head == await storage.head_at("r1", 15)
    assert read(tmp_path / WITNESS) is not None and await opened(tmp_path, caplog) == ({}, [])


def version_3(folder: Path) -> None:
    """As the version before heads wrote it."""
    with closing(sqlite3.connect(folder / FILE)) as db, db:
        for statement in (
            "ALTER TABLE snapshot DROP COLUMN seal",
            "DROP TABLE head",
            "DROP TABLE past",
            "ALTER TABLE record DROP COLUMN seal",
        ):
            db.execute(statement)
        db.execute("PRAGMA user_version = 3")
    (folder / WITNESS).unlink()


async def audited(storage: SqliteStorage) -> str:
    return "\n".join(await storage.audit())


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE entry SET data = CAST(replace(CAST(data AS TEXT), '\"seat\":0', '\"seat\":1') AS BLOB) WHERE seq = 1 AND room = 1",
            "r1",
        ),
        ("DELETE FROM entry WHERE seq = 12 AND room = 2", "it has 11 of 12 entries"),
        ("UPDATE room SET finished = 1 WHERE no = 1", "r1"),
        ("UPDATE room SET id = 'r9' WHERE no = 1", "r9"),
        ("UPDATE room SET setup = CAST(replace(CAST(setup AS TEXT), 'Ann', 'Eve') AS BLOB) WHERE no = 1", "r1"),
        ("UPDATE card SET data = CAST(replace(CAST(data AS TEXT), 'Bear', 'Bore') AS BLOB)", "card of r1"),
        ("UPDATE room_card SET card = 1 WHERE room = 1", "r1"),
        ("UPDATE record SET data = X'32'", "kind person"),
        ("UPDATE record SET key = 'b'", "kind person"),
        ("UPDATE snapshot SET state = X'00'", "snapshot of r1"),
        ("UPDATE head SET hash = X'00' WHERE room = 2", "r2"),
        ("DELETE FROM head WHERE room = 2", "r2"),
        ("UPDATE snapshot SET version = 'w'", "snapshot of r1"),
        ("UPDATE past SET hash = X'00' WHERE no = 3", "broken at 3"),
        ("DELETE FROM past WHERE no = 2", "broken at 3"),
    ],
)
async def test_what_is_not_as_it_was_written_is_found(tmp_path: Path, statement: str, said: str) -> None:
    await written(tmp_path)
    async with open_sqlite(tmp_path) as storage:
        await storage.put("person", "a", b"1")
        await storage.append("r1", entries_of(13), snapshot_of(13))
        assert await storage.audit() == []
        with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
            db.execute(statement)
        assert said in await audited(storage)
