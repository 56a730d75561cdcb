"""What is read from PostgreSQL, each in one transaction that sees one moment. What is not as it was written is damage, and is said."""

from __future__ import annotations

import hashlib
import logging
import zlib
from collections.abc import Collection, Iterator
from typing import LiteralString

from server.storage.chain import begin, follow, seal
from server.storage.encoding import join_setup, read_entries, read_entry
from server.storage.errors import Damaged, NoSuchRoom, StorageError
from server.storage.journal import Answered, AnyEntry, Journal, Passed, RoomRecord, Setup, Snapshot, Upgraded
from server.storage.migrating import KeptRoom
from server.storage.postgresql.appending import Stand
from server.storage.postgresql.tables import Db

log = logging.getLogger("apnap.storage")

PAGE = 500
"""Entries read at a time where an answer is looked for from the end."""
SNAPSHOTS = "SELECT seq, version, hash, base, state, data, seal FROM snapshot WHERE room = %s"
BASES = f"{SNAPSHOTS} AND base ORDER BY seq"
LAST = f"{SNAPSHOTS} ORDER BY seq DESC LIMIT 1"
CARDS = "SELECT hash, data FROM room_card JOIN card ON card.no = room_card.card WHERE room = %s ORDER BY place"


def stand(db: Db, room: str) -> Stand:
    """How far a room's journal is. Raises `NoSuchRoom`."""
    found = db.execute("SELECT no, fence, seq, head FROM room WHERE id = %s", (room,)).fetchone()
    if found is None:
        raise NoSuchRoom(room)
    return Stand(*found)


def room_seal(room: str, created: int, setup: bytes, cards: Collection[str]) -> bytes:
    """The seal of a room's line and of its cards' hashes."""
    return seal(room, created, setup, *cards)


def setup(db: Db, room: str) -> tuple[Stand, Setup]:
    """A room's stand and setup. Raises `NoSuchRoom`, `Damaged`."""
    where = stand(db, room)
    line = db.execute("SELECT created, setup, seal FROM room WHERE no = %s", (where.no,)).fetchone()
    assert line is not None
    created, data, sealed = line
    cards = db.execute(CARDS, (where.no,)).fetchall()
    if room_seal(room, created, data, [key for key, _ in cards]) != sealed:
        raise Damaged(f"the setup of {room} is not as it was written")
    for key, card in cards:
        if hashlib.sha256(card).hexdigest()[:32] != key:
            raise Damaged(f"a card of {room} is not as it was written")
    return where, join_setup(data, (card for _, card in cards))


def load(db: Db, room: str) -> Journal:
    """See `Storage`."""
    where, read = setup(db, room)
    entries, torn = _entries(db, where, room, 0)
    return Journal(read, entries, torn, tuple(_snapshots(db, where.no, BASES)), head=where.head)


def take_up(db: Db, room: str) -> Journal:
    """See `Storage`."""
    where, read = setup(db, room)
    last = next(_snapshots(db, where.no, LAST), None)
    entries, torn = _entries(db, where, room, 0 if last is None else last.seq)
    return Journal(read, entries, torn, snapshot=last, head=where.head)


def kept_room(db: Db, room: str) -> KeptRoom:
    """See `Kept`."""
    where, _ = setup(db, room)
    line = db.execute("SELECT created, finished, setup FROM room WHERE no = %s", (where.no,)).fetchone()
    assert line is not None
    created, finished, data = line
    rows = db.execute("SELECT seq, data FROM entry WHERE room = %s ORDER BY seq", (where.no,)).fetchall()
    check_lines(where, room, [entry for _, entry in rows])
    snapshots = tuple(_snapshots(db, where.no, f"{SNAPSHOTS} ORDER BY seq"))
    cards = db.execute(CARDS, (where.no,)).fetchall()
    return KeptRoom(room, created, finished, data, dict(cards), list(rows), snapshots)


def kinds(db: Db) -> list[str]:
    """See `Kept`."""
    return [kind for (kind,) in db.execute("SELECT DISTINCT kind FROM record ORDER BY kind").fetchall()]


