"""Writes to PostgreSQL whose commit was not heard of, for the line to it broke."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.storage import NoSuchRoom, RoomExists, Snapshot, StorageFault
from server.storage.postgresql import PostgresqlStorage
from server.storage.postgresql.appending import NAME
from tests.storage.cluster import Cluster
from tests.storage.test_postgresql import closing, fences
from tests.storage.test_storage import entries_of, setup_of
from tests.storage.wire import Wire


@pytest.fixture
def wire(postgresql: Cluster) -> Iterator[Wire]:
    folder = Path(tempfile.mkdtemp(prefix="apnap-wire-"))
    made = Wire(folder, postgresql.folder)
    yield made
    made.close()
    shutil.rmtree(folder)


async def over(wire: Wire, database: str, postgresql: Cluster) -> PostgresqlStorage:
    return PostgresqlStorage(database.replace(str(postgresql.folder), str(wire.folder)))


MOMENT = Snapshot(seq=3, version="1", hash="x", state=b"{}")
COMMITS = pytest.mark.parametrize(
    ("moment", "commits"), [(None, b"\0" + NAME + b"\0"), (MOMENT, b"COMMIT")], ids=["by itself", "with a snapshot"]
)
"""What goes with entries, and what of that the client sends is their commit."""


@COMMITS
async def test_a_commit_that_counts_but_was_not_heard_of_is_acknowledged_once(
    wire: Wire, database: str, postgresql: Cluster, moment: Snapshot | None, commits: bytes
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        wire.after, wire.cut_at = True, commits
        head = await storage.append("r1", entries_of(), moment)
        assert wire.cuts == 1
        assert fences(storage) == [2], "what may still be on its way is refused"
        assert (await storage.load("r1")).head == head
        await storage.append("r1", entries_of(4))
        assert [entry.seq for entry in (await storage.load("r1")).entries] == [1, 2, 3, 4, 5, 6]


async def test_an_asking_that_was_not_heard_of_is_asked_again(wire: Wire, database: str, postgresql: Cluster) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        wire.after, wire.times, wire.cut_at = True, 2, b"COMMIT"
        head = await storage.append("r1", entries_of(), MOMENT)
        assert wire.cuts == 2
        assert (await storage.load("r1")).head == head
        await storage.append("r1", entries_of(4))
        assert (await storage.load("r1")).last == 6


async def test_a_room_that_there_is_not_stops_no_other_while_the_line_is_broken(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        assert storage._writer is not None
        storage._writer._db.close()
        wire.after, wire.cut_at = False, b"apnap"  # the new connection breaks at its first words
        with pytest.raises(NoSuchRoom):
            await storage.append("gone", entries_of())
        assert wire.cuts == 1
        await storage.append("r1", entries_of())
        assert (await storage.load("r1")).last == 3


@pytest.mark.parametrize("after", [False, True], ids=["not done", "done"])
async def test_a_journal_whose_beginning_was_not_heard_of_has_begun(
    wire: Wire, database: str, postgresql: Cluster, after: bool
) -> None:
    """Else its table would be told that nothing has changed, and find the journal there whenever it begins again."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.put("kind", "key", b"prepared")
        wire.after, wire.cut_at = after, b"COMMIT"
        head = await storage.create(setup_of())
        assert wire.cuts == 1
        assert (await storage.load("r1")).head == head
        with pytest.raises(RoomExists):
            await storage.create(setup_of())
        await storage.append("r1", entries_of())
        assert (await storage.load("r1")).last == 3


async def test_a_journal_that_another_has_begun_is_not_taken_for_ones_own(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        wire.after, wire.cut_at = False, b"INSERT INTO room"
        with pytest.raises(RoomExists):
            await storage.create(replace(setup_of(), created=2000))
        assert wire.cuts == 1
        assert (await storage.load("r1")).setup.created == 1000


async def test_a_journal_whose_end_was_not_heard_of_has_ended(wire: Wire, database: str, postgresql: Cluster) -> None:
    """Else its game would go on, and be gone after the next takeover."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        wire.after, wire.cut_at = True, b"COMMIT"
        await storage.finish("r1")
        assert wire.cuts == 1
        assert [record.finished for record in await storage.rooms()] == [True]


async def test_a_journal_that_could_not_be_cut_goes_on_where_it_was(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        wire.after, wire.cut_at = False, b"COMMIT"
        with pytest.raises(StorageFault):
            await storage.cut("r1", 1)
        await storage.append("r1", entries_of(4))
        assert (await storage.load("r1")).last == 6


@COMMITS
async def test_a_commit_that_was_never_sent_is_refused_and_may_be_tried_again(
    wire: Wire, database: str, postgresql: Cluster, moment: Snapshot | None, commits: bytes
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        wire.after, wire.cut_at = False, commits
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of(), moment)
        assert wire.cuts == 1
        assert storage.fault
        assert (await storage.load("r1")).last == 0
        await storage.append("r1", entries_of())
        assert (await storage.load("r1")).last == 3
        assert not storage.fault
