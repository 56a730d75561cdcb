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
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, closing
from typing import TypeVar

import psycopg
import trio
from psycopg.conninfo import conninfo_to_dict

from server.storage.chain import begin, follow, seal
from server.storage.encoding import split_setup, write_entry
from server.storage.errors import RoomExists, StorageFault
from server.storage.journal import AnyEntry, Ended, Gap, Journal, RoomRecord, Setup, Snapshot, Stopped
from server.storage.migrating import KeptRoom
from server.storage.postgresql import reading
from server.storage.postgresql.appending import Stand
from server.storage.postgresql.holding import LEASE_SECONDS, hold, let_go, renew
from server.storage.postgresql.promise import Promise, promise
from server.storage.postgresql.tables import Db, prepare
from server.storage.postgresql.writer import Entries, Job, Stands, Writer
from server.storage.writes import Rows

log = logging.getLogger("apnap.storage")
T = TypeVar("T")

CONNECT_SECONDS = 5
"""How long a connection may take to come about; the connection string may say otherwise."""
SETTINGS = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "tcp_user_timeout": 10_000,
    "options": "-c idle_in_transaction_session_timeout=10s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_user_timeout=10s",
}
"""A line that broke unheard is noticed on both its ends after some ten seconds."""


class PostgresqlStorage:
    """See `server.storage.journal.Storage`. Made by `open_postgresql`, inside a running trio loop.

    `commits` and `writes` count; `superseded`: another server writes in this one's place, for good.
    """

    def __init__(self, address: str, *, lease: float = LEASE_SECONDS, name: str = "", read_only: bool = False) -> None:
        """Connect, make the tables where there are none, take over what no other server holds; `read_only` nothing of that. Raises
        `InUse`, `NewerData`, `StorageFault`."""
        self._address = address
        self._connections = f"apnap {secrets.token_hex(8)}"
        self._lease = lease
        self.gaps: dict[str, Gap] = {}
        self._writer: Writer | None = None
        self._ended = threading.Event()
        if read_only:
            return
        try:
            db = self._connect()
            try:
                prepare(db)
                self._node = hold(db, name or socket.gethostname(), self._connections, lease)
            except BaseException:
                db.close()
                raise
        except (psycopg.Error, OSError) as fault:
            raise StorageFault(_said(fault)) from fault
        self._writer = Writer(self._connect, db, self._node)
        self._renewing = threading.Thread(target=self._renew, name="apnap-lease", daemon=True)
        self._renewing.start()

    @property
    def fault(self) -> str:
        """See the class."""
        return self._writer.fault if self._writer is not None else ""

    @property
    def commits(self) -> int:
        """Commits by now."""
        return self._writer.commits if self._writer is not None else 0

    @property
    def writes(self) -> int:
        """Writes by now."""
        return self._writer.writes if self._writer is not None else 0

    @property
    def superseded(self) -> bool:
        """See the class."""
        return self._writer is not None and self._writer.superseded

    # --- writes ---

    async def create(self, setup: Setup, entries: Sequence[AnyEntry] = ()) -> bytes:
        """See `Storage`."""
        data, cards = split_setup(setup)
        rows = [(entry.seq, write_entry(entry)) for entry in entries]
        return await self._create(setup.room, setup.created, data, cards, rows)

    async def _create(self, room: str, created: int, data: bytes, cards: dict[str, bytes], rows: Rows) -> bytes:
        head = follow(begin(room), (line for _, line in rows))
        sealed = reading.room_seal(room, created, data, list(cards))

        def work(db: Db, stands: Stands) -> bytes:
            made = db.execute(
                "INSERT INTO room (id, created, setup, seal, seq, head) VALUES (%s, %s, %s, %s, %s, %s)"
                " ON CONFLICT (id) DO NOTHING RETURNING no, fence",
                (room, created, data, sealed, len(rows), head),
            ).fetchone()
            if made is None:
                raise RoomExists(room)
            number, fence = made
            with db.cursor() as many:
                # In the order of their hashes, so that two who add the same cards wait for each other in one direction only.
                many.executemany(
                    "INSERT INTO card (hash, data) VALUES (%s, %s) ON CONFLICT (hash) DO NOTHING", sorted(cards.items())
                )
                many.executemany(
                    "INSERT INTO room_card SELECT %s, %s, no FROM card WHERE hash = %s",
                    [(number, place, key) for place, key in enumerate(cards)],
                )
                many.executemany("INSERT INTO entry VALUES (%s, %s, %s)", [(number, *row) for row in rows])
            stands.keep(room, Stand(number, fence, len(rows), head))
            return head

        return await self._do(work, room)

    async def append(self, room: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        """See `Storage`."""
        lines = tuple((entry.seq, write_entry(entry)) for entry in entries)
        ended = any(isinstance(entry, Ended | Stopped) for entry in entries)
        head = await self._open().do(Job(Entries(room, lines, snapshot, ended)))
        assert isinstance(head, bytes)
        return head

    async def cut(self, room: str, last: int) -> bytes:
        """See `Storage`."""

        def work(db: Db, stands: Stands) -> bytes:
            where = stands.of(db, room)
            db.execute("DELETE FROM entry WHERE room = %s AND seq > %s", (where.no, last))
            head = follow(begin(room), reading.lines(db, where.no))
            db.execute("UPDATE room SET seq = %s, head = %s WHERE no = %s", (last, head, where.no))
            stands.keep(room, Stand(where.no, where.fence, last, head))
            return head

        return await self._do(work, room)

    async def finish(self, room: str) -> None:
        """See `Storage`."""
        await self._do(
            lambda db, stands: db.execute("UPDATE room SET finished = true WHERE no = %s", (stands.of(db, room).no,))
        )

    async def amend(self, room: str, setup: Setup) -> None:
        """See `Storage`."""
        data, cards = split_setup(setup)

        def work(db: Db, stands: Stands) -> None:
            number = stands.of(db, room).no
            (created,) = db.execute("SELECT created FROM room WHERE no = %s", (number,)).fetchone() or (0,)
            sealed = reading.room_seal(room, created, data, list(cards))
            db.execute("UPDATE room SET setup = %s, seal = %s WHERE no = %s", (data, sealed, number))

        await self._do(work)

    async def remove(self, room: str) -> None:
        """See `Storage`."""

        def work(db: Db, stands: Stands) -> None:
            db.execute("DELETE FROM room WHERE no = %s", (stands.of(db, room).no,))
            stands.keep(room, None)

        await self._do(work, room)

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """See `Storage`."""
        row = (kind, key, data, seal(kind, key, data))
        await self._do(
            lambda db, _: db.execute(
                "INSERT INTO record VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (kind, key) DO UPDATE SET data = excluded.data, seal = excluded.seal",
                row,
            )
        )

    async def delete(self, kind: str, key: str) -> None:
        """See `Storage`."""
        await self._do(lambda db, _: db.execute("DELETE FROM record WHERE kind = %s AND key = %s", (kind, key)))

    # --- reads ---

    async def load(self, room: str) -> Journal:
        """See `Storage`."""
        return await self._read(lambda db: reading.load(db, room))

    async def take_up(self, room: str) -> Journal:
        """See `Storage`."""
        return await self._read(lambda db: reading.take_up(db, room))

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
        return await self._read(lambda db: next((data for _, data in reading.records(db, kind, key)), None))

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""
        return await self._read(lambda db: dict(reading.records(db, kind)))

    async def audit(self) -> list[str]:
        """See `Storage`."""
        return await self._read(reading.audit)

    async def kept_room(self, room: str) -> KeptRoom:
        """See `Kept`."""
        return await self._read(lambda db: reading.kept_room(db, room))

    async def keep_room(self, kept: KeptRoom) -> None:
        """See `Kept`."""
        await self._create(kept.room, kept.created, kept.setup, kept.cards, kept.rows)
        for snapshot in kept.snapshots:
            await self._open().do(Job(Entries(kept.room, (), snapshot)))
        if kept.finished:
            await self.finish(kept.room)

    async def kinds(self) -> list[str]:
        """See `Kept`."""
        return await self._read(reading.kinds)

    async def aclose(self) -> None:
        """See `Storage`."""
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.aclose()
            self._ended.set()  # only now: what was waiting is written under the lease
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._renewing.join)

    # --- how ---

    def _open(self) -> Writer:
        if self._writer is None:
            raise StorageFault("the journals are closed")
        return self._writer

    async def _do(self, work: Callable[[Db, Stands], T], room: str = "") -> T:
        """Have a write done by the thread; `room`: whose stand it changes. Raises `StorageFault`, and what the write raises."""
        found: list[T] = []

        def done(db: Db, stands: Stands) -> None:
            found[:] = [work(db, stands)]

        await self._open().do(Job(work=done, room=room))
        return found[0]

    async def _read(self, work: Callable[[Db], T]) -> T:
        """Read in a worker thread, by a connection of its own, at one moment."""

        def run() -> T:
            try:
                with closing(self._connect()) as db, db.transaction():
                    db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    return work(db)
            except (psycopg.Error, OSError) as fault:
                raise StorageFault(_said(fault)) from fault

        return await trio.to_thread.run_sync(run)

    def _connect(self) -> Db:
        return _connect(self._address, self._connections)

    def _renew(self) -> None:
        """The thread that renews the lease, by a connection of its own: no long write keeps it from that."""
        db: Db | None = None
        while not self._ended.wait(self._lease / 4):
            try:
                if db is None:
                    db = self._connect()
                    db.execute("SET synchronous_commit = local")  # a lease promises nothing: it waits for no standby
                if not renew(db, self._node, self._lease):
                    log.error("another server has taken over the database: nothing is written here any more")
                    if self._writer is not None:
                        self._writer.superseded = True
                    break
            except psycopg.Error as fault:
                log.warning("the lease on the database could not be renewed: %s", _said(fault))
                if db is not None:
                    db.close()
                db = None
                time.sleep(min(1.0, self._lease / 10))
        try:
            if db is None:
                db = self._connect()
            if self._ended.is_set():
                let_go(db, self._node)
            db.close()
        except psycopg.Error as fault:
            log.warning("the lease on the database could not be given back: %s", _said(fault))


def _connect(address: str, name: str) -> Db:
    given = conninfo_to_dict(address)
    settings = {key: value for key, value in SETTINGS.items() if key not in given}
    return psycopg.connect(address, autocommit=True, **settings, application_name=name)


def reach(address: str) -> Promise:
    """What the database keeps of what it acknowledges, without writing anything. Raises `StorageFault` when it is not there."""
    try:
        with closing(_connect(address, "apnap")) as db:
            return promise(db)
    except (psycopg.Error, OSError) as fault:
        raise StorageFault(_said(fault)) from fault


def _said(fault: BaseException) -> str:
    return str(fault).strip() or type(fault).__name__


@asynccontextmanager
async def open_postgresql(
    address: str, *, lease: float = LEASE_SECONDS, name: str = "", read_only: bool = False
) -> AsyncIterator[PostgresqlStorage]:
    """The journals in the database at `address` (postgresql://…, or as libpq takes it), for as long as the block lasts. Raises as
    `PostgresqlStorage` does."""
    storage = PostgresqlStorage(address, lease=lease, name=name, read_only=read_only)
    try:
        yield storage
    finally:
        await storage.aclose()
