"""Many games taken up one after the other: whoever is asked for first, and what cannot be read now keeps no other from going on."""

from __future__ import annotations

import sys
from collections.abc import Collection

import pytest
import trio
from msgspec.structs import replace
from trio.abc import Instrument

from server.rooms import Room, recover_each
from server.rooms.recover import AT_MOST_SECONDS, AT_ONCE_SECONDS, ENTRIES, TOGETHER, Turns
from server.rules.model import Take
from server.storage import Answered, Damaged, Journal, MemoryStorage, StorageFault
from tests.rooms.fake import FakeGame, setup_of

ROOMS = 3 * TOGETHER


class Counting(MemoryStorage):
    """`batches` that were read together; a journal in `lost` is not given now."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.lost: set[str] = set()

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        self.batches.append(list(rooms))
        if self.lost & set(rooms):
            raise StorageFault("the disk does not give it now")
        return await super().take_up_all(rooms)


async def kept(rooms: int = ROOMS) -> Counting:
    """So many games of which only the deal is known."""
    storage = Counting()
    for number in range(rooms):
        await storage.create(replace(setup_of(room=f"r{number}"), version=FakeGame.version))
    return storage


async def test_those_that_are_asked_for_come_first() -> None:
    storage, taken = await kept(), list[str]()

    def take(room: Room) -> None:
        taken.append(room.id)
        if len(taken) == 3:
            asked.update({"r7", f"r{ROOMS - 1}"})

    asked = {f"r{ROOMS - 2}"}
    await recover_each(storage, FakeGame(), None, take, lambda: asked)
    assert sorted(taken) == sorted(f"r{number}" for number in range(ROOMS))
    assert taken[0] == f"r{ROOMS - 2}"
    # One that is asked for later waits for those that were read by then, and for those that are read meanwhile.
    assert taken[3] == "r7" or taken.index("r7") <= 2 * TOGETHER
    assert taken.index(f"r{ROOMS - 1}") <= 2 * TOGETHER


async def test_each_goes_on_before_the_last_is_read() -> None:
    storage, read = await kept(), list[int]()
    await recover_each(storage, FakeGame(), None, lambda _: read.append(len(storage.batches)))
    assert len(storage.batches) == 3 and read[0] < 3


async def test_no_more_is_in_memory_than_is_played_and_read_next() -> None:
    storage = await kept(5 * TOGETHER)
    taken = list[str]()

    def take(room: Room) -> None:
        taken.append(room.id)
        assert sum(map(len, storage.batches)) - len(taken) <= 2 * TOGETHER

    await recover_each(storage, FakeGame(), None, take)
    assert len(taken) == 5 * TOGETHER and {len(batch) for batch in storage.batches} == {TOGETHER}


async def test_no_two_long_journals_are_read_together() -> None:
    storage = await kept(4)
    for room in ("r1", "r2"):
        storage._entries[room] = [b"{}"] * ENTRIES  # of which only the number counts here
    await recover_each(storage, FakeGame(), None, lambda _: None)
    assert storage.batches == [["r0", "r1"], ["r2", "r3"]]


@pytest.mark.parametrize("number", [0, 3, ROOMS - 1])
async def test_what_the_disk_does_not_give_now_keeps_no_other_from_going_on(number: int) -> None:
    storage, taken = await kept(), list[str]()
    storage.lost = {f"r{number}"}
    with pytest.raises(StorageFault, match="not give"):
        await recover_each(storage, FakeGame(), None, lambda room: taken.append(room.id))
    assert sorted(taken) == sorted(f"r{one}" for one in range(ROOMS) if one != number)
    storage.lost = set()
    await recover_each(storage, FakeGame(), rest(taken), lambda room: taken.append(room.id))
    assert len(taken) == ROOMS and taken[-1] == f"r{number}"


def rest(taken: list[str]) -> set[str]:
    """The rooms that were not taken up."""
    return {f"r{number}" for number in range(ROOMS)} - set(taken)


async def test_a_game_that_is_deleted_meanwhile_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    storage, taken = await kept(2), list[str]()
    rooms = storage.rooms

    async def late(of: Collection[str] | None = None) -> list[object]:
        found = await rooms(of)
        await storage.remove("r0")
        return list(found)

    monkeypatch.setattr(storage, "rooms", late)
    await recover_each(storage, FakeGame(), None, lambda room: taken.append(room.id))
    assert taken == ["r1"]


async def test_others_have_their_turn_while_a_long_journal_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many inputs it has: the time counts."""
    for seconds in ("AT_ONCE_SECONDS", "AT_MOST_SECONDS"):
        monkeypatch.setattr(sys.modules["server.rooms.recover"], seconds, 0.0)
    storage, turns, done = await kept(1), 0, trio.Event()
    game = FakeGame(turns=100)
    state, _ = game.start(await storage.setup("r0"))
    for number in range(1, 51):
        assert state.pending is not None
        answered = Answered(
            seq=number, seat=state.pending.seat, question=state.pending.number, answer=Take(0), by="clock"
        )
        await storage.append("r0", [answered])
        state, _ = game.submit(state, answered.seat, Take(0))

    async def other() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(other)
        await trio.lowlevel.checkpoint()
        before = turns
        await recover_each(storage, game, None, lambda _: None)
        assert turns - before >= 50
        done.set()


class Others(Instrument):
    """All other tasks: each turn of the event loop takes them so many `seconds`, and nothing else takes any."""

    def __init__(self) -> None:
        self.now = self.seconds = 0.0

    def after_io_wait(self, timeout: float) -> None:
        self.now += self.seconds


async def test_a_game_is_taken_up_in_turns_as_long_as_those_of_all_who_come_back_at_once() -> None:
    """A turn of it is as long as the last of the others was: not shorter than a few inputs, nor so long that people wait for it."""
    others = Others()
    trio.lowlevel.add_instrument(others)
    turns = Turns(lambda: others.now)

    async def taken_up() -> float:
        """How long it is played until the others have their turn."""
        begun = ended = others.now
        while ended == others.now:
            ended = others.now = others.now + 0.001
            await turns.next()
        return ended - begun

    for seconds, most in ((0.001, AT_ONCE_SECONDS), (0.05, 0.05), (3.0, AT_MOST_SECONDS), (0.001, AT_ONCE_SECONDS)):
        others.seconds = seconds
        await taken_up()
        assert await taken_up() == pytest.approx(most, abs=0.002)
    others.now += AT_ONCE_SECONDS
    turns.begin()
    before = others.now
    await turns.next()
    assert others.now == before, "another game's turn has only begun"
    trio.lowlevel.remove_instrument(others)
