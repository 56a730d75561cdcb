"""Writes to PostgreSQL whose commit was not heard of, for the line to it broke."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import psycopg
import pytest
import trio
from msgspec.structs import replace

from protocol import messages as m
from server.rooms import Room
from server.rules.model import Take
from server.storage import Answered, AnyEntry, Ended, NoSuchRoom, RoomExists, Snapshot, StorageFault
from server.storage.encoding import split_setup
from server.storage.postgresql import PostgresqlStorage, open_postgresql, writer
from server.storage.postgresql.appending import NAME
from server.storage.postgresql.deeds import deed
from server.storage.writes import Create
from tests.chaos.guests import until
from tests.rooms import fake
from tests.rooms.fake import FakeGame, q
from tests.rooms.tables import read_all, running
from tests.storage.cluster import Cluster
from tests.storage.test_postgresql import WAITS, closing, fences
from tests.storage.test_storage import entries_of, setup_of
from tests.storage.wire import Wire


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


def last_words(code: bytes) -> bytes:
    """What a server says that ends itself."""
    told = b"SPANIC\0VPANIC\0C%b\0Mthe log cannot be written\0\0" % code
    return b"E" + (len(told) + 4).to_bytes(4, "big") + told


@COMMITS
@pytest.mark.parametrize("code", [b"58030", b"53100", b"XX000"])
async def test_the_last_words_of_a_server_that_ends_do_not_say_whether_a_commit_counts(
    wire: Wire, database: str, postgresql: Cluster, moment: Snapshot | None, commits: bytes, code: bytes
) -> None:
    """Its log could not be brought to the disk, but lay there already, and is read as it starts."""
    async with closing(await over(wire, database, postgresql)) as storage, trio.open_nursery() as nursery:
        await storage.create(setup_of())
        await storage.create(setup_of("r2"))
        wire.after, wire.cut_at, wire.instead = True, commits, last_words(code)
        nursery.start_soon(storage.append, "r2", entries_of(), moment)
        await storage.append("r1", entries_of(), moment)
        await storage.append("r1", entries_of(4))
        await storage.append("r2", entries_of(4))
        assert wire.cuts == 1
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


# --- while nobody can be asked ------------------------------------------------------------------------------------------


async def in_doubt(
    storage: PostgresqlStorage, wire: Wire, commits: bytes, entries: Sequence[AnyEntry], moment: Snapshot | None = None
) -> None:
    """What is appended counts, which nobody hears, nor can anybody ask for as long as who waits for it has patience."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writer, "DOUBT_SECONDS", 0.0)
        wire.after, wire.cut_at = True, commits
        with pytest.raises(StorageFault):
            await storage.append("r1", entries, moment)
    assert wire.cuts == 1
    assert (await storage.load("r1")).last == entries[-1].seq


@COMMITS
async def test_what_was_called_refused_and_counts_is_undone_before_its_room_goes_on(
    wire: Wire, database: str, postgresql: Cluster, moment: Snapshot | None, commits: bytes
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, commits, entries_of(), moment)
        others = [replace(entry, seat=1) for entry in entries_of()]
        head = await storage.append("r1", others[:1])
        found = await storage.take_up("r1")
        assert (list(found.entries), found.head, found.snapshot) == (others[:1], head, None)
        assert fences(storage) == [2], "what may still be on its way is refused"
        await storage.append("r1", entries_of(2)[:1])
        assert (await storage.load("r1")).last == 2


async def test_a_game_whose_end_was_called_refused_goes_on(wire: Wire, database: str, postgresql: Cluster) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, b"COMMIT", [Ended(seq=1, winners=(0,), why="", hash="x")])
        assert [record.finished for record in await storage.rooms()] == [True]
        await storage.append("r1", entries_of())
        assert [record.finished for record in await storage.rooms()] == [False]


