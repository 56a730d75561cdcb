"""What is written but by appending, each in a transaction of its own."""

from __future__ import annotations

from server.storage.chain import begin, follow, seal
from server.storage.errors import RoomExists
from server.storage.postgresql import reading
from server.storage.postgresql.appending import Stand
from server.storage.postgresql.tables import Db
from server.storage.postgresql.writer import Stands
from server.storage.writes import Amend, AnyWrite, Append, Create, Cut, Delete, Finish, Put, Remove

PUT = """
INSERT INTO record VALUES (%s, %s, %s, %s) ON CONFLICT (kind, key) DO UPDATE SET data = excluded.data, seal = excluded.seal
"""


def deed(write: AnyWrite, db: Db, stands: Stands, *, again: bool = False) -> bytes:
    """Do it; the head of the journal then, b"" for one that is about none. `again`: it may have been done, and is done then. Raises
    `NoSuchRoom`, `RoomExists`."""
    match write:
        case Append():
            raise AssertionError("what is appended waits for others")
        case Create():
            return _create(write, db, stands, again=again)
        case Cut(room, last):
            return _cut(db, stands, room, last)
        case Finish(room):
            where = stands.of(db, room)
            db.execute("UPDATE room SET finished = true WHERE no = %s", (where.no,))
            return where.head
        case Amend(room, setup):
            return _amend(db, stands, room, setup)
        case Remove(room):
            db.execute("DELETE FROM room WHERE no = %s", (stands.of(db, room).no,))
            stands.keep(room, None)
        case Put(kind, key, data):
            db.execute(PUT, (kind, key, data, sealed := seal(kind, key, data)))
            stands.record = kind, key, sealed
        case Delete(kind, key):
            db.execute("DELETE FROM record WHERE kind = %s AND key = %s", (kind, key))
            stands.record = kind, key, None
    return b""


def undo(write: Create | Finish, db: Db, begins: bool) -> None:
    """Undo it, where it turns out to have been done and was called failed: a beginning as the journal is to begin (`begins`), for who goes
    on with it has read it; an end as it goes on. Raises psycopg.Error.
    """
    if begins and isinstance(write, Create):
        there = write.room, _sealed(write), len(write.rows), _head(write)
        db.execute("DELETE FROM room WHERE id = %s AND seal = %s AND seq = %s AND head = %s", there)
    elif not begins and isinstance(write, Finish):
        db.execute("UPDATE room SET finished = false WHERE id = %s", (write.room,))


def _head(write: Create) -> bytes:
    return follow(begin(write.room), (line for _, line in write.rows))


def _sealed(write: Create) -> bytes:
    return reading.room_seal(write.room, write.created, write.setup, list(write.cards))


def _create(write: Create, db: Db, stands: Stands, *, again: bool) -> bytes:
    head, sealed = _head(write), _sealed(write)
    made = db.execute(
        "INSERT INTO room (id, created, setup, seal, seq, head) VALUES (%s, %s, %s, %s, %s, %s)"
        " ON CONFLICT (id) DO NOTHING RETURNING no, fence",
        (write.room, write.created, write.setup, sealed, len(write.rows), head),
    ).fetchone()
    if made is None:
        there = db.execute("SELECT seal FROM room WHERE id = %s", (write.room,)).fetchone()
        where = stands.of(db, write.room)
        if again and there == (sealed,) and (where.seq, where.head) == (len(write.rows), head):
            return head
        raise RoomExists(write.room)
    number, fence = made
    with db.cursor() as many:
        # In the order of their hashes, so that two who add the same cards wait for each other in one direction only.
        many.executemany(
            "INSERT INTO card (hash, data) VALUES (%s, %s) ON CONFLICT (hash) DO NOTHING", sorted(write.cards.items())
        )
        many.executemany(
            "INSERT INTO room_card SELECT %s, %s, no FROM card WHERE hash = %s",
            [(number, place, key) for place, key in enumerate(write.cards)],
        )
        many.executemany("INSERT INTO entry VALUES (%s, %s, %s)", [(number, *row) for row in write.rows])
    stands.keep(write.room, Stand(number, fence, len(write.rows), head))
    return head


def _cut(db: Db, stands: Stands, room: str, last: int) -> bytes:
    where = stands.of(db, room)
    db.execute("DELETE FROM entry WHERE room = %s AND seq > %s", (where.no, last))
    head = follow(begin(room), reading.lines(db, where.no))
    db.execute("UPDATE room SET seq = %s, head = %s WHERE no = %s", (last, head, where.no))
    stands.keep(room, Stand(where.no, where.fence, last, head))
    return head


def _amend(db: Db, stands: Stands, room: str, setup: bytes) -> bytes:
    number = stands.of(db, room).no
    found = db.execute("SELECT created FROM room WHERE no = %s", (number,)).fetchone()
    cards = [key for key, _ in db.execute(reading.CARDS, (number,)).fetchall()]
    assert found is not None
    sealed = reading.room_seal(room, found[0], setup, cards)
    db.execute("UPDATE room SET setup = %s, seal = %s WHERE no = %s", (setup, sealed, number))
    return b""
