"""Games taken up again after a restart of the server, at the question at which they stood.

From its last snapshot a room plays only what came after. If that cannot be read, the whole journal is played. Under the
rules that wrote the snapshot a journal that does not replay is a defect: the room is frozen, its journal kept. Under other
rules (the server was upgraded) the game goes on, in this order of preference: from where it stood; from where it stood, by
the whole journal; from the snapshot, which loses what was answered since and is told to everyone. If none of this can be,
the game ends without a result, which is told as well. A game that later rules have gone on with (the server was put back) is theirs: the
room is frozen, its journal kept. Going on under other rules is an `Upgraded` entry, with a base
snapshot, so that no later replay depends on what the earlier rules did.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
import trio

from protocol.options import RoomOptions
from protocol.words import say
from server.rooms.ballots import BIRTH
from server.rooms.errors import RoomError
from server.rooms.game import RULES, Game
from server.rooms.memory import GAPS, Clock, read_clocks, read_gap, read_memory, write_clocks, write_gap
from server.rooms.replay import replay
from server.rooms.room import Room
from server.rules.model import RulesError
from server.storage import (
    Damaged,
    Gap,
    Journal,
    RoomRecord,
    Setup,
    Storage,
    StorageError,
    StorageFault,
    Upgraded,
    engine_options,
)

log = logging.getLogger("apnap.rooms")

CLOCKS = ("clock", "rooms")
"""Kind and key of the record that holds all rooms' clocks."""
STARTS = ("start", "last")
"""Kind and key of the record that holds when the server last started."""
AT_ONCE_SECONDS = 0.02
"""So long inputs are played before other tasks get their turn; the rooms that are played in meanwhile feel it three times an answer.
With less the games that are taken up first, whose people go on at once, keep the others waiting."""
AT_MOST_SECONDS = 0.1
"""So long where a turn of the others takes long, as when all come back at once."""
TOGETHER = 8
"""Journals that are read at once."""
ENTRIES = 10_000
"""The entries of these are no more, but where one journal alone has more."""

_Journal: TypeAlias = Journal | Damaged | StorageFault
_Read: TypeAlias = tuple[RoomRecord, _Journal]


class _Begun(msgspec.Struct, frozen=True):
    """What is known before any room is taken up: which there are, when the server started, all clocks, and what was lost."""

    records: list[RoomRecord]
    moment: int
    clocks: Mapping[str, Clock]
    gaps: Mapping[str, Gap]


