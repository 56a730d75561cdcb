"""Journals in one SQLite database: WAL, `synchronous=FULL`, one commit for all that waits.

All writes go through one thread. While it commits, what other rooms bring is queued; the next commit takes all of it, so
that a busy server pays for one `fsync` a batch, not one an answer. When a batch fails, its parts are tried alone, so that
a fault of one room is no other room's. Reads have a connection of their own (WAL lets them). A lock keeps a second
server off the directory.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TypeVar

import msgspec
import trio

from server.metrics import JOURNAL_FAULTS
from server.storage.encoding import join_setup, read_entries, split_setup, write_entry, write_setup
from server.storage.errors import (
    Conflict,
    Damaged,
    NoSuchRoom,
    RoomExists,
    StorageError,
    StorageFault,
)
from server.storage.finding import answer_to
from server.storage.journal import AnyEntry, Ended, Journal, RoomRecord, Setup, Snapshot, Stopped
from server.storage.lock import Lock, lock
from server.storage.private import private_file, private_folder
from server.storage.schema import FILE, add_cards, connect, keep, prepare

T = TypeVar("T")
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""SQLite's names of errors after which reading again is of no use."""
NUMBERS = 10_000
"""Rooms whose numbers in the database are remembered."""


class _Job:
    """A write that waits for its commit, and the task that waits for it."""

    __slots__ = ("done", "error", "work")

    def __init__(self, work: Callable[[sqlite3.Connection], None]) -> None:
        self.work = work
        self.done = trio.Event()
        self.error: BaseException | None = None


