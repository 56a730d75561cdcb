"""Snapshots and hashes: made when all is told, written with what comes next, and not where nothing goes on any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import trio

from protocol.messages import Concede, Consent, EndGame, Ok, Stops, Vote
from server.rooms import Room
from server.rooms.game import Outcome
from server.rooms.recover import restore
from server.rules.model import AnyAnswer, State, player_ref
from server.rules.model.events import Loses
from server.storage import AnyEntry, Check, MemoryStorage, Setup, Snapshot
from tests.rooms.fake import FakeGame, setup_of
from tests.rooms.tables import Client, asked, table
from tests.rooms.test_room import settle


async def play(clients: list[Client], answers: int) -> None:
    """So many answers, each of whoever is asked, and all that comes of them."""
    for _ in range(answers):
        await settle(clients)
        await asked(clients).answer(0)
    await settle(clients)


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
    waits = len(hashed) - len(checks)
    assert len(kept) > 4 and waits in (0, 1), (
        "one for each check, of which the last may wait, and none besides for a snapshot"
    )


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


@pytest.mark.parametrize("first", ["Answered", "Instructed"])
async def test_a_hash_that_waited_is_written_once(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr("server.rooms.history.CHECK_EVERY", 2)
    storage = MemoryStorage()
    room = Room(setup_of(2), storage, FakeGame())
    await nursery.start(room.run)
    clients = table(room)
    await play(clients, 2)
    if first == "Instructed":
        await clients[0].send(Stops(id="s", others=["precombat_main"]))
    else:
        await asked(clients).answer(0)
    await settle(clients)
    await asked(clients).answer(0)
    await settle(clients)
    assert await kinds(storage, room) == ["Answered", "Answered", "Check", first, "Answered"]


@pytest.mark.parametrize("kept", [False, True])
async def test_no_hash_is_made_of_what_was_hashed_before_the_restart(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """Whether all is played again or a snapshot was kept."""
    monkeypatch.setattr("server.rooms.history.CHECK_EVERY", 4)
    storage, setup = MemoryStorage(), setup_of(2)
    monkeypatch.setattr(FakeGame, "version", setup.version)  # no other rules go on with it
    before = Room(setup, storage, FakeGame())
    async with trio.open_nursery() as until_the_restart:
        await until_the_restart.start(before.run)
        clients = table(before)
        await play(clients, 5)
        if kept:
            await before.rest()
        until_the_restart.cancel_scope.cancel()
    room = await restore(await storage.take_up(before.id), storage, FakeGame())
    await nursery.start(room.run)
    clients = table(room)
    await play(clients, 2)
    written = await kinds(storage, room)
    assert written == [*["Answered"] * 4, "Check", *["Answered"] * 3]


async def kinds(storage: MemoryStorage, room: Room) -> list[str]:
    """What the entries of the journal are."""
    return [type(entry).__name__ for entry in (await storage.load(room.id)).entries]


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
