"""All that is kept, from the data directory to PostgreSQL and back: nothing is lost on the way, and that is proved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import psycopg
import pytest

from server.command.main import main
from server.command.stores import open_store
from server.net.workers import nodes
from server.net.workers.nodes import Leads
from server.settings import Store
from server.storage import Check, Damaged, Ended, Snapshot, SqliteStorage, StorageFault, Upgraded, open_sqlite
from server.storage.migrating import Contents, Kept, contents, migrate
from server.storage.postgresql import open_postgresql
from server.storage.schema import FILE
from tests.storage.test_storage import entries_of, setup_of


def snapshot(seq: int, *, base: bool = False) -> Snapshot:
    return Snapshot(seq=seq, version="v", hash=f"h{seq}", state=b"state" * seq, room=b'{"a": 1}', base=base)


async def filled(folder: Path) -> Contents:
    """A directory with a game that goes on, one that went on under later rules, one that is over, and people."""
    async with open_sqlite(folder) as storage:
        await storage.create(setup_of("goes-on"), entries_of())
        await storage.append("goes-on", entries_of(4), snapshot(5))
        await storage.create(setup_of("upgraded"))
        await storage.append("upgraded", entries_of(), snapshot(2, base=True))
        await storage.append("upgraded", [Upgraded(seq=4, version="w", base=2, hash="h2")], snapshot(4))
        await storage.create(setup_of("over"))
        await storage.append("over", [*entries_of(), Ended(seq=4, winners=(1,), why="concession", hash="cd")])
        await storage.create(setup_of("closed"))
        await storage.finish("closed")
        await storage.put("person", "ada", b'{"id": "ada"}')
        await storage.put("person", "b\u00f6", bytes(range(256)))
        await storage.put("token", "ada", b"x")
        return await contents(storage)


async def test_there_and_back_all_is_as_it_was(tmp_path: Path, database: str) -> None:
    before = await filled(tmp_path / "here")
    assert (before.rooms, before.entries, before.records) == (4, 14, 3)
    async with open_sqlite(tmp_path / "here") as here, open_postgresql(database) as there:
        assert await migrate(here, there) == before
        for room in ("goes-on", "upgraded", "over", "closed"):
            assert await there.load(room) == await here.load(room)
            assert await there.take_up(room) == await here.take_up(room)
        assert await there.rooms() == await here.rooms()
        assert not await there.audit()
        # It goes on there, and comes back with what was played.
        await there.append("goes-on", [Check(seq=7, hash="ab")])
    async with open_sqlite(tmp_path / "back") as back, open_postgresql(database) as there:
        after = await migrate(there, back)
        assert after.entries == before.entries + 1 and after.hash != before.hash
        assert await back.load("goes-on") == await there.load("goes-on")
        assert await back.all("person") == {"ada": b'{"id": "ada"}', "b\u00f6": bytes(range(256))}
        assert not await back.audit()
    async with open_sqlite(tmp_path / "back") as back:  # nothing is missing to the witness
        assert not back.gaps


async def test_nothing_is_mixed_with_what_is_there(tmp_path: Path, database: str) -> None:
    await filled(tmp_path / "here")
    async with open_sqlite(tmp_path / "here") as here, open_postgresql(database) as there:
        await there.put("person", "bo", b"{}")
        with pytest.raises(StorageFault, match="something already"):
            await migrate(here, there)
        assert not await there.rooms()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET data = '{}' WHERE seq = 2",
        "DELETE FROM entry WHERE seq = 3",
        "UPDATE room SET created = 7",
        "UPDATE card SET data = data || ' '",
        "UPDATE snapshot SET hash = 'other'",
        "UPDATE record SET data = '{}'",
    ],
)
async def test_what_is_damaged_goes_nowhere(tmp_path: Path, database: str, damage: str) -> None:
    await filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute(damage.replace("'{}'", "CAST('{}' AS BLOB)").replace("data || ' '", "CAST(data || ' ' AS BLOB)"))
    async with open_sqlite(tmp_path) as here, open_postgresql(database) as there:
        with pytest.raises(Damaged):
            await migrate(here, there)
        assert not await there.rooms() and not await there.kinds()


async def test_what_is_lost_on_the_way_is_noticed(tmp_path: Path, database: str) -> None:
    await filled(tmp_path)
    with psycopg.connect(database, autocommit=True) as db:
        async with open_postgresql(database):
            pass
        # A database that forgets: what is put there is gone at once.
        db.execute("CREATE RULE forgets AS ON INSERT TO record DO INSTEAD NOTHING")
        async with open_sqlite(tmp_path) as here, open_postgresql(database) as there:
            with pytest.raises(StorageFault, match="what has come"):
                await migrate(here, there)


class Cut(BaseException):
    """The end of the process in the midst of it."""


async def cut_short(source: Kept, target: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moved until the first record, and no further."""

    async def ends(*_: object) -> dict[str, bytes]:
        raise Cut

    real, called = source.all, list[str]()

    async def all_until(kind: str) -> dict[str, bytes]:
        called.append(kind)
        return await (real(kind) if called.count(kind) < 2 else ends())

    monkeypatch.setattr(source, "all", all_until)
    with pytest.raises(Cut):
        await migrate(source, target)


async def refuses(store: Store, folder: Path) -> None:
    with pytest.raises(StorageFault, match="has come in part"):
        async with open_store(store, folder):
            pass


async def test_nobody_serves_from_what_has_come_in_part(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await filled(tmp_path / "here")
    async with open_sqlite(tmp_path / "here") as here, open_postgresql(database) as there:
        await cut_short(here, there, monkeypatch)
        assert await there.rooms()
        with pytest.raises(StorageFault, match="has come in part"):
            await migrate(here, there)
        async with open_sqlite(tmp_path / "back") as back:
            with pytest.raises(StorageFault, match="has come in part"):
                await migrate(there, back)
    await refuses(Store(address=database), tmp_path)
    async with open_sqlite(tmp_path / "here") as here, open_sqlite(tmp_path / "copy") as copy:
        await cut_short(here, copy, monkeypatch)
    await refuses(Store(), tmp_path / "copy")
    async with open_store(Store(), tmp_path / "here") as here:
        assert isinstance(here, SqliteStorage)
        assert await contents(here) == before, "where it came from all is as it was"


async def leads(database: str) -> None:
    """Nodes have served there."""
    async with open_postgresql(database) as there:
        await there.put(nodes.KIND, nodes.KEY, msgspec.msgpack.encode(Leads("127.0.0.1:1", b"secret")))


async def kinds(folder: Path) -> list[str]:
    async with open_sqlite(folder) as storage:
        return sorted(await storage.kinds())


def test_the_command_moves_and_says_what_it_moved(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import trio

    before = trio.run(filled, tmp_path / "here")
    assert main(["migrate", database, "--data", str(tmp_path / "here")]) == 0
    assert f"4 rooms with 14 entries, 3 records; at both ends the hash is {before.hash}" in capsys.readouterr().out
    trio.run(leads, database)
    assert main(["migrate", database, "--back", "--data", str(tmp_path / "back")]) == 0
    assert before.hash in capsys.readouterr().out
    assert trio.run(kinds, tmp_path / "back") == ["person", "token"], (
        "where nodes reach each other, and by what secret, is nobody else's"
    )
    assert main(["migrate", database, "--back", "--data", str(tmp_path / "back")]) == 1
    assert "something already" in capsys.readouterr().err
    assert main(["migrate", database, "--data", str(tmp_path / "nowhere")]) == 1
    assert "no journals in" in capsys.readouterr().err
