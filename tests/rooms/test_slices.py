"""Time in the event loop: one slice a turn for all rooms, and who has had least goes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import pytest
import trio
from trio.abc import Instrument

from protocol.messages import AnswerMessage, Forecast, Ok, Patch, Preview, Stops
from server.knowledge.forecasts import forecasting
from server.rooms import Room
from server.rooms.history import BATCH_SECONDS
from server.rooms.seats import Seeing
from server.rooms.slices import QUIET_SECONDS, Share, Slices
from server.rooms.tell import Teller
from server.storage import AnyEntry, MemoryStorage, Snapshot
from tests.rooms.fake import FakeGame, setup_of
from tests.rooms.tables import Client, table
from tests.rooms.test_room import settle

SEATS = 3
"""Of a game of `setup_of`."""


class Work:
    """A clock that only work moves on, and which room worked how long in which turn of the loop."""

    def __init__(self, seconds: float = 0.01) -> None:
        self.now = 100.0
        self.slices = Slices(seconds, clock=lambda: self.now)
        self.turn = 0
        self.done: list[tuple[int, str]] = []

    async def piece(self, share: Share, name: str, seconds: float) -> None:
        async with share:
            self.now += seconds
            self.done.append((self.turn, name))

    async def pieces(self, name: str, number: int, seconds: float) -> None:
        share = self.slices.share()
        for _ in range(number):
            await self.piece(share, name, seconds)


class Turns(Instrument):
    def __init__(self, work: Work) -> None:
        self.work = work

    def after_io_wait(self, timeout: float) -> None:
        self.work.turn += 1


@pytest.fixture
def work() -> Iterator[Work]:
    yield Work()


async def test_all_rooms_together_have_one_slice_in_a_turn_of_the_loop(work: Work) -> None:
    trio.lowlevel.add_instrument(Turns(work))
    async with trio.open_nursery() as nursery:
        for name in "abcde":
            nursery.start_soon(work.pieces, name, 20, 0.004)
    assert len(work.done) == 100
    turns = [turn for turn, _ in work.done]
    assert max(turns.count(turn) for turn in set(turns)) <= 3, "the third piece began within the slice"


async def test_of_those_that_wait_as_many_go_on_in_a_turn_as_a_slice_will_do(work: Work) -> None:
    trio.lowlevel.add_instrument(Turns(work))
    async with trio.open_nursery() as nursery:
        for name in "abcdefghij":
            nursery.start_soon(work.pieces, name, 20, 0.002)
    assert len(work.done) == 200
    assert len({turn for turn, _ in work.done[100:]}) <= 30, "four in each, once it is known how long they are"


async def test_rooms_that_want_as_much_get_as_much(work: Work) -> None:
    async with trio.open_nursery() as nursery:
        for name in "abc":
            nursery.start_soon(work.pieces, name, 30, 0.01)
    first = [name for _, name in work.done[:30]]
    assert {first.count(name) for name in "abc"} <= {9, 10, 11}


async def test_a_quiet_room_waits_for_one_piece_of_a_greedy_one(work: Work) -> None:
    trio.lowlevel.add_instrument(Turns(work))
    quiet = work.slices.share()
    async with trio.open_nursery() as nursery:
        for name in "abcdefghij":
            nursery.start_soon(work.pieces, name, 50, 0.01)
        while len(work.done) < 30:  # each of them has had more than the quiet one will
            await trio.lowlevel.checkpoint()
        for _ in range(10):
            for _ in range(7):
                await trio.lowlevel.checkpoint()
            before = len(work.done)
            await work.piece(quiet, "quiet", 0.001)
            assert len(work.done) - before <= 2, "ten wait, and it goes before all of them but one"


async def test_who_is_cancelled_while_waiting_holds_nobody_up(work: Work) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(work.pieces, "a", 20, 0.01)
        with trio.move_on_after(0) as scope:
            await work.pieces("b", 20, 0.01)
        assert scope.cancelled_caught
    assert [name for _, name in work.done].count("a") == 20


async def test_work_that_cannot_wait_is_counted_and_the_others_wait_for_the_next_turn(work: Work) -> None:
    trio.lowlevel.add_instrument(Turns(work))
    shown, other = work.slices.share(), work.slices.share()
    await work.piece(other, "before", 0.001)
    turn = work.turn
    with shown.counted():
        work.now += 0.02
    await work.piece(other, "after", 0.001)
    assert work.done[0] == (turn, "before") and work.done[1] == (turn + 1, "after")
    async with shown:
        with shown.counted():  # within a piece it is a part of it
            work.now += 0.02
    assert shown.used == pytest.approx(0.04, rel=0.1)


async def test_work_that_comes_in_many_items_is_spread_over_many_slices(work: Work) -> None:
    trio.lowlevel.add_instrument(Turns(work))

    def items() -> Iterator[int]:
        for number in range(10):
            work.now += 0.006
            yield number

    got = [(work.turn, item) async for item in work.slices.share().spread(items())]
    assert [item for _, item in got] == list(range(10))
    assert len({turn for turn, _ in got}) >= 4


async def test_work_that_nobody_waits_for_takes_less_than_a_slice_in_a_turn_of_the_loop(work: Work) -> None:
    """Also where nobody else is there: who comes is read as a turn begins."""
    trio.lowlevel.add_instrument(Turns(work))

    def items() -> Iterator[int]:
        for number in range(20):
            work.now += QUIET_SECONDS * 0.6
            yield number

    got = [(work.turn, item) async for item in work.slices.share().spread(items(), quiet=True)]
    assert [item for _, item in got] == list(range(20))
    turns = [turn for turn, _ in got]
    assert max(map(turns.count, turns)) == 2, "the second began before that"


async def test_what_the_room_answers_by_itself_is_cut_where_the_slice_is_over(autojump_clock: object) -> None:
    """Bots and passes of a whole game in slices of no length at all: one automatic answer each, and the game comes out the same, in
    as many writes.
    """

    async def played(seconds: float) -> tuple[str, int, int]:
        ticks, storage = count(), MemoryStorage()
        room = Room(setup_of(), storage, FakeGame(turns=6))
        room.share_time(Slices(seconds, clock=lambda: next(ticks) * 1e-6))
        async with trio.open_nursery() as nursery:
            clients = table(room)
            await nursery.start(room.run)
            with trio.fail_after(1000):
                while not room.over.is_set():
                    await settle(clients)
                    for client in clients:
                        if client.question is not None:
                            question, client.question = client.question, None
                            await client.send(AnswerMessage(id="a", question=question.id, answer=question.default))
                    await trio.sleep(1)
            nursery.cancel_scope.cancel()
        return room.state_hash, room.seq, storage.appends

    cut, whole = await played(0.0), await played(10.0)
    assert cut == whole
    assert whole[2] < whole[1]


async def test_what_takes_long_is_written_before_all_of_it_is_played(autojump_clock: object) -> None:
    """Whoever answered waits for a part of the passes that follow, where each of them takes long."""

    async def appends(seconds: float) -> int:
        ticks, storage = count(), MemoryStorage()
        room = Room(setup_of(), storage, FakeGame(turns=6))
        room.share_time(Slices(10.0, clock=lambda: next(ticks) * seconds))
        for seat in range(SEATS):
            room.leave_stops(seat, Stops(id="s", mine=[], others=[]))
        async with trio.open_nursery() as nursery:
            await nursery.start(room.run)
            with trio.fail_after(1000):
                await room.over.wait()
            nursery.cancel_scope.cancel()
        return storage.appends

    assert await appends(1e-6) == 1
    assert await appends(BATCH_SECONDS * 2) > 10, "each pass by itself"


async def test_a_preview_that_takes_long_does_not_hold_up_the_game(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are answered while it is being looked at; the seat itself in the order in which it asked."""
    steps = trio.Event()

    def endless(*given: object) -> Iterator[object]:
        for found in forecasting(*given):  # type: ignore[arg-type]
            for _ in range(300):
                yield None
            steps.set()
            yield found

    monkeypatch.setattr("server.rooms.foresight.forecasting", endless)
    room = Room(setup_of(), MemoryStorage(), FakeGame())
    room.share_time(Slices(0.0))
    async with trio.open_nursery() as nursery:
        clients = table(room)
        await nursery.start(room.run)
        await settle(clients)
        asked = next(client for client in clients if client.question is not None)
        assert asked.question is not None
        question = asked.question
        await asked.send(Preview(id="p", question=question.id, answer=question.default))
        other = next(client for client in clients if client is not asked)
        await other.send(Stops(id="o"))
        while not any(isinstance(one, Ok) for one in other.got):
            await trio.lowlevel.checkpoint()
            other.read()
        assert not steps.is_set()
        await asked.send(AnswerMessage(id="a", question=question.id, answer=question.default))
        with trio.fail_after(5):
            await steps.wait()
        await settle(clients)
        nursery.cancel_scope.cancel()
    replies = [one.re for one in asked.got if isinstance(one, Ok | Forecast)]
    assert replies == ["p", "a"]


