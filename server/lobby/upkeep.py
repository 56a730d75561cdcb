"""What the lobby does of itself: takes games up after a restart, closes rooms that nobody needs, forgets what is old, notes clocks."""

from __future__ import annotations

import logging
import time
from contextlib import suppress

import trio

from protocol import messages as m
from protocol.words import fill
from server.lobby import door
from server.lobby.gate import Gate
from server.lobby.hall import Hall
from server.lobby.people import Person
from server.lobby.table import Table
from server.rooms.prepared import Prepared
from server.rooms.recover import forget_gaps, note_clocks, recover_each
from server.rooms.room import Room
from server.storage import StorageError, StorageFault

log = logging.getLogger("apnap.lobby")

SWEEP_SECONDS = 5.0
"""Often, because a room that is over holds as much memory as one that is played in, and rooms end by the dozen on a busy server."""
IDLE_WARNING_SECONDS = 300.0
"""How long before an idle room is closed its people are told."""
AUDIT_AGAIN_SECONDS = 60.0
"""After so long the disk is asked again what it did not say."""
FORGET_SECONDS = 3600.0
CLOCKS_SECONDS = 1.0


class Upkeep:
    """See the module. `restore` comes first; `sweep_rooms`, `forget_old` and `keep_clocks` are tasks that never end. `damage` is what
    the `audit` found, `prepared` what is played already of what is taken up first.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.prepared = Prepared(hall.storage, hall.game)
        self.damage: list[str] = []

    # --- after a restart ---

    async def restore(self, rooms: set[str] | None = None) -> None:
        """Take up every game whose journal is not finished, or those of these rooms that have no table yet. Each goes on as soon as it is
        taken up. Raises `StorageFault` when some could not be; it can be tried again, with those alone.
        """
        storage, tables = self._hall.storage, self._hall.tables
        of = None if rooms is None else {room for room in rooms if room not in tables}
        gates = await door.all_kept(storage, of)
        faults: list[StorageFault] = []
        async with trio.open_nursery() as nursery:

            def take(room: Room) -> None:
                nursery.start_soon(self._take_up, room, gates.get(room.id), faults)

            try:
                await recover_each(storage, self._hall.game, of, take, self._hall.others.asked, self.prepared)
            except StorageFault as fault:
                faults.append(fault)
            else:
                self.prepared.forget(of)  # of these nothing is left but games that have ended
        if faults:
            raise faults[0]

    async def _take_up(self, room: Room, gate: Gate | None, faults: list[StorageFault]) -> None:
        """A room that is played to its journal's end has a table again."""
        await trio.lowlevel.checkpoint_if_cancelled()  # behind a shield it would meet that all rooms have ended
        seats = room.setup.seats
        table = Table(room.id, room.setup.options, seats[room.setup.host].person if seats else "")
        table.room, table.gate = room, gate or table.gate
        self._hall.wire(table, room)
        try:
            await self._hall.take_in(table)
            await self._seat_again(table, room)
        except StorageFault as fault:
            faults.append(fault)
        except Exception:
            log.exception("room %s cannot be taken up", room.id)
            room.freeze()
        self._hall.others.here(room.id)

    async def _seat_again(self, table: Table, room: Room) -> None:
        assert table.nursery is not None
        for seat, sitting in enumerate(room.setup.seats):
            place = table.places[seat]
            if sitting.kind == "bot" and self._hall.seating.plays:
                self._hall.seating.seat(table, seat, sitting.level, sitting.name, None, sitting.deck_name)
            else:
                place.person = Person(id=sitting.person, name=sitting.name)
                place.deck_name, place.ready = sitting.deck_name, True
        for seat, level in room.bots.items():
            self._hall.seating.stand_in(table, seat, level)
        await table.nursery.start(room.run)

    # --- as time passes ---

    async def sweep_rooms(self) -> None:
        """Rooms are swept now and then."""
        while True:
            await trio.sleep(SWEEP_SECONDS)
            await self.sweep()

    async def sweep(self) -> None:
        """Remove the rooms that nobody needs any more."""
        now = time.monotonic()
        for table in list(self._hall.tables.values()):
            if any(client.person is not None and not client.person.bot for client in table.clients()):
                table.touched = now
                if table.state not in ("playing", "frozen"):
                    await self._close_idle(table, now - table.acted)
                continue
            idle, limits = now - table.touched, self._hall.settings.limits
            if table.state == "frozen":
                # Its journal stays open for the host, and for a later version of the server.
                if idle >= limits.abandoned_game_seconds:
                    self._hall.remove(table)
                continue
            patience = limits.abandoned_game_seconds if table.state == "playing" else limits.empty_room_seconds
            if idle < patience:
                continue
            await self._close_for(table, "notice.idle_closed")

    async def _close_idle(self, table: Table, idle: float) -> None:
        """A table with people, but no game, at which nobody does anything: they are told, then it is closed."""
        patience = self._hall.settings.limits.idle_room_seconds
        if idle >= patience:
            await self._close_for(table, "notice.idle_closed")
        elif idle >= patience - IDLE_WARNING_SECONDS and not table.warned:
            table.warned = True
            _tell(table, "notice.idle", {"minutes": max(1, round((patience - idle) / 60))})

    async def _close_for(self, table: Table, why: str) -> None:
        try:
            await self._hall.close_room(table, why)
        except StorageError:
            log.exception("room %s: its journal cannot be closed", table.id)

    async def forget_old(self) -> None:
        """What has been kept for as long as the host wants is deleted."""
        while True:
            try:
                await door.tidy(self._hall.storage, self._rooms)
                await forget_gaps(self._hall.storage, await self._rooms())
                await self._hall.personal.sweep()
            except StorageError as fault:
                log.error("what is too old cannot be deleted: %s", fault)
            await trio.sleep(FORGET_SECONDS)
            await self.rate()

    async def rate(self) -> None:
        """Games are rated that have ended and were not: their worker had ended, or the disk was full."""
        try:
            if self._hall.ladder.on:
                await self._hall.ladder.take_up(self._rooms)
        except StorageError as fault:
            log.error("it cannot be read which games are to be rated: %s", fault)

    async def _rooms(self) -> set[str]:
        """All rooms that there are."""
        return set(self._hall.tables) | await self._hall.others.known()

    async def audit(self) -> None:
        """Once, beside everything else: what is on the disk compared with what was written. The host's log is told what is not."""
        while True:
            try:
                self.damage = await self._hall.storage.audit()
                break
            except StorageError as fault:
                log.error("the data cannot be compared with what was written now: %s", fault)
            await trio.sleep(AUDIT_AGAIN_SECONDS)
        for sentence in self.damage:
            log.error("%s", sentence)

    async def keep_clocks(self) -> None:
        """What the clocks show is noted, so that they show it again after a restart."""
        while True:
            await trio.sleep(CLOCKS_SECONDS)
            with suppress(StorageError):  # without it a clock runs anew for the open question: nobody loses by that
                await note_clocks(self._hall.rooms(), self._hall.storage)


def _tell(table: Table, key: str, args: dict[str, str | int | bool | list[str]]) -> None:
    """A notice to everyone at a table."""
    for client in table.clients():
        client.put(m.Notice(key=key, text=fill(key, args, client.lang), args=args))
