"""The tables of the database, and how one of an earlier version becomes one of this.

`PRAGMA user_version` holds the version. A migration runs in one transaction: a server that is killed meanwhile finds the
data as they were. Before the first one a copy of the database is kept beside it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from server.storage.chain import begin, follow, seal
from server.storage.encoding import read_setup, split_setup
from server.storage.errors import NewerData
from server.storage.private import private_file

FILE = "apnap.sqlite3"
VERSION = HEADS_VERSION = 4
LOG_PAGES = 4_000
"""After so many pages in the write-ahead log SQLite takes them to the database by itself, as part of a commit, for whose end somebody
waits.
"""
TABLES = """
CREATE TABLE room (no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0, setup BLOB NOT NULL) STRICT;
CREATE TABLE entry (room INTEGER NOT NULL REFERENCES room (no), seq INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (room, seq)) STRICT;
CREATE TABLE record (kind TEXT NOT NULL, key TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, key))
    STRICT, WITHOUT ROWID;
"""
"""Of version 1. What came later is in the migrations.

Entries lie in the order in which they were written, found by an index: a room's last ones in the midst of all rooms' fill a page that lies
between full ones, and dividing it writes all of these anew. Databases that were made before have them in the order of their rooms; all that
is asked of either is the same.
"""
CARDS = """
CREATE TABLE card (no INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, data BLOB NOT NULL) STRICT;
CREATE TABLE room_card (room INTEGER NOT NULL REFERENCES room (no), place INTEGER NOT NULL,
    card INTEGER NOT NULL REFERENCES card (no), PRIMARY KEY (room, place)) STRICT, WITHOUT ROWID;
CREATE TABLE snapshot (room INTEGER NOT NULL REFERENCES room (no), seq INTEGER NOT NULL, version TEXT NOT NULL,
    hash TEXT NOT NULL, base INTEGER NOT NULL, state BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (room, seq)) STRICT;
