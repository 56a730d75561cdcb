"""What `apnap serve` keeps journals and people in: its data directory, or a database that several servers know."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import trio

from server.settings import Store
from server.storage import InUse, SqliteStorage, Storage, StorageError, StorageFault, open_sqlite
from server.storage.migrating import must_be_whole
from server.storage.writing import RemoteWriter, WritingStorage

if TYPE_CHECKING:
    from server.storage.postgresql import PostgresqlStorage, Promise, Timelines

log = logging.getLogger("apnap.storage")

LOOK_SECONDS = 0.25
"""How often a standby asks whether it may take over, as the lease ends at the latest, and a server whether it was taken over from."""
SLIVER_SECONDS = 0.01
"""So much later than something is due it is looked for."""
SLOW_SECONDS = 1.0
"""After so long somebody is told that a database does not acknowledge what is written there first."""
GRACE_SECONDS = 0.5
"""So long after the end of a lease whoever has not prepared its games leaves them to others that have: there may be none."""
BACK_SECONDS = 1.0
"""So long everybody leaves them to the server whose lease it was, where the database was not there for them as it ended."""
READY_SECONDS = 0.05
"""How often it is looked meanwhile whether it has by now."""
LATE = 0.6
"""Less than that part of a lease is left only where one of the renewals (four in a lease) has not come."""
TAKEN = ("start", "taken")
"""Kind and key of the record that holds when a server last took the database over, in seconds since 1970."""
TRIED = ("start", "tried")
"""The same of one that says nothing: it is written to see whether anything can be."""
AGAIN_SECONDS = 1.0
"""After so long it is tried."""
NEEDED = "journals in PostgreSQL need psycopg: pip install 'apnap[postgresql]'"

Waiting: TypeAlias = Callable[[Callable[[], str]], Awaitable[None]]
"""What is done until the journals are this server's, told why they are not at each moment."""
Soon: TypeAlias = Callable[[bool], object]
"""What is told, as often as it is looked, whether the journals may be this server's soon: nobody else's lease is renewed."""
Ready: TypeAlias = Callable[[], bool]
"""Whether this server has prepared the games that it would take up."""


def _has_none() -> bool:
    """A server that prepares no games is as ready as it can be."""
    return True


class TakenOver(StorageFault):
    """Another server writes in this one's place: it ends."""


class Forgotten(StorageFault):
    """The database has lost what it had acknowledged: whoever goes on begins anew with what is there."""


@asynccontextmanager
async def open_store(
    store: Store,
    data: Path,
    waiting: Waiting | None = None,
    connections: str = "",
    soon: Soon = bool,
    ready: Ready = _has_none,
) -> AsyncIterator[WritingStorage]:
    """The journals, for as long as the block lasts; `waiting` is done while another server writes, or the database acknowledges nothing,
    `soon` is told whether that may end, `ready` asked when it has; `connections` is as `PostgresqlStorage`'s. Raises as `open_sqlite` does,
    `StorageFault` where what was moved there has come in part, and `TakenOver` or `Forgotten`, which end the block.
    """
    if not store.address:
        async with open_sqlite(data) as storage:
            await must_be_whole(storage)
            yield storage
        return
    name = connections or f"apnap {secrets.token_hex(8)}"
    opens = partial(_Opening, store, connections=name, soon=soon, ready=ready)
    soon(True)
    database = await _database(store, data, waiting or _silence, opens)
    try:
        await must_be_whole(database)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_try_again, database)
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
    store: Store, data: Path, waiting: Waiting, opens: Callable[[Timelines], _Opening]
) -> PostgresqlStorage:
    try:
        from server.storage.postgresql import Timelines, reach
    except ImportError:
        raise StorageFault(NEEDED) from None
    timelines = Timelines(data)
    opening = opens(timelines)
    promise = await trio.to_thread.run_sync(reach, store.address, timelines)
    # Before anything is written: where a standby is waited for that is not there, that takes as long as it is not.
    log.log(logging.INFO if promise.kept else logging.WARNING, "the database: %s", promise)
    refused: StorageError | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opening.tell, waiting)
        try:
            return await opening.proved(await opening.run(promise))
        except StorageError as fault:
            refused = fault
        finally:
            nursery.cancel_scope.cancel()
    raise refused


