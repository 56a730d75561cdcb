"""Which past a database has: PostgreSQL counts a timeline more each time that a standby takes the place of its primary.

A primary that comes back after its standby took its place has an older one. Who knew the newer one reads nothing there and writes
nothing: rooms that were begun since, people, decks are not in it, and would be made anew.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
import psycopg

from server.storage.postgresql.tables import Db

FILE = "timeline.json"
ASKED = """
SELECT system_identifier::text,
    CASE WHEN pg_is_in_recovery() THEN 0 ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END
FROM pg_control_system()
"""
"""Timelines are the first eight hexadecimal digits of a file's name; a standby tells none."""


class Older(psycopg.OperationalError):
    """The database has an older timeline than was known: as good as none, for any connection."""


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A database by the identifier that it was made with, and the latest timeline of it that was seen."""

    system: str
    timeline: int


class Timelines:
    """What was seen, kept in `folder`'s file for other processes and the next start; None: only as long as this lives."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder is not None else None
        self._known: Known | None = None

    def check(self, db: Db) -> None:
        """Note the timeline of a connection. Raises `Older`, psycopg.Error."""
        row = db.execute(ASKED).fetchone()
        assert row is not None
        found, known = Known(*row), self._latest()
        if known is not None and found.system == known.system and 0 < found.timeline < known.timeline:
            raise Older(
                f"this database is at timeline {found.timeline}, and timeline {known.timeline} of it was known here: it is one whose place"
                f" a standby has taken (if it is the right one all the same, delete {FILE} in the data directory)"
            )
        if found.timeline and found != known:
            self._note(found)

    def _latest(self) -> Known | None:
        """The latest of what this process has seen, and others have noted."""
        noted: Known | None = None
        if self._path is not None:
            with suppress(OSError, msgspec.MsgspecError):
                noted = msgspec.json.decode(self._path.read_bytes(), type=Known)
        mine = self._known
        if mine is None or noted is None or noted.system != mine.system:
            return noted or mine
        return max(noted, mine, key=lambda known: known.timeline)

    def _note(self, found: Known) -> None:
        self._known = found
        if self._path is None:
            return
        with suppress(OSError):  # a disk that is full stops no game: this process knows it
            written = self._path.with_suffix(f".{os.getpid()}")
            written.write_bytes(msgspec.json.encode(found))
            written.replace(self._path)
