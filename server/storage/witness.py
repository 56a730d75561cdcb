"""The witness: a file beside the database that says how far the database had come (`apnap.witness`).

After each commit it is told the commit's number, the head of the chain of all commits, and how long the journals are that it
wrote to; it is synced every second. A database that knows less than its witness has lost something, one whose chain is another
has been exchanged. What a crash may leave of it is its last lines torn or missing: then it is behind, which is no loss.

After `MAGIC`, records one after the other, each with its CRC: commit, head, and (number of a room, entries of its journal),
`GONE` for one that was deleted. From `MOST_BYTES` on the file is written anew, with all that is known in its first records.
"""

from __future__ import annotations

import logging
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from server.storage.private import private_file

log = logging.getLogger("apnap.storage")

FILE = "apnap.witness"
MAGIC = b"apnap witness 1\n"
MOST_BYTES = 1 << 20
_HEAD = struct.Struct("<IHQ16s")
"""CRC of what follows it, number of rooms, commit, head."""
_ROOM = struct.Struct("<II")
GONE = 0xFFFFFFFF
_TOGETHER = 60_000
"""Rooms in one record."""


class Mark(msgspec.Struct, frozen=True):
    """How far a database had come: the number of its last commit and the head of the chain."""

    commit: int
    head: bytes


class Testimony(msgspec.Struct, frozen=True):
    """What a witness says. `marks` are its records, oldest first; `rooms` the entries of each journal by its room's number; `whole`: all
    of the file could be read.
    """

    marks: tuple[Mark, ...]
    rooms: dict[int, int]
    whole: bool

    @property
    def last(self) -> Mark | None:
        """The last record."""
        return self.marks[-1] if self.marks else None


def read(path: Path) -> Testimony | None:
    """What the witness says, None if there is none. Raises OSError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    marks: list[Mark] = []
    rooms: dict[int, int] = {}
    end = 0
    for mark, lengths, upto in _records(data):
        marks.append(mark)
        rooms.update(lengths)
        end = upto
    return Testimony(tuple(marks), {room: seq for room, seq in rooms.items() if seq != GONE}, 0 < end == len(data))


def _records(data: bytes) -> Iterator[tuple[Mark, dict[int, int], int]]:
    """Each record that can be read, and where it ends; up to the first that cannot."""
    at = len(MAGIC) if data.startswith(MAGIC) else len(data)
    while at + _HEAD.size <= len(data):
        crc, number, commit, head = _HEAD.unpack_from(data, at)
        end = at + _HEAD.size + number * _ROOM.size
        if end > len(data) or zlib.crc32(data[at + 4 : end]) != crc:
            return
        yield Mark(commit, head), dict(_ROOM.iter_unpack(data[at + _HEAD.size : end])), end
        at = end


def _record(mark: Mark, rooms: dict[int, int]) -> bytes:
    body = struct.pack("<HQ16s", len(rooms), mark.commit, mark.head)
    body += b"".join(_ROOM.pack(room, seq) for room, seq in rooms.items())
    return zlib.crc32(body).to_bytes(4, "little") + body


class Witness:
    """The witness of a database that is open, in the hands of the thread that writes. A disk that does not take it is told to the log
    once; what is said next is written anew then.
    """

    def __init__(self, path: Path, mark: Mark, rooms: dict[int, int]) -> None:
        """Begin a file that says this."""
        self._path = path
        self._mark = mark
        self._rooms = dict(rooms)
        self._done: set[int] = set()
        self._file = -1
        self._end = 0
        self._dirty = False
        self._refused = False
        try:
            self._begin()
        except OSError as fault:
            self._fail(fault)

    @property
    def dirty(self) -> bool:
        """Whether something was said since the last `sync`."""
        return self._dirty

    def say(self, mark: Mark, rooms: dict[int, int], done: Iterable[int] = ()) -> None:
        """What the database has come to by a commit. `done` are rooms that need not be spoken of any more when the file is written
        anew.
        """
        self._mark = mark
        self._rooms.update(rooms)
        self._done.update(done)
        try:
            if self._file < 0 or self._end > MOST_BYTES:
                self._begin()
                return
            record = _record(mark, rooms)
            if os.pwrite(self._file, record, self._end) != len(record):
                raise OSError("the witness was not written whole")
            self._end += len(record)
            self._dirty = True
        except OSError as fault:
            self._fail(fault)

    def sync(self) -> None:
        """Have it on the disk."""
        try:
            if self._file >= 0 and self._dirty:
                os.fdatasync(self._file)
            self._dirty = False
        except OSError as fault:
            self._fail(fault)

    def close(self) -> None:
        """Sync and close."""
        self.sync()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _begin(self) -> None:
        """Write the file anew, beside the old one until it is whole. Raises OSError."""
        fresh = self._path.with_name(f"{self._path.name}.new")
        self._rooms = {room: seq for room, seq in self._rooms.items() if seq != GONE and room not in self._done}
        self._done.clear()
        rooms = list(self._rooms.items())
        parts = [dict(rooms[at : at + _TOGETHER]) for at in range(0, len(rooms), _TOGETHER)] or [{}]
        data = MAGIC + b"".join(_record(self._mark, part) for part in parts)
        private_file(fresh)
        file = os.open(fresh, os.O_RDWR | os.O_TRUNC | os.O_CLOEXEC)
        try:
            if os.write(file, data) != len(data):
                raise OSError("the witness was not written whole")
            os.fsync(file)
            os.replace(fresh, self._path)
            sync_folder(self._path.parent)
        except BaseException:
            os.close(file)
            raise
        if self._file >= 0:
            os.close(self._file)
        self._file, self._end, self._dirty, self._refused = file, len(data), False, False

    def _fail(self, fault: OSError) -> None:
        if not self._refused:
            log.error("%s: what is written now is written without witness: %s", self._path, fault)
        self._refused = True
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def sync_folder(folder: Path) -> None:
    """Have the names in a directory on the disk, where a system knows how. Raises OSError."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
