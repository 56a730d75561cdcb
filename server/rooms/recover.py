"""Games taken up again after a restart of the server, at the question at which they stood.

From its last snapshot a room plays only what came after. If that cannot be read, the whole journal is played. Under the
rules that wrote the snapshot a journal that does not replay is a defect: the room is frozen, its journal kept. Under other
rules (the server was upgraded) the game goes on, in this order of preference: from where it stood; from where it stood, by
the whole journal; from the snapshot, which loses what was answered since and is told to everyone. If none of this can be,
the game ends without a result, which is told as well. Going on under other rules is an `Upgraded` entry, with a base
snapshot, so that no later replay depends on what the earlier rules did.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable

import msgspec
import trio

from protocol.options import RoomOptions
from protocol.words import say
from server.rooms.errors import RoomError
from server.rooms.game import RULES, Game
from server.rooms.memory import GAPS, read_clocks, read_gap, read_memory, write_clocks, write_gap
from server.rooms.replay import Turned, replay
from server.rooms.room import Room
from server.rooms.tell import BIRTH
from server.rules.model import RulesError
from server.storage import (
    Damaged,
    Gap,
    Journal,
    RoomRecord,
    Setup,
    Storage,
    StorageFault,
    Upgraded,
    engine_options,
)

log = logging.getLogger("apnap.rooms")

CLOCKS = ("clock", "rooms")
"""Kind and key of the record that holds all rooms' clocks."""
STARTS = ("start", "last")
"""Kind and key of the record that holds when the server last started."""
AT_ONCE = 200
"""Inputs that are played before other tasks get their turn."""


async def recover(storage: Storage, game: Game = RULES, of: Collection[str] | None = None) -> list[Room]:
    """The rooms of all unfinished games, or of those among these rooms, ready to `run`. A journal that cannot be read or does not replay
    gives a frozen room. Raises `StorageFault` when the disk cannot be read or written now.
    """
    rooms: list[Room] = []
    moment = await _moment(storage)
    noted = await storage.get(*CLOCKS)
    clocks = read_clocks(noted) if noted else {}
    gaps = await _gaps(storage)
    for record in await storage.rooms(of):
        if record.finished:
            continue
        try:
            room = await restore(await _load(storage, record.room), storage, game, moment)
        except Damaged as fault:
            log.error("room %s: %s", record.room, fault)
            room = _frozen(await _setup(storage, record), storage, game, "notice.damaged")
        if room.id in clocks:
            room.set_clock(clocks[room.id])
        if room.id in gaps:
            room.forgot(gaps[room.id])
        rooms.append(room)
    return rooms


async def _gaps(storage: Storage) -> dict[str, Gap]:
    """What journals have lost: as was noticed now, which is written down, and earlier."""
    for room, gap in storage.gaps.items():
        await storage.put(GAPS, room, write_gap(gap))
    return {room: read_gap(data) for room, data in (await storage.all(GAPS)).items() if data}


async def forget_gaps(storage: Storage, rooms: set[str]) -> None:
    """What was lost of games that are no more is of no interest. Raises `StorageFault`."""
    for room in await storage.all(GAPS):
        if room not in rooms:
            await storage.delete(GAPS, room)


async def _moment(storage: Storage) -> int:
    """The seconds since 1970, or later, so that each start of the server is later than the one before, whatever its clock."""
    noted = await storage.get(*STARTS)
    moment = max(int(time.time()), BIRTH, int(noted) + 1 if noted else 0)
    await storage.put(*STARTS, str(moment).encode())
    return moment


async def note_clocks(rooms: Iterable[Room], storage: Storage) -> None:
    """Note what the running clocks show, for the next start of the server. Called every second or so: nobody's clock runs
    while the server does not, and it is not known when it stops. Raises `StorageFault`.
    """
    clocks = {room.id: clock for room in rooms if (clock := room.clock()) is not None}
    if clocks:
        await storage.put(*CLOCKS, write_clocks(clocks))


