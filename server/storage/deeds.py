"""What is written to the database, each in the transaction of its commit: the rows, the journal's head, the seals."""

from __future__ import annotations

import sqlite3
import zlib

from server.storage.appended import Appended, Rows
from server.storage.chain import begin, follow, seal
from server.storage.errors import Conflict, NoSuchRoom, RoomExists
from server.storage.journal import Snapshot
from server.storage.schema import add_cards, room_seal
from server.storage.witness import GONE
from server.storage.writer import Deed

LEVEL = 1
"""Of compression. By default a snapshot takes five times as long and is a sixth smaller: 8.6 KB, not 10.2, at 330 answers."""


def number_of(db: sqlite3.Connection, room: str) -> int:
    """A room's number in the database. Raises `NoSuchRoom`."""
    found = db.execute("SELECT no FROM room WHERE id = ?", (room,)).fetchone()
    if found is None:
        raise NoSuchRoom(room)
    return found[0]


def create(
    db: sqlite3.Connection, room: str, created: int, setup: bytes, cards: dict[str, bytes], entries: Rows
) -> Deed:
    """Begin a journal. Raises `RoomExists`."""
    try:
        added = db.execute("INSERT INTO room (id, created, setup) VALUES (?, ?, ?)", (room, created, setup))
    except sqlite3.IntegrityError:
        raise RoomExists(room) from None
    number = added.lastrowid
    assert number is not None
    add_cards(db, number, cards)
    db.executemany("INSERT INTO entry VALUES (?, ?, ?)", [(number, *row) for row in entries])
    head, sealed = follow(begin(room), (data for _, data in entries)), room_seal(db, number)
    db.execute("INSERT INTO head VALUES (?, ?, ?, ?)", (number, len(entries), head, sealed))
    return Deed(seal("create", number, head, sealed), number, len(entries), head)


def append(
    db: sqlite3.Connection,
    appended: Appended,
    number: int,
    room: str,
    entries: Rows,
    snapshot: Snapshot | None,
    ended: bool,
) -> Deed:
    """Add entries, which wait in `appended` for others of the same transaction, and a snapshot. Raises `Conflict`."""
    seq, head = appended.head(db, number)
    # A primary key stops two of the same number, this a gap.
    if entries and entries[0][0] != seq + 1:
        raise Conflict(f"{room}: entry {entries[0][0]} where {seq + 1} comes")
    if entries:
        seq, head = entries[-1][0], follow(head, [data for _, data in entries])
        appended.add(number, entries, head)
    if ended or snapshot is not None:
        db.execute("DELETE FROM snapshot WHERE room = ? AND NOT base", (number,))
    if ended:
        _finish(db, number)
    elif snapshot is not None:
        row = (number, *_row(snapshot))
        # A base of the same moment stays one: all journals after it are played from there.
        how = "REPLACE" if snapshot.base else "IGNORE"
        db.execute(f"INSERT OR {how} INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, seal(*row)))
    return Deed(head, number, seq, head, ended)  # a journal's head is the seal of what was appended to it


def cut(db: sqlite3.Connection, number: int, room: str, last: int) -> Deed:
    """Drop what stands after an entry."""
    db.execute("DELETE FROM entry WHERE room = ? AND seq > ?", (number, last))
    lines = db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))
    head = follow(begin(room), (row[0] for row in lines))
    db.execute("UPDATE head SET seq = ?, hash = ? WHERE room = ?", (last, head, number))
    return Deed(seal("cut", number, head), number, last, head)


def finish(db: sqlite3.Connection, number: int) -> Deed:
    """Mark a room finished."""
    seq, head = db.execute("SELECT seq, hash FROM head WHERE room = ?", (number,)).fetchone()
    return Deed(seal("finish", number, _finish(db, number)), number, seq, head, done=True)


def _finish(db: sqlite3.Connection, number: int) -> bytes:
    db.execute("UPDATE room SET finished = 1 WHERE no = ?", (number,))
    return _seal_room(db, number)


def amend(db: sqlite3.Connection, number: int, setup: bytes) -> Deed:
    """Put another setup in the place of a journal's own."""
    db.execute("UPDATE room SET setup = ? WHERE no = ?", (setup, number))
    return Deed(seal("amend", number, _seal_room(db, number)))


def _seal_room(db: sqlite3.Connection, number: int) -> bytes:
    sealed = room_seal(db, number)
    db.execute("UPDATE head SET seal = ? WHERE room = ?", (sealed, number))
    return sealed


def remove(db: sqlite3.Connection, number: int) -> Deed:
    """Delete a journal."""
    for table in ("entry", "snapshot", "room_card", "head"):
        db.execute(f"DELETE FROM {table} WHERE room = ?", (number,))
    db.execute("DELETE FROM room WHERE no = ?", (number,))
    return Deed(seal("remove", number), number, GONE)


def put(db: sqlite3.Connection, kind: str, key: str, data: bytes) -> Deed:
    """Keep a record."""
    sealed = seal(kind, key, data)
    db.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)", (kind, key, data, sealed))
    return Deed(sealed)


def delete(db: sqlite3.Connection, kind: str, key: str) -> Deed:
    """Forget a record."""
    db.execute("DELETE FROM record WHERE kind = ? AND key = ?", (kind, key))
    return Deed(seal("delete", kind, key))


def _row(snapshot: Snapshot) -> tuple[int, str, str, int, bytes, bytes]:
    """A snapshot's columns after the room."""
    packed = zlib.compress(snapshot.state, LEVEL), zlib.compress(snapshot.room, LEVEL)
    return (snapshot.seq, snapshot.version, snapshot.hash, int(snapshot.base), *packed)