async def test_who_wants_to_know_when_asked_is_told_of_nothing_else(autojump_clock: object) -> None:
    room = Room(setup_of(), MemoryStorage(), FakeGame())
    async with trio.open_nursery() as nursery:
        clients = table(room)
        bot = Client(room, "bot", 2)
        room.attach("bot", bot.outbox, seat=2, known=bot.known, digests=True, when_asked=True)
        await nursery.start(room.run)
        for _ in range(12):
            await settle([*clients, bot])
            asked = next(client for client in clients if client.question is not None)
            assert asked.question is not None
            if asked.seat == 2:
                assert bot.question is not None and bot.question.id == asked.question.id
                assert bot.view == asked.view, "with the question comes all that has happened"
            question, asked.question = asked.question, None
            await asked.send(AnswerMessage(id="a", question=question.id, answer=question.default))
        nursery.cancel_scope.cancel()
    patches = [sum(isinstance(one, Patch) for one in client.got) for client in (bot, clients[2])]
    assert 0 < patches[0] < patches[1]


async def test_a_moment_is_shown_to_one_viewer_after_the_other_and_others_go_first(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In slices of no length: each viewer's patch in a turn of its own. Meanwhile one comes and one goes."""
    work, patch = Work(), Teller.patch
    room = Room(setup_of(), MemoryStorage(), FakeGame())
    room.share_time(Slices(0.0))
    turns: list[int] = []
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=2)
        late = Client(room, "late", None)
        await nursery.start(room.run)
        await settle(clients)

        def patched(teller: Teller, viewer: Seeing) -> None:
            if len(turns) == 1:
                late.attach()
                room.detach("s1")
            turns.append(work.turn)
            patch(teller, viewer)

        monkeypatch.setattr(Teller, "patch", patched)
        trio.lowlevel.add_instrument(Turns(work))
        asked = next(client for client in clients if client.question is not None)
        await asked.answer(1)
        await settle([*clients, late])
        nursery.cancel_scope.cancel()
    assert len(set(turns)) == len(turns) >= 4
    assert late.view == clients[3].view != clients[4].view
    assert sum(isinstance(one, Patch) for one in late.got) == 0, "it came in the midst, and saw the whole of it at once"


