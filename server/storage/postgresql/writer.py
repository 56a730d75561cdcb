"""The thread that writes: all appends that wait in one transaction, every other write in one of its own, in the order they came.

A commit of which it is not known whether it counts (the line to the database broke, the wait for a standby was called off) is never
acknowledged as it is. The writer connects anew, raises the fences of the rooms in doubt, by which whatever may still be on its way is
refused, and reads how far they are: what was written is told so then, what was not is a `StorageFault`. What begins or ends a journal
is done anew, which is the same whether or not it was done.

Where the database cannot be asked for so long that who waits is told that nothing has changed, that is made so before the room writes
again or is somebody else's, and at the end (`doubts`): what turns out to have counted is undone, a journal that has begun or ended too.

A database that has less of a room than it had acknowledged (its standby was behind when it took its place, or it died with
`synchronous_commit` off) is not written to any more: what is known here of all that lies in it is of no worth.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence

import psycopg
import trio

from server.metrics import JOURNAL_FAULTS
from server.storage import writes
from server.storage.chain import follow
from server.storage.errors import Conflict, NoSuchRoom, RoomExists, StorageError, StorageFault
from server.storage.postgresql.appending import Append, Stand, append, prepare_append
from server.storage.postgresql.doubts import IN_DOUBT, Doubts, Undo
from server.storage.postgresql.holding import STANDS, Superseded
from server.storage.postgresql.reading import stand
from server.storage.postgresql.tables import Db
from server.storage.waits import Waits

log = logging.getLogger("apnap.storage")
logging.getLogger("psycopg").setLevel(
    logging.ERROR
)  # what it warns of, broken lines, is told by us, with what comes of it

DOUBT_SECONDS = 30.0
"""How long who waits goes on waiting for a database that is not there, if it may have what was written."""
RETRY_SECONDS = 0.25
OF_ONE = (psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError)
"""What is wrong with something that one room has, or writes: of a batch in which that comes each is tried alone."""
LAST_WORDS = ("FATAL", "PANIC")
"""How bad what is said is after which the line ends."""
#: As long as nobody has taken over, who may have removed a room.
BEHIND = """
SELECT count(*) FROM unnest(%s::bigint[], %s::bigint[]) AS asked (no, seq) LEFT JOIN room USING (no)
WHERE (room.seq IS NULL OR room.seq < asked.seq) AND EXISTS (SELECT FROM node WHERE id = %s)
"""
LACKS = """
SELECT EXISTS (SELECT FROM node WHERE id = %s)
    AND (SELECT seal FROM record WHERE kind = %s AND key = %s) IS DISTINCT FROM %s::bytea
"""
STILL_SECONDS = 3.0
"""A write that takes so long is told of, as a fault, while it lasts."""
STILL = "the database has not answered a write for some seconds: it hangs, or waits for a standby"
GONE = "another server writes in this one's place"
FORGOTTEN = "the database has lost what it had acknowledged"

LEFT_SECONDS = 1.0
"""How long a thread that may write no more is waited for."""
REMEMBERED = 10_000
"""Rooms whose stands are remembered."""

Work = Callable[[Db, "Stands"], bytes]


class Job:
    """A write and how whoever waits for it is told: entries to append, or other work in a transaction of its own; or, with neither, that
    it is settled how far the room is."""

    __slots__ = ("again", "entries", "error", "result", "room", "tell", "undo", "work")

    def __init__(
        self,
        entries: writes.Append | None = None,
        work: Work | None = None,
        room: str = "",
        again: Work | None = None,
        undo: Undo | None = None,
    ) -> None:
        """`room` is that whose stand the work changes; `again` does the work where it may have been done, if it must be, and `undo`
        undoes it, where it may have been done and was called failed."""
        self.entries = entries
        self.work = work
        self.again = again
        self.undo = undo
        self.room = room
        self.tell: Callable[[bytes | BaseException], object] = _nobody
        self.error: BaseException | None = None
        self.result = b""


def _nobody(_: bytes | BaseException) -> None:
    """Nobody waits for it."""


class Stands:
    """How far each room's journal is as far as this server has brought it; used by the thread that writes. What is known here is
    never read again: who finds a room elsewhere than where it was left has no business there."""

    def __init__(self) -> None:
        self._known: dict[str, Stand] = {}
        self.record: tuple[str, str, bytes | None] | None = None
        """Kind, key and seal of the record that was written last, if that is known; None for the seal: it is no more. A database that has
        it so has all that were written before."""

    def of(self, db: Db, room: str) -> Stand:
        """A room's. Raises `NoSuchRoom`."""
        found = self._known.get(room)
        if found is None:
            found = self._known[room] = stand(db, room)
        return found

    def keep(self, room: str, where: Stand | None) -> None:
        """It is there now; None: there is no such room, or nothing is known of it."""
        if where is None:
            self._known.pop(room, None)
            return
        if len(self._known) >= REMEMBERED and room not in self._known:
            del self._known[next(iter(self._known))]
        self._known[room] = where

    def lacks_record(self, db: Db, node: int) -> bool:
        """Whether the database has the last record otherwise than is known here. Raises psycopg.Error."""
        if self.record is None:
            return False
        found = db.execute(LACKS, (node, *self.record)).fetchone()
        return found is not None and bool(found[0])

    def ahead(self, db: Db, node: int) -> int:
        """Of how many rooms the database has less than is known here. Raises psycopg.Error."""
        known = list(self._known.values())
        found = db.execute(BEHIND, ([one.no for one in known], [one.seq for one in known], node)).fetchone()
        return 0 if found is None else int(found[0])


