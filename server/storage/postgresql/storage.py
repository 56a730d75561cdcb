"""Journals in PostgreSQL: one server writes, others stand by and take over when it is not heard of any more.

The database's machine decides what a commit survives (`synchronous_commit`, standbys); this side acknowledges nothing that it did not
hear committed. Every transaction that writes is refused once another server has taken over, also that of a server that stood still
for longer than its lease and goes on.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

import psycopg
import trio
from psycopg.conninfo import conninfo_to_dict

from server.metrics import LEASE_FAULTS
from server.storage.chain import begin, follow
from server.storage.errors import Damaged, StorageFault
from server.storage.journal import AnyEntry, Gap, Journal, RoomRecord, Setup
from server.storage.migrating import KeptRoom
from server.storage.postgresql import reading
from server.storage.postgresql.deeds import deed, undo
from server.storage.postgresql.holding import LEASE_SECONDS, hold, lease_left, let_go, renew
from server.storage.postgresql.promise import Promise, measure, promise
from server.storage.postgresql.readers import READERS, Readers
from server.storage.postgresql.tables import Db, prepare
from server.storage.postgresql.timeline import Older, Timelines
from server.storage.postgresql.writer import LEFT_SECONDS, Job, Writer
from server.storage.writes import Amend, AnyWrite, Append, Create, Delete, Finish, Put
from server.storage.writing import RemoteWriter, Writing

log = logging.getLogger("apnap.storage")
T = TypeVar("T")

RENEW_SECONDS = 0.5
"""After so long at most a lease is tried again that could not be renewed: others leave it a moment to who comes back with the database."""
UNRENEWED = "the database does not answer: the lease of this server has run out there"
CONNECT_SECONDS = 5
"""How long a connection may take to come about; the connection string may say otherwise."""
ENCODING = "UTF8"
"""Of the database, and of what is said to it, whatever $PGCLIENTENCODING says: names may be of any script."""
SETTINGS = {
    "connect_timeout": CONNECT_SECONDS,
    "client_encoding": ENCODING,
    "target_session_attrs": "primary",
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "tcp_user_timeout": 10_000,
    "options": "-c idle_in_transaction_session_timeout=10s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_user_timeout=10s",
}
"""A line that broke unheard is noticed on both its ends after some ten seconds. Of several servers in the address that is taken which
is no standby."""


class Held(NamedTuple):
    """A connection to a database that no other server writes from now on, and the line of the node that does."""

    db: Db
    node: int


class PostgresqlStorage(Writing):
    """See `server.storage.journal.Storage`. Made by `open_postgresql`, inside a running trio loop.

    `commits` and `writes` count; `superseded`: another server writes in this one's place, `forgotten`: the database
    has lost what it had acknowledged; both for good, and whoever goes on has to read anew.
    """

    def __init__(
        self,
        address: str,
        *,
        lease: float = LEASE_SECONDS,
        name: str = "",
        read_only: bool = False,
        remote: RemoteWriter | None = None,
        connections: str = "",
        held: Held | None = None,
        timelines: Timelines | None = None,
    ) -> None:
        """Connect, make the tables where there are none, take over what no other server holds, and from those whose `connections` go by
        the same name: processes of this server that are no more; `held` where that is done; `read_only` nothing of that, `remote` does
        its writes. A database older than `timelines` know is none. Raises `InUse`, `NewerData`, `StorageFault`."""
        self._address = address
        self._connections = connections or f"apnap {secrets.token_hex(8)}"
        self._lease = lease
        self._timelines = timelines or Timelines()
        self._remote = remote
        self.gaps: dict[str, Gap] = {} if remote is None else remote.gaps
        self._readers = Readers(self._connect)
        self._reading, self._threads = trio.CapacityLimiter(READERS), trio.CapacityLimiter(2 * READERS)
        self._writer: Writer | None = None
        self._ended = threading.Event()
        self._renewed = time.monotonic()
        """When the lease was last renewed: who waits longer than it runs may have been taken over from, though nobody writes."""
        self._unrenewed = ""
        """Why it was not since."""
        if read_only:
            return
        held = held or take_hold(address, lease, self._connections, self._timelines, name)
        self._node = held.node
        try:
            self._writer = Writer(self._connect, held.db, self._node)
        except psycopg.Error as fault:
            held.db.close()
            raise StorageFault(_said(fault)) from fault
        self._renewing = threading.Thread(target=self._renew, name="apnap-lease", daemon=True)
        self._renewing.start()

    @property
    def fault(self) -> str:
        """See the class."""
        writer = self._writer or self._remote
        if writer is None:
            return ""
        late = self._writer is not None and time.monotonic() - self._renewed > self._lease
        return writer.fault or (self._unrenewed or UNRENEWED if late else "")

    @property
    def commits(self) -> int:
        """Commits by now."""
        return self._writer.commits if self._writer is not None else 0

    @property
    def writes(self) -> int:
        """Writes by now."""
        return self._writer.writes if self._writer is not None else 0

    def taken_over(self) -> None:
        """See `WritingStorage`. A server whose own lines to the database are cut learns it only so."""
        if self._writer is not None and not self._writer.superseded:
            log.error("another server says that it has taken over the database: nothing is written here any more")
            self._writer.superseded = True

    @property
    def superseded(self) -> bool:
        """See the class."""
        return self._writer is not None and self._writer.superseded

    @property
    def forgotten(self) -> bool:
        """See the class."""
        return self._writer is not None and self._writer.forgotten

    # --- writes ---

    async def write(self, write: AnyWrite) -> bytes:
        """See `Writing`."""
        if self._remote is not None:
            return await self._remote.write(write)
        return await self._open().do(_job(write))

    def begin(self, write: AnyWrite, done: Callable[[bytes | BaseException], None]) -> None:
        """See `WritingStorage`."""
        self._open().begin(_job(write), done)

    async def settle(self, rooms: Collection[str]) -> None:
        """See `WritingStorage`."""
        await self._open().settle(rooms)

    # --- reads ---

    async def load(self, room: str) -> Journal:
        """See `Storage`."""
        return await self._read(lambda db: reading.load(db, room))

    async def take_up(self, room: str) -> Journal:
        """See `Storage`."""
        return await self._read(lambda db: reading.take_up(db, room))

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        """See `Storage`."""
        return await self._read(lambda db: reading.take_up_all(db, rooms))

    async def answer_to(self, room: str, question: int) -> AnyEntry | None:
        """See `Storage`."""
        return await self._read(lambda db: reading.answer_to(db, room, question))

    async def head_at(self, room: str, seq: int) -> bytes:
        """See `Storage`."""
        return await self._read(lambda db: follow(begin(room), reading.lines(db, reading.stand(db, room).no, seq)))

    async def setup(self, room: str) -> Setup:
        """See `Storage`."""
        return await self._read(lambda db: reading.setup(db, room)[1])

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        """See `Storage`."""
        return await self._read(lambda db: reading.rooms(db, of))

    async def get(self, kind: str, key: str) -> bytes | None:
        """See `Storage`."""
        return await self._read(lambda db: reading.some(db, [(kind, key)]).get((kind, key)))

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""
        return await self._read(lambda db: dict(reading.records(db, kind)))

    async def some(self, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """See `Storage`."""
        return await self._read(lambda db: reading.some(db, of))

    async def audit(self) -> list[str]:
        """See `Storage`."""
        return await self._read(reading.audit)

    async def kept_room(self, room: str) -> KeptRoom:
        """See `Kept`."""
        return await self._read(lambda db: reading.kept_room(db, room))

    async def kinds(self) -> list[str]:
        """See `Kept`."""
        return await self._read(reading.kinds)

    async def aclose(self) -> None:
        """See `Storage`."""
        self._readers.close()
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.aclose()
            self._ended.set()  # only now: what was waiting is written under the lease
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._renewing.join, LEFT_SECONDS if writer.superseded else None)

    # --- how ---

    def _open(self) -> Writer:
        if self._writer is None:
            raise StorageFault("the journals are closed")
        return self._writer

    async def _read(self, work: Callable[[Db], T]) -> T:
        """Read in a worker thread, by a connection of its own, at one moment; cancelled, nobody waits for what it says, and who reads
        next waits for it only where as many are left as read at once.
        """

        def run() -> T:
            try:
                return self._readers.read(work)
            except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as fault:
                raise Damaged(_said(fault)) from fault
            except (psycopg.Error, OSError) as fault:
                raise StorageFault(_said(fault)) from fault

        async with self._reading:
            return await trio.to_thread.run_sync(run, abandon_on_cancel=True, limiter=self._threads)

    def _connect(self) -> Db:
        return _connect(self._address, self._connections, self._timelines)

    def _connect_for_lease(self) -> Db:
        """A lease promises nothing: it waits for no standby, neither renewed nor given back."""
        db = self._connect()
        db.execute("SET synchronous_commit = local")
        return db

    def _renew(self) -> None:
        """The thread that renews the lease, by a connection of its own: no long write keeps it from that."""
        db: Db | None = None
        pause = self._lease / 4
        while not self._ended.wait(pause):
            try:
                db = db or self._connect_for_lease()
                if not renew(db, self._node, self._lease):
                    log.error("another server has taken over the database: nothing is written here any more")
                    if self._writer is not None:
                        self._writer.superseded = True
                    break
                self._renewed = time.monotonic()
                pause, self._unrenewed = self._lease / 4, ""
                with suppress(psycopg.Error):  # what is wrong with the line the next renewal meets
                    measure(db)
            except psycopg.Error as fault:
                LEASE_FAULTS.inc()
                if self._unrenewed != _said(fault):
                    self._unrenewed = _said(fault)
                    log.warning("the lease on the database could not be renewed: %s", self._unrenewed)
                if db is not None:
                    db.close()
                db, pause = None, min(RENEW_SECONDS, self._lease / 10)
        try:
            db = db or self._connect_for_lease()
            if self._ended.is_set():
                let_go(db, self._node)
            db.close()
        except psycopg.Error as fault:
            log.warning("the lease on the database could not be given back: %s", _said(fault))


def _job(write: AnyWrite) -> Job:
    """Appends wait for each other."""
    if isinstance(write, Append):
        return Job(entries=write)
    room = "" if isinstance(write, Put | Delete | Amend) else write.room
    if isinstance(write, Create | Finish):
        return Job(
            work=partial(deed, write), room=room, again=partial(deed, write, again=True), undo=partial(undo, write)
        )
    return Job(work=partial(deed, write), room=room)


def _connect(address: str, name: str, timelines: Timelines) -> Db:
    """A connection to the server in the address that is no standby and has the latest timeline that is known. Raises psycopg.Error."""
    given = conninfo_to_dict(address)
    settings = {key: value for key, value in SETTINGS.items() if key not in given} | {"application_name": name}
    try:
        return _checked(address, settings, timelines.check)
    except Older:  # the first that is a primary may be one whose place another of them has taken
        for one in _each(given):
            with suppress(psycopg.Error):
                return _checked(address, settings | one, partial(timelines.check, beside=True))
        raise


def _checked(address: str, settings: dict[str, Any], check: Callable[[Db], None]) -> Db:
    db = psycopg.connect(address, autocommit=True, **settings)
    try:
        encoding = db.info.parameter_status("server_encoding")
        if encoding not in (ENCODING, None):  # None: a pooler does not say
            raise psycopg.NotSupportedError(
                f"the encoding of this database is {encoding}, in which not all names can be kept: make one with ENCODING '{ENCODING}'"
            )
        check(db)
    except BaseException:
        db.close()
        raise
    return db


def _each(given: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """What leads to each of the servers of an address alone; nothing where there is but one."""
    lists = {key: str(given[key]).split(",") for key in ("host", "hostaddr", "port") if given.get(key)}
    number = max((len(one) for one in lists.values()), default=1)
    for place in range(number if number > 1 else 0):
        yield {key: one[place] if len(one) > 1 else one[0] for key, one in lists.items()}


def take_hold(address: str, lease: float, connections: str, timelines: Timelines, name: str = "") -> Held:
    """See `PostgresqlStorage`, which does it by itself where it does not matter that this may wait: as long as a standby is not there, the
    database acknowledges nothing. Raises `InUse`, `NewerData`, `StorageFault`.
    """
    try:
        db = _connect(address, connections, timelines)
        try:
            prepare(db)
            return Held(db, hold(db, name or socket.gethostname(), connections, lease))
        except BaseException:
            db.close()
            raise
    except (psycopg.Error, OSError) as fault:
        raise StorageFault(_said(fault)) from fault


def reach(address: str, timelines: Timelines | None = None) -> Promise:
    """What the database keeps of what it acknowledges, without writing anything. Raises `StorageFault` when it is not there, or is older
    than `timelines` know."""
    return _asked(address, promise, timelines)


def held(address: str, timelines: Timelines | None = None) -> float:
    """For how many seconds more a server has the lease on the database, if it does not renew it; less than 0: since when it has run out,
    -inf: none has it. Raises `StorageFault` when the database is not there, has no tables, or is older than `timelines` know."""
    return _asked(address, lease_left, timelines)


def _asked(address: str, what: Callable[[Db], T], timelines: Timelines | None) -> T:
    """By a connection that is no server's. Raises `StorageFault`."""
    try:
        with closing(_connect(address, "apnap", timelines or Timelines())) as db:
            return what(db)
    except (psycopg.Error, OSError) as fault:
        raise StorageFault(_said(fault)) from fault


def _said(fault: BaseException) -> str:
    return str(fault).strip() or type(fault).__name__


@asynccontextmanager
async def open_postgresql(
    address: str,
    *,
    lease: float = LEASE_SECONDS,
    name: str = "",
    read_only: bool = False,
    timelines: Timelines | None = None,
) -> AsyncIterator[PostgresqlStorage]:
    """The journals in the database at `address` (postgresql://…, or as libpq takes it), for as long as the block lasts. Raises as
    `PostgresqlStorage` does."""
    storage = PostgresqlStorage(address, lease=lease, name=name, read_only=read_only, timelines=timelines)
    try:
        yield storage
    finally:
        await storage.aclose()
