"""All entries that wait, of however many rooms, appended by one statement, and what becomes of each room.

A room's line is moved on only where its fence and its head are those that the writer knows, and entries are put only where it was
moved: no takeover comes between the two. Lines are locked in the order of their numbers, so that two writers never wait for each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec

from server.storage.chain import seal
from server.storage.journal import Snapshot
from server.storage.postgresql.tables import Db
from server.storage.writes import Rows

APPEND = """
WITH given AS (
    SELECT * FROM unnest(%(no)s::bigint[], %(fence)s::bigint[], %(seq)s::bigint[], %(head)s::bytea[], %(then)s::bigint[],
                         %(after)s::bytea[], %(ended)s::boolean[])
        AS given (no, fence, seq, head, later, after, ended)
), locked AS (
    SELECT room.no FROM room JOIN given USING (no) ORDER BY room.no FOR NO KEY UPDATE OF room
), moved AS (
    UPDATE room SET seq = given.later, head = given.after, finished = room.finished OR given.ended
    FROM given JOIN locked USING (no)
    WHERE room.no = given.no AND room.fence = given.fence AND room.seq = given.seq AND room.head = given.head
    RETURNING room.no
), put AS (
    INSERT INTO entry (room, seq, data)
    SELECT line.room, line.seq, line.data
    FROM unnest(%(rooms)s::bigint[], %(numbers)s::bigint[], %(lines)s::bytea[]) AS line (room, seq, data)
    JOIN moved ON moved.no = line.room
)
SELECT no FROM moved
"""
#: Only where the line was moved on by this very transaction, which holds it locked.
MOVED = "FROM room WHERE no = %(no)s AND fence = %(fence)s AND seq = %(seq)s AND head = %(head)s"
DROP = f"DELETE FROM snapshot WHERE NOT base AND room IN (SELECT no {MOVED})"
KEEP = f"""
INSERT INTO snapshot SELECT no, %(at)s, %(version)s, %(hash)s, %(base)s, %(state)s, %(data)s, %(seal)s {MOVED}
ON CONFLICT (room, seq) DO UPDATE SET version = excluded.version, hash = excluded.hash, base = excluded.base,
    state = excluded.state, data = excluded.data, seal = excluded.seal
"""


class Stand(msgspec.Struct, frozen=True):
    """What a writer knows of a room: its number, its fence, how many entries it has and their head."""

    no: int
    fence: int
    seq: int
    head: bytes


class Append(msgspec.Struct, frozen=True):
    """Entries of one room, as written and by number: from where, to where; `ended` with them."""

    before: Stand
    after: Stand
    lines: Rows
    snapshot: Snapshot | None = None
    ended: bool = False


def append(db: Db, waiting: Sequence[Append]) -> set[int]:
    """Append them; the numbers of the rooms for which it was done. At most one of each room."""
    by_number = sorted(waiting, key=lambda one: one.before.no)
    rows = [(one.before.no, seq, data) for one in by_number for seq, data in one.lines]
    done = db.execute(
        APPEND,
        {
            "no": [one.before.no for one in by_number],
            "fence": [one.before.fence for one in by_number],
            "seq": [one.before.seq for one in by_number],
            "head": [one.before.head for one in by_number],
            "then": [one.after.seq for one in by_number],
            "after": [one.after.head for one in by_number],
            "ended": [one.ended for one in by_number],
            "rooms": [row[0] for row in rows],
            "numbers": [row[1] for row in rows],
            "lines": [row[2] for row in rows],
        },
        binary=True,
    )
    for one in by_number:
        _keep(db, one)
    return {row[0] for row in done.fetchall()}


def _keep(db: Db, one: Append) -> None:
    """The snapshot in the place of the one before; after the end none."""
    if not one.ended and one.snapshot is None:
        return
    there = {"no": one.after.no, "fence": one.after.fence, "seq": one.after.seq, "head": one.after.head}
    db.execute(DROP, there)
    if one.ended or one.snapshot is None:
        return
    kept = one.snapshot
    row = (kept.seq, kept.version, kept.hash, int(kept.base), zlib.compress(kept.state, 6), zlib.compress(kept.room, 6))
    values = dict(zip(("at", "version", "hash", "base", "state", "data"), row, strict=True))
    db.execute(KEEP, {**there, **values, "base": kept.base, "seal": seal(one.after.no, *row)})
