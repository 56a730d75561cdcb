"""Whose the rooms of a worker will be if it is ended, which does not run: others prepare them, and get what they have prepared."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from server.command import workers
from server.lobby.lobby import Lobby
from server.net.workers.following import AGAIN_SECONDS, Following
from server.net.workers.heirs import Heirs
from server.net.workers.keeper import SAID_SECONDS, WATCH_SECONDS, Keeper
from server.net.workers.leading import BEATS, Leading
from server.net.workers.link import Link
from server.net.workers.messages import NOBODY, PER_NODE, Adopt, FromKeeper, Prepare
from server.net.workers.pulse import Pulses
from server.net.workers.worker import Worker
from server.settings import Settings, Store
from server.storage import MemoryStorage
from server.storage.writing import WritingStorage
from tests.chaos.guests import until
from tests.cluster.test_keeper import ROOM, Hall, kept, live, nothing
from tests.cluster.test_nodes import Kept

ROOMS = [f"r{number}" for number in range(6)]
NUMBERS = st.integers(0, 3)


class Foresees(Hall):
    """Notes which rooms it is to `prepare`, and takes for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.prepares: list[set[str]] = []
        self.coming: set[str] = set()

    async def prepare(self, rooms: Collection[str], coming: Collection[str]) -> None:
        self.prepares.append(set(rooms))
        self.coming = set(coming)
        try:
            await trio.sleep_forever()
        finally:
            self.prepares.append(set())


def test_rooms_that_are_taken_up_together_are_shared_evenly_and_one_alone_goes_to_who_has_fewest() -> None:
    """Of what does not come out even who has fewest get one more."""
    owners = {"a": 0, "b": 0, "c": 1, "gone": -1}
    assert Heirs().share(ROOMS[:5], {0, 1, 2}, owners) == {2: ["r0", "r3"], 1: ["r1", "r4"], 0: ["r2"]}
    assert Heirs().share(["r0"], {0, 1, 2}, owners) == {2: ["r0"]}
    assert Heirs().share(ROOMS, set(), owners) == {}


def test_who_prepares_rooms_is_told_once_and_when_it_is_over() -> None:
    heirs, owners = Heirs(), {"r0": 2, "r1": 2, "of 0": 0}
    assert heirs.foresee(["r0", "r1"], [], {0, 1}, owners) == {1: ["r0"], 0: ["r1"]}
    assert heirs.foresee(["r0", "r1"], [], {0, 1}, owners) == {}
    assert heirs.foresee(["r0"], [], {0, 1}, owners) == {0: []}
    assert heirs.foresee([], [], {0, 1}, owners) == {1: []}


def test_what_is_prepared_comes_to_who_prepares_it() -> None:
    """Also where another has fewer rooms by then, and nobody is to prepare what nobody stood still with."""
    heirs = Heirs()
    heirs.foresee(["r0"], [], {0, 1}, {"r0": 2, "of 1": 1})
    assert heirs.foresee([], ["r0", "r1"], {0, 1}, {"r0": -1, "r1": -1, "of 0": 0}) == {}
    assert heirs.share(["r0", "r1"], {0, 1}, {"of 0": 0}) == {0: ["r0"], 1: ["r1"]}


def test_what_is_promised_counts() -> None:
    heirs = Heirs()
    assert heirs.foresee(["r0"], [], {0, 1}, {}) == {0: ["r0"]}
    assert heirs.foresee(["r0", "r1"], [], {0, 1}, {}) == {1: ["r1"]}
    assert heirs.share(["r0", "r2", "r3"], {0, 1}, {}) == {0: ["r0", "r2"], 1: ["r3"]}, "but not twice"


def test_rooms_of_an_heir_that_is_no_more_are_prepared_by_another() -> None:
    heirs = Heirs()
    assert heirs.foresee(["r0"], [], {0, 1}, {"r0": 2}) == {0: ["r0"]}
    assert heirs.share(["r0"], {1}, {}) == {1: ["r0"]}
    assert heirs.foresee(["r0"], [], {1}, {"r0": 2}) == {0: [], 1: ["r0"]}


@given(
    st.dictionaries(st.sampled_from(ROOMS), NUMBERS, min_size=1),
    st.sets(NUMBERS, min_size=1),
    st.lists(st.sets(NUMBERS), max_size=4),
)
def test_all_that_comes_to_a_worker_it_has_been_told_to_prepare(
    owners: dict[str, int], ends: set[int], before: list[set[int]]
) -> None:
    """Whoever had stood still before those did that end."""
    heirs, told = Heirs(), dict[int, set[str]]()
    others = set(range(4)) - ends
    for still in [*before, ends]:
        theirs = [room for room, owner in owners.items() if owner in still]
        told |= {heir: set(of) for heir, of in heirs.foresee(theirs, [], set(range(4)) - still, owners).items()}
    rooms = [room for room, owner in owners.items() if owner in ends]
    shares = {heir: set(theirs) for heir, theirs in heirs.share(rooms, others, owners).items()}
    assert shares == {heir: theirs for heir, theirs in told.items() if theirs and others}