def lines(db: Db, number: int, last: int | None = None) -> list[bytes]:
    """A room's entries as written, up to that one."""
    rows = db.execute(
        "SELECT data FROM entry WHERE room = %s AND seq <= coalesce(%s, seq) ORDER BY seq", (number, last)
    )
    return [row[0] for row in rows]


def check_lines(where: Stand, room: str, found: list[bytes]) -> None:
    """That these are all its entries, as they were written. Raises `Damaged`."""
    if len(found) < where.seq:
        raise Damaged(f"journal of {room}: it has {len(found)} of {where.seq} entries")
    if len(found) > where.seq or follow(begin(room), found) != where.head:
        raise Damaged(f"journal of {room}: its entries are not as they were written")


def _entries(db: Db, where: Stand, room: str, after: int) -> tuple[tuple[AnyEntry, ...], bool]:
    found = lines(db, where.no)
    entries = read_entries(room, found[after:], after + 1)
    check_lines(where, room, found)
    return entries


def _snapshots(db: Db, number: int, query: LiteralString) -> Iterator[Snapshot]:
    """A room's snapshots. Raises `Damaged`."""
    for seq, version, hash_, base, state, data, sealed in db.execute(query, (number,)).fetchall():
        if sealed != seal(number, seq, version, hash_, int(base), state, data):
            raise Damaged(f"the snapshot after entry {seq} is not as it was written")
        try:
            state, data = zlib.decompress(state), zlib.decompress(data)
        except zlib.error as fault:
            raise Damaged(f"the snapshot after entry {seq} cannot be read: {fault}") from fault
        yield Snapshot(seq=seq, version=version, hash=hash_, base=base, state=state, room=data)


def answer_to(db: Db, room: str, question: int) -> AnyEntry | None:
    """See `Storage.answer_to`."""
    where = stand(db, room)
    last = where.seq
    while last > 0:
        rows = db.execute(
            "SELECT data FROM entry WHERE room = %s AND seq BETWEEN %s AND %s ORDER BY seq DESC",
            (where.no, last - PAGE + 1, last),
        ).fetchall()
        last -= PAGE
        counts = last + PAGE
        for (data,) in rows:
            entry = read_entry(data)
            if entry.seq > counts:
                continue  # it counts no more: the game went on from an earlier entry
            if isinstance(entry, Upgraded):
                counts = entry.base
                last = min(last, counts)
            elif isinstance(entry, Answered | Passed) and entry.question <= question:
                return entry
    return None


def rooms(db: Db, of: Collection[str] | None) -> list[RoomRecord]:
    """See `Storage`."""
    named = None if of is None else list(of)
    found = db.execute(
        "SELECT id, created, finished, seq FROM room WHERE %s::text[] IS NULL OR id = ANY(%s) ORDER BY no",
        (named, named),
    )
    return [RoomRecord(room=r[0], created=r[1], finished=r[2], entries=r[3]) for r in found]


def records(db: Db, kind: str, key: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Records of a kind as they were written; nothing, with a line in the log, where something else stands."""
    found = db.execute(
        "SELECT key, data, seal FROM record WHERE kind = %s AND key = coalesce(%s, key)", (kind, key)
    ).fetchall()
    for name, data, sealed in found:
        if sealed != seal(kind, name, data):
            log.error("the record %s of kind %s is not as it was written", name[:16], kind)
            yield name, b""
        else:
            yield name, data


def audit(db: Db) -> list[str]:
    """What is damaged, as sentences for the host."""
    found: list[str] = []
    for room, number in db.execute("SELECT id, no FROM room ORDER BY no").fetchall():
        try:
            where, _ = setup(db, room)
            check_lines(where, room, lines(db, number))
            for _ in _snapshots(db, number, SNAPSHOTS):
                pass
        except StorageError as fault:
            found.append(str(fault))
    for kind, key, data, sealed in db.execute("SELECT kind, key, data, seal FROM record").fetchall():
        if sealed != seal(kind, key, data):
            found.append(f"the record {key[:16]} of kind {kind} is not as it was written")
    return found
