"""All that is kept, moved from one backend to another as the bytes that they are, and compared by a hash over all of it.

Nothing is decoded: what an earlier version wrote stays as that wrote it, and each journal has the head that it had.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Protocol

import msgspec

from server.storage.chain import SIZE, begin, follow, seal
from server.storage.errors import Damaged, StorageFault
from server.storage.journal import Gap, RoomRecord, Snapshot
from server.storage.writes import Rows

UNFINISHED = ("migration", "unfinished")
"""The record that stands where something is moved to until all of it has come."""
IN_PART = "what `apnap migrate` was to move there has come in part only: empty it, and move again"


class KeptRoom(msgspec.Struct, frozen=True):
    """A journal as it is kept: setup without cards, cards by their hashes in their order, entries and snapshots."""

    room: str
    created: int
    finished: bool
    setup: bytes
    cards: dict[str, bytes]
    rows: Rows
    snapshots: tuple[Snapshot, ...]

    def head(self) -> bytes:
        """The head of its journal."""
        return follow(begin(self.room), (line for _, line in self.rows))

    def hash(self) -> bytes:
        """Of all of it."""
        snapshots = [(s.seq, s.version, s.hash, int(s.base), s.state, s.room) for s in self.snapshots]
        cards = [part for card in self.cards.items() for part in card]
        line = (self.room, self.created, int(self.finished), self.setup, len(self.cards), len(self.rows))
        return seal(*line, *cards, self.head(), *(part for one in snapshots for part in one))


class Kept(Protocol):
    """A backend whose contents can be moved."""

    gaps: dict[str, Gap]

    async def rooms(self) -> list[RoomRecord]:
        """See `Storage`."""
        ...

    async def kept_room(self, room: str) -> KeptRoom:
        """A journal as it is kept. Raises `NoSuchRoom`, `Damaged`: not as it was written."""
        ...

    async def keep_room(self, kept: KeptRoom) -> None:
        """A journal as it was kept elsewhere. Raises `RoomExists`."""
        ...

    async def kinds(self) -> list[str]:
        """The kinds of records that there are."""
        ...

    async def all(self, kind: str) -> dict[str, bytes]:
        """See `Storage`."""
        ...

    async def get(self, kind: str, key: str) -> bytes | None:
        """See `Storage`."""
        ...

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """See `Storage`."""
        ...

    async def delete(self, kind: str, key: str) -> None:
        """See `Storage`."""
        ...


class Contents(msgspec.Struct, frozen=True):
    """How much a backend keeps, and a hash of all of it, which is the same wherever it is kept."""

    rooms: int
    entries: int
    records: int
    hash: str


async def migrate(source: Kept, target: Kept, but: Collection[str] = ()) -> Contents:
    """Move all there is in `source`, but records of those kinds, to `target`, which is empty; what both have then. The source stays as it
    is. Where it ends half-way, nobody serves from what has come (`must_be_whole`).

    Raises `Damaged` (something is not as it was written), `StorageFault` (the target is not empty, or has not got what was to be moved).
    """
    if source.gaps:
        raise Damaged(
            f"journals of {len(source.gaps)} rooms have lost entries: start the server once, so that it is told there"
        )
    for end in (source, target):
        await must_be_whole(end)
    if await target.rooms() or await target.kinds():
        raise StorageFault("there is something already where it is to go")
    before = await contents(source, but)
    await target.put(*UNFINISHED, b"1")
    for record in await source.rooms():
        await target.keep_room(await source.kept_room(record.room))
    for kind in sorted(set(await source.kinds()) - set(but)):
        for key, data in (await source.all(kind)).items():
            await target.put(kind, key, data)
    after = await contents(target, {UNFINISHED[0]})
    if after != before:
        raise StorageFault(f"what has come is not what was to be moved: {after} in the place of {before}")
    await target.delete(*UNFINISHED)
    return after


async def must_be_whole(kept: Kept) -> None:
    """Raises `StorageFault` where something was moved to, and not all of it has come."""
    if await kept.get(*UNFINISHED) is not None:
        raise StorageFault(IN_PART)


async def contents(kept: Kept, but: Collection[str] = ()) -> Contents:
    """What there is, without records of those kinds. Raises `Damaged`."""
    hashes = blake2b(digest_size=SIZE, person=b"contents")
    rooms, entries, records = await kept.rooms(), 0, 0
    for record in rooms:  # in their order, which is kept, too
        room = await kept.kept_room(record.room)
        hashes.update(room.hash())
        entries += len(room.rows)
    for kind in sorted(set(await kept.kinds()) - set(but)):
        for key, data in sorted((await kept.all(kind)).items()):
            if not data:
                raise Damaged(f"the record {key[:16]} of kind {kind} is not as it was written")
            hashes.update(seal(kind, key, data))
            records += 1
    return Contents(len(rooms), entries, records, hashes.hexdigest())