@asynccontextmanager
async def two_serve(folder: Path) -> AsyncIterator[tuple[set[int], Foresees, trio.CancelScope, Link]]:
    """Two workers: who is `still`; the hall and the life of the first one's heir, for the first has `ROOM`; the heir."""

    one, heir, hall = Link(0), Link(1), Foresees()
    ends = trio.CancelScope()
    async with kept(folder) as made, trio.open_nursery() as nursery:
        with trio.fail_after(10):
            nursery.start_soon(live, one, made.path, ends)
            await nursery.start(heir.run, made.path, lambda: None)
            one.serve(cast(Lobby, Hall()), nothing)
            heir.serve(cast(Lobby, hall), nothing)
            async with trio.open_nursery() as settling:
                settling.start_soon(one.settled, nursery)
                settling.start_soon(heir.settled, nursery)
            await until(lambda: ROOM not in one.to_take_up())
            yield made.still, hall, ends, heir
        nursery.cancel_scope.cancel()


async def test_a_worker_that_goes_on_keeps_its_rooms_and_others_let_them_go(tmp_path: Path) -> None:
    async with two_serve(tmp_path) as (still, hall, _, heir):
        still.add(0)
        await until(lambda: hall.prepares == [{ROOM}])
        still.clear()
        await until(lambda: hall.prepares == [{ROOM}, set(), set()])
        assert not hall.taken and await heir.whose(ROOM) == 0


async def test_what_is_taken_up_waits_for_nothing_that_is_prepared(tmp_path: Path) -> None:
    async with two_serve(tmp_path) as (still, hall, ends, heir):
        still.add(0)
        await until(lambda: hall.prepares == [{ROOM}])
        ends.cancel()
        await until(lambda: hall.taken == [{ROOM}])
        assert hall.prepares[1:] == [set(), set()], "it is told off, and what it has is kept for those that come"
        assert hall.coming == {ROOM}
        assert await heir.whose(ROOM) is None


def keeper_of_three(still: set[int], begins: int = NOBODY) -> tuple[Keeper, list[tuple[int, FromKeeper]]]:
    """A keeper of workers of which some do not run, and one does not serve yet; the first has `ROOM`. And what each is told."""
    keeper = Keeper(cast(WritingStorage, MemoryStorage()), 3, lambda number: number not in still)
    told: list[tuple[int, FromKeeper]] = []
    for number in range(3):
        wire = SimpleNamespace(put=lambda message, number=number: told.append((number, message)))
        settles = None if number == begins else 0
        worker = SimpleNamespace(number=number, base=0, wire=wire, leaving=False, settles=settles)
        keeper._workers[number] = cast(Worker, worker)
    keeper._owners[ROOM] = 0
    keeper._look()
    told.clear()
    return keeper, told


@pytest.mark.parametrize(("still", "gets"), [({1}, 2), ({1, 2}, 1), (set[int](), 1)])
def test_rooms_go_to_a_worker_that_runs(still: set[int], gets: int) -> None:
    """If no other does they go to one of the others all the same, for it may go on."""
    keeper, told = keeper_of_three(still)
    keeper._owners[ROOM] = NOBODY
    keeper._give([ROOM], but=0)
    assert [to for to, message in told if message == Adopt([ROOM])] == [gets]


@pytest.mark.parametrize(("still", "gets"), [(set[int](), 2), ({2}, 1)])
def test_rooms_go_to_a_worker_that_serves(still: set[int], gets: int) -> None:
    """Who begins has no time for them yet; but if it is the only one that runs it is the next who has."""
    keeper, told = keeper_of_three(still, begins=1)
    keeper._owners[ROOM] = NOBODY
    keeper._give([ROOM], but=0)
    assert [to for to, message in told if message == Adopt([ROOM])] == [gets]


def test_who_begins_prepares_nothing() -> None:
    """It could not, and would not be told a second time."""
    keeper, told = keeper_of_three({0}, begins=1)
    keeper._foresee()
    assert told == [(2, Prepare([ROOM]))]


async def test_who_comes_in_the_place_of_an_heir_has_prepared_nothing() -> None:
    keeper, told = keeper_of_three({0})
    keeper._foresee()
    heir = keeper._workers[1]
    await keeper._ended(heir)
    keeper._begin(heir, 1)
    keeper._foresee()
    assert [(to, message) for to, message in told if isinstance(message, Prepare)] == [
        (1, Prepare([ROOM])),
        (2, Prepare([ROOM])),
    ]


def test_until_rooms_are_given_to_another_they_stay_prepared() -> None:
    """The disk may take a while to say which of them go on."""
    keeper, told = keeper_of_three({0})
    keeper._foresee()
    del keeper._workers[0]
    keeper._foresee()
    keeper._owners[ROOM] = NOBODY
    keeper._foresee()
    assert told == [(1, Prepare([ROOM]))]
    keeper._own(ROOM, keeper._workers[1])
    keeper._foresee()
    assert told[-1] == (1, Prepare([]))


