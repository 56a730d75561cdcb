"""The connections by which is read: each reading has one of its own, and the last one is kept for a moment for who reads next.

Making one costs ten times what is read by it, and rooms that are taken up are read one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TypeVar

import psycopg

from server.storage.postgresql.tables import Db

T = TypeVar("T")

READERS = 8
"""So many read at once in one process, besides as many that nobody waits for any more, and whoever comes then waits: where everybody comes
back at the same time, a database that allows a hundred connections for all would refuse those that are needed to write.
"""
KEPT_SECONDS = 2.0
"""After so long without use a connection is not trusted any more."""


class Readers:
    """See the module. Used by any thread."""

    def __init__(self, connect: Callable[[], Db]) -> None:
        self._connect = connect
        self._lock = Lock()
        self._kept: tuple[Db, float] | None = None
        self._closed = False

    def read(self, work: Callable[[Db], T]) -> T:
        """Do that at one moment of the database, read only; again where the line that was kept is found broken. Raises psycopg.Error."""
        kept = self._take()
        if kept is not None:
            with suppress(psycopg.OperationalError):
                return self._read(kept, work)
        db = self._connect()
        # Said with the BEGIN of each transaction, which takes no round trip of its own.
        db.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
        db.set_read_only(True)
        return self._read(db, work)

    def close(self) -> None:
        """The one that is kept, and any that is used now when its reading is done."""
        self._closed = True
        if (kept := self._take()) is not None:
            kept.close()

    def _take(self) -> Db | None:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is None:
            return None
        db, used = kept
        if time.monotonic() - used > KEPT_SECONDS:
            db.close()
            return None
        return db

    def _read(self, db: Db, work: Callable[[Db], T]) -> T:
        try:
            with db.transaction():
                found = work(db)
        except psycopg.Error:
            with suppress(psycopg.Error):
                db.close()
            raise
        except BaseException:  # nothing of the line's
            self._keep(db)
            raise
        self._keep(db)
        return found

    def _keep(self, db: Db) -> None:
        with self._lock:
            if self._kept is None and not self._closed:
                self._kept = db, time.monotonic()
                return
        db.close()
