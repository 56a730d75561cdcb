"""What the database keeps of what it has acknowledged when something dies: told by its settings and by who copies it at this moment."""

from __future__ import annotations

import re

import msgspec

from server.metrics import STANDBY_LAG, STANDBYS_ATTACHED, STANDBYS_WANTED
from server.storage.postgresql.tables import Db

ASKED = """
SELECT current_setting('synchronous_commit'), current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on',
    current_setting('synchronous_standby_names'), count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
    count(*) FILTER (WHERE pid IS NOT NULL AND sync_state IS NULL)
FROM pg_stat_replication
"""
LAG = "SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn))::float8 FROM pg_stat_replication"
COUNTED = re.compile(r"^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(", re.IGNORECASE)
#: Those levels of `synchronous_commit` that wait for standbys, and what these have done by then.
WAITED = {
    "on": "on the disks of",
    "remote_apply": "on the disks of",
    "remote_write": "with the systems, if not yet on the disks, of",
}


class Promise(msgspec.Struct, frozen=True):
    """`commit`: the level of `synchronous_commit`; `safe`: its files outlive the death of its machine; `wanted`: standbys that each commit
    waits for; `attached`: how many such there are, None where this user may not see it.
    """

    commit: str
    safe: bool
    wanted: int
    attached: int | None

    @property
    def kept(self) -> bool:
        """Whether the death of one machine costs nothing that was acknowledged, as far as can be told."""
        waits = self.commit in WAITED and self.wanted > 0
        return self.safe and waits and (self.attached is None or self.attached >= self.wanted)

    @property
    def missing(self) -> str:
        """That nothing is acknowledged until another standby is attached; "" where that is not known to be so."""
        if self.commit not in WAITED or self.attached is None or self.attached >= self.wanted:
            return ""
        return f"the database acknowledges nothing: of the standbys that it waits for {self.attached} are attached, of {self.wanted}"

    def __str__(self) -> str:
        if not self.safe:
            return "fsync or full_page_writes is off: when its machine dies, the database may be lost altogether"
        if self.commit == "off":
            return (
                "synchronous_commit is off: when the database dies, it forgets what it acknowledged in its last moments"
            )
        if not self.wanted or self.commit not in WAITED:
            return "what is acknowledged is on its disk, and on no other: it outlives the death of the database, not the loss of the disk"
        standbys = "a standby" if self.wanted == 1 else f"{self.wanted} standbys"
        here = f"what is acknowledged is on its disk and {WAITED[self.commit]} {standbys}: it outlives the loss of its machine"
        if self.attached is None:
            return f"{here}; how many are attached is not for this user to see (GRANT pg_monitor)"
        if self.attached < self.wanted:
            return f"{here}; but {self.attached} of them are attached now, and until there are more nothing is acknowledged"
        return here


def promise(db: Db) -> Promise:
    """What this connection may count on. Raises psycopg.Error."""
    row = db.execute(ASKED).fetchone()
    assert row is not None
    commit, fsync, whole, names, attached, hidden = row
    return Promise(commit, fsync and whole, wanted(names), None if hidden else attached)


def wanted(names: str) -> int:
    """How many standbys `synchronous_standby_names` asks for."""
    counted = COUNTED.match(names)
    return int(counted[1]) if counted else int(bool(names.strip()))


def measure(db: Db) -> None:
    """How the standbys fare, for `/metrics`. Raises psycopg.Error."""
    found, lag = promise(db), db.execute(LAG).fetchone()
    STANDBYS_WANTED.set(found.wanted)
    STANDBYS_ATTACHED.set(found.attached)
    STANDBY_LAG.set(None if lag is None else lag[0])
