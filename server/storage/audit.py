"""All that lies in a database compared with what was written: once after each start, beside everything else."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator

from server.storage.chain import seal
from server.storage.errors import StorageError
from server.storage.reading import check_lines, check_room

FAULTS = 20
"""Faults of the file's structure that are told at most."""


def audit(db: sqlite3.Connection) -> list[str]:
    """What is damaged, as sentences for the host."""
    found: list[str] = []
    parts: tuple[Callable[[sqlite3.Connection], Iterator[str]], ...] = (_structure, _rooms, _snapshots, _records)
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
    for room, seq, state, data in db.execute(
        "SELECT id, seq, state, data FROM snapshot JOIN room ON room.no = snapshot.room"
    ):
        try:
            zlib.decompress(state)
            zlib.decompress(data)
        except zlib.error as fault:
            yield f"the snapshot of {room} after entry {seq} cannot be read: {fault}"


def _records(db: sqlite3.Connection) -> Iterator[str]:
    for kind, key, data, sealed in db.execute("SELECT kind, key, data, seal FROM record"):
        if sealed != seal(kind, key, data):
            yield f"the record {key[:16]} of kind {kind} is not as it was written"