class Turns:
    """Taking games up and all other tasks have their turns. One begins with each game, so that short ones of a batch are taken up in a row,
    and is as long as the last of the others was, within `AT_ONCE_SECONDS` and `AT_MOST_SECONDS`.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._begun = clock()
        self._seconds = AT_ONCE_SECONDS

    def begin(self) -> None:
        """A game is to be played."""
        self._begun = self._clock()

    async def next(self) -> None:
        """To be called between any two inputs that are played, or games: let the others have their turn, if this one is over."""
        ended = self._clock()
        if ended - self._begun < self._seconds:
            return
        await trio.lowlevel.checkpoint()
        self._begun = self._clock()
        self._seconds = min(max(self._begun - ended, AT_ONCE_SECONDS), AT_MOST_SECONDS)


async def recover(storage: Storage, game: Game = RULES, of: Collection[str] | None = None) -> list[Room]:
    """All of them, as by `recover_each`, and only then."""
    rooms: list[Room] = []
    await recover_each(storage, game, of, rooms.append)
    return rooms


def _none(_: RoomRecord) -> Room | None:
    """None is prepared."""


async def recover_each(
    storage: Storage,
    game: Game,
    of: Collection[str] | None,
    take: Callable[[Room], object],
    asked: Callable[[], Collection[str]] = tuple,
    prepared: Callable[[RoomRecord], Room | None] = _none,
) -> None:
    """Take up the rooms of all unfinished games, or of those among these rooms, one after the other, those first that are `asked` for by
    then: each is ready to `run` when it is given to `take`. A journal that cannot be read or does not replay gives a frozen room.
    Those that are `prepared` (see `server.rooms.prepared`) as they are on disk now come before all others.
    While some are played others are read, `TOGETHER` at once. Raises `StorageFault` when the disk cannot be read or written now: as long as
    nothing is known of the rooms at once, else of some of them, when all others are taken up.
    """
    begun = await _begun(storage, of)
    turns = Turns()
    faults: list[StorageFault] = []
    ready = {record.room: room for record in begun.records if (room := prepared(record)) is not None}
    coming: trio.MemorySendChannel[list[_Read]]
    coming, come = trio.open_memory_channel[list[_Read]](0)
    async with trio.open_nursery() as nursery:
        left = [record for record in begun.records if record.room not in ready]
        nursery.start_soon(_read_ahead, storage, left, asked, coming)
        while ready:
            room = ready.pop(next((room for room in asked() if room in ready), next(iter(ready))))
            room.taken_up(begun.moment)
            take(_as_noted(room, begun))
            await turns.next()
        async for batch in come:
            while batch:
                wanted = asked()
                record, read = batch.pop(next((n for n, (one, _) in enumerate(batch) if one.room in wanted), 0))
                try:
                    room = await _taken_up(record, read, storage, game, begun, turns)
                except StorageError as fault:
                    log.error("room %s cannot be taken up now: %s", record.room, fault)
                    faults.append(fault if isinstance(fault, StorageFault) else StorageFault(str(fault)))
                else:
                    take(room)
    if faults:
        raise faults[0]


async def _begun(storage: Storage, of: Collection[str] | None) -> _Begun:
    """Raises `StorageFault`."""
    records = [record for record in await storage.rooms(of) if not record.finished]
    rooms = {record.room for record in records}
    for room in rooms & storage.gaps.keys():  # what journals have lost, as was noticed now
        await storage.put(GAPS, room, write_gap(storage.gaps[room]))
    noted = await storage.some([STARTS, CLOCKS, *((GAPS, room) for room in rooms)])
    last, clocks = noted.get(STARTS), noted.get(CLOCKS)
    # Each start of the server is later than the one before, whatever its clock.
    moment = max(int(time.time()), BIRTH, int(last) + 1 if last else 0)
    await storage.put(*STARTS, str(moment).encode())
    gaps = {room: read_gap(data) for room in rooms if (data := noted.get((GAPS, room)))}
    return _Begun(records, moment, read_clocks(clocks) if clocks else {}, gaps)


async def _read_ahead(
    storage: Storage,
    records: Iterable[RoomRecord],
    asked: Callable[[], Collection[str]],
    coming: trio.MemorySendChannel[list[_Read]],
) -> None:
    """Read the journals, some together, as long as somebody takes them: no more than those are in memory, and those that are played."""
    left = {record.room: record for record in records}
    async with coming:
        while left:
            wanted = asked()
            batch = next_of(sorted(left.values(), key=lambda record: record.room not in wanted))
            for record in batch:
                del left[record.room]
            await coming.send(await _read(storage, batch))


def next_of(records: Sequence[RoomRecord]) -> list[RoomRecord]:
    """The first of these journals, as many as are to be read together."""
    batch: list[RoomRecord] = []
    for record in records:
        if len(batch) == TOGETHER or (batch and sum(one.entries for one in (*batch, record)) > ENTRIES):
            break
        batch.append(record)
    return batch


async def _read(storage: Storage, batch: Sequence[RoomRecord]) -> list[_Read]:
    """The journals of these rooms. One that the disk does not give now keeps no other from being read."""
    try:
        found = await storage.take_up_all([record.room for record in batch])
        return [(record, found[record.room]) for record in batch if record.room in found]
    except (StorageFault, Damaged) as fault:
        if len(batch) == 1:
            return [(batch[0], fault)]
        log.warning("%d journals cannot be read together: %s", len(batch), fault)
    return [read for record in batch for read in await _read(storage, [record])]


async def _taken_up(
    record: RoomRecord, read: _Journal, storage: Storage, game: Game, begun: _Begun, turns: Turns
) -> Room:
    """Raises `StorageError`."""
    try:
        if isinstance(read, StorageFault):
            raise read
        if isinstance(read, Damaged):
            log.warning("room %s: %s; its whole journal is played", record.room, read)
            read = await storage.load(record.room)
        room = await restore(read, storage, game, begun.moment, turns)
    except Damaged as fault:
        log.error("room %s: %s", record.room, fault)
        room = _frozen(await _setup(storage, record), storage, game, "notice.damaged")
    except StorageFault:
        raise
    except Exception:
        log.exception("room %s cannot be taken up", record.room)
        room = _frozen(await _setup(storage, record), storage, game, "notice.frozen")
    return _as_noted(room, begun)


def _as_noted(room: Room, begun: _Begun) -> Room:
    """With what was noted of it beside its journal."""
    if room.id in begun.clocks:
        room.set_clock(begun.clocks[room.id])
    if room.id in begun.gaps:
        room.forgot(begun.gaps[room.id])
    return room


async def forget_gaps(storage: Storage, rooms: set[str]) -> None:
    """What was lost of games that are no more is of no interest. Raises `StorageFault`."""
    for room in await storage.all(GAPS):
        if room not in rooms:
            await storage.delete(GAPS, room)


async def note_clocks(rooms: Iterable[Room], storage: Storage) -> None:
    """Note what the running clocks show, for the next start of the server. Called every second or so: nobody's clock runs
    while the server does not, and it is not known when it stops. Raises `StorageFault`.
    """
    clocks = {room.id: clock for room in rooms if (clock := room.clock()) is not None}
    if clocks:
        await storage.put(*CLOCKS, write_clocks(clocks))


async def restore(
    journal: Journal, storage: Storage, game: Game = RULES, moment: int | None = None, turns: Turns | None = None
) -> Room:
    """The room of a journal, perhaps one from a snapshot on; frozen where it does not replay. What is torn is cut off.
    `moment`: when the server started (see `Room.taken_up`). `turns` are those in which others are restored, too.

    Raises `StorageFault` if the disk takes nothing, `Damaged` if what came before a damaged snapshot cannot be read.
    """
    room = await _restored(journal, storage, game, turns or Turns())
    room.taken_up(int(time.time()) if moment is None else moment)
    return room


async def _restored(journal: Journal, storage: Storage, game: Game, turns: Turns) -> Room:
    if _number(version_of(journal)) > _number(game.version):
        return _frozen(journal.setup, storage, game, "notice.newer_rules")
    if journal.torn:
        log.warning("room %s: the journal's last entry is torn and dropped", journal.setup.room)
        head = await storage.cut(journal.setup.room, journal.last)
        journal = msgspec.structs.replace(journal, head=head)
    room = await _tried(journal, storage, game, turns)
    if room is None and journal.snapshot is not None:
        room = await _tried(await storage.load(journal.setup.room), storage, game, turns)
    if room is not None:
        return room
    if version_of(journal) == game.version:
        return _frozen(journal.setup, storage, game, "notice.frozen")
    if journal.snapshot is not None:
        log.error("room %s goes back to its snapshot after entry %d", journal.setup.room, journal.snapshot.seq)
        back = Journal(journal.setup, (), snapshot=journal.snapshot, head=journal.head)
        room = await _tried(back, storage, game, turns, seq=journal.last, news="notice.went_back")
        if room is not None:
            return room
    await storage.finish(journal.setup.room)
    return _frozen(journal.setup, storage, game, "notice.rules_changed")


async def played(
    journal: Journal, storage: Storage, game: Game, turns: Turns, seq: int | None = None, news: str = ""
) -> Room:
    """The room, played to the journal's end; under other rules than before, that is noted. `seq` is the number of the last
    entry on disk, if that is another than the journal's. Raises what `replay` raises.
    """
    room = Room(journal.setup, storage, game)
    try:
        if journal.snapshot is not None:
            room.recall(read_memory(journal.snapshot.room))
        turns.begin()
        for turned in replay(journal, game):
            room.take_in([turned])
            await turns.next()
        last = journal.last if seq is None else seq
        if version_of(journal) == game.version or room.state is None:
            room.restored(last, journal.head, news)
        else:
            await room.upgraded(last, journal.last, news)
    except BaseException:  # cancelled, too, as often as another worker goes on
        room.put_away()
        raise
    return room


async def _tried(
    journal: Journal, storage: Storage, game: Game, turns: Turns, seq: int | None = None, news: str = ""
) -> Room | None:
    """As `played`; None, with a line in the log, if the journal does not replay. Raises `StorageFault`."""
    try:
        return await played(journal, storage, game, turns, seq, news)
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


def _number(version: str) -> int:
    """By which later rules are told from earlier ones: `RULES_VERSION`, with which a version begins; 0 where it does not."""
    number = version.partition("-")[0]
    return int(number) if number.isdecimal() else 0


def version_of(journal: Journal) -> str:
    """The version of the rules that last played a journal."""
    versions = [entry.version for entry in journal.entries if isinstance(entry, Upgraded)]
    if versions:
        return versions[-1]
    return journal.setup.version if journal.snapshot is None else journal.snapshot.version