class Writer:
    """See the module. Made inside a running trio loop; `connect` makes a connection, `node` is the line under which it writes.
    `fault`, `commits` and `writes` are as `SqliteStorage`'s; `superseded`: another server has taken over, `forgotten`: the
    database has lost what it had acknowledged; both for good."""

    def __init__(self, connect: Callable[[], Db], db: Db, node: int) -> None:
        self._fault = ""
        self._state: str | None = None
        """The state that the database gave with it: the same is told once, whichever file, say, found no room now."""
        self._since = math.inf
        """Since when the thread has been at the commit that is not done."""
        self.commits = 0
        self.writes = 0
        self.superseded = False
        self.forgotten = False
        self.stands = Stands()
        self._connect = connect
        self._db = db
        self._node = node
        self._unreplicated = False
        self._sent: dict[Job, Append] = {}
        """What the transaction appends, as soon as it may have come to the database."""
        self._doubts = Doubts()
        self._listen(db)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waits = Waits(_wake)
        self._thread = threading.Thread(target=self._run, name="apnap-journal", daemon=True)
        self._thread.start()

    @property
    def fault(self) -> str:
        """See the class."""
        return self._fault or (STILL if time.monotonic() - self._since > STILL_SECONDS else "")

    async def do(self, job: Job) -> bytes:
        """Hand a write to the thread and wait until it is committed. Cancelled, it may have been."""
        done = trio.Event()
        self.begin(job, lambda _: done.set())
        await done.wait()
        if job.error is not None:
            raise job.error
        return job.result

    def begin(self, job: Job, told: Callable[[bytes | BaseException], object]) -> None:
        """Hand a write to the thread; `told` of what came of it, in the order in which they were handed over."""
        job.tell = told
        self._queue.put(job)

    async def settle(self, rooms: Collection[str]) -> None:
        """See `WritingStorage`."""
        for room in self._doubts.rooms().intersection(rooms):
            await self.do(Job(room=room))

    async def aclose(self) -> None:
        """Write what waits, and end. Who was taken over from has nothing to write: a dead line is not waited for."""
        self._queue.put(None)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._thread.join, LEFT_SECONDS if self.superseded else None)
        self._waits.close()

    def _run(self) -> None:
        open_ = True
        while open_:
            jobs: list[Job] = []
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
            for batch in batches(jobs):
                self._since = time.monotonic()
                self._commit(batch)
                self._since = math.inf
                self._waits.done(batch)
        for room in self._doubts.rooms():
            self._commit([last := Job(room=room)])
            if last.error is not None:
                log.error("it stays unknown of rooms whether what was refused counts: %s", last.error)
                break
        self._db.close()

    def _commit(self, jobs: list[Job]) -> None:
        """One transaction; what becomes of it is in the jobs."""
        try:
            self._transaction(jobs)
        except StorageError as refused:
            self._fail(jobs, refused)
        except psycopg.Error as fault:
            if len(jobs) > 1 and isinstance(fault, OF_ONE) and not _is_unknown(fault):
                for job in jobs:
                    self._commit([job])
                return
            if not self._fault or self._state is None or fault.sqlstate != self._state:
                self._fault, self._state = str(fault).strip() or type(fault).__name__, fault.sqlstate
            JOURNAL_FAULTS.inc()
            try:
                self._doubt(jobs, fault)
            except Exception as defect:  # whatever it is: the thread goes on, for all other rooms
                self._fail(jobs, defect)
        except Exception as fault:
            self._fail(jobs, fault)
        else:
            self._fault = ""
            self.commits += 1
            self.writes += len(jobs)

    def _transaction(self, jobs: list[Job]) -> None:
        self._sent = {}
        if self.superseded:
            raise Superseded(GONE)
        if self.forgotten:
            raise StorageFault(FORGOTTEN)
        if self._db.closed or self._db.broken:
            self._connect_anew()
        self._unreplicated = False
        if jobs[0].entries is None:
            return self._settle(jobs[0].room) if jobs[0].work is None else self._alone(jobs[0], jobs[0].work)
        waiting = self._resolved(jobs)
        if not waiting:
            return None
        self._sent = waiting
        moved = append(self._db, self._node, list(waiting.values()))
        self._must_stand(moved)
        assert moved is not None
        self._must_be_kept()
        lost = len(moved) < len(waiting) and self._forgets()
        for job in jobs:
            done = waiting.get(job)
            if done is None:
                continue
            if done.before.no in moved:
                job.result = self._advanced(job, done.after)
            elif lost:
                job.error = StorageFault(FORGOTTEN)
            else:
                job.error = Conflict(f"the journal of {_room(job)} is not where it was left")
        return None

    def _alone(self, job: Job, work: Work | None) -> None:
        assert work is not None
        if self._doubts.was_written(job.room):
            self._settle(job.room)
        record = self.stands.record
        try:
            with self._db.transaction():
                self._must_stand(self._db.execute(STANDS, (self._node,)).fetchone())
                try:
                    job.result = work(self._db, self.stands)
                except RoomExists:  # whose beginning was waited for, if it was still under way
                    if not (undone := self._doubts.done(job.room)):
                        raise
                    for undo in undone:
                        undo(self._db, True)
                    job.result = work(self._db, self.stands)
            self._must_be_kept()
        except BaseException:
            self.stands.keep(job.room, None)  # what was made of it may be undone
            self.stands.record = record if self.stands.record is record else None
            raise
        if job.undo is not None:
            self._doubts.forget_done(job.room)

    def _must_stand(self, line: object) -> None:
        if line is None:
            self.superseded = True
            raise Superseded(GONE)

    def _forgets(self) -> bool:
        try:
            rooms = self.stands.ahead(self._db, self._node)
            record = self.stands.lacks_record(self._db, self._node)
        except psycopg.Error as fault:  # which says nothing of what was appended before
            raise psycopg.OperationalError(str(fault)) from fault
        if rooms or record:
            self.forgotten = True
            log.error("%s, of %d rooms%s", FORGOTTEN, rooms, " and of people" if record else "")
        return self.forgotten

    def _must_be_kept(self) -> None:
        if self._unreplicated:
            raise psycopg.OperationalError("the database stopped waiting for its standby")

    def _resolved(self, jobs: Sequence[Job]) -> dict[Job, Append]:
        """What is appended where; what cannot be has its error."""
        found: dict[Job, Append] = {}
        for job in jobs:
            given = job.entries
            assert given is not None
            try:
                self._settle(given.room, given)
                before = self.stands.of(self._db, given.room)
            except NoSuchRoom as missing:
                job.error = missing
                continue
            wrong = next((seq for n, (seq, _) in enumerate(given.rows, before.seq + 1) if seq != n), None)
            if wrong is not None:
                job.error = Conflict(f"{given.room}: entry {wrong} is not the next after {before.seq}")
                continue
            seq = given.rows[-1][0] if given.rows else before.seq
            after = Stand(before.no, before.fence, seq, follow(before.head, (data for _, data in given.rows)))
            found[job] = Append(before, after, given.rows, given.snapshot, given.ended)
        return found

    def _advanced(self, job: Job, where: Stand) -> bytes:
        self.stands.keep(_room(job), where)
        return where.head

    def _settle(self, room: str, given: writes.Append | None = None) -> None:
        """Before a room writes again of which it is not known how far it is, or (None) is somebody else's. Raises psycopg.Error."""
        if room not in self._doubts:
            return
        with self._db.transaction():
            self._must_stand(self._db.execute(STANDS, (self._node,)).fetchone())
            self._doubts.settle(self._db, room, given, self.stands.keep)
        self._must_be_kept()
        self._doubts.forget(room)

    def _doubt(self, jobs: Sequence[Job], fault: psycopg.Error) -> None:
        """What became of writes whose commit was not heard of. What is neither appended nor to be done `again` is the same done
        twice; it is called failed."""
        failed = StorageFault(str(fault).strip() or type(fault).__name__)
        alone = jobs[0] if jobs[0].entries is None else None
        if not (self._unreplicated or _is_unknown(fault)) or (alone is not None and alone.again is None):
            return self._fail(jobs, failed)
        waiting = [job for job in jobs if job.error is None]
        until = time.monotonic() + DOUBT_SECONDS
        while time.monotonic() < until:
            try:
                if self._ask(waiting, failed) if alone is None else self._done_again(alone):
                    return None
            except psycopg.Error as again:
                self._fault = str(again).strip()
            time.sleep(RETRY_SECONDS)
        self._say_unknown(alone)
        if alone is not None and alone.undo is not None:
            self._doubts.add_done(alone.room, alone.undo)
        for job, one in self._sent.items():
            self._doubts.add_appended(_room(job), one)
        return self._fail(waiting, failed)

    def _say_unknown(self, alone: Job | None) -> None:
        if alone is not None:
            log.error("room %s: it is not known whether its journal has begun, or ended", alone.room)
        elif self._sent:
            log.error("it is not known whether the last commit counts: it is undone before its rooms write again")
        else:
            log.error("the database cannot be asked: what was to be written is refused, and nothing of it was sent")

    def _done_again(self, job: Job) -> bool:
        """Where the first doing is still under way, this waits for what comes of it. Raises psycopg.Error, `StorageError`."""
        self._connect_anew()
        self._unreplicated = False
        self._alone(job, job.again)
        return True

    def _ask(self, waiting: Sequence[Job], failed: StorageFault) -> bool:
        """Whether it is known by now which of them were written; as it is told of each."""
        self._connect_anew()
        if not self._sent:
            for job in waiting:
                job.error = self._missing(job) or failed
            return True
        self._unreplicated = False
        with self._db.transaction():
            if self._db.execute(STANDS, (self._node,)).fetchone() is None:
                self.superseded = True
                found = []
            else:
                left = [one.before for one in self._sent.values()]
                found = self._db.execute(IN_DOUBT, ([at.no for at in left], [at.fence for at in left])).fetchall()
        if self._unreplicated:
            return False
        there = {row[0]: Stand(*row) for row in found}
        for job, one in self._sent.items():
            now = there.get(one.before.no)
            job.error = Superseded(GONE) if self.superseded else failed
            if now is None:
                continue
            self.stands.keep(_room(job), now)
            if now.head == one.after.head:
                job.result, job.error = now.head, None
        return True

    def _missing(self, job: Job) -> NoSuchRoom | None:
        """What is wrong with an append of a room that there is not."""
        try:
            self.stands.of(self._db, _room(job))
        except NoSuchRoom as missing:
            return missing
        return None

    def _fail(self, jobs: Sequence[Job], why: BaseException) -> None:
        for job in jobs:
            job.error = why

    def _connect_anew(self) -> None:
        self._db.close()
        self._db = self._connect()
        self._listen(self._db)
        if self._forgets():
            raise StorageFault(FORGOTTEN)

    def _listen(self, db: Db) -> None:
        db.add_notice_handler(self._noticed)
        prepare_append(db)

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        # Where a commit counts here but may not have reached the standby, that is a warning, without a code of its own.
        if notice.severity_nonlocalized == "WARNING":
            self._unreplicated = True


def batches(jobs: Sequence[Job]) -> list[list[Job]]:
    """What goes into one transaction each, in order: appends of different rooms together, all else alone."""
    found: list[list[Job]] = []
    rooms: set[str] = set()
    for job in jobs:
        room = None if job.entries is None else job.entries.room
        if room is None or room in rooms or not found or found[-1][0].entries is None:
            found.append([])
            rooms.clear()
        found[-1].append(job)
        if room is not None:
            rooms.add(room)
    return found


def _room(job: Job) -> str:
    assert job.entries is not None
    return job.entries.room


def _is_unknown(fault: psycopg.Error) -> bool:
    """Whether what was sent may count although this came of it: the line broke, or the server was ended, or ends itself. What it could
    not bring to its disk then may lie there all the same, and is read as it starts again."""
    if fault.diag.severity_nonlocalized in LAST_WORDS:
        return True
    return isinstance(fault, psycopg.OperationalError | psycopg.InterfaceError) and (
        fault.sqlstate is None or fault.sqlstate.startswith(("57P", "08"))
    )


def _wake(job: Job) -> None:
    job.tell(job.result if job.error is None else job.error)