async def restore(journal: Journal, storage: Storage, game: Game = RULES, moment: int | None = None) -> Room:
    """The room of a journal, perhaps one from a snapshot on; frozen where it does not replay. What is torn is cut off.
    `moment`: when the server started (see `Room.taken_up`).

    Raises `StorageFault` if the disk takes nothing, `Damaged` if what came before a damaged snapshot cannot be read.
    """
    room = await _restored(journal, storage, game)
    room.taken_up(int(time.time()) if moment is None else moment)
    return room


async def _restored(journal: Journal, storage: Storage, game: Game) -> Room:
    if journal.torn:
        log.warning("room %s: the journal's last entry is torn and dropped", journal.setup.room)
        head = await storage.cut(journal.setup.room, journal.last)
        journal = msgspec.structs.replace(journal, head=head)
    room = await _tried(journal, storage, game)
    if room is None and journal.snapshot is not None:
        room = await _tried(await storage.load(journal.setup.room), storage, game)
    if room is not None:
        return room
    if version_of(journal) == game.version:
        return _frozen(journal.setup, storage, game, "notice.frozen")
    if journal.snapshot is not None:
        log.error("room %s goes back to its snapshot after entry %d", journal.setup.room, journal.snapshot.seq)
        back = Journal(journal.setup, (), snapshot=journal.snapshot, head=journal.head)
        room = await _tried(back, storage, game, seq=journal.last, news="notice.went_back")
        if room is not None:
            return room
    await storage.finish(journal.setup.room)
    return _frozen(journal.setup, storage, game, "notice.rules_changed")


async def _load(storage: Storage, room: str) -> Journal:
    """The journal from its snapshot on; whole, if the snapshot is damaged."""
    try:
        return await storage.take_up(room)
    except Damaged as fault:
        log.warning("room %s: %s; its whole journal is played", room, fault)
        return await storage.load(room)


async def _played(journal: Journal, storage: Storage, game: Game, seq: int | None = None, news: str = "") -> Room:
    """The room, played to the journal's end; under other rules than before, that is noted. `seq` is the number of the last
    entry on disk, if that is another than the journal's. Raises what `replay` raises.
    """
    room = Room(journal.setup, storage, game)
    if journal.snapshot is not None:
        room.recall(read_memory(journal.snapshot.room))
    turns: list[Turned] = []
    for turned in replay(journal, game):
        turns.append(turned)
        if len(turns) >= AT_ONCE:
            room.take_in(turns)
            turns.clear()
            await trio.lowlevel.checkpoint()
    room.take_in(turns)
    last = journal.last if seq is None else seq
    if version_of(journal) == game.version or room.state is None:
        room.restored(last, journal.head, news)
    else:
        await room.upgraded(last, journal.last, news)
    return room


async def _tried(journal: Journal, storage: Storage, game: Game, seq: int | None = None, news: str = "") -> Room | None:
    """As `_played`; None, with a line in the log, if the journal does not replay. Raises `StorageFault`."""
    try:
        return await _played(journal, storage, game, seq, news)
    except StorageFault:
        raise
    except (RoomError, RulesError, msgspec.MsgspecError) as fault:
        log.error("room %s: %s", journal.setup.room, fault)
    except Exception:
        log.exception("room %s: its journal cannot be played", journal.setup.room)
    return None


async def _setup(storage: Storage, record: RoomRecord) -> Setup:
    """What a journal's game began from; if that cannot be read either, an empty table stands in for it."""
    try:
        return await storage.setup(record.room)
    except Damaged as fault:
        log.error("room %s: %s", record.room, fault)
        options = RoomOptions(seats=2, private=True)
        return Setup(
            room=record.room,
            rules=engine_options(options, ""),
            options=options,
            seats=(),
            cards=(),
            created=record.created,
        )


def _frozen(setup: Setup, storage: Storage, game: Game, why: str) -> Room:
    """The room stands still; its journal is kept."""
    log.error("room %s: %s", setup.room, say(why))
    room = Room(setup, storage, game)
    room.cannot_be_taken_up(why)
    return room


def version_of(journal: Journal) -> str:
    """The version of the rules that last played a journal."""
    versions = [entry.version for entry in journal.entries if isinstance(entry, Upgraded)]
    if versions:
        return versions[-1]
    return journal.setup.version if journal.snapshot is None else journal.snapshot.version
