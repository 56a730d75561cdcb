"""What is read from the database, each by a connection of its own. What is not as it was written is damage, and is said."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import zlib
from collections.abc import Collection, Iterator

import msgspec

from server.storage.chain import begin, follow, seal
from server.storage.deeds import number_of
from server.storage.encoding import join_setup, read_entries, write_setup
from server.storage.errors import Damaged, NoSuchRoom
from server.storage.journal import AnyEntry, Journal, RoomRecord, Setup, Snapshot
from server.storage.migrating import KeptRoom
from server.storage.schema import HEADS_VERSION, room_seal

log = logging.getLogger("apnap.storage")

DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""SQLite's names of errors after which reading again is of no use."""
SNAPSHOTS = "SELECT room, seq, version, hash, base, state, data, {seal} FROM snapshot WHERE room = ?"


def load(db: sqlite3.Connection, room: str) -> Journal:
    """See `Storage`."""
    number, read = setup(db, room)
    entries, torn, head = _entries(db, number, room, 0)
    return Journal(read, entries, torn, tuple(_snapshots(db, number, "AND base ORDER BY seq")), head=head)


def take_up(db: sqlite3.Connection, room: str) -> Journal:
    """See `Storage`."""
    number, read = setup(db, room)
    last = next(_snapshots(db, number, "ORDER BY seq DESC LIMIT 1"), None)
    entries, torn, head = _entries(db, number, room, 0 if last is None else last.seq)
    return Journal(read, entries, torn, snapshot=last, head=head)


def take_up_all(db: sqlite3.Connection, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
    """See `Storage`."""
    found: dict[str, Journal | Damaged] = {}
    for room in rooms:
        try:
            found[room] = take_up(db, room)
        except NoSuchRoom:
            pass
        except Damaged as fault:
            found[room] = fault
        except sqlite3.Error as fault:
            if not is_damage(fault):
                raise
            found[room] = Damaged(f"the journal of {room} cannot be read: {fault}")
    return found


def is_damage(fault: sqlite3.Error) -> bool:
    """Whether reading again is of no use."""
    return getattr(fault, "sqlite_errorname", "").startswith(DAMAGED)


def setup(db: sqlite3.Connection, room: str) -> tuple[int, Setup]:
    """A room's number and setup. Raises `NoSuchRoom`, `Damaged`."""
    number = number_of(db, room)
    check_room(db, number, room)
    (data,) = db.execute("SELECT setup FROM room WHERE no = ?", (number,)).fetchone()
    cards = db.execute(
        "SELECT data FROM room_card JOIN card ON card.no = room_card.card WHERE room = ? ORDER BY place", (number,)
    )
    return number, join_setup(data, (row[0] for row in cards))


def check_room(db: sqlite3.Connection, number: int, room: str) -> None:
    """That a room's line and cards are as they were written. Raises `Damaged`."""
    if not has_heads(db):
        return
    found = db.execute("SELECT seal FROM head WHERE room = ?", (number,)).fetchone()
    if found is None or found[0] != room_seal(db, number):
        raise Damaged(f"the setup of {room} is not as it was written")
    cards = db.execute(
        "SELECT hash, data FROM room_card JOIN card ON card.no = room_card.card WHERE room = ?", (number,)
    )
    for key, data in cards:
        if hashlib.sha256(data).hexdigest()[:32] != key:
            raise Damaged(f"a card of {room} is not as it was written")


def _entries(db: sqlite3.Connection, number: int, room: str, after: int) -> tuple[tuple[AnyEntry, ...], bool, bytes]:
    """The entries after that one, whether a torn one was dropped, and the head, by which all of the journal was checked.

    Raises `Damaged`. A torn entry that the head counts was written whole.
    """
    lines = [row[0] for row in db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))]
    entries, torn = read_entries(room, lines[after:], after + 1)
    return entries, torn, check_lines(db, number, room, lines)


def check_lines(db: sqlite3.Connection, number: int, room: str, lines: list[bytes]) -> bytes:
    """The head of a journal, which is that of these lines. Raises `Damaged`."""
    if not has_heads(db):
        return follow(begin(room), lines)
    seq, head = db.execute("SELECT seq, hash FROM head WHERE room = ?", (number,)).fetchone() or (-1, b"")
    if len(lines) < seq:
        raise Damaged(f"journal of {room}: it has {len(lines)} of {seq} entries")
    if len(lines) > seq or follow(begin(room), lines) != head:
        raise Damaged(f"journal of {room}: its entries are not as they were written")
    return head


