"""A room: answers in, patches out, journal first; refusals, passes, clocks, defects, restarts."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio
import trio.lowlevel
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.questions import ConfirmAnswer, PriorityAnswer
from protocol.refusals import Refusal
from server.rooms import Outbox, Room, recover
from server.storage import Answered, Check, Conceded, Ended, MemoryStorage, StorageFault, open_sqlite
from tests.rooms.fake import FakeGame, q, setup_of
from tests.rooms.tables import Client, asked, read_all, table


async def settle(clients: list[Client]) -> None:
    await wait_all_tasks_blocked()
    read_all(clients)


async def open_room(
    nursery: trio.Nursery, game: FakeGame | None = None, **options: object
) -> tuple[Room, MemoryStorage]:
    storage = MemoryStorage()
    room = Room(setup_of(**options), storage, game or FakeGame())  # type: ignore[arg-type]
    await nursery.start(room.run)
    return room, storage


async def test_everyone_gets_a_view_and_one_is_asked(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery)
    clients = table(room, spectators=1)
    await settle(clients)
    assert asked(clients).seat == 0
    assert asked(clients).question.id == q(1)  # type: ignore[union-attr]
    for client in clients:
        assert client.view == room.view(client.seat)
        assert client.view.get("you") == client.seat
        assert client.view["waiting_for"] == [0]
    assert clients[0].view["players"]["0"]["hand"] == ["31", "32", "33"]  # type: ignore[index,call-overload]
    assert "hand" not in clients[1].view["players"]["0"]  # type: ignore[index,call-overload]
    assert "objects" not in clients[3].view


async def test_an_answer_is_played_acknowledged_and_shown_to_all(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room, spectators=1)
    await settle(clients)
    re = await clients[0].answer(1)
    await settle(clients)
    fresh = [message for message in clients[0].got if not isinstance(message, m.ViewMessage)]
    assert [type(message) for message in fresh] == [m.QuestionMessage, m.Ok, m.Patch, m.QuestionMessage][-3:]
    assert clients[0].reply(re) == m.Ok(re=re)
    for client in clients:
        assert len(client.view["battlefield"]) == 1  # type: ignore[arg-type]
        assert client.view == room.view(client.seat)
        assert client.events[-1].args["card"] == "Secret Plan"
    journal = await storage.load("r1")
    assert [entry.seq for entry in journal.entries] == [1]


async def test_nothing_is_shown_before_it_is_written(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    gate = trio.Event()
    storage.before_append = gate.wait
    re = await clients[0].answer(1)
    await settle(clients)
    assert "battlefield" not in clients[1].view
    assert not any(message.re == re for message in clients[0].got)
    late = Client(room, "late", 1)
    late.attach()
    late.read()
    assert "battlefield" not in late.view
    gate.set()
    await settle([*clients, late])
    assert "battlefield" in clients[1].view
    assert late.view == clients[1].view
    assert clients[0].reply(re) == m.Ok(re=re)


async def test_refusals_change_nothing(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room, spectators=1)
    await settle(clients)

    async def code(client: Client, message: m.ClientMessage) -> tuple[str, str]:
        await client.send(message)
        await settle(clients)
        reply = client.reply(message.id)
        assert isinstance(reply, m.Refused) and reply.sentence
        return reply.code, reply.rule

    pass_ = PriorityAnswer(index=0)
    assert await code(clients[0], m.AnswerMessage(id="1", question=q(1), answer=PriorityAnswer(index=9))) == (
        "no_such_action",
        "508.1i",
    )
    assert await code(clients[0], m.AnswerMessage(id="2", question=q(1), answer=ConfirmAnswer(yes=True))) == (
        "wrong_kind",
        "",
    )
    assert await code(clients[1], m.AnswerMessage(id="3", question=q(1), answer=pass_)) == ("not_your_question", "")
    assert await code(clients[0], m.AnswerMessage(id="4", question=q(7), answer=pass_)) == ("not_your_question", "")
    assert await code(clients[0], m.AnswerMessage(id="5", question="nonsense", answer=pass_)) == (
        "not_your_question",
        "",
    )
    assert await code(clients[3], m.AnswerMessage(id="6", question=q(1), answer=pass_)) == ("not_seated", "")
    assert await code(clients[3], m.Concede(id="7")) == ("not_seated", "")
    await clients[0].answer(0, q(1))
    await settle(clients)
    assert await code(clients[0], m.AnswerMessage(id="8", question=q(1), answer=PriorityAnswer(index=1))) == (
        "stale",
        "",
    )
    assert len((await storage.load("r1")).entries) == 1
    with pytest.raises(Refusal, match="not_in_room"):
        await room.submit("stranger", m.Sync(id="1"))
    with pytest.raises(Refusal, match="unknown_message"):
        await room.submit("c0", m.Ping(id="1"))


async def test_the_edition_numbers_the_rule_of_a_refusal(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, edition="current")
    clients = table(room)
    await settle(clients)
    re = await clients[0].answer(9)
    await settle(clients)
    reply = clients[0].reply(re)
    assert isinstance(reply, m.Refused) and reply.rule == "508.1j"


async def test_the_same_answer_twice_is_acknowledged_twice_and_played_once(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    first = await clients[0].answer(1)
    second = await clients[0].answer(1, q(1))
    await settle(clients)
    assert clients[0].reply(first) == m.Ok(re=first)
    assert clients[0].reply(second) == m.Ok(re=second, again=True)
    assert len((await storage.load("r1")).entries) == 1


async def test_a_whole_game_every_view_by_patches(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery, FakeGame(turns=12))
    clients = table(room, spectators=1)
    await settle(clients)
    count = 0
    while not room.over.is_set():
        client = asked(clients)
        count += 1
        await client.answer(count % 3 if len(client.question.actions) > 2 else 0)  # type: ignore[union-attr]
        await settle(clients)
        for client in clients:
            assert client.view == room.view(client.seat)
    entries = (await storage.load("r1")).entries
    assert isinstance(entries[-1], Ended) and entries[-1].hash == room.state_hash
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    for client in clients:
        over = client.got[-1]
        assert isinstance(over, m.Over)
        assert over.result.winners == list(entries[-1].winners) and over.seed == "s"
        assert [standing.place for standing in over.result.standings] == [1, 2, 2]
        assert client.view["result"]
    late = Client(room, "late", 0)
    late.attach()
    late.read()
    assert [type(message) for message in late.got] == [m.ViewMessage, m.Over]


async def test_clock_takes_the_default(nursery: trio.Nursery, autojump_clock: trio.abc.Clock) -> None:
    room, storage = await open_room(nursery, FakeGame(turns=3), answer_ms=5000)
    clients = table(room)
    await trio.lowlevel.checkpoint()
    await trio.sleep(4.0)
    read_all(clients)
    assert asked(clients).question.deadline_ms == 5000  # type: ignore[union-attr]
    late = Client(room, "late", 0)
    late.attach()
    late.read()
    assert late.question is not None and late.question.deadline_ms == 1000
    await trio.sleep(1.5)
    read_all([*clients, late])
    assert m.Closed(question=q(1), why="timeout") in clients[0].got
    assert asked([*clients, late]) is clients[1]
    start = trio.current_time()
    await room.over.wait()
    assert trio.current_time() - start == pytest.approx(8 * 5 - 0.5)
    entries = (await storage.load("r1")).entries
    assert {e.by for e in entries if isinstance(e, Answered)} == {"clock"}


async def test_concession(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    await clients[2].send(m.Concede(id="x"))
    await clients[0].send(m.Concede(id="x"))
    await settle(clients)
    assert m.Closed(question=q(1), why="concession") in clients[0].got
    assert room.result is not None and room.result.winners == [1]
    assert [(s.seat, s.place, s.reason) for s in room.result.standings] == [
        (1, 1, "lost.winner"),
        (0, 2, "lost.concession"),
        (2, 3, "lost.concession"),
    ]
    assert [type(e) for e in (await storage.load("r1")).entries] == [Conceded, Conceded, Ended]
    await clients[0].send(m.Concede(id="y"))
    await clients[1].send(m.Concede(id="y"))
    await settle(clients)
    assert clients[0].reply("y") == m.Ok(re="y", again=True)
    reply = clients[1].reply("y")
    assert isinstance(reply, m.Refused) and reply.code == "game_over"


async def test_a_journal_ends_with_its_game(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    for seat in (0, 2):
        await clients[seat].send(m.Concede(id="x"))
    await clients[1].send(m.Stops(id="s", only_pass=True))
    await settle(clients)
    assert clients[1].reply("s") == m.Ok(re="s"), "a bot that is back after a restart does not know that all is over"
    assert [type(e) for e in (await storage.load("r1")).entries] == [Conceded, Conceded, Ended]


async def test_two_devices_of_one_seat(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery)
    first, second = Client(room, "a", 0), Client(room, "b", 0)
    first.attach()
    second.attach()
    await settle([first, second])
    await first.answer(0)
    await settle([first, second])
    assert m.Closed(question=q(1), why="answered") in second.got
    assert not any(isinstance(message, m.Closed) for message in first.got)
    room.detach("a")
    with pytest.raises(Refusal):
        await first.send(m.Sync(id="1"))


async def test_resume_brings_the_events_since(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, FakeGame(turns=100))
    clients = table(room)
    await settle(clients)
    lost = clients[1]
    for _ in range(4):
        await asked(clients).answer(1)
        await settle(clients)
    seen = len(lost.events)
    room.detach("c1")
    others = [clients[0], clients[2]]
    while clients[1].view["players"]["0"].get("hand_count", 0) and any(c.question for c in others):  # type: ignore[index,union-attr,call-overload]
        await asked(others).answer(0)
        await settle(others)
        break
    back = Client(room, "c1b", 1)
    back.attach(epoch=lost.epoch, seq=lost.seq)
    fresh = Client(room, "fresh", 1)
    fresh.attach()
    await settle([back, fresh])
    everything = list(fresh.events)
    assert lost.events + back.events == everything[-(seen + len(back.events)) :]
    assert back.view == fresh.view == room.view(1)
    assert back.question is None or back.question == fresh.question


async def test_faces_are_sent_once(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, FakeGame(turns=12))
    clients = table(room, spectators=1)
    await settle(clients)
    while not room.over.is_set():
        await asked(clients).answer(1 if len(asked(clients).question.actions) > 1 else 0)  # type: ignore[union-attr]
        await settle(clients)
    for client in clients:
        sent = [key for message in client.got if isinstance(message, m.Patch | m.ViewMessage) for key in message.faces]
        assert len(sent) == len(set(sent)) == 2
        assert client.known == set(sent)


async def test_sync(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    await clients[0].send(m.Sync(id="again"))
    await settle(clients)
    reply = clients[0].reply("again")
    assert isinstance(reply, m.ViewMessage) and reply.faces and reply.question


async def test_a_slow_reader_gets_one_whole_view(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, FakeGame(turns=100))
    clients = table(room)
    slow = Client(room, "slow", None, Outbox(limit=5))
    slow.attach()
    await settle(clients)
    for _ in range(20):
        await asked(clients).answer(1)
        await settle(clients)
    assert slow.outbox.waiting == 0
    with trio.move_on_after(0.1):
        async for message in slow.outbox:
            slow.got.append(message)
            slow._take(message)
    assert [type(message) for message in slow.got] == [m.Notice, m.ViewMessage]
    assert slow.view == room.view(None)
    assert set(slow.got[1].faces) == slow.known  # type: ignore[union-attr]
    fresh = Client(room, "fresh", None)
    fresh.attach()
    fresh.read()
    assert slow.events[-20:] == fresh.events[-20:]


def test_who_takes_all_is_called_once_for_what_waits_together() -> None:
    outbox, calls = Outbox(), list[int]()
    outbox.on_waiting = lambda: calls.append(outbox.waiting)
    for number in (1, 2):
        outbox.put(m.Ok(re=str(number)))
    assert calls == [1] and len(outbox.take(8)) == 2
    outbox.put(m.Ok(re="3"))
    outbox.close()
    assert calls == [1, 1, 1], "of what comes then, and of the end"


def test_who_takes_eight_at_a_time_is_told_whether_more_waits() -> None:
    outbox, replies = Outbox(limit=12), [m.Ok(re=str(number)) for number in range(12)]
    outbox.on_drained = lambda _: outbox.put(m.Notice(key="notice.missed", text="", args={}))
    assert not outbox.waits
    for reply in replies:
        outbox.put(reply)
    assert outbox.take(8) == replies[:8] and outbox.waits
    assert outbox.take(8) == replies[8:] and not outbox.waits
    for number in range(13):
        outbox.put(m.Patch(epoch=1, seq=number))
    assert outbox.waiting == 0 and outbox.waits, "all was dropped, and something comes in its place"
    assert outbox.take(8) == [m.Notice(key="notice.missed", text="", args={})] and not outbox.waits


def test_an_outbox_that_nobody_reads_is_closed() -> None:
    outbox = Outbox(limit=2, hard=5)
    for number in range(7):
        outbox.put(m.Ok(re=str(number)))
    assert outbox.overflowed and outbox.closed and outbox.waiting == 5


async def test_the_inbox_is_bounded(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    gate = trio.Event()
    storage.before_append = gate.wait
    await clients[0].answer(0)
    await wait_all_tasks_blocked()
    with pytest.raises(Refusal, match="busy"):
        for number in range(100):
            await clients[1].send(m.Sync(id=str(number)))
    gate.set()
    await settle(clients)
    assert sum(isinstance(message, m.ViewMessage) and bool(message.re) for message in clients[1].got) == 64


async def test_a_defect_freezes_this_room_alone(nursery: trio.Nursery, caplog: pytest.LogCaptureFixture) -> None:
    room, storage = await open_room(nursery, FakeGame(crash_at=2))
    other, _ = await open_room(nursery)
    clients, others = table(room), table(other)
    await settle([*clients, *others])
    await clients[0].answer(1)
    await settle(clients)
    with caplog.at_level(logging.CRITICAL):
        re = await clients[0].answer(1)
        await settle(clients)
    assert room.frozen
    reply = clients[0].reply(re)
    assert isinstance(reply, m.Refused) and reply.code == "frozen"
    for client in clients:
        assert any(isinstance(message, m.Notice) and message.key == "notice.frozen" for message in client.got)
    with pytest.raises(Refusal, match="defect") as refused:
        await clients[1].send(m.Sync(id="s"))
    assert refused.value.code == "frozen"
    assert len((await storage.load("r1")).entries) == 1
    await others[0].answer(1)
    await settle(others)
    assert len(others[1].view["battlefield"]) == 1  # type: ignore[arg-type]


async def test_a_full_disk_refuses_and_loses_nothing(nursery: trio.Nursery) -> None:
    room, storage = await open_room(nursery)
    clients = table(room)
    await settle(clients)

    async def full() -> None:
        raise StorageFault("disk full")

    storage.before_append = full
    re = await clients[0].answer(1, q(1))
    await settle(clients)
    reply = clients[0].reply(re)
    assert isinstance(reply, m.Refused) and reply.code == "busy"
    storage.before_append = None
    re = await clients[0].answer(1, q(1))
    await settle(clients)
    assert clients[0].reply(re) == m.Ok(re=re)
    assert len((await storage.load("r1")).entries) == 1


async def answers(clients: list[Client], indices: tuple[int, ...]) -> None:
    """Whoever is asked answers so, one after the other, with a journal on a real disk."""
    for index in indices:
        await asked(clients).answer(index)
        with trio.fail_after(5):
            while not any(client.question for client in clients):
                await trio.sleep(0.001)
                read_all(clients)


async def test_a_snapshot_that_is_torn_on_disk_costs_nothing_but_time(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage, trio.open_nursery() as nursery:
        room = Room(setup_of(), storage, FakeGame())
        await nursery.start(room.run)
        clients = table(room)
        await settle(clients)
        await answers(clients, (1, 0, 1))
        await room.rest()
        views = [room.view(seat) for seat in (0, 1, 2, None)]
        nursery.cancel_scope.cancel()
    with closing(sqlite3.connect(tmp_path / "apnap.sqlite3")) as db, db:
        assert db.execute("UPDATE snapshot SET state = substr(state, 1, length(state) / 2)").rowcount == 1
    async with open_sqlite(tmp_path) as storage:
        (again,) = await recover(storage, FakeGame())
    assert not again.frozen
    assert [again.view(seat) for seat in (0, 1, 2, None)] == views


async def test_restart_takes_up_every_game(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage, trio.open_nursery() as nursery:
        room = Room(setup_of(), storage, FakeGame())
        await nursery.start(room.run)
        clients = table(room)
        await settle(clients)
        await answers(clients, (1, 0, 1, 1, 0))
        view, epoch, seq = room.view(1), clients[1].epoch, clients[1].seq
        last = asked(clients)
        question = last.question
        nursery.cancel_scope.cancel()
    async with open_sqlite(tmp_path) as storage, trio.open_nursery() as nursery:
        (again,) = await recover(storage, FakeGame())
        await nursery.start(again.run)
        assert again.view(1) == view
        clients = [Client(again, f"n{seat}", seat) for seat in range(3)]
        for client in clients:
            client.epoch = epoch
            client.attach(epoch=epoch, seq=seq)
        read_all(clients)
        assert asked(clients).question == question
        assert clients[1].epoch != epoch
        # An answer that was acknowledged before the restart is acknowledged again.
        assert isinstance((await storage.load("r1")).entries[0], Answered)
        re = await clients[0].answer(1, q(1))
        await wait_all_tasks_blocked()
        read_all(clients)
        assert clients[0].reply(re) == m.Ok(re=re, again=True)
        nursery.cancel_scope.cancel()


async def test_a_journal_that_diverges_freezes_that_room(caplog: pytest.LogCaptureFixture) -> None:
    storage = MemoryStorage()
    async with trio.open_nursery() as nursery:
        for name in ("bad", "good"):
            room = Room(setup_of(room=name), storage, FakeGame())
            await nursery.start(room.run)
            clients = table(room)
            await settle(clients)
            await clients[0].answer(1)
            await settle(clients)
        await storage.append("bad", [Check(seq=2, hash="wrong")])
        nursery.cancel_scope.cancel()
    with caplog.at_level(logging.CRITICAL):
        bad, good = await recover(storage, FakeGame())
    assert bad.frozen and not good.frozen
    async with trio.open_nursery() as nursery:
        await nursery.start(bad.run)
        await nursery.start(good.run)
        client = Client(bad, "c", 0)
        client.attach()
        client.read()
        assert [type(message) for message in client.got] == [m.Notice]
        nursery.cancel_scope.cancel()
