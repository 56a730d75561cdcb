"""Rooms that are played to the ends of their journals before it is known who will take them up.

Whoever waits for another server's lease to end has nothing else to do, and when it is over people wait. Nothing is written meanwhile, and
nobody sees such a room. Others may still write its journal: it is taken only if journal, setup and snapshot are by then what they were
before they were read, so that it is what it would be if it were restored then; otherwise it is restored then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence

import trio

from server.rooms.game import RULES, Game
from server.rooms.recover import Turns, next_of, played, version_of
from server.rooms.room import Room
from server.storage import Journal, RoomRecord, Storage, StorageError

log = logging.getLogger("apnap.rooms")

LOOK_SECONDS = 0.05
"""How often it is looked whether rooms are to be prepared."""
AGAIN_SECONDS = 0.5
"""After so long the disk is asked again that did not give the rooms."""


class Prepared:
    """See the module: rooms of the journals in `storage`, by the rules of `game`, to be taken as `recover_each` asks for them."""

    def __init__(self, storage: Storage, game: Game = RULES) -> None:
        self._storage = storage
        self._game = game
        self._turns = Turns()
        self._rooms: dict[str, tuple[RoomRecord, Room]] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def __call__(self, record: RoomRecord) -> Room | None:
        """The room that is as this record says, read just now; once, for from then on it is somebody's."""
        known, room = self._rooms.pop(record.room, (None, None))
        if room is None or (record.mark and record == known):
            return room
        room.put_away()
        return None

    async def run(
        self, place: int, count: int, wished: Callable[[], bool], told: Callable[[bool], object] = bool
    ) -> None:
        """Until cancelled: while it is wished, have the rooms that come to this worker if so many begin anew. Those that want more than
        to be played, or cannot be read or played, are left to who takes them up. A server that stands by for days has none in memory that
        others have played on since. It is `told` whether nothing more is to be prepared.
        """
        done = False
        while True:
            if not wished():
                self.forget()
                done = False
            elif not done:
                done = await self._prepared(place, count)
            told(done)
            await trio.sleep(LOOK_SECONDS if done or not wished() else AGAIN_SECONDS)

    async def _prepared(self, place: int, count: int) -> bool:
        """Whether all of them are; the disk may not give them now."""
        try:
            records = [record for record in await self._storage.rooms() if not record.finished]
            await self._prepare(records[place::count])
        except StorageError as fault:
            log.info("no rooms are prepared now: %s", fault)
            return False
        if self._rooms:
            log.info("%d rooms are prepared", len(self._rooms))
        return True

    async def have(self, rooms: Collection[str], coming: Collection[str] = ()) -> None:
        """Until it is done, or cancelled: have these, as in `run`, as far as the disk gives them now; of others those that are `coming`.
        Where a backend has no marks there is nothing to compare them with, and none is prepared.
        """
        self.only({*rooms, *coming})
        try:
            records = [one for one in await self._storage.rooms(rooms) if one.mark and not one.finished]
            await self._prepare(records)
            if records:
                done = sum(one.room in self._rooms for one in records)
                log.info("of %d games that may come here %d are prepared", len(records), done)
        except StorageError as fault:
            log.info("rooms are not prepared now: %s", fault)

    def only(self, rooms: Collection[str]) -> None:
        """All others are somebody else's."""
        self.forget(self._rooms.keys() - set(rooms))

    def forget(self, rooms: Collection[str] | None = None) -> None:
        """Those, or (None) all, are not to be taken up any more."""
        for room in self._rooms.keys() & (self._rooms.keys() if rooms is None else set(rooms)):
            self._rooms.pop(room)[1].put_away()

    async def _prepare(self, records: Sequence[RoomRecord]) -> None:
        """Raises `StorageError`."""
        left = [record for record in records if record.room not in self._rooms]
        while left:
            batch = next_of(left)
            left = left[len(batch) :]
            # Before the journals: what is written between the two is not what they are compared with in the end.
            marked = await self._storage.rooms([record.room for record in batch])
            read = await self._storage.take_up_all([record.room for record in marked])
            for record in marked:
                journal = read.pop(record.room, None)
                # Less is read of one that is torn; more, if a write came between, which may be undone as one of which nobody heard.
                if isinstance(journal, Journal) and journal.last == record.entries and not record.finished:
                    room = await self._played(journal)
                    if room is not None:
                        self._rooms[record.room] = record, room
                    await trio.lowlevel.checkpoint()  # people may play here, and wait for none of these

    async def _played(self, journal: Journal) -> Room | None:
        """None where more than that is to be done."""
        if version_of(journal) != self._game.version:
            return None
        try:
            return await played(journal, self._storage, self._game, self._turns)
        except Exception as fault:  # whoever takes it up meets it again, and says more
            log.info("room %s is not prepared: %s", journal.setup.room, fault)
            return None