async def test_a_snapshot_of_what_was_before_goes_after_what_was_called_refused(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        await in_doubt(storage, wire, b"\0" + NAME + b"\0", entries_of(4))
        await storage.append("r1", [], MOMENT)
        found = await storage.take_up("r1")
        assert (found.snapshot, found.last) == (MOMENT, 3)


async def test_what_was_called_refused_stays_where_its_room_was_taken_up_with_it(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    """By another worker, which has read it: people have seen it by now."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, b"\0" + NAME + b"\0", entries_of())
        await storage.append("r1", [], MOMENT)
        await storage.append("r1", entries_of(4))
        assert (await storage.take_up("r1")).snapshot == MOMENT
        assert [entry.seq for entry in (await storage.load("r1")).entries] == [1, 2, 3, 4, 5, 6]


async def test_a_settling_that_was_not_heard_of_is_done_again(wire: Wire, database: str, postgresql: Cluster) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, b"\0" + NAME + b"\0", entries_of())
        wire.after, wire.cut_at = True, b"COMMIT"
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of())
        assert wire.cuts == 2 and (await storage.load("r1")).last == 0
        await storage.append("r1", entries_of())
        assert (await storage.load("r1")).last == 3


async def doubted(storage: PostgresqlStorage, wire: Wire, write: Callable[[], Awaitable[object]]) -> None:
    """What is done counts, which nobody hears, nor can anybody ask for as long as who waits for it has patience."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writer, "DOUBT_SECONDS", 0.0)
        wire.after, wire.cut_at = True, b"COMMIT"
        with pytest.raises(StorageFault):
            await write()
    assert wire.cuts == 1


@pytest.mark.parametrize("created", [1000, 2000], ids=["the same", "another"])
async def test_a_journal_whose_beginning_was_called_refused_begins_anew(
    wire: Wire, database: str, postgresql: Cluster, created: int
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await doubted(storage, wire, partial(storage.create, setup_of()))
        assert (await storage.load("r1")).setup.created == 1000
        await storage.create(replace(setup_of(), created=created), entries_of())
        found = await storage.load("r1")
        assert (found.setup.created, found.last) == (created, 3)
        with pytest.raises(RoomExists):
            await storage.create(setup_of())
        await storage.append("r1", entries_of(4))
        assert (await storage.load("r1")).last == 6


async def test_a_journal_whose_beginning_was_called_refused_twice_begins_anew(
    wire: Wire, database: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first has begun all the same, which the second came too late to undo."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await doubted(storage, wire, partial(storage.create, setup_of()))
        monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.0)
        wire.after, wire.cut_at = False, b"COMMIT"
        with pytest.raises(StorageFault):
            await storage.create(replace(setup_of(), created=2000))
        await storage.create(replace(setup_of(), created=3000))
        assert (await storage.load("r1")).setup.created == 3000


async def test_a_beginning_that_is_still_on_its_way_is_waited_for(
    wire: Wire, database: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.0)
    setup = setup_of()
    begins = Create(setup.room, setup.created, *split_setup(setup), [])
    async with closing(await over(wire, database, postgresql)) as storage:
        wire.cut_at = b"INSERT INTO room"
        with pytest.raises(StorageFault):
            await storage.create(setup)
        with psycopg.connect(database) as on_its_way, psycopg.connect(database, autocommit=True) as looks:
            deed(begins, on_its_way, writer.Stands())
            async with trio.open_nursery() as nursery:
                nursery.start_soon(storage.create, replace(setup, created=2000))
                await until(lambda: bool(looks.execute(WAITS).fetchall()))
                on_its_way.commit()
        assert (await storage.load("r1")).setup.created == 2000


async def test_a_journal_that_has_begun_all_the_same_stays_where_somebody_goes_on_with_it(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    """Another worker, who has read it and whose room it was by then."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await doubted(storage, wire, partial(storage.create, setup_of()))
        await storage.append("r1", entries_of())
        with pytest.raises(RoomExists):
            await storage.create(setup_of())
        assert (await storage.load("r1")).last == 3


async def test_a_game_that_ended_all_the_same_goes_on(wire: Wire, database: str, postgresql: Cluster) -> None:
    """Who wanted to close it was told that it goes on."""
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        await doubted(storage, wire, partial(storage.finish, "r1"))
        assert [record.finished for record in await storage.rooms()] == [True]
        await storage.append("r1", entries_of(4))
        assert [record.finished for record in await storage.rooms()] == [False]
        await storage.finish("r1")
        assert [record.finished for record in await storage.rooms()] == [True]


async def test_a_game_whose_answer_was_called_refused_and_counts_goes_on(
    wire: Wire, database: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.0)
    async with closing(await over(wire, database, postgresql)) as storage, trio.open_nursery() as nursery:
        room = Room(fake.setup_of(), storage, FakeGame())
        clients = await running(nursery, room)

        async def reply(index: int) -> m.ServerMessage:
            re = await clients[0].answer(index, q(1))
            with trio.fail_after(5):
                while not any(message.re == re for message in clients[0].got):
                    await trio.sleep(0.001)
                    read_all(clients)
            return clients[0].reply(re)

        wire.after, wire.cut_at = True, b"\0" + NAME + b"\0"
        refused = await reply(0)
        assert isinstance(refused, m.Refused) and refused.code == "busy"
        assert (await storage.load("r1")).last == 1
        assert isinstance(await reply(1), m.Ok), "they think otherwise now"
        (entry,) = (await storage.load("r1")).entries
        assert isinstance(entry, Answered) and entry.answer == Take(1)
        assert not room.frozen
        nursery.cancel_scope.cancel()


async def test_of_what_was_never_sent_nobody_says_that_it_may_count(
    wire: Wire, database: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.0)
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        assert storage._writer is not None
        storage._writer._db.close()
        wire.after, wire.cut_at = False, b"apnap"  # the new connection breaks at its first words
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of())
        assert "nothing of it was sent" in caplog.text and "not known" not in caplog.text
        wire.after, wire.cut_at = True, b"\0" + NAME + b"\0"
        with pytest.raises(StorageFault):
            await storage.append("r1", entries_of())
        assert "it is not known whether the last commit counts" in caplog.text


# --- when somebody else goes on -----------------------------------------------------------------------------------------


@asynccontextmanager
async def before_somebody_else(
    wire: Wire, database: str, postgresql: Cluster, how: str
) -> AsyncIterator[PostgresqlStorage]:
    """What has the line that breaks, and is given up then as it is when a room is handed over, or as the server stops."""
    async with closing(await over(wire, database, postgresql)) as storage:
        yield storage
        if how == "handed over":
            await storage.settle(["r1", "r2"])
        else:
            await storage.aclose()
        assert wire.cuts == 1


HOW = pytest.mark.parametrize("how", ["handed over", "stopped"])


@HOW
@COMMITS
async def test_what_was_called_refused_does_not_count_for_who_goes_on_next(
    wire: Wire, database: str, postgresql: Cluster, moment: Snapshot | None, commits: bytes, how: str
) -> None:
    async with before_somebody_else(wire, database, postgresql, how) as storage:
        await storage.create(setup_of("r2"))
        await storage.create(setup_of())
        head = await storage.append("r1", entries_of()[:1])
        await in_doubt(storage, wire, commits, entries_of(2)[:2], moment)
    async with open_postgresql(database, read_only=True) as reading:
        found = await reading.take_up("r1")
        assert (found.last, found.head, found.snapshot) == (1, head, None)


@HOW
async def test_a_game_that_ended_all_the_same_is_taken_up_by_who_comes_next(
    wire: Wire, database: str, postgresql: Cluster, how: str
) -> None:
    async with before_somebody_else(wire, database, postgresql, how) as storage:
        await storage.create(setup_of())
        await doubted(storage, wire, partial(storage.finish, "r1"))
        assert [record.finished for record in await storage.rooms()] == [True]
    async with open_postgresql(database, read_only=True) as reading:
        assert [record.finished for record in await reading.rooms()] == [False]


@HOW
async def test_a_game_that_was_closed_after_its_end_was_called_refused_stays_closed(
    wire: Wire, database: str, postgresql: Cluster, how: str
) -> None:
    async with before_somebody_else(wire, database, postgresql, how) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, b"COMMIT", [Ended(seq=1, winners=(0,), why="", hash="x")])
        await storage.finish("r1")
    async with open_postgresql(database, read_only=True) as reading:
        assert [(record.finished, record.entries) for record in await reading.rooms()] == [(True, 0)]


@HOW
async def test_a_game_that_began_all_the_same_is_nobodys(
    wire: Wire, database: str, postgresql: Cluster, how: str
) -> None:
    """Whoever wanted to begin it was told that it has not."""
    async with before_somebody_else(wire, database, postgresql, how) as storage:
        await storage.create(setup_of("r2"))
        await doubted(storage, wire, partial(storage.create, setup_of()))
        assert len(await storage.rooms()) == 2
    async with open_postgresql(database, read_only=True) as reading:
        assert [record.room for record in await reading.rooms()] == ["r2"]


async def test_nobody_goes_on_before_the_database_has_said_what_counts(
    wire: Wire, database: str, postgresql: Cluster
) -> None:
    async with closing(await over(wire, database, postgresql)) as storage:
        await storage.create(setup_of())
        await in_doubt(storage, wire, b"\0" + NAME + b"\0", entries_of())
        wire.after, wire.cut_at = False, b"COMMIT"
        with pytest.raises(StorageFault):
            await storage.settle(["r1"])
        assert wire.cuts == 2 and (await storage.load("r1")).last == 3
        await storage.settle(["r1"])
        assert (await storage.load("r1")).last == 0
        commits = storage.commits
        await storage.settle(["r1"])
        assert storage.commits == commits, "it is known"
        await storage.append("r1", entries_of())
        assert (await storage.load("r1")).last == 3