def head_at(db: sqlite3.Connection, room: str, seq: int) -> bytes:
    """The head of a journal after an entry. Raises `NoSuchRoom`."""
    lines = db.execute("SELECT data FROM entry WHERE room = ? AND seq <= ? ORDER BY seq", (number_of(db, room), seq))
    return follow(begin(room), (row[0] for row in lines))


def unread(db: sqlite3.Connection, room: str) -> tuple[bytes, list[bytes]]:
    """See `SqliteStorage.unread`."""
    found = db.execute("SELECT no, setup FROM room WHERE id = ?", (room,)).fetchone()
    if found is None:
        raise NoSuchRoom(room)
    number, data = found
    try:
        data = write_setup(setup(db, room)[1])
    except Damaged:
        pass
    entries = db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))
    return data, [row[0] for row in entries]


def kept_room(db: sqlite3.Connection, room: str) -> KeptRoom:
    """See `Kept`."""
    number = number_of(db, room)
    check_room(db, number, room)
    created, finished, data = db.execute("SELECT created, finished, setup FROM room WHERE no = ?", (number,)).fetchone()
    cards = db.execute(
        "SELECT hash, data FROM room_card JOIN card ON card.no = room_card.card WHERE room = ? ORDER BY place",
        (number,),
    )
    rows = db.execute("SELECT seq, data FROM entry WHERE room = ? ORDER BY seq", (number,)).fetchall()
    check_lines(db, number, room, [line for _, line in rows])
    snapshots = tuple(_snapshots(db, number, "ORDER BY seq"))
    return KeptRoom(room, created, bool(finished), data, dict(cards.fetchall()), rows, snapshots)


def kinds(db: sqlite3.Connection) -> list[str]:
    """See `Kept`."""
    return [kind for (kind,) in db.execute("SELECT DISTINCT kind FROM record ORDER BY kind")]


def rooms(db: sqlite3.Connection, of: Collection[str] | None) -> list[RoomRecord]:
    """See `Storage`."""
    named = None if of is None else msgspec.json.encode(list(of)).decode()
    rows = db.execute(
        "SELECT id, created, finished, (SELECT count(*) FROM entry WHERE entry.room = room.no) FROM room"
        " WHERE ?1 IS NULL OR id IN (SELECT value FROM json_each(?1)) ORDER BY no",
        (named,),
    )
    return [RoomRecord(room=r[0], created=r[1], finished=bool(r[2]), entries=r[3]) for r in rows]


def has_heads(db: sqlite3.Connection) -> bool:
    """Whether a database has them: one of an earlier version that is only read has none yet."""
    return db.execute("PRAGMA user_version").fetchone()[0] >= HEADS_VERSION


def record(db: sqlite3.Connection, kind: str, key: str) -> bytes | None:
    """A record, None if there is none."""
    return next((data for _, data in _records(db, kind, "AND key = ?", key)), None)


def records(db: sqlite3.Connection, kind: str) -> Iterator[tuple[str, bytes]]:
    """All records of a kind, by key."""
    return _records(db, kind)


def some(db: sqlite3.Connection, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """Those of these records that there are, by kind and key."""
    found = ((one, record(db, *one)) for one in of)
    return {one: data for one, data in found if data is not None}


def _records(db: sqlite3.Connection, kind: str, more: str = "", *values: str) -> Iterator[tuple[str, bytes]]:
    """Records as they were written; nothing, with a line in the log, where something else stands: nobody is let in by it."""
    sealed = has_heads(db)
    column = "seal" if sealed else "NULL"
    for key, data, found in db.execute(
        f"SELECT key, data, {column} FROM record WHERE kind = ? {more}", (kind, *values)
    ):
        if sealed and found != seal(kind, key, data):
            log.error("the record %s of kind %s is not as it was written", key[:16], kind)
            yield key, b""
        else:
            yield key, data


def _snapshots(db: sqlite3.Connection, number: int, more: str) -> Iterator[Snapshot]:
    """A room's snapshots. Raises `Damaged`."""
    sealed = has_heads(db)
    rows = db.execute(f"{SNAPSHOTS.format(seal='seal' if sealed else 'NULL')} {more}", (number,))
    for room, seq, version, hash_, base, state, data, found in rows:
        if sealed and found != seal(room, seq, version, hash_, base, state, data):
            raise Damaged(f"the snapshot after entry {seq} is not as it was written")
        try:
            state, data = zlib.decompress(state), zlib.decompress(data)
        except zlib.error as fault:
            raise Damaged(f"the snapshot after entry {seq} cannot be read: {fault}") from fault
        yield Snapshot(seq=seq, version=version, hash=hash_, base=bool(base), state=state, room=data)
