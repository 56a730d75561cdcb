"""A data directory is opened: its database, made or brought to this version, and its witness, with which it is compared first.

What the witness has seen and the database has not is lost, and is said: in the log here, and by each room of which something is
missing. The server goes on with what there is; what was lost will not come back by waiting. Only a database that is not there, or
empty, beside a witness that has seen commits is refused: going on would bury what a backup or a moved file could still give.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from pathlib import Path

import msgspec

from server.storage.errors import Damaged
from server.storage.journal import Gap
from server.storage.private import private_file
from server.storage.schema import FILE, connect, prepare
from server.storage.witness import FILE as WITNESS
from server.storage.witness import Mark, Testimony, Witness, read, sync_folder
from server.storage.writer import last_mark

log = logging.getLogger("apnap.storage")

DOUBTED = f"{WITNESS}.doubted"
"""A copy of a witness with which the database did not agree."""
EMPTY = (
    "{path} is missing or empty, and the witness beside it has seen {commits} commits: put a backup back "
    "(apnap admin restore FILE), or delete {witness} to begin anew"
)


class Comparison(msgspec.Struct):
    """What a database lacks, as far as its witness knows: `gaps` by room, `losses` and `remarks` as sentences for the host."""

    gaps: dict[str, Gap] = {}
    losses: list[str] = []
    remarks: list[str] = []


def open_data(folder: Path) -> tuple[sqlite3.Connection, Witness, dict[str, Gap]]:
    """The database of a directory that is locked, its witness, and what is missing by room. Raises `Damaged`, `NewerData`, OSError,
    sqlite3.Error.
    """
    path, beside = folder / FILE, folder / WITNESS
    testimony = read(beside)
    seen = testimony.last.commit if testimony is not None and testimony.last is not None else 0
    if seen and (not path.exists() or not path.stat().st_size):
        raise Damaged(EMPTY.format(path=path, witness=beside, commits=seen))
    private_file(path)
    db = connect(path)
    try:
        prepare(db, path)
        mark = last_mark(db)
        if seen and not mark.commit and not _anything(db):
            raise Damaged(EMPTY.format(path=path, witness=beside, commits=seen))
        found = compare(db, mark, testimony)
        for sentence in found.remarks:
            log.warning("%s: %s", path, sentence)
        for sentence in found.losses:
            log.error("%s: %s", path, sentence)
        if testimony is not None and (found.losses or found.remarks):
            shutil.copyfile(beside, folder / DOUBTED)
            private_file(folder / DOUBTED)
        return db, begin_witness(db, folder), found.gaps
    except BaseException:
        db.close()
        raise


def begin_witness(db: sqlite3.Connection, folder: Path) -> Witness:
    """A witness of the database as it is. Raises OSError, sqlite3.Error."""
    rows = db.execute("SELECT head.room, head.seq FROM head JOIN room ON room.no = head.room WHERE NOT finished")
    witness = Witness(folder / WITNESS, last_mark(db), dict(rows.fetchall()))
    sync_folder(folder.parent)
    return witness


def compare(db: sqlite3.Connection, mark: Mark, testimony: Testimony | None) -> Comparison:
    """What the witness of a database says about it."""
    found = Comparison()
    if testimony is None:
        if mark.commit:
            found.remarks.append("its witness is missing; it cannot be told whether anything is lost")
        return found
    if not testimony.whole:
        found.remarks.append(
            "its witness is damaged or torn, as after a power loss; it is compared as far as it can be read"
        )
    last = testimony.last
    if last is None:
        return found
    if last.commit > mark.commit:
        found.losses.append(f"its last {last.commit - mark.commit} commits are lost; it has {mark.commit}")
        _missing(db, testimony, found)
    elif last.commit + 1 < mark.commit:
        behind = mark.commit - last.commit
        found.remarks.append(f"its witness is {behind} commits behind, as after a power loss, or of an earlier time")
    theirs = {seen.commit: seen.head for seen in testimony.marks}
    common = min(last.commit, mark.commit)
    row = db.execute("SELECT hash FROM past WHERE no = ?", (common,)).fetchone()
    if common and common in theirs and row is not None and row[0] != theirs[common]:
        found.losses.append(
            "it is not the database that its witness has seen: another, or another copy, stands in its place"
        )
    elif common and (common not in theirs or row is None):
        found.remarks.append("its witness is of another time; they cannot be compared")
    return found


def _missing(db: sqlite3.Connection, testimony: Testimony, found: Comparison) -> None:
    """Whose journals are shorter than the witness has seen them."""
    rows = db.execute("SELECT room.no, room.id, head.seq FROM room LEFT JOIN head ON head.room = room.no").fetchall()
    there = {number: (room, seq or 0) for number, room, seq in rows}
    for number, had in testimony.rooms.items():
        if number not in there:
            found.losses.append(f"a room is lost, with {had} entries")
            continue
        room, has = there[number]
        if has < had:
            found.losses.append(f"room {room}: entries {has + 1} to {had} are lost")
            found.gaps[room] = Gap(has, had)


def _anything(db: sqlite3.Connection) -> bool:
    """Whether a database holds any room or record."""
    return any(db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in ("room", "record"))
