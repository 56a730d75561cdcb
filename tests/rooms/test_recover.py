"""Games taken up again: from a snapshot, from a damaged one, with a torn entry, by other rules than before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from server.rooms import RULES, Outbox, Room, recover, replay, restore
from server.rooms.game import Outcome, Rules
from server.rooms.recover import note_clocks
from server.rules import RULES_VERSION
from server.rules.model import AnyAnswer, Illegal, State
from server.storage import MemoryStorage, Upgraded
from server.storage.encoding import write_entry
from tests.rooms.tables import Client, asked, running, table
from tests.rooms.test_whole_games import Chance, play, setup_of

SEATS = 3


class OtherRules(Rules):
    """A later version: the same rules under another name. `refuses`: numbers of questions to which it takes no answer."""

    def __init__(
        self, version: str = f"{RULES_VERSION + 1}-later", refuses: Sequence[int] = (), reads: bool = True
    ) -> None:
        self._version = version
        self.refuses = refuses
        self.reads = reads

    @property
    def version(self) -> str:
        return self._version

    def start(self, setup: Any) -> Outcome:
        if not self.reads:
            raise ValueError("these rules know no such cards")
        return super().start(setup)

    def submit(self, state: State, seat: int, answer: AnyAnswer) -> Outcome:
        if state.pending is not None and state.pending.number in self.refuses:
            raise Illegal("other_rules", "That is illegal now.")
        return super().submit(state, seat, answer)

    def read(self, setup: Any, data: bytes) -> State:
        if not self.reads:
            raise ValueError("these rules know no such state")
        return super().read(setup, data)


async def begun(storage: MemoryStorage, answers: int, *, drained: bool = False, **options: Any) -> Room:
    """A game of three, stopped after so many answers; `drained`: as a server does that is asked to stop."""
    room = Room(setup_of(SEATS, "up", **options), storage)
    async with trio.open_nursery() as nursery:
        clients = await running(nursery, room)
        await play(room, clients, Chance("up"), [], most=answers)
        if drained:
            await room.rest()
        nursery.cancel_scope.cancel()
    return room


def views(room: Room) -> list[object]:
    return [room.view(seat) for seat in (*range(SEATS), None)]


async def goes_on(room: Room) -> None:
    """The game can be played to its end, and its journal replays."""
    async with trio.open_nursery() as nursery:
        clients = await running(nursery, room)
        await play(room, clients, Chance("on"), [])
        nursery.cancel_scope.cancel()
    assert room.result is not None and not room.frozen


async def taken_up(storage: MemoryStorage, game: Rules | None = None) -> Room:
    (room,) = await recover(storage, game or RULES)
    return room


async def test_a_game_is_taken_up_from_its_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.rooms.history.SNAPSHOT_EVERY", 30)
    storage = MemoryStorage()
    before = await begun(storage, 80)
    journal = await storage.take_up("whole")
    assert journal.snapshot is not None and 0 < len(journal.entries) < journal.snapshot.seq
    room = await taken_up(storage)
    assert (views(room), room.seq) == (views(before), before.seq)
    whole = await restore(await storage.load("whole"), storage)
    assert views(whole) == views(room)
    await goes_on(room)
    journal = await storage.load("whole")
    assert list(replay(journal, RULES))[-1].after.result is not None


async def test_a_drained_server_has_nothing_to_play_again() -> None:
    storage = MemoryStorage()
    before = await begun(storage, 30, drained=True)
    journal = await storage.take_up("whole")
    assert journal.snapshot is not None and journal.entries == ()
    assert views(await taken_up(storage)) == views(before)


async def test_an_answer_sent_again_after_the_restart_is_not_played_twice(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(SEATS, "up"), storage)
    async with trio.open_nursery() as inner:
        clients = await running(inner, room)
        client = asked(clients)
        assert client.question is not None
        sent = m.AnswerMessage(id="x", question=client.question.id, answer=client.question.default)
        await client.send(sent)
        await wait_all_tasks_blocked()
        await room.rest()
        inner.cancel_scope.cancel()
    room = await taken_up(storage)
    await nursery.start(room.run)
    again = Client(room, "again", client.seat)
    again.attach()
    await again.send(sent)
    await wait_all_tasks_blocked()
    again.read()
    assert again.reply("x") == m.Ok(re="x", again=True)


async def test_who_comes_back_after_the_restart_is_told_what_is_new_and_no_more() -> None:
    storage = MemoryStorage()
    room = Room(setup_of(SEATS, "up"), storage)
    async with trio.open_nursery() as nursery:
        clients = await running(nursery, room)
        await play(room, clients, Chance("up"), [], most=15)
        client = clients[1]
        seen = told = len(client.events)
        await play(room, [clients[0], client, clients[2]], Chance("on"), [], most=4)
        await room.rest()
        nursery.cancel_scope.cancel()
    missed = client.events[told:]
    room = await taken_up(storage)
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        for log, expected in ((seen, missed), (seen + len(missed), [])):
            outbox = Outbox()
            room.attach("again", outbox, seat=1, epoch=client.epoch, seq=client.seq, log=log)
            view = outbox.get_nowait()
            assert isinstance(view, m.ViewMessage) and view.events == expected and view.log == seen + len(missed)
        nursery.cancel_scope.cancel()


async def test_a_damaged_snapshot_costs_nothing_but_time() -> None:
    storage = MemoryStorage()
    before = await begun(storage, 60, drained=True)
    (kept,) = storage._snapshots["whole"]
    for damage in ({"state": kept.state[:-40]}, {"hash": "another"}, {"room": b"["}):
        storage._snapshots["whole"] = [_with(kept, **damage)]
        assert views(await taken_up(storage)) == views(before)


async def test_a_torn_last_entry_is_dropped_and_the_game_goes_on() -> None:
    storage = MemoryStorage()
    await begun(storage, 40)
    entries = storage._entries["whole"]
    entries[-1] = entries[-1][:20]
    room = await taken_up(storage)
    assert not room.frozen and room.seq == len(storage._entries["whole"])
    await goes_on(room)


async def test_a_journal_that_does_not_replay_freezes_that_room_alone() -> None:
    storage = MemoryStorage()
    await begun(storage, 40)
    for name in ("good", "bad"):
        storage._setups[name] = (
            storage._setups["whole"][0].replace(b'"whole"', f'"{name}"'.encode()),
            *storage._setups["whole"][1:],
        )
        storage._created[name] = 0
        storage._entries[name] = list(storage._entries["whole"])
        storage._heads[name] = storage._heads["whole"]
    storage._entries["bad"][20] = storage._entries["bad"][19].replace(b'"seq":20', b'"seq":21')
    rooms = {room.id: room for room in await recover(storage)}
    assert (rooms["good"].frozen, rooms["bad"].frozen) == (False, True)
    assert len(storage._entries["bad"]) == len(storage._entries["good"])


async def test_standing_passes_and_stops_outlive_a_restart(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(SEATS, "up"), storage)
    room.leave_stops(2, m.Stops(id="s", mine=["precombat_main"], others=[]))
    async with trio.open_nursery() as inner:
        clients = await running(inner, room)
        await play(room, clients, Chance("up"), [], most=20)
        await clients[1].send(m.Pass(id="p", until="my_turn"))
        await clients[0].send(m.Stops(id="s", others=["end"]))
        await wait_all_tasks_blocked()
        inner.cancel_scope.cancel()
    kept = room.seats
    assert kept[2].standing.mine == ("precombat_main",) and kept[0].standing.others == ("end",)
    assert (await taken_up(storage)).seats == kept
    await room.rest()
    assert (await taken_up(storage)).seats == kept


async def test_a_clock_shows_after_a_restart_what_it_showed_before(autojump_clock: trio.abc.Clock) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(SEATS, "up", answer_ms=60_000), storage)
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        table(room)
        await trio.sleep(40)
        await note_clocks([room], storage)
        nursery.cancel_scope.cancel()
    await trio.sleep(1000)  # while no server runs, no clock does
    room = await taken_up(storage)
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        table(room)
        clock = room.clock()
        assert clock is not None and clock.spent == 40_000
        await trio.sleep(21)
        assert room.seq > 0  # the default was answered
        clock = room.clock()
        assert clock is not None and clock.spent == 1_000
        nursery.cancel_scope.cancel()


# --- upgrades ---------------------------------------------------------------------------------------------------------------


async def test_an_upgrade_goes_on_where_the_game_stood() -> None:
    storage = MemoryStorage()
    before = await begun(storage, 60, drained=True)
    later = OtherRules()
    room = await taken_up(storage, later)
    assert views(room) == views(before)
    journal = await storage.load("whole")
    upgrade = journal.entries[-1]
    assert isinstance(upgrade, Upgraded) and upgrade.version == later.version and upgrade.base == upgrade.seq - 1
    assert [base.seq for base in journal.bases] == [upgrade.seq]
    await begun_again(storage, later)
    await goes_on(await taken_up(storage, later))
    journal = await storage.load("whole")
    assert list(replay(journal, later))[-1].after.result is not None


async def begun_again(storage: MemoryStorage, game: Rules) -> None:
    """A restart by the same rules as the last one notes nothing."""
    length = len(storage._entries["whole"])
    await taken_up(storage, game)
    assert len(storage._entries["whole"]) == length


async def test_rules_that_refuse_what_was_played_go_back_to_the_snapshot() -> None:
    storage = MemoryStorage()
    await begun(storage, 40, drained=True)
    kept = (await storage.take_up("whole")).snapshot
    assert kept is not None
    room = await taken_up(storage)
    stood = views(room)
    number = room.state.pending.number if room.state is not None and room.state.pending is not None else 0
    async with trio.open_nursery() as nursery:
        clients = await running(nursery, room)
        await play(room, clients, Chance("more"), [], most=5)
        nursery.cancel_scope.cancel()
    later = OtherRules(refuses=[number])
    room = await taken_up(storage, later)
    assert views(room) == stood and not room.frozen
    upgrade = (await storage.load("whole")).entries[-1]
    assert isinstance(upgrade, Upgraded) and upgrade.base == kept.seq < upgrade.seq - 1
    (client, *_) = table(room)
    told = [message.key for message in client.read() if isinstance(message, m.Notice)]
    assert told == ["notice.went_back"]
    later.refuses = []
    await goes_on(await taken_up(storage, later))
    assert list(replay(await storage.load("whole"), later))[-1].after.result is not None


async def test_a_game_that_cannot_go_on_ends_with_notice_and_is_kept() -> None:
    storage = MemoryStorage()
    await begun(storage, 40, drained=True)
    entries = len(storage._entries["whole"])
    room = await taken_up(storage, OtherRules(reads=False))
    assert room.frozen
    (client, *_) = table(room)
    assert [message.key for message in client.read() if isinstance(message, m.Notice)] == ["notice.rules_changed"]
    assert len(storage._entries["whole"]) == entries
    assert (await storage.rooms())[0].finished
    assert await recover(storage) == []


@pytest.mark.parametrize("answers", [8, 40])
async def test_earlier_rules_leave_a_game_alone_that_later_ones_have_gone_on_with(answers: int) -> None:
    storage, later = MemoryStorage(), OtherRules()
    await begun(storage, answers)
    stood = views(await taken_up(storage, later))
    entries = list(storage._entries["whole"])
    room = await taken_up(storage)
    assert room.frozen
    (client, *_) = table(room)
    assert [message.key for message in client.read() if isinstance(message, m.Notice)] == ["notice.newer_rules"]
    assert storage._entries["whole"] == entries and not (await storage.rooms())[0].finished
    room = await taken_up(storage, later)
    assert views(room) == stood and not room.frozen
    await goes_on(room)


async def test_rules_of_the_same_number_go_on_whichever_came_first() -> None:
    storage = MemoryStorage()
    before = await begun(storage, 8)
    await taken_up(storage, OtherRules(f"{RULES_VERSION}-other"))
    assert views(await taken_up(storage)) == views(before)


async def test_an_upgrade_without_a_snapshot_plays_the_journal_by_the_new_rules() -> None:
    storage = MemoryStorage()
    before = await begun(storage, 8)
    assert (await storage.take_up("whole")).snapshot is None
    room = await taken_up(storage, OtherRules())
    assert views(room) == views(before)
    assert write_entry((await storage.load("whole")).entries[-1]).startswith(b'{"entry":"upgrade"')


def _with(kept: Any, **changes: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(kept, **changes)
