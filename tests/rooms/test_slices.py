"""Time in the event loop: one slice a turn for all rooms, and who has had least goes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import pytest
import trio
from trio.abc import Instrument

from protocol.messages import AnswerMessage, Concede, Consent, EndGame, Forecast, Ok, Patch, Preview, Stops, Vote
from server.knowledge.forecasts import forecasting
from server.rooms import Room
from server.rooms.game import Outcome
from server.rooms.history import BATCH_SECONDS
from server.rooms.recover import restore
from server.rooms.seats import Seeing
from server.rooms.slices import QUIET_SECONDS, Share, Slices
from server.rooms.tell import Teller
from server.rules.model import AnyAnswer, State, player_ref
from server.rules.model.events import Loses
from server.storage import AnyEntry, Check, MemoryStorage, Setup, Snapshot
from tests.rooms.fake import FakeGame, setup_of
from tests.rooms.tables import Client, asked, table
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


async def test_a_snapshot_is_made_before_the_next_answer_comes(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to disk with that answer, which does not wait for it."""
    monkeypatch.setattr("server.rooms.history.SNAPSHOT_EVERY", 1)
    storage, game = MemoryStorage(), FakeGame()
    written: list[str] = []
    write, append = game.write, storage.append

    def writes(setup: Setup, state: State) -> Iterator[bytes]:
        written.append("made")
        return write(setup, state)

    async def appended(name: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        written.append("answer" if snapshot is None else f"answer after {snapshot.seq}")
        return await append(name, entries, snapshot)

    monkeypatch.setattr(game, "write", writes)
    monkeypatch.setattr(storage, "append", appended)
    room = Room(setup_of(), storage, game)
    async with trio.open_nursery() as nursery:
        clients = table(room)
        await nursery.start(room.run)
        for _ in range(2):
            await settle(clients)
            await asked(clients).answer(1)
        await settle(clients)
        nursery.cancel_scope.cancel()
    assert written == ["answer", "made", "answer after 1", "made"]


async def test_a_state_is_hashed_once_for_journal_and_snapshot(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a snapshot comes late, after several passes at once."""
    for name in ("CHECK_EVERY", "SNAPSHOT_EVERY"):
        monkeypatch.setattr(f"server.rooms.history.{name}", 4)
    storage, game = MemoryStorage(), FakeGame(turns=30)
    hashed: list[State] = []
    fingerprint = game.fingerprint

    def hashes(state: State) -> str:
        hashed.append(state)
        return fingerprint(state)

    monkeypatch.setattr(game, "fingerprint", hashes)
    room = Room(setup_of(), storage, game)
    room.leave_stops(2, Stops(id="s", mine=[], others=[]))
    await nursery.start(room.run)
    clients = table(room)
    kept: set[int] = set()
    for _ in range(20):
        await settle(clients)
        await asked(clients).answer(0)
        snapshot = (await storage.take_up(room.id)).snapshot
        kept.update([] if snapshot is None else [snapshot.seq])
    checks = [entry for entry in (await storage.load(room.id)).entries if isinstance(entry, Check)]
    assert len(kept) > 4 and len(checks) == len(hashed), "one for each check, and none besides for a snapshot"


async def test_a_hash_is_made_when_all_is_told_and_comes_before_what_is_written_next(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever that is; the snapshot that is made then is of the moment after it."""
    for name in ("CHECK_EVERY", "SNAPSHOT_EVERY"):
        monkeypatch.setattr(f"server.rooms.history.{name}", 2)
    storage, game = MemoryStorage(), FakeGame(turns=30)
    happened: list[str] = []
    fingerprint, append = game.fingerprint, storage.append

    def hashes(state: State) -> str:
        happened.append("hashed")
        return fingerprint(state)

    async def appended(name: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        words = [type(entry).__name__ for entry in entries]
        happened.append(" ".join([*words, *([] if snapshot is None else [f"with the snapshot of {snapshot.seq}"])]))
        return await append(name, entries, snapshot)

    monkeypatch.setattr(game, "fingerprint", hashes)
    monkeypatch.setattr(storage, "append", appended)
    room = Room(setup_of(), storage, game)
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)

    async def answered() -> None:
        await asked(clients).answer(0)
        await settle(clients)

    await answered()
    await answered()
    assert happened == ["Answered", "Answered", "hashed"]
    await answered()
    await answered()
    assert happened[3:] == ["Check Answered with the snapshot of 3", "Answered", "hashed"]
    await clients[0].send(Stops(id="s", mine=[], others=[]))
    await settle(clients)
    assert happened[6:] == ["Check Instructed"]
    again = await restore(await storage.take_up(room.id), storage, game)
    assert not again.frozen and again.seq == room.seq == 7


async def test_snapshots_wait_for_what_is_being_written_one_after_the_other(nursery: trio.Nursery) -> None:
    storage, game = MemoryStorage(), FakeGame()
    room = Room(setup_of(), storage, game)
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)
    await asked(clients).answer(1)
    await settle(clients)
    disk = trio.Event()
    storage.before_append = disk.wait
    answering = asked(clients)
    re = await answering.answer(1)
    await settle(clients)
    with trio.move_on_after(0):
        await room.rest()
    for _ in range(2):
        nursery.start_soon(room.rest)
    await settle(clients)
    assert storage.appends == 1 and not any(one.re == re for client in clients for one in client.got)
    disk.set()
    await settle(clients)
    assert isinstance(answering.reply(re), Ok) and storage.appends == 4
    kept = (await storage.take_up(room.id)).snapshot
    assert kept is not None and kept.seq == room.seq, "the answer is in both"
    await asked(clients).answer(1)
    await settle(clients)
    assert storage.appends == 5


class Unsayable(FakeGame):
    """What comes of the answer to the third question cannot be told: there is no such player."""

    def submit(self, state: State, seat: int, answer: AnyAnswer) -> Outcome:
        after, events = super().submit(state, seat, answer)
        if state.pending is not None and state.pending.number == 3:
            return after, (Loses(subject=player_ref(9)),)
        return after, events


@pytest.mark.parametrize("meanwhile", ["somebody leaves", "all want it to end", "it cannot be told how it goes on"])
async def test_a_snapshot_that_waits_is_not_written_where_nothing_goes_on_any_more(
    nursery: trio.Nursery, meanwhile: str
) -> None:
    """What cannot be told stands still at another moment than that of its last entry."""
    storage, defect = MemoryStorage(), meanwhile == "it cannot be told how it goes on"
    room = Room(setup_of(2), storage, Unsayable() if defect else FakeGame())
    room.leave_stops(1, Stops(id="s", mine=[], others=[]))
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)
    await asked(clients).answer(1)
    await settle(clients)
    disk = trio.Semaphore(0)
    storage.before_append = disk.acquire
    match meanwhile:
        case "somebody leaves":
            await clients[0].send(Concede(id="c"))
        case "all want it to end":
            await clients[0].send(EndGame(id="e"))
            await settle(clients)
            (vote,) = (one.vote for one in clients[1].got if isinstance(one, Vote))
            await clients[1].send(Consent(id="y", vote=vote))
        case _:
            await asked(clients).answer(0)
    await settle(clients)
    nursery.start_soon(room.rest)
    await settle(clients)
    for _ in range(2):
        disk.release()
        await settle(clients)
    assert (room.result is not None, room.frozen) == (not defect, defect)
    journal = await storage.load(room.id)
    assert room.seq == len(journal.entries) > 2
    assert (await storage.take_up(room.id)).snapshot is None


async def test_a_snapshot_that_waits_is_not_written_of_a_room_that_is_put_away(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(2), storage, FakeGame())
    async with trio.open_nursery() as table_of_it:
        await table_of_it.start(room.run)
        clients = table(room)
        await settle(clients)
        storage.before_append = trio.sleep_forever
        await asked(clients).answer(1)
        await settle(clients)
        nursery.start_soon(room.rest)
        await settle(clients)
        table_of_it.cancel_scope.cancel()
        room.put_away()
    storage.before_append = None
    await settle(clients)
    assert (await storage.take_up(room.id)).snapshot is None


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
