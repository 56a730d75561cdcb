"""When a worker takes up the rooms that it is given: not before it has settled, and none waits for those that were given before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import trio
from trio.testing import wait_all_tasks_blocked

from server.lobby.lobby import Lobby
from server.net.workers.link import Link
from server.net.workers.messages import Adopt
from tests.chaos.guests import until
from tests.cluster.test_keeper import ROOM, Hall, both_begin, kept, nothing


@asynccontextmanager
async def begun(folder: Path, hall: Hall) -> AsyncIterator[tuple[Link, Link, trio.Nursery]]:
    """A worker that is given `ROOM` as it begins, with that hall, and another; neither has settled."""
    async with kept(folder) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            one.serve(cast(Lobby, hall), nothing)
            other.serve(cast(Lobby, Hall()), nothing)
            yield one, other, nursery
        nursery.cancel_scope.cancel()


async def test_nothing_is_taken_up_before_all_have_settled(tmp_path: Path) -> None:
    hall = Hall()
    async with begun(tmp_path, hall) as (one, other, nursery):
        one._take(Adopt(["given-with-it"]))
        await one.known()
        await wait_all_tasks_blocked()
        assert not hall.taken and one.to_take_up() == {ROOM, "given-with-it"}
        nursery.start_soon(other.settled, nursery)
        await one.settled(nursery)
        await until(lambda: not one.to_take_up())
        assert {ROOM} in hall.taken and {"given-with-it"} in hall.taken


async def test_a_room_that_is_given_while_others_are_taken_up_waits_for_none_of_them(tmp_path: Path) -> None:
    class Slow(Hall):
        async def take_up(self, rooms: set[str] | None = None) -> None:
            if rooms == {ROOM}:
                await may.wait()
            await super().take_up(rooms)

    may, hall = trio.Event(), Slow()
    async with begun(tmp_path, hall) as (one, other, nursery):
        nursery.start_soon(other.settled, nursery)
        await one.settled(nursery)
        one._take(Adopt(["given-later"]))
        await one.taken_up("given-later")
        assert hall.taken == [{"given-later"}] and one.to_take_up() == {ROOM}
        may.set()
        await one.taken_up(ROOM)
        assert not one.to_take_up()
