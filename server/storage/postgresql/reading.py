"""What is read from PostgreSQL, each in one transaction that sees one moment. What is not as it was written is damage, and is said."""

from __future__ import annotations

import hashlib
import logging
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, LiteralString

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
CARDS = "SELECT hash, data FROM room_card JOIN card ON card.no = room_card.card WHERE room = %s ORDER BY place"
SOME = """
SELECT kind, key, data, seal FROM record JOIN unnest(%s::text[], %s::text[]) AS asked (kind, key) USING (kind, key)
"""
#: For many rooms at once, each with as many statements as for one.
ROOMS = "SELECT no, fence, seq, head, id, created, setup, seal FROM room WHERE id = ANY(%s::text[])"
THEIR_CARDS = """
SELECT room, hash FROM room_card JOIN card ON card.no = room_card.card WHERE room = ANY(%s::bigint[]) ORDER BY room, place
"""
CARD = "SELECT hash, data FROM card WHERE hash = ANY(%s::text[])"
THEIR_LAST = """
SELECT DISTINCT ON (room) room, seq, version, hash, base, state, data, seal FROM snapshot WHERE room = ANY(%s::bigint[])
ORDER BY room, seq DESC
"""
MARKED = """
SELECT id, created, finished, seq, head || seal ||
    coalesce((SELECT snapshot.seal FROM snapshot WHERE snapshot.room = room.no ORDER BY snapshot.seq DESC LIMIT 1), '')
FROM room WHERE id = ANY(%s::text[]) ORDER BY no
"""
THEIR_ENTRIES = "SELECT room, data FROM entry WHERE room = ANY(%s::bigint[]) ORDER BY room, seq"


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
    keys = [key for key, _ in cards]
    return where, _joined(room, created, data, sealed, keys, _as_written(cards))


def _as_written(cards: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Those of the cards that are, by their hashes."""
    return {key: card for key, card in cards if hashlib.sha256(card).hexdigest()[:32] == key}


def _joined(
    room: str, created: int, data: bytes, sealed: bytes, keys: Sequence[str], cards: Mapping[str, bytes]
) -> Setup:
    """The setup that was written with the cards of these keys. Raises `Damaged`."""
    if room_seal(room, created, data, keys) != sealed:
        raise Damaged(f"the setup of {room} is not as it was written")
    if not all(key in cards for key in keys):
        raise Damaged(f"a card of {room} is not as it was written")
    return join_setup(data, (cards[key] for key in keys))


def load(db: Db, room: str) -> Journal:
    """See `Storage`."""
    where, read = setup(db, room)
    entries, torn = _entries(where, room, lines(db, where.no), 0)
    return Journal(read, entries, torn, tuple(_snapshots(db, where.no, BASES)), head=where.head)


def take_up(db: Db, room: str) -> Journal:
    """See `Storage`."""
    found = take_up_all(db, [room]).get(room)
    if found is None:
        raise NoSuchRoom(room)
    if isinstance(found, Damaged):
        raise found
    return found


def take_up_all(db: Db, of: Collection[str]) -> dict[str, Journal | Damaged]:
    """See `Storage`; by as many statements for many as for one."""
    rooms = db.execute(ROOMS, (list(of),)).fetchall()
    numbers = [number for number, *_ in rooms]
    keys = _by_room(db, THEIR_CARDS, numbers)
    needed = list({key for one in keys.values() for (key,) in one})
    cards = _as_written(db.execute(CARD, (needed,), binary=True))
    snapshots, entries = _by_room(db, THEIR_LAST, numbers), _by_room(db, THEIR_ENTRIES, numbers)
    found: dict[str, Journal | Damaged] = {}
    for number, fence, seq, head, room, created, data, sealed in rooms:
        try:
            where = Stand(number, fence, seq, head)
            read = _joined(room, created, data, sealed, [key for (key,) in keys.get(number, ())], cards)
            last = next((_snapshot(number, *row) for row in snapshots.get(number, ())), None)
            written = [line for (line,) in entries.pop(number, ())]
            after, torn = _entries(where, room, written, 0 if last is None else last.seq)
            found[room] = Journal(read, after, torn, snapshot=last, head=head)
        except Damaged as fault:
            found[room] = fault
    return found


def _by_room(db: Db, query: LiteralString, numbers: list[int]) -> dict[int, list[tuple[Any, ...]]]:
    """The rows, which begin with a room's number, by that number."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *row in db.execute(query, (numbers,), binary=True):
        found.setdefault(number, []).append(tuple(row))
    return found


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


def _entries(where: Stand, room: str, found: list[bytes], after: int) -> tuple[tuple[AnyEntry, ...], bool]:
    entries = read_entries(room, found[after:], after + 1)
    check_lines(where, room, found)
    return entries


def _snapshots(db: Db, number: int, query: LiteralString) -> Iterator[Snapshot]:
    """A room's snapshots. Raises `Damaged`."""
    for row in db.execute(query, (number,)).fetchall():
        yield _snapshot(number, *row)


def _snapshot(
    number: int, seq: int, version: str, hash_: str, base: bool, state: bytes, data: bytes, sealed: bytes
) -> Snapshot:
    """A room's snapshot. Raises `Damaged`."""
    if sealed != seal(number, seq, version, hash_, int(base), state, data):
        raise Damaged(f"the snapshot after entry {seq} is not as it was written")
    try:
        state, data = zlib.decompress(state), zlib.decompress(data)
    except zlib.error as fault:
        raise Damaged(f"the snapshot after entry {seq} cannot be read: {fault}") from fault
    return Snapshot(seq=seq, version=version, hash=hash_, base=base, state=state, room=data)


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
    if of is None:
        rows = db.execute("SELECT id, created, finished, seq, ''::bytea FROM room ORDER BY no").fetchall()
    else:
        rows = db.execute(MARKED, (list(of),)).fetchall()
    return [RoomRecord(room=r[0], created=r[1], finished=r[2], entries=r[3], mark=r[4]) for r in rows]


def records(db: Db, kind: str) -> Iterator[tuple[str, bytes]]:
    """Records of a kind as they were written; nothing, with a line in the log, where something else stands."""
    for key, data, sealed in db.execute("SELECT key, data, seal FROM record WHERE kind = %s", (kind,)).fetchall():
        yield key, _sealed(kind, key, data, sealed)


def some(db: Db, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """Those of these records that there are, by kind and key."""
    found = db.execute(SOME, ([kind for kind, _ in of], [key for _, key in of])).fetchall()
    return {(kind, key): _sealed(kind, key, data, sealed) for kind, key, data, sealed in found}


def _sealed(kind: str, key: str, data: bytes, sealed: bytes) -> bytes:
    if sealed == seal(kind, key, data):
        return data
    log.error("the record %s of kind %s is not as it was written", key[:16], kind)
    return b""


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
