"""The writes of a backend, made data (`writes`) for whoever does them: a thread of this process, or another process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from server.storage.encoding import split_setup, write_entry
from server.storage.journal import AnyEntry, Ended, Gap, Setup, Snapshot, Stopped, Storage
from server.storage.migrating import KeptRoom
from server.storage.writes import Amend, AnyWrite, Append, Create, Cut, Delete, Finish, Put, Remove, Rows

ENDS = frozenset({Ended, Stopped})
"""Entries after which nothing comes."""


class RemoteWriter(Protocol):
    """Another process that does the writes of a backend that only reads. `fault` and `gaps` are as `Storage`'s."""

    gaps: dict[str, Gap]
    fault: str

    async def write(self, write: AnyWrite, /) -> bytes:
        """See `Writing`."""
        ...


class WritingStorage(Storage, Protocol):
    """A backend that does also what other processes ask of it."""

    def begin(self, write: AnyWrite, done: Callable[[bytes | BaseException], None]) -> None:
        """As `Writing.write`, for who hands over many: they are done in that order, and `done` is told of each in that order, the head
        or what `write` would have raised. Raises `StorageFault` when closed.
        """
        ...

    async def settle(self, rooms: Collection[str]) -> None:
        """Before somebody else reads and goes on with these rooms, of which nothing is being written: what was refused does not count,
        where that was not known. Raises `StorageFault` where it cannot be known now either.
        """
        ...

    def taken_over(self) -> None:
        """Another server, which reads the same database, says that it writes there now."""
        ...


class Writing(ABC):
    """What `Storage` writes, in terms of one `write`."""

    @abstractmethod
    async def write(self, write: AnyWrite) -> bytes:
        """Have a write done; the head of its journal then, b"" for one that is about none. Raises as its method of `Storage`."""

    async def create(self, setup: Setup, entries: Sequence[AnyEntry] = ()) -> bytes:
        """See `Storage`."""
        data, cards = split_setup(setup)
        return await self.write(Create(setup.room, setup.created, data, cards, _rows(entries)))

    async def append(self, room: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        """See `Storage`."""
        ended = not ENDS.isdisjoint(map(type, entries))
        return await self.write(Append(room, _rows(entries), snapshot, ended))

    async def cut(self, room: str, last: int) -> bytes:
        """See `Storage`."""
        return await self.write(Cut(room, last))

    async def finish(self, room: str) -> None:
        """See `Storage`."""
        await self.write(Finish(room))

    async def amend(self, room: str, setup: Setup) -> None:
        """See `Storage`."""
        await self.write(Amend(room, split_setup(setup)[0]))

    async def remove(self, room: str) -> None:
        """See `Storage`."""
        await self.write(Remove(room))

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """See `Storage`."""
        await self.write(Put(kind, key, data))

    async def delete(self, kind: str, key: str) -> None:
        """See `Storage`."""
        await self.write(Delete(kind, key))

    async def keep_room(self, kept: KeptRoom) -> None:
        """See `Kept`."""
        await self.write(Create(kept.room, kept.created, kept.setup, kept.cards, kept.rows))
        for snapshot in kept.snapshots:
            await self.write(Append(kept.room, [], snapshot))
        if kept.finished:
            await self.write(Finish(kept.room))


def _rows(entries: Sequence[AnyEntry]) -> Rows:
    return [(entry.seq, write_entry(entry)) for entry in entries]
