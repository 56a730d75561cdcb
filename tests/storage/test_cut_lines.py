"""A line to PostgreSQL that is cut again and again, wherever it may be, while rooms write: what each was told is what there is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import trio
from msgspec.structs import replace

from server.rules.model import Take
from server.storage import Answered, AnyEntry, Snapshot, StorageFault
from server.storage.postgresql import PostgresqlStorage, open_postgresql, writer
from server.storage.postgresql.appending import NAME
from tests.storage.cluster import Cluster
from tests.storage.test_postgresql import closing
from tests.storage.test_storage import setup_of
from tests.storage.test_unheard import last_words
from tests.storage.wire import Wire

ROOMS = 6
WRITES = 80
AT = (b"\0" + NAME + b"\0", b"COMMIT", b"SET fence", b"DELETE FROM entry", b"BEGIN", b"apnap", b"INTO room", b"FOR KEY")
"""Of what the client sends what may be the last that comes through."""


class OneRoom:
    """A room that writes on as it is told: what is refused it writes again, otherwise."""

    def __init__(self, storage: PostgresqlStorage, name: str, chance: random.Random, came: Counter[str]) -> None:
        self.name = name
        self.created = 0
        self.ended = False
        self.entries: list[AnyEntry] = []
        self._begun = False
        self._storage = storage
        self._chance = chance
        self._came = came

    async def live(self, wire: Wire) -> None:
        for number in range(WRITES):
            if self._chance.random() < 0.2:
                cut(wire, self._chance)
            await self.write(number, self._chance.random())

    async def write(self, number: int, chance: float) -> bool:
        """Whether it was accepted."""
        what = "begin" if not self._begun else "end" if chance < 0.03 and not self.ended else "append"
        try:
            if what == "begin":
                self.created += 1
                await self._storage.create(replace(setup_of(self.name), created=self.created))
                self._begun = True
            elif what == "end":
                await self._storage.finish(self.name)
                self.ended = True
            elif not self.ended:
                await self._append(number, chance)
        except StorageFault:
            self._came[f"{what} refused"] += 1
            return False
        self._came[what] += 1
        return True

    async def _append(self, number: int, chance: float) -> None:
        last = len(self.entries)
        more = [
            Answered(seq=last + n, seat=0, question=number * 10 + n, answer=Take(0), by="clock")
            for n in range(1, int(chance * 100) % 4 + 1)
        ]
        kept = Snapshot(seq=last + len(more), version="1", hash=str(number), state=b"{}")
        await self._storage.append(self.name, more, kept if not more or chance < 0.3 else None)
        self.entries += more


def cut(wire: Wire, chance: random.Random) -> None:
    """The line, soon, and for so long."""
    writer.DOUBT_SECONDS = chance.choice([0.0, 0.0, 0.02, 5.0])
    wire.after, wire.times = chance.random() < 0.6, wire.cuts + chance.choice([1, 1, 1, 2, 3])
    wire.instead = last_words(chance.choice([b"58030", b"53100", b"XX000"])) if chance.random() < 0.3 else b""
    wire.cut_at = chance.choice(AT)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
async def test_what_rooms_were_told_is_what_there_is(
    wire: Wire, database: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(writer, "DOUBT_SECONDS", 0.0)
    monkeypatch.setattr(writer, "RETRY_SECONDS", 0.005)
    came = Counter[str]()
    async with closing(PostgresqlStorage(database.replace(str(postgresql.folder), str(wire.folder)))) as storage:
        rooms = [OneRoom(storage, f"r{n}", random.Random(f"{seed} {n}"), came) for n in range(ROOMS)]
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(room.live, wire)
        wire.cut_at = b""
        for room in (last := [OneRoom(storage, f"last{n}", random.Random(n), came) for n in range(3)]):
            while not (await room.write(0, 0.5) and room.entries):
                pass
            writer.DOUBT_SECONDS, wire.after, wire.instead = 0.0, True, b""
            wire.times, wire.cut_at = wire.cuts + 1, AT[0]
            assert not await room.write(1, 0.5), "it counts all the same"
        rooms += last
        for room in rooms[::3]:
            while not await room.write(WRITES, 0.99):  # what is in doubt is undone before a room writes again
                pass
        await storage.settle([room.name for room in rooms[1::3]])  # or before it is somebody else's, or at the end
        assert came["append"] > ROOMS and came["append refused"] > 3 and wire.cuts > 5
        assert not storage.forgotten and not storage.superseded
    async with open_postgresql(database, read_only=True) as reading:
        ended = {record.room: record.finished for record in await reading.rooms()}
        for room in rooms:
            found = await reading.take_up(room.name)
            whole = await reading.load(room.name)
            assert whole.setup.created == room.created
            assert list(whole.entries) == room.entries
            assert ended[room.name] == room.ended
            assert found.snapshot is None or found.snapshot.seq <= len(room.entries)
