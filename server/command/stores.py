"""What `apnap serve` keeps journals and people in: its data directory, or a database that several servers know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from server.settings import Store
from server.storage import InUse, Storage, StorageFault, open_sqlite

if TYPE_CHECKING:
    from server.storage.postgresql import PostgresqlStorage

LOOK_SECONDS = 0.25
"""How often a standby asks whether it may take over, and a server whether it was taken over from."""
NEEDED = "journals in PostgreSQL need psycopg: pip install 'apnap[postgresql]'"


class TakenOver(StorageFault):
    """Another server writes in this one's place: it ends."""


@asynccontextmanager
async def open_store(store: Store, data: Path) -> AsyncIterator[Storage]:
    """The journals, for as long as the block lasts. Raises as `open_sqlite` does, and `TakenOver`, which ends the block."""
    if not store.address:
        async with open_sqlite(data) as storage:
            yield storage
        return
    database = await _database(store)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_superseded, database)
            yield database
            nursery.cancel_scope.cancel()
    finally:
        await database.aclose()


async def _database(store: Store) -> PostgresqlStorage:
    try:
        from server.storage.postgresql import PostgresqlStorage
    except ImportError:
        raise StorageFault(NEEDED) from None
    waits = False
    while True:
        try:
            return PostgresqlStorage(store.address, lease=store.lease_seconds)
        except InUse as other:
            if not store.standby:
                raise
            if not waits:
                print(f"Standing by: {other}.", flush=True)
            waits = True
        except StorageFault:
            if not waits:
                raise
        await trio.sleep(
            LOOK_SECONDS
        )  # also while the database is not there: who stands by is there when it comes back


async def _until_superseded(database: PostgresqlStorage) -> None:
    while not database.superseded:  # noqa: ASYNC110  (a thread learns it, or a write)
        await trio.sleep(LOOK_SECONDS)
    raise TakenOver("another server has taken over the database; this one ends")
