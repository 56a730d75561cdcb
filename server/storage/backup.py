"""A backup put back in the place of a data directory's database. `SqliteStorage.backup` makes one."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from server.storage.errors import Damaged, NewerData, StorageFault
from server.storage.lock import lock
from server.storage.opening import begin_witness
from server.storage.private import private_folder
from server.storage.schema import FILE, VERSION, connect, keep, prepare
from server.storage.witness import FILE as WITNESS

REPLACED = f"{FILE}.replaced"
"""What the database that was there is called afterwards."""


def restore(file: Path, folder: Path) -> int:
    """Put a backup in the place of what a data directory holds, which is kept beside it; the number of its rooms.

    Raises `InUse` while a server works there, `Damaged` if the file is no whole backup, `NewerData`, `StorageFault`.
    """
    rooms = check(file)
    try:
        private_folder(folder)
        held = lock(folder)
        try:
            fresh, place = folder / f"{FILE}.new", folder / FILE
            with closing(_open(file)) as db:
                keep(db, fresh)
            if place.exists():
                with closing(sqlite3.connect(place)) as old:
                    keep(old, folder / REPLACED)  # with what still stands in its write-ahead log
            for leftover in (f"{FILE}-wal", f"{FILE}-shm"):
                (folder / leftover).unlink(missing_ok=True)
            os.replace(fresh, place)
            _witness_anew(folder)
        finally:
            if held is not None:
                held.close()
    except (OSError, sqlite3.Error) as fault:
        raise StorageFault(f"{folder}: {fault}") from fault
    return rooms


def _witness_anew(folder: Path) -> None:
    """What was there has another witness than what is there now, which begins its own; the old one is kept beside it."""
    if (folder / WITNESS).exists():
        os.replace(folder / WITNESS, folder / f"{WITNESS}.replaced")
    with closing(connect(folder / FILE)) as db:
        prepare(db, folder / FILE)
        begin_witness(db, folder).close()


def check(file: Path) -> int:
    """The number of rooms in a backup. Raises `Damaged`, `NewerData`."""
    try:
        with closing(_open(file)) as db:
            version: int = db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise NewerData(f"{file} is of version {version}; this apnap reads up to {VERSION}")
            said: str = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if version == 0 or said != "ok":
                raise Damaged(f"{file} is no backup" if version == 0 else f"{file} is damaged: {said}")
            return db.execute("SELECT count(*) FROM room").fetchone()[0]
    except sqlite3.Error as fault:
        raise Damaged(f"{file} is no backup: {fault}") from fault


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