def test_while_a_server_stops_nothing_is_prepared() -> None:
    keeper, told = keeper_of_three({0})
    keeper.closing = True
    keeper._foresee()
    assert told == []


async def test_a_worker_that_does_not_run_prepares_nothing(tmp_path: Path) -> None:
    async with two_serve(tmp_path) as (still, hall, ends, _):
        still.add(1)
        await trio.sleep(2 * WATCH_SECONDS)
        still.add(0)
        await trio.sleep(2 * WATCH_SECONDS)
        assert hall.prepares == []
        ends.cancel()
        await until(lambda: hall.taken == [{ROOM}])


async def test_a_worker_without_a_lobby_prepares_nothing() -> None:
    link = Link(0)
    link._prepare({ROOM})
    link._prepare(set())
    assert link._nursery is None


# --- of other nodes -------------------------------------------------------------------------------------------------------


async def test_what_a_node_says_of_a_worker_holds_for_a_moment(autojump_clock: trio.testing.MockClock) -> None:
    keeper = Keeper(cast(WritingStorage, MemoryStorage()), 2, lambda number: number != 1)
    there = PER_NODE + 1
    assert [keeper._runs(number) for number in (0, 1, there)] == [True, False, True]
    keeper.stands_still(there)
    await trio.sleep(SAID_SECONDS - 0.1)
    assert not keeper._runs(there) and keeper._runs(there + 1)
    await trio.sleep(0.2)
    assert keeper._runs(there)
    keeper.stands_still(there)
    wire = SimpleNamespace(put=lambda _: None)
    keeper._begin(cast(Worker, SimpleNamespace(base=PER_NODE, wire=wire)), there)
    assert keeper._runs(there), "that was said of whoever was there before"


def follower(runs: dict[int, bool]) -> Following:
    """A node of as many workers, of which some do not run."""
    settings = Settings(store=Store(node="127.0.0.1:8", lease_seconds=4.0), workers=len(runs))
    with socket.socket() as unused:
        return Following(
            settings, MemoryStorage, [], unused, unused, [], Path(), "1", trio.Event(), runs=runs.__getitem__
        )


async def test_a_node_says_at_once_which_of_its_workers_does_not_run(autojump_clock: trio.testing.MockClock) -> None:
    """And goes on to; else it says only that it is there, and when it stops that alone."""
    runs = {0: True, 1: True, 2: True}
    following = follower(runs)
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
    async with ours, theirs, trio.open_nursery() as nursery:
        nursery.start_soon(following._say, ours)
        assert await theirs.receive_some() == b"."
        runs[0] = runs[2] = False
        for _ in range(2):
            begun = trio.current_time()
            assert await theirs.receive_some() == b"\x80\x82"
            assert trio.current_time() - begun == pytest.approx(AGAIN_SECONDS)
        runs |= {0: True, 2: True}
        assert await theirs.receive_some() == b"."
        begun = trio.current_time()
        assert await theirs.receive_some() == b"."
        assert trio.current_time() - begun == pytest.approx(4.0 / BEATS)
        runs[1] = False
        following._leaving.set()
        assert await theirs.receive_some() == b"!"
        begun = trio.current_time()
        assert await theirs.receive_some() == b"!"
        assert trio.current_time() - begun == pytest.approx(4.0 / BEATS)
        nursery.cancel_scope.cancel()


async def test_the_node_with_the_keeper_hears_of_which_worker_it_is() -> None:
    class Hears(Kept):
        def __init__(self) -> None:
            super().__init__()
            self.still: list[int] = []

        def stands_still(self, number: int) -> None:
            self.still.append(number)

    hears = Hears()
    leading = Leading(cast(Keeper, hears), cast(WritingStorage, MemoryStorage()), Store(node="127.0.0.1:8"), [], "1")
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
    async with ours, theirs, trio.open_nursery() as nursery:
        nursery.start_soon(leading._follows, ours, "127.0.0.1:9", "")
        with trio.fail_after(5):
            assert await theirs.receive_some() == (1).to_bytes(4, "big")
            for said in (b".", b"\x80\x83", b"\xbf\xc0\xff", b"."):
                await theirs.send_all(said)
                assert await theirs.receive_some() == b"."
        assert hears.still == [PER_NODE, PER_NODE + 3, 2 * PER_NODE - 1], "and no worker of another node"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("lease", "runs"), [(2.0, 0.9), (5.0, 1.4), (60.0, 1.4)])
def test_a_worker_does_not_run_after_half_a_lease_or_a_moment(
    monkeypatch: pytest.MonkeyPatch, lease: float, runs: float
) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    family = SimpleNamespace(pulses=Pulses(2), settings=Settings(store=Store(lease_seconds=lease)))
    family.pulses.note(0)
    now += runs
    assert workers.Family.runs(cast(workers.Family, family), 0)
    now += 0.2
    assert not workers.Family.runs(cast(workers.Family, family), 0)
