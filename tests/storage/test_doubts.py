"""What is undone of what was called refused and counts: line by line, by what the database says and by who goes on."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from server.storage import Snapshot
from server.storage.postgresql import tables
from server.storage.postgresql.appending import Append, Stand
from server.storage.postgresql.doubts import Doubts
from server.storage.postgresql.tables import Db
from server.storage.writes import Append as Given

ROOM = "r1"
FENCE = 2
BEFORE, AFTER = Stand(1, FENCE, 3, b"before"), Stand(1, FENCE, 6, b"after")
"""Where the room was before what is in doubt, and where it is if that counts."""


def moment(seq: int) -> Snapshot:
    return Snapshot(seq=seq, version="1", hash="x", state=b"{}")


@pytest.fixture
def db(database: str) -> Iterator[Db]:
    """With the room after six entries of a game that has ended, and a snapshot of each."""
    with psycopg.connect(database, autocommit=True) as made:
        tables.prepare(made)
        made.execute(
            "INSERT INTO room (id, created, finished, setup, seal, fence, seq, head) VALUES (%s, 0, true, '', '', %s, 6, %s)",
            (ROOM, FENCE, AFTER.head),
        )
        for seq in range(1, 7):
            made.execute("INSERT INTO entry VALUES (1, %s, '')", (seq,))
            made.execute("INSERT INTO snapshot VALUES (1, %s, '1', 'x', false, '', '', '')", (seq,))
        yield made


def settled(db: Db, given: Given | None = None, *, ended: bool = False) -> Stand | None:
    """Where the room is once what is in doubt is settled."""
    doubts, kept = Doubts(), list[Stand | None]()
    doubts.add_appended(ROOM, Append(BEFORE, AFTER, [], None, ended))
    doubts.settle(db, ROOM, given, lambda room, where: kept.append(where))
    (where,) = kept
    return where


def on_disk(db: Db) -> tuple[int, bytes, bool, list[int], list[int]]:
    """How far the room is, whether it has ended, which entries it has, and which snapshots."""
    line = db.execute("SELECT seq, head, finished FROM room").fetchone()
    assert line is not None
    entries, moments = (db.execute(f"SELECT seq FROM {of} ORDER BY 1").fetchall() for of in ("entry", "snapshot"))
    return *line, [row[0] for row in entries], [row[0] for row in moments]


def fence(db: Db, to: int | None = None) -> int:
    """The room's; another, for whatever has happened since."""
    if to is not None:
        db.execute("UPDATE room SET fence = %s", (to,))
    found = db.execute("SELECT fence FROM room").fetchone()
    assert found is not None
    return found[0]


UNDONE = [1, 2, 3]
WHOLE = [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("since", [FENCE, FENCE + 2], ids=["as it was", "raised by an asking in doubt"])
def test_what_counts_is_undone_and_what_is_on_its_way_refused(db: Db, since: int) -> None:
    fence(db, since)
    assert settled(db) == Stand(1, since + 1, 3, b"before")
    assert on_disk(db) == (3, b"before", True, UNDONE, UNDONE)
    assert fence(db) == since + 1


@pytest.mark.parametrize("ended", [False, True])
def test_a_game_goes_on_if_its_end_was_in_doubt_and_no_other(db: Db, ended: bool) -> None:
    settled(db, ended=ended)
    assert on_disk(db)[2] is not ended


def test_a_game_that_goes_on_has_not_ended_by_it(db: Db) -> None:
    db.execute("UPDATE room SET finished = false")
    settled(db)
    assert on_disk(db)[2] is False


def test_a_room_whose_fence_is_lower_is_not_the_one_of_the_doubt(db: Db) -> None:
    """The database is an earlier one: nothing of it is touched."""
    fence(db, FENCE - 1)
    assert settled(db) is None
    assert on_disk(db)[3] == WHOLE and fence(db) == FENCE - 1


@pytest.mark.parametrize("head", [b"before", b"of somebody else"])
def test_what_does_not_count_is_not_undone(db: Db, head: bytes) -> None:
    db.execute("UPDATE room SET head = %s", (head,))
    assert settled(db) == Stand(1, FENCE + 1, 6, head)
    assert on_disk(db) == (6, head, True, WHOLE, WHOLE)


@pytest.mark.parametrize(
    ("given", "undone"),
    [
        (Given(ROOM, [(4, b"")]), True),
        (Given(ROOM, [(4, b""), (5, b"")], moment(5)), True),
        (Given(ROOM, [], moment(3)), True),
        (Given(ROOM, [], moment(2)), True),
        (Given(ROOM, []), True),
        (Given(ROOM, [(7, b"")]), False),
        (Given(ROOM, [(5, b"")]), False),
        (Given(ROOM, [(3, b"")]), False),
        (Given(ROOM, [], moment(6)), False),
        (Given(ROOM, [], moment(4)), False),
    ],
    ids=str,
)
def test_it_stays_where_who_goes_on_has_read_it(db: Db, given: Given, undone: bool) -> None:
    where = settled(db, given)
    assert where == (Stand(1, FENCE + 1, 3, b"before") if undone else Stand(1, FENCE + 1, 6, b"after"))
    assert on_disk(db)[3] == (UNDONE if undone else WHOLE)
