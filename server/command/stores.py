"""What `apnap serve` keeps journals and people in: its data directory, or a database that several servers know."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from server.settings import Store
from server.storage import InUse, SqliteStorage, Storage, StorageFault, open_sqlite
from server.storage.writing import RemoteWriter, WritingStorage

if TYPE_CHECKING:
    from server.storage.postgresql import PostgresqlStorage

log = logging.getLogger("apnap.storage")

LOOK_SECONDS = 0.25
"""How often a standby asks whether it may take over, as the lease ends at the latest, and a server whether it was taken over from."""
NEEDED = "journals in PostgreSQL need psycopg: pip install 'apnap[postgresql]'"


class TakenOver(StorageFault):
    """Another server writes in this one's place: it ends."""


@asynccontextmanager
async def open_store(
    store: Store, data: Path, waiting: Callable[[], Awaitable[None]] = trio.sleep_forever, connections: str = ""
) -> AsyncIterator[WritingStorage]:
    """The journals, for as long as the block lasts; `waiting` is done while another server writes, `connections` is as
    `PostgresqlStorage`'s. Raises as `open_sqlite` does, and `TakenOver`, which ends the block.
    """
    if not store.address:
        async with open_sqlite(data) as storage:
            yield storage
        return
    database = await _database(store, data, waiting, connections)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_superseded, database)
            yield database
            nursery.cancel_scope.cancel()
    finally:
        await database.aclose()


def reading_store(store: Store, data: Path, remote: RemoteWriter | None = None) -> Storage:
    """The journals as a process has them that reads them itself and has its writes done by another, or none. Raises `NoSuchRoom`."""
    if not store.address:
        return SqliteStorage(data, read_only=True, remote=remote)
    from server.storage.postgresql import PostgresqlStorage, Timelines

    return PostgresqlStorage(store.address, read_only=True, remote=remote, timelines=Timelines(data))


async def _database(
    store: Store, data: Path, waiting: Callable[[], Awaitable[None]], connections: str
) -> PostgresqlStorage:
    try:
        from server.storage.postgresql import PostgresqlStorage, Timelines, held, reach, take_hold
    except ImportError:
        raise StorageFault(NEEDED) from None
    connections = connections or f"apnap {secrets.token_hex(8)}"
    address, lease, timelines = store.address, store.lease_seconds, Timelines(data)

    async def opened() -> PostgresqlStorage:
        # In a thread, and not waited for: whoever is told to stop hears of it though the database acknowledges nothing.
        hold = await trio.to_thread.run_sync(take_hold, address, lease, connections, timelines, abandon_on_cancel=True)
        return PostgresqlStorage(address, lease=lease, connections=connections, held=hold, timelines=timelines)

    promise = await trio.to_thread.run_sync(reach, address)
    # Before anything is written: where a standby is waited for that is not there, that takes as long as it is not.
    log.log(logging.INFO if promise.kept else logging.WARNING, "the database: %s", promise)
    try:
        return await opened()
    except InUse as other:
        if not store.standby and not store.node:
            raise
        if store.standby:
            print(f"Standing by: {other}.", flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(waiting)
        pause = LOOK_SECONDS
        while True:
            await trio.sleep(pause)
            pause = LOOK_SECONDS
            # Also while the database is not there: who stands by is there when it comes back.
            with suppress(InUse, StorageFault):
                if left := await trio.to_thread.run_sync(held, address):
                    pause = min(left, LOOK_SECONDS)
                    continue
                found = await trio.to_thread.run_sync(reach, address)  # a dead line is waited for in a thread
                database = await opened()
                break
        nursery.cancel_scope.cancel()
    if found != promise:
        log.warning("the database by now: %s", found)
    return database


async def _until_superseded(database: PostgresqlStorage) -> None:
    while not database.superseded:  # noqa: ASYNC110  (a thread learns it, or a write)
        await trio.sleep(LOOK_SECONDS)
    raise TakenOver("another server has taken over the database; this one ends")
