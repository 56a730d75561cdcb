"""Which past a database has: PostgreSQL counts a timeline more each time that a standby takes the place of its primary.

A primary that comes back after its standby took its place has an older one. Who knew the newer one reads nothing there and writes
nothing: rooms that were begun since, people, decks are not in it, and would be made anew. Nor is anything read from a standby, which
may be behind what was acknowledged.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from threading import Lock

import psycopg

from server.storage.postgresql.tables import Db
from server.storage.private import private_file, private_folder

log = logging.getLogger("apnap.storage")

FOLDER = "apnap.timelines"
ASKED = """
SELECT system_identifier::text,
    CASE WHEN pg_is_in_recovery() THEN 0 ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END
FROM pg_control_system()
"""
"""Timelines are the first eight hexadecimal digits of a file's name; a standby tells none."""


class Older(psycopg.OperationalError):
    """The database has an older timeline than was known, or may be behind: as good as none, for any connection."""


class Timelines:
    """The latest timelines that were seen, each by the identifier that a database was made with; kept in a folder of `data` for other
    processes and the next start; None: only as long as this lives.

    Each is a file of which only the name says something. None can be torn, and whoever makes one takes nothing back that another
    process has noted at the same moment.
    """

    def __init__(self, data: Path | None = None) -> None:
        self._folder = data / FOLDER if data is not None else None
        self._known: dict[str, int] = {}
        self._lock = Lock()
        self._told: set[str] = set()

    def check(self, db: Db, *, beside: bool = False) -> None:
        """Note the timeline of a connection; `beside` one of the same address that was refused, which stays told. Raises `Older`,
        psycopg.Error."""
        row = db.execute(ASKED).fetchone()
        assert row is not None
        system, timeline = str(row[0]), int(row[1])
        with self._lock:
            noted = self._noted(system)
            latest = self._known[system] = max(self._known.get(system, 0), noted, timeline)
            if not timeline:
                self._refuse("this database is a standby: it takes no writes, and may be behind its primary")
            if timeline < latest:
                where = f", delete {self._folder} and start again" if self._folder is not None else ", start again"
                self._refuse(
                    f"this database is at timeline {timeline}, and timeline {latest} of it was known here: it is one whose place"
                    f" a standby has taken (if it is the right one all the same{where})"
                )
            if not beside:
                self._told.clear()
            if noted < timeline:
                self._note(system, timeline)

    def _refuse(self, why: str) -> None:
        # Once: whoever tries again and again need not say so himself.
        if why not in self._told:
            log.error("%s", why)
        self._told.add(why)
        raise Older(why)

    def _noted(self, system: str) -> int:
        """The latest that was noted by any process; 0: none was."""
        if self._folder is None:
            return 0
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return 0
        except OSError as fault:
            log.warning("which timelines the database has had cannot be read: %s", fault)
            return 0
        parts = [name.rpartition("-") for name in names]
        return max(
            (int(last) for of, _, last in parts if of == system and last.isascii() and last.isdecimal()), default=0
        )

    def _note(self, system: str, timeline: int) -> None:
        if self._folder is None:
            return
        try:
            if not self._folder.is_dir():
                private_folder(self._folder)
            private_file(self._folder / f"{system}-{timeline}")
        except OSError as fault:  # a disk that is full stops no game: this process knows it
            log.warning("the timeline of the database cannot be noted: %s", fault)
