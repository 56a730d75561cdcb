"""Which server may write: the one whose line stands in `node`, as long as it renews its lease by the database's clock.

Each transaction that writes first locks the node's own line (`STANDS`), so that a line cannot be taken away beside it. Who takes over
waits until the lease is over, takes the line away (ending all connections of the other one if one still holds it), raises the fences
of all rooms that go on, and only then reads: what the other one had under way is either there by then or refused.
"""

from __future__ import annotations

import time
from math import inf

import psycopg

from server.metrics import LEASE_TAKEN
from server.storage.errors import InUse, StorageFault
from server.storage.postgresql.tables import Db

LEASE_SECONDS = 5.0
"""How long a server that is not heard of is thought alive."""
PATIENCE = 5
LOOK_SECONDS = 0.2
"""A takeover waits so many times so long for a transaction of the other one that does something, before it ends its backend."""

STANDS = "SELECT 1 FROM node WHERE id = %s FOR KEY SHARE"
"""That a node may write, for the rest of the transaction: taking the line away waits for its end, renewing the lease does not."""
#: All, and not the one that wrote last: of a line that broke unheard the database may hold an earlier one for hours.
END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()"
#: Those of them that only wait for what the other one says next: it is not heard of, its line may be dead.
END_IDLE = f"{END} AND state LIKE 'idle in transaction%%'"


class Superseded(StorageFault):
    """Another server writes in this one's place by now: nothing was written, nor will be."""


def hold(db: Db, name: str, connections: str, lease: float) -> int:
    """The number of this server's line: from now on nobody else writes. `connections` is their application name; a line of the same is of
    a process of this server that is no more. Raises `InUse` while another's lease runs, psycopg.Error."""
    with db.transaction():
        db.execute("LOCK TABLE node IN SHARE ROW EXCLUSIVE MODE")  # one takeover after the other
        others = db.execute("SELECT id, name, connections, until > clock_timestamp() FROM node ORDER BY id").fetchall()
        for _, other, theirs, alive in others:
            if alive and theirs != connections:
                raise InUse(f"another server works on this database: {other}")
        for number, _, theirs, _ in others:
            _take_away(db, number, theirs)
        db.execute("UPDATE room SET fence = fence + 1 WHERE NOT finished")
        made = db.execute(
            "INSERT INTO node (name, until, connections)"
            " VALUES (%s, clock_timestamp() + make_interval(secs => %s), %s) RETURNING id",
            (name, lease, connections),
        ).fetchone()
    assert made is not None
    if any(theirs != connections for _, _, theirs, _ in others):
        LEASE_TAKEN.set(time.time())
    return made[0]


def lease_left(db: Db) -> float:
    """Seconds for which the lease of a server runs if it is not renewed; less than 0: since when it has run out, -inf: nobody has one, or
    it was let go of. Raises psycopg.Error."""
    found = db.execute("SELECT max(extract(epoch FROM until - clock_timestamp()))::float8 FROM node").fetchone()
    return found[0] if found is not None and found[0] is not None else -inf


def _take_away(db: Db, number: int, connections: str) -> None:
    """Take a server's line away, also from under a transaction that does not end."""
    for looks in range(PATIENCE + 1):
        try:
            with db.transaction():
                db.execute("SELECT set_config('lock_timeout', %s, true)", (f"{LOOK_SECONDS * 1000:.0f}",))
                db.execute("DELETE FROM node WHERE id = %s", (number,))
            return
        except psycopg.errors.LockNotAvailable:
            if looks == PATIENCE:
                raise
            db.execute(END if looks == PATIENCE - 1 else END_IDLE, (connections,))


def renew(db: Db, node: int, lease: float) -> bool:
    """Go on for another lease; False where another has taken over."""
    renewed = db.execute(
        "UPDATE node SET until = clock_timestamp() + make_interval(secs => %s) WHERE id = %s RETURNING id",
        (lease, node),
    )
    return renewed.fetchone() is not None


def let_go(db: Db, node: int) -> None:
    """The line is gone: the next server need not wait."""
    db.execute("DELETE FROM node WHERE id = %s", (node,))