class _Opening:
    """A database that is this server's as soon as no other writes there and it acknowledges what is written."""

    def __init__(self, store: Store, timelines: Timelines, connections: str, soon: Soon, ready: Ready) -> None:
        self._store = store
        self._connections = connections
        self._soon = soon
        self._ready = ready
        self._over = -inf
        """When the other's lease runs out, or has; not where it was let go of, for then nobody has looked ahead."""
        self._out_of_reach = False
        """The database has not said since the last look what is left of it."""
        self._unseen = False
        """It was out of reach as the lease ran out, maybe of the other server too, which is there all the while."""
        self._left = 0.0
        self._whole = store.lease_seconds
        """What is left of the other's lease when it is just renewed, as far as is known: theirs may be another."""
        self._timelines = timelines
        self._stands_by = trio.Event()
        """Another server writes there, for which this one waits."""
        self._tried = trio.current_time()
        self._promise: Promise | None = None
        """What the database keeps, since when it is to be taken."""

    def why(self) -> str:
        """Why it is not this server's yet."""
        from server.storage.postgresql import STILL

        if self._promise is None or trio.current_time() - self._tried < SLOW_SECONDS:
            return "another server serves; this one stands by"
        return self._promise.missing or STILL

    async def tell(self, waiting: Waiting) -> None:
        """Do what is done meanwhile: at once where another server writes, else after a moment."""
        with trio.move_on_after(SLOW_SECONDS) as slow:
            await self._stands_by.wait()
        if slow.cancelled_caught:
            log.warning("this server does not serve yet: %s", self.why())
        await waiting(self.why)

    async def run(self, promise: Promise) -> PostgresqlStorage:
        """Raises `InUse` where another server writes for which this one is not to wait, `NewerData`, `StorageFault`."""
        from server.storage.postgresql import reach

        self._tried, self._promise = trio.current_time(), promise
        if self._store.standby or self._store.node:
            await self._let_others()
        try:
            return await self._taken(promise)
        except InUse as other:
            self._soon(False)
            if not self._store.standby and not self._store.node:
                raise
            if self._store.standby:
                print(f"Standing by: {other}.", flush=True)
        pause = 0.0  # it may be about to end
        while True:
            self._promise = None
            self._stands_by.set()
            await trio.sleep(pause)
            pause = LOOK_SECONDS
            # Also while the database is not there: who stands by is there when it comes back.
            with suppress(InUse, StorageFault):
                left = await self._looked()
                late = self._is_late(left)
                self._soon(late)
                if left > 0:
                    pause = min(left if late else self._until_late(), LOOK_SECONDS)
                    continue
                if self._leaves_it():
                    pause = READY_SECONDS
                    continue
                # A dead line is waited for in a thread.
                found = await trio.to_thread.run_sync(reach, self._store.address, self._timelines)
                database = await self._taken(found)
                if found != promise:
                    log.warning("the database by now: %s", found)
                return database

    async def _looked(self) -> float:
        """What is left of the other's lease. Raises `StorageFault`."""
        from server.storage.postgresql import held

        try:
            return await trio.to_thread.run_sync(held, self._store.address, self._timelines)
        except StorageFault:
            self._out_of_reach = True
            raise

    async def _let_others(self) -> None:
        """Whoever begins just as a lease runs out, or shortly before, has prepared nothing, too."""
        with suppress(StorageFault):  # which is found when it is to be taken, or there are no tables yet
            while True:
                left = await self._looked()
                late = self._is_late(left)
                self._soon(late)
                if not late or left <= 0 and not self._leaves_it():
                    return
                self._promise = None
                self._stands_by.set()
                await trio.sleep(READY_SECONDS)

    def _is_late(self, left: float) -> bool:
        """Whether a renewal of the other's lease, of which so much is left, has not come."""
        now = trio.current_time()
        if left > self._left > 0:
            self._whole = left
        if self._out_of_reach and -inf < left <= 0:
            self._over, self._unseen = now, True
        elif left > 0 or left == -inf or not self._unseen:
            self._over, self._unseen = now + left, False
        self._left, self._out_of_reach = left, False
        return left < LATE * self._whole

    def _leaves_it(self) -> bool:
        """Whether another, which has prepared its games, is to take over rather than this one, which will have in a moment, or the other
        server is to renew its lease, which could not as the database was not there."""
        grace = BACK_SECONDS if self._unseen else 0.0 if self._ready() else GRACE_SECONDS
        return trio.current_time() < self._over + grace

    def _until_late(self) -> float:
        """After how many seconds it is, if it is not renewed."""
        return self._left - LATE * self._whole + SLIVER_SECONDS

    async def proved(self, database: PostgresqlStorage) -> PostgresqlStorage:
        """It has acknowledged what this server writes there first: until then nobody serves, and who waits is told why. Raises
        `StorageFault`."""
        try:
            await database.put(*TAKEN, str(int(time.time())).encode())
        except StorageError:  # who is told to stop waits for nothing: the threads end with the process
            await database.aclose()
            raise
        return database

    async def _taken(self, promise: Promise) -> PostgresqlStorage:
        from server.storage.postgresql import PostgresqlStorage, take_hold

        if self._promise is None:
            self._tried, self._promise = trio.current_time(), promise
        known = self._store.address, self._store.lease_seconds, self._connections, self._timelines
        # In a thread, and not waited for: whoever is told to stop hears of it though the database acknowledges nothing.
        hold = await trio.to_thread.run_sync(take_hold, *known, abandon_on_cancel=True)
        address, lease, connections, timelines = known
        return PostgresqlStorage(address, lease=lease, connections=connections, held=hold, timelines=timelines)


async def _silence(_: Callable[[], str]) -> None:
    """Nobody is told."""


async def _try_again(storage: Storage) -> None:
    """While nothing can be written that is tried ever again: nobody is sent to a server that says so, who would find that it can."""
    while True:
        await trio.sleep(AGAIN_SECONDS)
        if storage.fault:
            with suppress(StorageError):
                await storage.put(*TRIED, b"")


async def _until_superseded(database: PostgresqlStorage) -> None:
    while not (database.superseded or database.forgotten):  # noqa: ASYNC110  (a thread learns it, or a write)
        await trio.sleep(LOOK_SECONDS)
    if database.forgotten:
        raise Forgotten(
            "the database has lost what it had acknowledged; games go on from what is there when this server has begun anew"
        )
    raise TakenOver("another server has taken over the database; this one ends")