class SqliteStorage:
    """See `server.storage.journal.Storage`. Made by `open_sqlite`, inside a running trio loop.

    `fault` says what is wrong with the disk, "" for nothing: that of the last write. `commits` and `writes` count, so that
    tests and figures can tell how well grouping works.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        """Open or make the database in `folder`. Raises `InUse`, `NewerData`, `StorageFault`, `NoSuchRoom` (read only,
        and there is none).
        """
        self._path = folder / FILE
        self._lock: Lock | None = None
        self._thread: threading.Thread | None = None
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._token = trio.lowlevel.current_trio_token()
        self._numbers: dict[str, int] = {}
        self._suspect = False
        self.fault = ""
        self.commits = 0
        self.writes = 0
        if read_only:
            if not self._path.exists():
                raise NoSuchRoom(f"no journals in {folder}")
            return
        try:
            private_folder(folder)
            self._lock = lock(folder)
            private_file(self._path)
            self._write = connect(self._path)
            try:
                prepare(self._write, self._path)
            except BaseException:
                self._write.close()
                raise
        except (OSError, sqlite3.Error) as fault:
            self._unlock()
            raise StorageFault(f"{self._path}: {fault}") from fault
        except StorageError:
            self._unlock()
            raise
        self._thread = threading.Thread(target=self._writer, name="apnap-journal", daemon=True)
        self._thread.start()

    # --- writes ---

    async def create(self, setup: Setup, entries: Sequence[AnyEntry] = ()) -> None:
        """See `Storage`."""
        data, cards = split_setup(setup)
        rows = [(entry.seq, write_entry(entry)) for entry in entries]

        def work(db: sqlite3.Connection) -> None:
            row = (setup.room, setup.created, data)
            try:
                added = db.execute("INSERT INTO room (id, created, setup) VALUES (?, ?, ?)", row)
            except sqlite3.IntegrityError:
                raise RoomExists(setup.room) from None
            assert added.lastrowid is not None
            add_cards(db, added.lastrowid, cards)
            db.executemany("INSERT INTO entry VALUES (?, ?, ?)", [(added.lastrowid, *row) for row in rows])

        await self._do(work)

    async def append(self, room: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> None:
        """See `Storage`."""
        rows = [(entry.seq, write_entry(entry)) for entry in entries]
        ended = any(isinstance(entry, Ended | Stopped) for entry in entries)

        def work(db: sqlite3.Connection) -> None:
            number = self._number(db, room)
            # A primary key stops two of the same number, this a gap.
            last = db.execute("SELECT max(seq) FROM entry WHERE room = ?", (number,)).fetchone()[0] or 0
            if rows and rows[0][0] != last + 1:
                raise Conflict(f"{room}: entry {rows[0][0]} where {last + 1} comes")
            try:
                db.executemany("INSERT INTO entry VALUES (?, ?, ?)", [(number, seq, data) for seq, data in rows])
            except sqlite3.IntegrityError as fault:
                raise Conflict(f"{room}: {fault}") from None
            if ended:
                db.execute("UPDATE room SET finished = 1 WHERE no = ?", (number,))
            if ended or snapshot is not None:
                db.execute("DELETE FROM snapshot WHERE room = ? AND NOT base", (number,))
            if snapshot is not None and not ended:
                db.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *_row(snapshot)))

        await self._do(work)

    async def cut(self, room: str, last: int) -> None:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM entry WHERE room = ? AND seq > ?", (self._number(db, room), last))

        await self._do(work)

    async def finish(self, room: str) -> None:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE room SET finished = 1 WHERE no = ?", (self._number(db, room),))

        await self._do(work)

    async def amend(self, room: str, setup: Setup) -> None:
        """See `Storage`."""
        data, _ = split_setup(setup)

        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE room SET setup = ? WHERE no = ?", (data, self._number(db, room)))

        await self._do(work)

    async def remove(self, room: str) -> None:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> None:
            number = self._number(db, room)
            for table in ("entry", "snapshot", "room_card"):
                db.execute(f"DELETE FROM {table} WHERE room = ?", (number,))
            db.execute("DELETE FROM room WHERE no = ?", (number,))
            del self._numbers[room]

        await self._do(work)

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """See `Storage`."""
        await self._do(lambda db: _run(db, "INSERT OR REPLACE INTO record VALUES (?, ?, ?)", (kind, key, data)))

    async def delete(self, kind: str, key: str) -> None:
        """See `Storage`."""
        await self._do(lambda db: _run(db, "DELETE FROM record WHERE kind = ? AND key = ?", (kind, key)))

    # --- reads ---

    async def load(self, room: str) -> Journal:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> Journal:
            number, setup = _setup(db, room)
            rows = db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))
            entries, torn = read_entries(room, [row[0] for row in rows])
            bases = db.execute(f"{SNAPSHOTS} AND base ORDER BY seq", (number,))
            return Journal(setup, entries, torn, tuple(map(_snapshot, bases)))

        return await self._read(work)

    async def take_up(self, room: str) -> Journal:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> Journal:
            number, setup = _setup(db, room)
            found = db.execute(f"{SNAPSHOTS} ORDER BY seq DESC LIMIT 1", (number,)).fetchone()
            last = None if found is None else _snapshot(found)
            done = 0 if last is None else last.seq
            rows = db.execute("SELECT data FROM entry WHERE room = ? AND seq > ? ORDER BY seq", (number, done))
            entries, torn = read_entries(room, [row[0] for row in rows], done + 1)
            return Journal(setup, entries, torn, snapshot=last)

        return await self._read(work)

    async def answer_to(self, room: str, question: int) -> AnyEntry | None:
        """See `Storage`."""
        return await self._read(lambda db: answer_to(db, _number_of(db, room), question))

    async def setup(self, room: str) -> Setup:
        """See `Storage`."""
        return await self._read(lambda db: _setup(db, room)[1])

    async def unread(self, room: str) -> tuple[bytes, list[bytes]]:
        """The setup, with its cards if both can be read, and the entries of a journal as they lie on the disk, for one that
        is damaged. Raises `NoSuchRoom`, `Damaged` if not even that can be had, `StorageFault`.
        """

        def work(db: sqlite3.Connection) -> tuple[bytes, list[bytes]]:
            found = db.execute("SELECT no, setup FROM room WHERE id = ?", (room,)).fetchone()
            if found is None:
                raise NoSuchRoom(room)
            number, setup = found
            try:
                setup = write_setup(_setup(db, room)[1])
            except Damaged:
                pass
            entries = db.execute("SELECT data FROM entry WHERE room = ? ORDER BY seq", (number,))
            return setup, [row[0] for row in entries]

        return await self._read(work)

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        """See `Storage`."""

        named = None if of is None else msgspec.json.encode(list(of)).decode()

        def work(db: sqlite3.Connection) -> list[RoomRecord]:
            rows = db.execute(
                "SELECT id, created, finished, (SELECT count(*) FROM entry WHERE entry.room = room.no) FROM room"
                " WHERE ?1 IS NULL OR id IN (SELECT value FROM json_each(?1)) ORDER BY no",
                (named,),
            )
            return [RoomRecord(room=r[0], created=r[1], finished=bool(r[2]), entries=r[3]) for r in rows]

        return await self._read(work)

    async def get(self, kind: str, key: str) -> bytes | None:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> bytes | None:
            found = db.execute("SELECT data FROM record WHERE kind = ? AND key = ?", (kind, key)).fetchone()
            return None if found is None else found[0]

        return await self._read(work)

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""

        def work(db: sqlite3.Connection) -> dict[str, bytes]:
            return dict(db.execute("SELECT key, data FROM record WHERE kind = ?", (kind,)))

        return await self._read(work)

    async def backup(self, path: Path) -> None:
        """Copy everything, as it is at one moment, into a new file, while writes go on. Raises `StorageFault`."""

        def run() -> None:
            try:
                with closing(self._reader()) as db:
                    keep(db, path)
            except (OSError, sqlite3.Error) as fault:
                raise StorageFault(f"{path}: {fault}") from fault

        await trio.to_thread.run_sync(run)

    async def aclose(self) -> None:
        """See `Storage`."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._queue.put(None)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(thread.join)
        self._unlock()

    # --- how ---

    async def _do(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Hand a write to the thread and wait until it is on disk. Cancelled, it may have been written."""
        if self._thread is None:
            raise StorageFault("the journals are closed")
        job = _Job(work)
        self._queue.put(job)
        await job.done.wait()
        if job.error is not None:
            if isinstance(job.error, sqlite3.Error):
                raise StorageFault(str(job.error)) from job.error
            raise job.error

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Read in a worker thread, with a connection of its own."""

        def run() -> T:
            try:
                with closing(self._reader()) as db:
                    return work(db)
            except sqlite3.Error as fault:
                damaged = getattr(fault, "sqlite_errorname", "").startswith(DAMAGED)
                raise (Damaged if damaged else StorageFault)(f"{self._path}: {fault}") from fault

        return await trio.to_thread.run_sync(run)

    def _reader(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)

    def _number(self, db: sqlite3.Connection, room: str) -> int:
        """The room's number in the database, remembered. Raises `NoSuchRoom`."""
        number = self._numbers.get(room)
        if number is None:
            if len(self._numbers) >= NUMBERS:
                self._numbers.clear()
            number = self._numbers[room] = _number_of(db, room)
        return number

    def _writer(self) -> None:
        """The thread: take all that waits, commit it at once, wake who waited."""
        open_ = True
        while open_:
            jobs: list[_Job] = []
            job = self._queue.get()
            while True:
                if job is None:
                    open_ = False
                else:
                    jobs.append(job)
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
            if jobs:
                self._commit(jobs)
                try:
                    self._token.run_sync_soon(_wake, jobs)
                except trio.RunFinishedError:
                    pass  # nobody waits any more
        self._write.close()

    def _commit(self, jobs: list[_Job]) -> None:
        """One transaction for all, or, if that fails, one for each."""
        try:
            self._transaction(jobs)
        except Exception as fault:
            if len(jobs) == 1:
                jobs[0].error = fault
                return
            for job in jobs:
                self._commit([job])

    def _transaction(self, jobs: list[_Job]) -> None:
        if self._suspect:
            # After a write that the disk refused it is not known what the connection's caches hold that the disk does not.
            self._write.close()
            self._write = connect(self._path)
            self._suspect = False
        db = self._write
        try:
            db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                job.work(db)
            db.execute("COMMIT")
        except BaseException as fault:
            self._numbers.clear()  # a room of a transaction that is undone has no number
            if isinstance(fault, sqlite3.Error):
                self.fault = str(fault)
                JOURNAL_FAULTS.inc()
                self._suspect = getattr(fault, "sqlite_errorname", "").startswith("SQLITE_IOERR")
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        self.fault = ""
        self.commits += 1
        self.writes += len(jobs)

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


@asynccontextmanager
async def open_sqlite(folder: Path, *, read_only: bool = False) -> AsyncIterator[SqliteStorage]:
    """The journals in a directory, for as long as the block lasts. `read_only` needs no lock, so that a journal can be
    read while a server writes. Raises as `SqliteStorage` does.
    """
    storage = SqliteStorage(folder, read_only=read_only)
    try:
        yield storage
    finally:
        await storage.aclose()


def _run(db: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> None:
    db.execute(statement, values)


SNAPSHOTS = "SELECT seq, version, hash, base, state, data FROM snapshot WHERE room = ?"


def _row(snapshot: Snapshot) -> tuple[object, ...]:
    """A snapshot's columns after the room."""
    packed = zlib.compress(snapshot.state, 6), zlib.compress(snapshot.room, 6)
    return (snapshot.seq, snapshot.version, snapshot.hash, snapshot.base, *packed)


def _snapshot(row: tuple[int, str, str, int, bytes, bytes]) -> Snapshot:
    """The snapshot of a row of `SNAPSHOTS`. Raises `Damaged`."""
    seq, version, hash_, base, state, data = row
    try:
        state, data = zlib.decompress(state), zlib.decompress(data)
    except zlib.error as fault:
        raise Damaged(f"the snapshot after entry {seq} cannot be read: {fault}") from fault
    return Snapshot(seq=seq, version=version, hash=hash_, base=bool(base), state=state, room=data)


def _setup(db: sqlite3.Connection, room: str) -> tuple[int, Setup]:
    """A room's number and setup. Raises `NoSuchRoom`, `Damaged`."""
    found = db.execute("SELECT no, setup FROM room WHERE id = ?", (room,)).fetchone()
    if found is None:
        raise NoSuchRoom(room)
    cards = db.execute(
        "SELECT data FROM room_card JOIN card ON card.no = room_card.card WHERE room = ? ORDER BY place", (found[0],)
    )
    return found[0], join_setup(found[1], (row[0] for row in cards))


def _number_of(db: sqlite3.Connection, room: str) -> int:
    """A room's number. Raises `NoSuchRoom`."""
    found = db.execute("SELECT no FROM room WHERE id = ?", (room,)).fetchone()
    if found is None:
        raise NoSuchRoom(room)
    return found[0]


def _wake(jobs: list[_Job]) -> None:
    for job in jobs:
        job.done.set()
