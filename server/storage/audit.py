"""All that lies in a database compared with what was written: once after each start, beside everything else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

from server.storage.chain import NOTHING, follow, seal
from server.storage.errors import StorageError
from server.storage.reading import check_lines, check_room

FAULTS = 20
"""Faults of the file's structure that are told at most."""


def audit(db: sqlite3.Connection) -> list[str]:
    """What is damaged, as sentences for the host."""
    found: list[str] = []
    parts: tuple[Callable[[sqlite3.Connection], Iterator[str]], ...] = (
        _structure,
        _rooms,
        _snapshots,
        _records,
        _commits,
    )
    for part in parts:
        try:
            found.extend(part(db))
        except sqlite3.Error as fault:
            found.append(f"the database cannot be read: {fault}")
    return found


def _structure(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute(f"PRAGMA integrity_check({FAULTS})"):
        if line != "ok":
            yield f"the database is damaged: {line}"


def _rooms(db: sqlite3.Connection) -> Iterator[str]:
    for number, room in db.execute("SELECT no, id FROM room").fetchall():
        try:
            check_room(db, number, room)
            lines = db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))
            check_lines(db, number, room, [row[0] for row in lines])
        except StorageError as fault:
            yield str(fault)
    orphans = "SELECT count(*) FROM head LEFT JOIN room ON room.no = head.room WHERE room.no IS NULL"
    if lost := db.execute(orphans).fetchone()[0]:
        yield f"{lost} rooms are missing of which the journals' heads are there"


def _snapshots(db: sqlite3.Connection) -> Iterator[str]:
    for number, seq, *rest, sealed in db.execute(
        "SELECT room, seq, version, hash, base, state, data, seal FROM snapshot"
    ):
        if sealed != seal(number, seq, *rest):
            found = db.execute("SELECT id FROM room WHERE no = ?", (number,)).fetchone()
            yield f"the snapshot of {found[0] if found else number} after entry {seq} is not as it was written"


def _commits(db: sqlite3.Connection) -> Iterator[str]:
    last: tuple[int, bytes] | None = None
    for number, done, head in db.execute("SELECT no, done, hash FROM past ORDER BY no"):
        before = last if last is not None else (0, NOTHING) if number == 1 else None
        if before is not None and (number != before[0] + 1 or follow(before[1], [done]) != head):
            yield f"the chain of commits is broken at {number}"
        last = number, head


def _records(db: sqlite3.Connection) -> Iterator[str]:
    for kind, key, data, sealed in db.execute("SELECT kind, key, data, seal FROM record"):
        if sealed != seal(kind, key, data):
            yield f"the record {key[:16]} of kind {kind} is not as it was written"
