"""All entries that wait, of however many rooms, appended by one statement, and what becomes of each room.

A room's line is moved on only where its fence and its head are those that the writer knows, and entries are put only where it was
moved: no takeover comes between the two. Lines are locked in the order of their numbers, so that two writers never wait for each other.

The statement is a transaction by itself where no snapshot goes with it, and libpq is called for it straight: with a transaction around it
and with what psycopg does for each statement the writer took twelve times the CPU time, and the database three times.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec
import psycopg
from psycopg.pq import DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

from server.storage.chain import seal
from server.storage.journal import Snapshot
from server.storage.postgresql.tables import Db
from server.storage.writes import Rows

#: Before anything else the line of the node is locked, without which nothing is written (`holding.STANDS`).
APPEND = b"""
WITH stands AS (
    SELECT id FROM node WHERE id = $1 FOR KEY SHARE
), given AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bytea[], $8::boolean[])
        AS given (no, fence, seq, head, later, after, ended)
), locked AS (
    SELECT room.no FROM room JOIN given USING (no) WHERE EXISTS (SELECT FROM stands)
    ORDER BY room.no FOR NO KEY UPDATE OF room
), moved AS (
    UPDATE room SET seq = given.later, head = given.after, finished = room.finished OR given.ended
    FROM given JOIN locked USING (no)
    WHERE room.no = given.no AND room.fence = given.fence AND room.seq = given.seq AND room.head = given.head
    RETURNING room.no
), put AS (
    INSERT INTO entry (room, seq, data)
    SELECT line.room, line.seq, line.data
    FROM unnest($9::bigint[], $10::bigint[], $11::bytea[]) AS line (room, seq, data)
    JOIN moved ON moved.no = line.room
)
SELECT no FROM moved UNION ALL SELECT 0 FROM stands
"""
#: Another version of the server may have one of its own behind the same pooler.
NAME = b"append_" + hashlib.sha256(APPEND).hexdigest()[:16].encode()
BINARY = 1
PARAMETERS = 11
BOOL, BYTEA, INT8 = 16, 17, 20
"""Numbers of types."""
ARRAY, LENGTH = struct.Struct("!5i"), struct.Struct("!i")
#: Only where the line was moved on by this very transaction, which holds it locked.
MOVED = "FROM room WHERE no = %(no)s AND fence = %(fence)s AND seq = %(seq)s AND head = %(head)s"
#: A base of the same moment stays one: all journals after it are played from there.
DROP = f"DELETE FROM snapshot WHERE NOT base AND room IN (SELECT no {MOVED})"
KEEP = f"""
INSERT INTO snapshot SELECT no, %(at)s, %(version)s, %(hash)s, %(base)s, %(state)s, %(data)s, %(seal)s {MOVED}
ON CONFLICT (room, seq) DO UPDATE SET version = excluded.version, hash = excluded.hash, base = excluded.base,
    state = excluded.state, data = excluded.data, seal = excluded.seal
WHERE excluded.base
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


def prepare_append(db: Db) -> None:
    """Has to be done once with each connection by which is appended. Raises psycopg.Error."""
    db.prepare_threshold = None  # what psycopg prepares by itself it forgets with all else when anything is rolled back
    _prepare(db)


def _prepare(db: Db) -> None:
    with suppress(psycopg.errors.DuplicatePreparedStatement):  # a pooler led here, where another client has done it
        _ran(db.pgconn.prepare(NAME, APPEND))


def append(db: Db, node: int, waiting: Sequence[Append]) -> set[int] | None:
    """Append them under the line of that node; the numbers of the rooms for which it was done, None: the line is gone, and nothing was.
    At most one of each room. Raises psycopg.Error."""
    try:
        return _appended(db, node, waiting, prepared=True)
    except psycopg.errors.InvalidSqlStatementName:  # a pooler led elsewhere, or all was discarded: nothing was done
        _prepare(db)  # before, not after: what goes wrong now says nothing of what was done
        return _appended(db, node, waiting, prepared=False)


def _appended(db: Db, node: int, waiting: Sequence[Append], *, prepared: bool) -> set[int] | None:
    if not any(one.ended or one.snapshot is not None for one in waiting):
        return _append(db, node, waiting, prepared=prepared)
    with db.transaction() as all_of_it:
        moved = _append(db, node, waiting, prepared=prepared)
        if moved is None:
            raise psycopg.Rollback(all_of_it)
        for one in waiting:
            _keep(db, one)
    return moved


def _append(db: Db, node: int, waiting: Sequence[Append], *, prepared: bool) -> set[int] | None:
    by_number = sorted(waiting, key=lambda one: one.before.no)
    rows = [(one.before.no, seq, data) for one in by_number for seq, data in one.lines]
    given = (
        node.to_bytes(8, "big"),
        _longs(one.before.no for one in by_number),
        _longs(one.before.fence for one in by_number),
        _longs(one.before.seq for one in by_number),
        _array(BYTEA, [one.before.head for one in by_number]),
        _longs(one.after.seq for one in by_number),
        _array(BYTEA, [one.after.head for one in by_number]),
        _array(BOOL, [one.ended.to_bytes(1, "big") for one in by_number]),
        _longs(row[0] for row in rows),
        _longs(row[1] for row in rows),
        _array(BYTEA, [row[2] for row in rows]),
    )
    if prepared:
        came = db.pgconn.exec_prepared(NAME, given, [BINARY] * PARAMETERS, BINARY)
    else:
        came = db.pgconn.exec_params(APPEND, given, None, [BINARY] * PARAMETERS, BINARY)
    done = _ran(came)
    moved = {int.from_bytes(done.get_value(row, 0) or b"", "big") for row in range(done.ntuples)}
    if 0 not in moved:
        return None
    moved.remove(0)
    return moved


def _ran(done: PGresult) -> PGresult:
    """What came of a statement. Raises psycopg.Error, without a state where it is not the server that says so: the line broke."""
    if done.status in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
        return done
    if not done.error_field(DiagnosticField.SQLSTATE):
        raise psycopg.OperationalError(done.get_error_message())
    raise psycopg.errors.error_from_result(done)


def _longs(values: Iterable[int]) -> bytes:
    return _array(INT8, [value.to_bytes(8, "big") for value in values])


def _array(kind: int, values: Sequence[bytes]) -> bytes:
    """An array as the protocol writes it: dimensions, are there nulls, the type; how many from which index on; each with its length."""
    parts = [ARRAY.pack(1, 0, kind, len(values), 1)]
    for value in values:
        parts += LENGTH.pack(len(value)), value
    return b"".join(parts)


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
