"""Another server takes over, whose worker has played the rooms by then: whatever the one before has written since, or would still write."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
from msgspec.structs import replace

from server.rooms import RULES, Prepared, Room, recover_each
from server.storage import Gap, MemoryStorage
from server.storage.postgresql import PostgresqlStorage
from server.storage.postgresql.holding import Superseded
from server.storage.writes import AnyWrite
from tests.chaos.guests import until
from tests.rooms.test_prepared import answer_of
from tests.rooms.test_recover import begun, views
from tests.storage.test_postgresql import closing, deaf, lapsed


class Keeper:
    """Does a worker's writes, as soon as it `has` the database."""

    def __init__(self) -> None:
        self.gaps: dict[str, Gap] = {}
        self.fault = ""
        self.has: PostgresqlStorage | None = None

    async def write(self, write: AnyWrite) -> bytes:
        assert self.has is not None, "before that nothing is written"
        return await self.has.write(write)


async def taken_up(worker: PostgresqlStorage, prepared: Prepared | None = None) -> Room:
    rooms: list[Room] = []
    await recover_each(worker, RULES, {"whole"}, rooms.append, prepared=prepared or Prepared(worker))
    (room,) = rooms
    return room


@pytest.mark.parametrize("moved", [False, True])
async def test_what_is_taken_is_what_the_disk_has_when_it_is_ours(database: str, moved: bool) -> None:
    keeper = Keeper()
    async with deaf(database) as old, closing(PostgresqlStorage(database, read_only=True, remote=keeper)) as worker:
        before = await begun(played := MemoryStorage(), 40)
        await old.create(before.setup)
        await old.append("whole", (await played.load("whole")).entries)
        prepared = Prepared(worker)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(prepared.run, 0, 1, lambda: True)
            await until(lambda: len(prepared) == 1)
            nursery.cancel_scope.cancel()
        _, ready = prepared._rooms["whole"]
        if moved:  # its lease is over, but nobody has taken over from it
            await old.append("whole", [answer_of(before)])
        async with closing(await lapsed(database)) as keeper.has:
            with pytest.raises(Superseded):
                await old.append("whole", [replace(answer_of(before), seq=before.seq + 1 + moved)])
            room = await taken_up(worker, prepared)
            assert (room is ready) == (not moved)
            assert room.seq == before.seq + moved
            fresh = await taken_up(worker)
            assert views(room) == views(fresh) and room.seats == fresh.seats
            assert room.state is not None and fresh.state is not None
            assert RULES.fingerprint(room.state) == RULES.fingerprint(fresh.state)
            assert room._under_way.history.head == fresh._under_way.history.head
            async with trio.open_nursery() as nursery:  # and it is written on
                await nursery.start(room.run)
                await room.rest()
                nursery.cancel_scope.cancel()
            with suppress(Superseded):
                await old.aclose()
