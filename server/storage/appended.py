"""What is appended to journals in one transaction, put into the database together: its entries by one statement, the heads by another.

The interpreter is let go of with each statement, and beside a busy event loop it takes half a millisecond to get it back: with a few
statements for each of the rooms whose answers wait, a commit would last several times as long as the disk takes. Used by the thread
that writes, and by no other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from server.storage.errors import Conflict
from server.storage.witness import GONE

Rows = Sequence[tuple[int, bytes]]
"""Entries as they are written, by their numbers."""
TOGETHER = 1000
"""Rows of one statement."""
REMEMBERED = 10_000
"""Journals whose heads are remembered."""


class Appended:
    """See the module. Rooms go by their numbers in the database."""

    def __init__(self) -> None:
        self._heads: dict[int, tuple[int, bytes]] = {}
        self._entries: list[int | bytes] = []
        """Of each its room, its number and what is written, one after the other."""
        self._moved: set[int] = set()
        """Rooms whose heads are further than in the database."""

    def head(self, db: sqlite3.Connection, room: int) -> tuple[int, bytes]:
        """How many entries a journal has with those that wait, and its head after them."""
        found = self._heads.get(room)
        if found is None:
            found = self._heads[room] = db.execute("SELECT seq, hash FROM head WHERE room = ?", (room,)).fetchone()
        return found

    def add(self, room: int, entries: Rows, head: bytes) -> None:
        """Entries wait, and the journal's head is that after them."""
        for seq, data in entries:
            self._entries += (room, seq, data)
        self._heads[room] = entries[-1][0], head
        self._moved.add(room)

    def write(self, db: sqlite3.Connection) -> None:
        """Put what waits into the database. Raises `Conflict` if it has one of these entries."""
        entries, self._entries = self._entries, []
        try:
            _insert(db, "INSERT INTO entry VALUES", 3, entries, "")
        except sqlite3.IntegrityError as fault:
            raise Conflict(str(fault)) from None
        heads: list[int | bytes] = []
        for room in self._moved:
            heads += (room, *self._heads[room], b"")
        self._moved.clear()
        # Each has its line since the journal began; the seal in it stays.
        rest = "ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, hash = excluded.hash"
        _insert(db, "INSERT INTO head VALUES", 4, heads, rest)
        if len(self._heads) > REMEMBERED:
            self._heads.clear()

    def follow(self, room: int, seq: int, head: bytes) -> None:
        """What a write has made of a room's journal."""
        if seq == GONE:
            self._heads.pop(room, None)
        else:
            self._heads[room] = seq, head

    def forget(self) -> None:
        """The transaction is undone."""
        self._heads.clear()
        self._entries.clear()
        self._moved.clear()


def _insert(db: sqlite3.Connection, words: str, columns: int, values: list[int | bytes], rest: str) -> None:
    """Rows of so many columns, whose values stand one after the other."""
    for at in range(0, len(values), TOGETHER * columns):
        some = values[at : at + TOGETHER * columns]
        row = "(" + ", ".join("?" * columns) + ")"
        db.execute(f"{words} {', '.join([row] * (len(some) // columns))} {rest}", some)
