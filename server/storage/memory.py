"""A backend that forgets: journals in memory, for tests and for benchmarks of everything but the disk.

It keeps the bytes, not the structs, so that what cannot be written or read fails here too. `before_append`, when set, is
awaited before each append (to be slow or to fail in a test).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

import trio

from server.storage.chain import begin, follow, seal
from server.storage.encoding import join_setup, read_entries, split_setup, write_entry
from server.storage.errors import Conflict, Damaged, NoSuchRoom, RoomExists
from server.storage.journal import (
    Answered,
    AnyEntry,
    Ended,
    Gap,
    Journal,
    Passed,
    RoomRecord,
    Setup,
    Snapshot,
    Stopped,
    Upgraded,
)


class MemoryStorage:
    """See `server.storage.journal.Storage`."""

    def __init__(self) -> None:
        self._setups: dict[str, tuple[bytes, dict[str, bytes]]] = {}
        self._created: dict[str, int] = {}
        self._entries: dict[str, list[bytes]] = {}
        self._heads: dict[str, bytes] = {}
        self._snapshots: dict[str, list[Snapshot]] = {}
        self._finished: set[str] = set()
        self._records: dict[tuple[str, str], bytes] = {}
        self.before_append: Callable[[], Awaitable[None]] | None = None
        self.appends = 0
        self.fault = ""
        self.gaps: dict[str, Gap] = {}

    async def create(self, setup: Setup, entries: Sequence[AnyEntry] = ()) -> bytes:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        if setup.room in self._setups:
            raise RoomExists(setup.room)
        self._setups[setup.room] = split_setup(setup)
        self._created[setup.room] = setup.created
        self._entries[setup.room] = [write_entry(entry) for entry in entries]
        self._heads[setup.room] = follow(begin(setup.room), self._entries[setup.room])
        return self._heads[setup.room]

    async def append(self, room: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        if self.before_append is not None:
            await self.before_append()
        lines = self._lines(room)
        for number, entry in enumerate(entries, len(lines) + 1):
            if entry.seq != number:
                raise Conflict(f"{room}: entry {entry.seq} where {number} comes")
        fresh = [write_entry(entry) for entry in entries]
        lines.extend(fresh)
        self._heads[room] = follow(self._heads[room], fresh)
        self.appends += 1
        ended = any(isinstance(entry, Ended | Stopped) for entry in entries)
        if ended:
            self._finished.add(room)
        if ended or snapshot is not None:
            bases = [kept for kept in self._snapshots.get(room, []) if kept.base]
            self._snapshots[room] = bases if snapshot is None or ended else [*bases, snapshot]
        return self._heads[room]

    async def cut(self, room: str, last: int) -> bytes:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        del self._lines(room)[last:]
        self._heads[room] = follow(begin(room), self._lines(room))
        return self._heads[room]

    async def load(self, room: str) -> Journal:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        entries, torn = read_entries(room, self._lines(room))
        bases = tuple(kept for kept in self._snapshots.get(room, []) if kept.base)
        return Journal(self._setup(room), entries, torn, bases, head=self._heads[room])

    async def take_up(self, room: str) -> Journal:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        lines = self._lines(room)
        kept = self._snapshots.get(room)
        last = kept[-1] if kept else None
        done = 0 if last is None else last.seq
        entries, torn = read_entries(room, lines[done:], done + 1)
        return Journal(self._setup(room), entries, torn, snapshot=last, head=self._heads[room])

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        """See `Storage`."""
        found: dict[str, Journal | Damaged] = {}
        for room in rooms:
            try:
                found[room] = await self.take_up(room)
            except NoSuchRoom:
                pass
            except Damaged as fault:
                found[room] = fault
        return found

    async def answer_to(self, room: str, question: int) -> AnyEntry | None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        entries, _ = read_entries(room, self._lines(room))
        last = len(entries)
        for entry in reversed(entries):
            if entry.seq > last:
                continue  # it counts no more: the game went on from an earlier entry
            if isinstance(entry, Upgraded):
                last = entry.base
            elif isinstance(entry, Answered | Passed) and entry.question <= question:
                return entry
        return None

    async def head_at(self, room: str, seq: int) -> bytes:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return follow(begin(room), self._lines(room)[:seq])

    async def audit(self) -> list[str]:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return []

    async def setup(self, room: str) -> Setup:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._lines(room)
        return self._setup(room)

    async def amend(self, room: str, setup: Setup) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._lines(room)
        self._setups[room] = split_setup(setup)

    async def remove(self, room: str) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._lines(room)
        for kept in (self._setups, self._created, self._entries, self._heads, self._snapshots):
            kept.pop(room, None)
        self._finished.discard(room)

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return [
            RoomRecord(
                room=room,
                created=self._created[room],
                finished=room in self._finished,
                entries=len(self._entries[room]),
                mark=b"" if of is None else self._mark(room),
            )
            for room in self._setups
            if of is None or room in of
        ]

    def _mark(self, room: str) -> bytes:
        kept = self._snapshots.get(room)
        last = () if not kept else (kept[-1].seq, kept[-1].version, kept[-1].state, kept[-1].room)
        return seal(self._heads[room], self._setups[room][0], *last)

    async def finish(self, room: str) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._lines(room)
        self._finished.add(room)

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._records[kind, key] = data

    async def get(self, kind: str, key: str) -> bytes | None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return self._records.get((kind, key))

    async def some(self, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return {one: self._records[one] for one in of if one in self._records}

    async def delete(self, kind: str, key: str) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        self._records.pop((kind, key), None)

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()
        return {key: data for (of, key), data in self._records.items() if of == kind}

    async def aclose(self) -> None:
        """See `Storage`."""
        await trio.lowlevel.checkpoint()

    def _setup(self, room: str) -> Setup:
        data, cards = self._setups[room]
        return join_setup(data, cards.values())

    def _lines(self, room: str) -> list[bytes]:
        try:
            return self._entries[room]
        except KeyError:
            raise NoSuchRoom(room) from None
