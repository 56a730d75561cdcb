"""A database that has lost what it had acknowledged: its standby was behind, or it died with `synchronous_commit` off."""

from __future__ import annotations

from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
import trio

from server.command.stores import Forgotten, open_store
from server.settings import Store
from server.storage import Conflict, StorageFault
from server.storage.chain import begin, follow
from server.storage.postgresql import PostgresqlStorage
from server.storage.postgresql.doubts import UNDONE
from server.storage.postgresql.holding import Superseded
from server.storage.postgresql.reading import lines, stand
from server.storage.postgresql.tables import Db
from server.storage.postgresql.writer import Stands
from server.storage.writes import Append
from tests.storage.cluster import Cluster
from tests.storage.test_appending import together
from tests.storage.test_postgresql import closing, deaf, lapsed
from tests.storage.test_storage import entries_of, setup_of
from tests.storage.test_unheard import over
from tests.storage.wire import Wire

ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'apnap %' AND datname = current_database()"


def set_back(address: str, room: str, seq: int, *, ends: bool = True) -> None:
    """The database has no more of a room than that; with it all its connections have ended."""
    with psycopg.connect(address) as db:
        number = stand(db, room).no
        values = {"no": number, "seq": seq, "head": follow(begin(room), lines(db, number, seq)), "ended": False}
        for statement in UNDONE:
            db.execute(statement, values)
        if ends:
            db.execute(ENDED)


@pytest.mark.parametrize("ends", [True, False], ids=["it died", "behind a pooler"])
async def test_nothing_more_is_written_where_something_was_lost(
    database: str, caplog: pytest.LogCaptureFixture, ends: bool
) -> None:
    async with closing(PostgresqlStorage(database, name="the first")) as storage:
        for room in ("r1", "r2"):
            await storage.create(setup_of(room))
            await storage.append(room, entries_of())
        set_back(database, "r1", 2, ends=ends)
        lost, other = ("r1", "r2") if not ends else ("r2", "r1")
        with pytest.raises(StorageFault, match="lost what it had acknowledged"):
            await storage.append(lost, entries_of(4))
        assert storage.forgotten and not storage.superseded
        assert "of 1 rooms" in caplog.text
        with pytest.raises(StorageFault, match="lost"):
            await storage.append(other, entries_of(4))
        with pytest.raises(StorageFault, match="lost"):
            await storage.put("person", "p1", b"somebody who is known here only")
    async with closing(PostgresqlStorage(database)) as anew:
        assert [(await anew.load(room)).last for room in ("r1", "r2")] == [2, 3]
        await anew.append("r1", entries_of(3, 1))
        assert await anew.get("person", "p1") is None


async def test_what_was_written_with_it_is_acknowledged(database: str) -> None:
    async with closing(PostgresqlStorage(database)) as storage:
        for room in ("r1", "r2"):
            await storage.create(setup_of(room))
            await storage.append(room, entries_of())
        set_back(database, "r1", 2, ends=False)
        before = storage.commits
        came = await together(storage, *(Append(room, [(4, b"{}")], None, False) for room in ("r1", "r2")))
        assert storage.commits == before + 2, "what they waited behind, and they together"
        assert isinstance(came[0], StorageFault) and isinstance(came[1], bytes)


