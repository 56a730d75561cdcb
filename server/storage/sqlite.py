"""Journals in one SQLite database: WAL, `synchronous=FULL`, one commit for all that waits.

All writes go through one thread (`writer`). While it commits, what other rooms bring is queued; the next commit takes all of it, so
that a busy server pays for one `fsync` a batch, not one an answer. Reads have a connection of their own (WAL lets them). A lock
keeps a second server off the directory. `deeds` is what is written, `reading` what is read, `opening` what is asked of
the directory first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from server.storage import deeds, reading
from server.storage.appended import Appended
from server.storage.audit import audit
from server.storage.errors import Damaged, NoSuchRoom, StorageError, StorageFault
from server.storage.finding import answer_to
from server.storage.journal import AnyEntry, Gap, Journal, RoomRecord, Setup
from server.storage.lock import Lock, lock
from server.storage.migrating import KeptRoom
from server.storage.opening import open_data
from server.storage.private import private_folder
from server.storage.schema import FILE, keep
from server.storage.writer import Deed, Writer
from server.storage.writes import Amend, AnyWrite, Append, Create, Cut, Delete, Finish, Put, Remove
from server.storage.writing import RemoteWriter, Writing

T = TypeVar("T")
NUMBERS = 10_000
"""Rooms whose numbers in the database are remembered."""


class SqliteStorage(Writing):
    """See `server.storage.journal.Storage`. Made by `open_sqlite`, inside a running trio loop.

    `fault` says what is wrong with the disk, "" for nothing: that of the last write. `commits` and `writes` count, so that
    tests and figures can tell how well grouping works. `gaps` is what was found missing as the directory was opened.
    """

    def __init__(self, folder: Path, *, read_only: bool = False, remote: RemoteWriter | None = None) -> None:
        """Open or make the database in `folder`; of one that is read only `remote` does the writes. Raises `InUse`, `NewerData`,
        `StorageFault`, `Damaged` (there is a witness, but not what it has seen), `NoSuchRoom` (read only, and there is none).
        """
        self._path = folder / FILE
        self._lock: Lock | None = None
        self._writer: Writer | None = None
        self._numbers: dict[str, int] = {}
        self._appended = Appended()
        self._remote = remote
        self.gaps: dict[str, Gap] = {} if remote is None else remote.gaps
        if read_only:
            if not self._path.exists():
                raise NoSuchRoom(f"no journals in {folder}")
            return
        try:
            private_folder(folder)
            self._lock = lock(folder)
            db, witness, self.gaps = open_data(folder)
        except (OSError, sqlite3.Error) as fault:
            self._unlock()
            raise StorageFault(f"{self._path}: {fault}") from fault
        except StorageError:
            self._unlock()
            raise
        self._writer = Writer(self._path, db, witness, self._appended, self._numbers.clear)

    @property
    def fault(self) -> str:
        """See the class."""
        writer = self._writer or self._remote
        return writer.fault if writer is not None else ""

    @property
    def commits(self) -> int:
        """Commits by now."""
        return self._writer.commits if self._writer is not None else 0

    @property
    def writes(self) -> int:
        """Writes by now."""
        return self._writer.writes if self._writer is not None else 0

    # --- writes ---

    async def write(self, write: AnyWrite) -> bytes:
        """See `Writing`."""
        if self._remote is not None:
            return await self._remote.write(write)
        if self._writer is None:
            raise StorageFault("the journals are closed")
        return (await self._writer.do(partial(self._deed, write))).head

    def begin(self, write: AnyWrite, done: Callable[[bytes | BaseException], None]) -> None:
        """See `WritingStorage`."""
        if self._writer is None:
            raise StorageFault("the journals are closed")
        self._writer.begin(partial(self._deed, write), lambda told: done(told.head if isinstance(told, Deed) else told))

    def taken_over(self) -> None:
        """See `WritingStorage`. Nobody can have taken over a directory that this process holds."""

    async def settle(self, rooms: Collection[str]) -> None:
        """See `WritingStorage`: a room stands still of which it is not known."""

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
        return await self._read(lambda db: answer_to(db, deeds.number_of(db, room), question))

    async def head_at(self, room: str, seq: int) -> bytes:
        """See `Storage`."""
        return await self._read(lambda db: reading.head_at(db, room, seq))

    async def setup(self, room: str) -> Setup:
        """See `Storage`."""
        return await self._read(lambda db: reading.setup(db, room)[1])

    async def unread(self, room: str) -> tuple[bytes, list[bytes]]:
        """The setup, with its cards if both can be read, and the entries of a journal as they lie on the disk, for one that
        is damaged. Raises `NoSuchRoom`, `Damaged` if not even that can be had, `StorageFault`.
        """
        return await self._read(lambda db: reading.unread(db, room))

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        """See `Storage`."""
        return await self._read(lambda db: reading.rooms(db, of))

    async def get(self, kind: str, key: str) -> bytes | None:
        """See `Storage`."""
        return await self._read(lambda db: reading.record(db, kind, key))

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""
        return await self._read(lambda db: dict(reading.records(db, kind)))

    async def some(self, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """See `Storage`."""
        return await self._read(lambda db: reading.some(db, of))

    async def audit(self) -> list[str]:
        """See `Storage`."""
        return await self._read(audit)

    async def kept_room(self, room: str) -> KeptRoom:
        """See `Kept`."""
        return await self._read(lambda db: reading.kept_room(db, room))

    async def kinds(self) -> list[str]:
        """See `Kept`."""
        return await self._read(reading.kinds)

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
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.aclose()
            self._unlock()

    # --- how ---

    def _deed(self, write: AnyWrite, db: sqlite3.Connection) -> Deed:
        """What the thread does for a write. What was appended before is written first, but where it is appended to."""
        if isinstance(write, Append):
            number = self._number(db, write.room)
            return deeds.append(db, self._appended, number, write.room, write.rows, write.snapshot, write.ended)
        self._appended.write(db)
        match write:
            case Create():
                return deeds.create(db, write.room, write.created, write.setup, write.cards, write.rows)
            case Cut():
                return deeds.cut(db, self._number(db, write.room), write.room, write.last)
            case Finish():
                return deeds.finish(db, self._number(db, write.room))
            case Amend():
                return deeds.amend(db, self._number(db, write.room), write.setup)
            case Remove():
                deed = deeds.remove(db, self._number(db, write.room))
                self._numbers.pop(write.room, None)
                return deed
            case Put():
                return deeds.put(db, write.kind, write.key, write.data)
            case Delete():
                return deeds.delete(db, write.kind, write.key)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Read in a worker thread, with a connection of its own."""

        def run() -> T:
            try:
                with closing(self._reader()) as db:
                    db.execute("BEGIN")  # one moment for all that is read: entries and head belong together
                    return work(db)
            except sqlite3.Error as fault:
                kind = Damaged if reading.is_damage(fault) else StorageFault
                raise kind(f"{self._path}: {fault}") from fault

        return await trio.to_thread.run_sync(run)

    def _reader(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)

    def _number(self, db: sqlite3.Connection, room: str) -> int:
        """The room's number in the database, remembered. Raises `NoSuchRoom`."""
        number = self._numbers.get(room)
        if number is None:
            if len(self._numbers) >= NUMBERS:
                self._numbers.clear()
            number = self._numbers[room] = deeds.number_of(db, room)
        return number

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
