"""The thread that writes: it takes all that waits, commits it at once, tells the witness, wakes who waited.

When a batch fails, its parts are tried alone, so that a fault of one room is no other room's.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import trio

from server.metrics import JOURNAL_FAULTS
from server.storage.appended import Appended
from server.storage.chain import NOTHING, SIZE, follow, seal
from server.storage.errors import Damaged, StorageFault
from server.storage.schema import connect
from server.storage.waits import Waits
from server.storage.witness import Mark, Witness

log = logging.getLogger("apnap.storage")

SYNC_SECONDS = 1.0
"""How often the witness is synced."""
DOUBT_SECONDS = 30.0
"""How long it is waited for a disk that has a commit, but cannot sync it."""
CROWD, GATHER_SECONDS, MOST_GATHER_SECONDS = 2, 0.001, 0.005
"""After a commit of so many writes or more the next is waited with, so long for each of them up to the most: where many rooms write, a
commit for each few of them costs more than what they write, and the more they are, the less any of them notices. Who writes alone never
waits. Waited with twice as long, twenty rooms that answer at once got a fifth fewer answers a second.
"""
LOGGED_PAGES = 3_600
"""After about so many pages in the write-ahead log they go to the database, for which the next commit waits. Most are the same pages again
and again, so that of four times as many hardly more are written at once. Before `LOG_PAGES`, or SQLite does it within a commit.
"""
PAGES_OF_A_WRITE, PAGES_OF_A_COMMIT = 2, 2
KEPT_HEADS = 65_536
"""Commits whose heads the database keeps: as many as a witness may be behind and still be compared."""


class Deed(msgspec.Struct, frozen=True):
    """What a write has done: a seal of it; the number of the room that it was about (0: of none), how long that room's journal is now
    (`GONE`: there is none any more) and its head; `done`: nobody will write there again.
    """

    what: bytes
    room: int = 0
    seq: int = 0
    head: bytes = b""
    done: bool = False


class _Job:
    """A write that waits for its commit, and how whoever waits for it is told; not at all where that was cancelled."""

    __slots__ = ("deed", "error", "tell", "work")

    def __init__(self, work: Callable[[sqlite3.Connection], Deed], tell: Callable[[_Job], object] | None) -> None:
        self.work = work
        self.tell = tell
        self.error: BaseException | None = None
        self.deed: Deed | None = None

    def abort(self, _: Any) -> trio.lowlevel.Abort:
        """Nobody waits any more."""
        self.tell = None
        return trio.lowlevel.Abort.SUCCEEDED

    def outcome(self) -> Deed | BaseException:
        """What has been done, or why not."""
        if isinstance(self.error, sqlite3.Error):
            fault = StorageFault(str(self.error))
            fault.__cause__ = self.error
            return fault
        found = self.error or self.deed
        assert found is not None
        return found


def last_mark(db: sqlite3.Connection) -> Mark:
    """How far a database has come. Raises `Damaged`: nothing could be written to such a database."""
    row = db.execute("SELECT no, hash FROM past ORDER BY no DESC LIMIT 1").fetchone()
    if row is not None and (not isinstance(row[1], bytes) or len(row[1]) != SIZE):
        raise Damaged(
            "the database is damaged where its commits are counted: put a backup back (apnap admin restore FILE)"
        )
    return Mark(0, NOTHING) if row is None else Mark(*row)


class Writer:
    """See the module. Made inside a running trio loop; `db` is the connection that is handed to the thread, and so is what is
    `appended`; `forget` is called there when a transaction was undone.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, witness: Witness, appended: Appended, forget: Callable[[], None]
    ) -> None:
        self.db = db
        self.fault = ""
        self.commits = 0
        self.writes = 0
        self._path = path
        self._mark = last_mark(db)
        self._witness = witness
        self._appended = appended
        self._forget = forget
        self._suspect = False
        self._synced = time.monotonic()
        self._logged = 0
        """Pages since the last checkpoint, about."""
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._waits = Waits(_wake)
        self._thread = threading.Thread(target=self._run, name="apnap-journal", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[sqlite3.Connection], Deed]) -> Deed:
        """Hand a write to the thread and wait until it is on disk. Cancelled, it may have been written."""
        task = trio.lowlevel.current_task()
        job = _Job(work, lambda _: trio.lowlevel.reschedule(task))
        self._queue.put(job)
        await trio.lowlevel.wait_task_rescheduled(job.abort)
        outcome = job.outcome()
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def begin(self, work: Callable[[sqlite3.Connection], Deed], done: Callable[[Deed | BaseException], None]) -> None:
        """Hand a write to the thread, and have it told what came of it, within the loop: of each in the order in which they were begun."""
        self._queue.put(_Job(work, lambda job: done(job.outcome())))

    async def aclose(self) -> None:
        """Write what waits, and end."""
        self._queue.put(None)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._thread.join)
        self._waits.close()

    def _run(self) -> None:
        open_, crowd = True, 0
        while open_:
            jobs: list[_Job] = []
            try:
                job = self._queue.get(timeout=SYNC_SECONDS if self._witness.dirty else None)
            except queue.Empty:
                self._sync()
                continue
            if crowd >= CROWD:
                time.sleep(min(crowd * GATHER_SECONDS, MOST_GATHER_SECONDS))
            while True:
                if job is None:
                    open_ = False
                else:
                    jobs.append(job)
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
            crowd = len(jobs)
            if jobs:
                self._commit(jobs)
                self._waits.done(jobs)
                self._checkpoint(crowd)
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self._sync()
        self._witness.close()
        self.db.close()

    def _sync(self) -> None:
        self._witness.sync()
        self._synced = time.monotonic()

    def _checkpoint(self, writes: int) -> None:
        """So many writes are committed, and whoever waited for them knows. What the disk refuses here it refuses the next commit."""
        self._logged += PAGES_OF_A_COMMIT + writes * PAGES_OF_A_WRITE
        if self._logged >= LOGGED_PAGES and not self._suspect:
            self._logged = 0
            with suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

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
            self._connect_anew()
        tried, deeds = self._mark, list[Deed]()
        try:
            self.db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                job.deed = job.work(self.db)
                if job.deed.room:
                    self._appended.follow(job.deed.room, job.deed.seq, job.deed.head)
            self._appended.write(self.db)
            deeds = [job.deed for job in jobs if job.deed is not None]
            done = seal(*(deed.what for deed in deeds))
            tried = Mark(self._mark.commit + 1, follow(self._mark.head, [done]))
            self.db.execute("INSERT INTO past VALUES (?, ?, ?)", (tried.commit, done, tried.head))
            if tried.commit % (KEPT_HEADS // 4) == 0:
                self.db.execute("DELETE FROM past WHERE no <= ?", (tried.commit - KEPT_HEADS,))
            self.db.execute("COMMIT")
        except BaseException as fault:
            self._appended.forget()  # what was learnt in a transaction that is undone
            self._forget()
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            if not isinstance(fault, sqlite3.Error) or not self._is_written(fault, tried):
                raise
        self.fault = ""
        self.commits += 1
        self.writes += len(jobs)
        self._mark = tried
        lengths = {deed.room: deed.seq for deed in deeds if deed.room}
        self._witness.say(tried, lengths, (deed.room for deed in deeds if deed.done))

    def _is_written(self, fault: sqlite3.Error, tried: Mark) -> bool:
        """After a write that the disk refused it is not known what the connection's caches hold that the disk does not; nor whether the
        disk has, after all, what it seemed to refuse, as where it took all of it and then could not sync. So it is asked anew. What
        it has must not be called refused, nor written before it is synced: for so long whoever waits goes on waiting.
        """
        self.fault = str(fault)
        JOURNAL_FAULTS.inc()
        if not getattr(fault, "sqlite_errorname", "").startswith("SQLITE_IOERR"):
            return False
        self._suspect = True
        before, until = self._mark, time.monotonic() + DOUBT_SECONDS
        while time.monotonic() < until:
            try:
                self._connect_anew()
                if tried == before or self._mark != tried:
                    return False
                # What the log has goes to the database by this, in other writes than those that failed, and is synced.
                blocked, _, _ = self.db.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
                if not blocked:
                    return True
            except (sqlite3.Error, Damaged) as again:
                self.fault = str(again)
                self._suspect = True
            time.sleep(DOUBT_SECONDS / 100)
        log.error(
            "%s: it is not known whether the last commit counts; the rooms that wrote it will stand still", self._path
        )
        return False

    def _connect_anew(self) -> None:
        self.db.close()
        self.db = connect(self._path)
        self._mark = last_mark(self.db)
        self._suspect = False


def _wake(job: _Job) -> None:
    if job.tell is not None:
        job.tell(job)