async def test_what_was_written_with_it_is_acknowledged_though_it_cannot_be_asked_what_was_lost(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with closing(PostgresqlStorage(database)) as storage:
        for room in ("r1", "r2"):
            await storage.create(setup_of(room))
            await storage.append(room, entries_of())
        with psycopg.connect(database) as db:
            db.execute("UPDATE room SET seq = seq + 1 WHERE id = 'r1'")
        ahead, asked = Stands.ahead, list[str]()

        def canceled(self: Stands, db: Db, node: int) -> int:
            asked.append("once")
            if len(asked) == 1:
                raise psycopg.errors.QueryCanceled("the operator has ended it")
            return ahead(self, db, node)

        monkeypatch.setattr(Stands, "ahead", canceled)
        came = await together(storage, *(Append(room, [(4, b"{}")], None, False) for room in ("r1", "r2")))
        assert asked and isinstance(came[0], StorageFault) and isinstance(came[1], bytes)
        assert (await storage.append("r2", entries_of(5, 1))) != came[1]


async def test_a_room_that_is_not_there_any_more_was_lost(database: str) -> None:
    async with closing(PostgresqlStorage(database)) as storage:
        await storage.create(setup_of("r1"))
        with psycopg.connect(database) as db:
            db.execute("DELETE FROM room")
            db.execute(ENDED)
        for _ in range(2):  # what finds the line broken is not done again, and looks at nothing
            with pytest.raises(StorageFault):
                await storage.put("person", "p1", b"")
        assert storage.forgotten


LOSES: dict[str, LiteralString] = {
    "never kept": "DELETE FROM record",
    "as it was before": "UPDATE record SET data = 'old', seal = 'old'",
    "never deleted": "INSERT INTO record VALUES ('person', 'p1', '', '')",
}


@pytest.mark.parametrize("how", LOSES)
async def test_of_what_is_kept_about_people_it_is_noticed_too(
    database: str, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    """Who has an account here has none there, and would lose it at the next start."""
    async with closing(PostgresqlStorage(database)) as storage:
        await storage.put("person", "p1", b"new")
        if how == "never deleted":
            await storage.delete("person", "p1")
        with psycopg.connect(database) as db:
            db.execute(LOSES[how])
            db.execute(ENDED)
        for _ in range(2):
            with pytest.raises(StorageFault):
                await storage.put("person", "p2", b"")
        assert storage.forgotten and "of 0 rooms and of people" in caplog.text


@pytest.mark.parametrize("after", [False, True], ids=["not done", "done"])
async def test_a_record_of_which_nobody_heard_whether_it_is_kept_was_not_lost(
    database: str, wire: Wire, postgresql: Cluster, after: bool
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.put("person", "p1", b"old")
        wire.after, wire.cut_at = after, b"COMMIT"
        with pytest.raises(StorageFault):
            await storage.put("person", "p1", b"new")
        await storage.put("person", "p2", b"")
        assert wire.cuts == 1 and not storage.forgotten


async def test_what_is_there_and_more_was_not_lost(database: str) -> None:
    """A room that is elsewhere stands still, and no other."""
    async with closing(PostgresqlStorage(database)) as storage:
        for room in ("r1", "r2", "r3"):
            await storage.create(setup_of(room))
        await storage.remove("r3")
        with psycopg.connect(database) as db:
            db.execute("UPDATE room SET seq = seq + 1 WHERE id = 'r1'")
            db.execute(ENDED)
        with pytest.raises(StorageFault):
            await storage.put("person", "p1", b"")
        with pytest.raises(Conflict):
            await storage.append("r1", entries_of())
        await storage.append("r2", entries_of())
        assert not storage.forgotten


async def test_what_others_removed_was_not_lost(database: str) -> None:
    """They have taken over, and that is what is said."""
    async with deaf(database) as old:
        await old.create(setup_of())
        async with closing(await lapsed(database)) as new:
            await new.remove("r1")
            with psycopg.connect(database) as db:
                db.execute(ENDED)
            with pytest.raises(Superseded):
                await old.append("r1", entries_of())
            assert old.superseded and not old.forgotten


async def test_whoever_serves_with_it_ends(database: str, tmp_path: Path) -> None:
    with pytest.RaisesGroup(Forgotten):
        async with open_store(Store(address=database), tmp_path) as storage:
            await storage.create(setup_of())
            await storage.append("r1", entries_of())
            set_back(database, "r1", 0)
            with pytest.raises(StorageFault):
                await storage.append("r1", entries_of(4))
            with trio.fail_after(60):
                await trio.sleep_forever()