"""
"""Of version 2: `snapshot.state` and `snapshot.data` (the room's own) are compressed by zlib."""


HEADS = """
CREATE TABLE head (room INTEGER PRIMARY KEY REFERENCES room (no), seq INTEGER NOT NULL, hash BLOB NOT NULL,
    seal BLOB NOT NULL) STRICT;
CREATE TABLE past (no INTEGER PRIMARY KEY, done BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
ALTER TABLE record ADD COLUMN seal BLOB;
ALTER TABLE snapshot ADD COLUMN seal BLOB;
"""
"""Of version 4: how far each journal goes and the head of its chain; of the last commits a seal of what each has done, and the head of the
chain of all commits (`server.storage.chain`).
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to write with. Whoever opens it may hand it to another thread, once."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        db.execute("PRAGMA foreign_keys = ON")
        # The pages that a statement of many rows changes are kept as they were until it is done: by default in a file that is made for it.
        db.execute("PRAGMA temp_store = MEMORY")
    except BaseException:
        db.close()
        raise
    return db


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new database, bring an old one to this version. Raises `NewerData`, `Damaged`, sqlite3.Error."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise NewerData(_how_back(version, path))
    if version == VERSION:
        return
    if version:
        keep(db, _copy_of(path, version))
    db.execute("BEGIN IMMEDIATE")
    try:
        for migrate in MIGRATIONS[version:]:
            migrate(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _copy_of(path: Path, version: int) -> Path:
    """Where the database is kept as it was before a later version changed it."""
    return path.with_name(f"{path.name}.version{version}")


def _how_back(version: int, path: Path) -> str:
    """What to do where a later version has written; the copy that it kept is named, if we can read one."""
    kept = next((copy for at in range(VERSION, 0, -1) if (copy := _copy_of(path, at)).exists()), None)
    backup = "FILE" if kept is None else str(kept)
    return (
        f"the data are of version {version}; this apnap reads up to {VERSION}. Start the later apnap again, or put back how they "
        f"were before it, without what was played since: apnap admin restore {backup} --data {path.parent}"
    )


def keep(db: sqlite3.Connection, path: Path) -> None:
    """A copy of the whole database, as it is at this moment, also while others write to it. Replaces what is there."""
    path.unlink(missing_ok=True)
    private_file(path)
    with closing(sqlite3.connect(path)) as copy:
        db.backup(copy)


def add_cards(db: sqlite3.Connection, room: int, cards: dict[str, bytes]) -> None:
    """Note which cards a room has, in order; each card is kept once for all rooms."""
    db.executemany("INSERT OR IGNORE INTO card (hash, data) VALUES (?, ?)", list(cards.items()))
    db.executemany(
        "INSERT INTO room_card SELECT ?, ?, no FROM card WHERE hash = ?",
        [(room, place, key) for place, key in enumerate(cards)],
    )


def _tables(db: sqlite3.Connection) -> None:
    _script(db, TABLES)


def _cards(db: sqlite3.Connection) -> None:
    """Cards in a table of their own, and snapshots."""
    _script(db, CARDS)
    for number, data in db.execute("SELECT no, setup FROM room").fetchall():
        head, cards = split_setup(read_setup(data))
        db.execute("UPDATE room SET setup = ? WHERE no = ?", (head, number))
        add_cards(db, number, cards)


def _people(db: sqlite3.Connection) -> None:
    """People under their ids, not under the hash of their only token, which becomes their first session."""
    now = int(time.time())
    old = db.execute("SELECT key, data FROM record WHERE kind = 'person' AND length(key) = 64").fetchall()
    for key, data in old:
        try:
            person = msgspec.json.decode(data, type=dict[str, Any])
            person_id = str(person["id"])
        except (msgspec.MsgspecError, KeyError):
            continue  # nobody ever comes by it; it stays as it is
        person["sessions"] = [{"key": key, "id": key[:8], "since": now, "seen": now}]
        db.execute("INSERT OR IGNORE INTO record VALUES ('person', ?, ?)", (person_id, msgspec.json.encode(person)))
        db.execute("INSERT OR IGNORE INTO record VALUES ('token', ?, ?)", (key, person_id.encode()))
        db.execute("DELETE FROM record WHERE kind = 'person' AND key = ?", (key,))


def _heads(db: sqlite3.Connection) -> None:
    """Heads and seals of what lies there, as it lies there."""
    _script(db, HEADS)
    for number, room in db.execute("SELECT no, id FROM room").fetchall():
        lines = [row[0] for row in db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))]
        hash_ = follow(begin(room), lines)
        db.execute("INSERT INTO head VALUES (?, ?, ?, ?)", (number, len(lines), hash_, room_seal(db, number)))
    for kind, key, data in db.execute("SELECT kind, key, data FROM record").fetchall():
        db.execute("UPDATE record SET seal = ? WHERE kind = ? AND key = ?", (seal(kind, key, data), kind, key))
    for row in db.execute("SELECT room, seq, version, hash, base, state, data FROM snapshot").fetchall():
        db.execute("UPDATE snapshot SET seal = ? WHERE room = ? AND seq = ?", (seal(*row), *row[:2]))


def room_seal(db: sqlite3.Connection, number: int) -> bytes:
    """The seal of a room's line and of its cards' hashes, as they lie there."""
    line = db.execute("SELECT id, created, finished, setup FROM room WHERE no = ?", (number,)).fetchone()
    cards = db.execute(
        "SELECT hash FROM room_card JOIN card ON card.no = room_card.card WHERE room = ? ORDER BY place", (number,)
    )
    return seal(*line, *(row[0] for row in cards))


def _script(db: sqlite3.Connection, text: str) -> None:
    """Like `executescript`, which would commit the transaction first."""
    for statement in text.split(";"):
        if statement.strip():
            db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_tables, _cards, _people, _heads)
"""From version 0 (nothing) to 1, from 1 to 2, and so on."""