async def test_late_watchers_are_shown_a_moment_one_after_the_other(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, patch = Work(), Teller.patch
    room = Room(setup_of(delay_ms=1000), MemoryStorage(), FakeGame())
    room.share_time(Slices(0.0))
    turns: list[int] = []
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=3)
        await nursery.start(room.run)
        await settle(clients)
        await trio.sleep(2)

        def patched(teller: Teller, viewer: Seeing) -> None:
            if viewer.seat is None:
                turns.append(work.turn)
            patch(teller, viewer)

        monkeypatch.setattr(Teller, "patch", patched)
        trio.lowlevel.add_instrument(Turns(work))
        await next(client for client in clients if client.question is not None).answer(1)
        await settle(clients)
        assert turns == []
        await trio.sleep(2)
        await settle(clients)
        nursery.cancel_scope.cancel()
    assert len(set(turns)) == len(turns) >= 3
    views = [client.view for client in clients if client.seat is None]
    assert views[0] and views[0] == views[1] == views[2]


async def test_a_server_that_stops_keeps_no_game_as_it_is_between_two_turns(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is on disk is shown a turn at a time, and the snapshot waits for the last."""
    storage, patch = MemoryStorage(), Teller.patch
    append = storage.append
    room = Room(setup_of(), storage, FakeGame())
    room.share_time(Slices(0.0))
    done: list[str] = []
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=2)
        await nursery.start(room.run)
        await settle(clients)

        def patched(teller: Teller, viewer: Seeing) -> None:
            if not done:
                nursery.start_soon(room.rest)
            done.append("patch")
            patch(teller, viewer)

        async def appended(name: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
            done.extend(["snapshot"] if snapshot is not None else [])
            return await append(name, entries, snapshot)

        monkeypatch.setattr(Teller, "patch", patched)
        monkeypatch.setattr(storage, "append", appended)
        asked = next(client for client in clients if client.question is not None)
        await asked.answer(1)
        await settle(clients)
        nursery.cancel_scope.cancel()
    assert done == ["patch"] * len(clients) + ["snapshot"]
