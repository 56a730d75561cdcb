"""The entry that answered a question, found in a journal of half a million entries by reading a few dozen of them.

Numbers of questions grow along a journal, but for what an `Upgraded` entry has made void; so each part that counts is searched
by halves. Entries that answer nothing (instructions, hashes) are stepped over by the database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from server.storage.encoding import read_entry
from server.storage.errors import Damaged
from server.storage.journal import Answered, Passed, Upgraded

NEXT = """
SELECT data FROM entry WHERE room = ?1 AND seq BETWEEN ?2 AND ?3
    AND (substr(data, 1, 17) = CAST('{"entry":"answer"' AS BLOB) OR substr(data, 1, 15) = CAST('{"entry":"pass"' AS BLOB))
    ORDER BY seq LIMIT 1
"""


def answer_to(db: sqlite3.Connection, room: int, question: int) -> Answered | Passed | None:
    """See `Storage.answer_to`; `room` is its number in the database."""
    for first, last in _parts(db, room):
        found: Answered | Passed | None = None
        low, high = first, last
        while low <= high:
            middle = (low + high) // 2
            entry = _answering(db, room, middle, high)
            if entry is None or entry.question > question:
                high = middle - 1
            else:
                found, low = entry, entry.seq + 1
        if found is not None:
            return found
    return None


def _answering(db: sqlite3.Connection, room: int, low: int, high: int) -> Answered | Passed | None:
    """The first entry from `low` to `high` that answers something."""
    row = db.execute(NEXT, (room, low, high)).fetchone()
    entry = None if row is None else read_entry(row[0])
    return entry if isinstance(entry, Answered | Passed) else None


def _parts(db: sqlite3.Connection, room: int) -> Iterator[tuple[int, int]]:
    """(first, last) of each run of entries that count, the latest first."""
    high: int = db.execute("SELECT max(seq) FROM entry WHERE room = ?", (room,)).fetchone()[0] or 0
    bases = db.execute("SELECT seq FROM snapshot WHERE room = ? AND base ORDER BY seq DESC", (room,)).fetchall()
    for (seq,) in bases:
        row = db.execute("SELECT data FROM entry WHERE room = ? AND seq = ?", (room, seq)).fetchone()
        entry = None if row is None else read_entry(row[0])
        if not isinstance(entry, Upgraded):
            raise Damaged(f"entry {seq} is not what its base snapshot says")
        if seq <= high:
            yield seq + 1, high
            high = entry.base
    yield 1, high
