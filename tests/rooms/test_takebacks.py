"""Taking answers back: at once while nothing hidden was seen and nobody else has answered, else when all agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import trio
import trio.lowlevel
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.questions import PriorityAnswer
from protocol.view import Event
from server.knowledge.events import Line
from server.rooms import RULES, Room, recover, replay
from server.rooms.clocks import Terms
from server.rooms.earlier import KEPT_STATES, AtOnce, Earlier
from server.rooms.replay import Turned
from server.rooms.seated import begin as begin_seats
from server.rooms.tell import Teller
from server.rules.model import Take
from server.rules.model.questions import ConfirmQuestion
from server.storage import Answered, AnyEntry, MemoryStorage, Snapshot, TakenBack
from tests.rooms.fake import FakeGame, q
from tests.rooms.fake import setup_of as fake_setup
from tests.rooms.tables import Client, asked, read_all, table
from tests.rooms.test_whole_games import Chance, play, setup_of


async def settle(clients: list[Client]) -> None:
    await wait_all_tasks_blocked()
    read_all(clients)


async def begin(nursery: trio.Nursery, **options: object) -> tuple[Room, list[Client], MemoryStorage]:
    storage = MemoryStorage()
    room = Room(fake_setup(**options), storage, FakeGame())  # type: ignore[arg-type]
    await nursery.start(room.run)
    clients = table(room, spectators=1)
    await settle(clients)
    return room, clients, storage


async def ask(client: Client, clients: list[Client], message: m.ClientMessage) -> m.ServerMessage:
    await client.send(message)
    await settle(clients)
    return client.reply(message.id)


async def test_ones_last_answer_is_taken_back_at_once(nursery: trio.Nursery) -> None:
    room, clients, storage = await begin(nursery)
    before = [room.view(seat) for seat in range(3)]
    told = [len(client.events) for client in clients]
    await clients[0].answer(1)
    await settle(clients)
    assert len(clients[1].view["battlefield"]) == 1  # type: ignore[arg-type]
    assert await ask(clients[0], clients, m.TakeBack(id="t")) == m.Ok(re="t")
    assert [client.view for client in clients[:3]] == before
    assert clients[0].question is not None and clients[0].question.id == q(3), "it is asked again under a new id"
    assert m.Closed(question=q(2), why="taken_back") in clients[0].got
    assert clients[1].events[-1].key == "event.taken_back"
    # Each is told how many of the lines that they saw count no more.
    for client, lines in zip(clients, told, strict=True):
        assert client.events[-1].args["lines"] == len(client.events) - 1 - lines > 0
    assert isinstance((await storage.load("r1")).entries[-1], TakenBack)


async def test_several_answers_in_a_row_are_taken_back_one_by_one_or_together(nursery: trio.Nursery) -> None:
    room, clients, _ = await begin(nursery)
    start = room.view(0)
    for _ in range(3):
        await clients[0].answer(1)
        await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t1"))
    assert len(clients[0].view["battlefield"]) == 2  # type: ignore[arg-type]
    assert await ask(clients[0], clients, m.TakeBack(id="t2", question=q(1))) == m.Ok(re="t2")
    assert clients[0].view == start


async def test_when_another_has_answered_all_must_agree(nursery: trio.Nursery) -> None:
    room, clients, _ = await begin(nursery)
    start = room.view(0)
    await clients[0].answer(1)
    await settle(clients)
    await clients[0].answer(0)
    await settle(clients)
    await clients[1].answer(1)
    await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t", question=q(1)))
    vote = next(message for message in clients[2].got if isinstance(message, m.Vote))
    assert (vote.what, vote.by, vote.question, vote.waiting) == ("takeback", 0, q(1), [1, 2])
    assert room.view(0) != start
    for client in clients[1:3]:
        await ask(client, clients, m.Consent(id="y", vote=vote.vote))
    assert room.view(0) == start and asked(clients).seat == 0
    assert [message.result for message in clients[1].got if isinstance(message, m.Vote)][-1] == "passed"


def test_whatever_another_does_but_pass_ends_it_also_where_nothing_hidden_was_seen() -> None:
    state, _ = FakeGame().start(fake_setup())
    seats, at_once = begin_seats(3, Terms()), AtOnce()

    def answers(seat: int, question: int, index: int) -> None:
        entry = Answered(seq=question, at=0, seat=seat, question=question, answer=Take(index), by="seat")
        at_once.note(Turned(entry, state, replace(state, questions=question), ()), seats)

    answers(0, 1, 1)
    answers(1, 2, 0)
    before = at_once.before(0, 1)
    assert before is not None and before.state == replace(state, memo={}) and at_once.last(0) == 1
    assert list(before.state.objects) == list(state.objects)
    answers(1, 3, 1)
    assert at_once.last(0) is None
    assert [kept.question for kept in at_once.since(Earlier(1, 2, state, ()))] == [2, 3]


def test_of_each_seat_as_many_answers_are_kept_however_often_others_were_asked() -> None:
    state, _ = FakeGame().start(fake_setup())
    seats, at_once = begin_seats(3, Terms()), AtOnce()
    for number in range(1, KEPT_STATES + 3):  # the first is another's
        seat = int(number > 1)
        entry = Answered(seq=number, at=0, seat=seat, question=number, answer=Take(0), by="seat")
        at_once.note(Turned(entry, state, replace(state, questions=number), ()), seats)
    assert at_once.before(0, 1) is not None
    assert at_once.before(1, 2) is None and at_once.before(1, 3) is not None
    assert at_once.before(1, KEPT_STATES + 2) is not None and at_once.last(1) == KEPT_STATES + 2


async def test_a_turn_that_drew_a_card_is_not_taken_back_at_once(nursery: trio.Nursery) -> None:
    room, clients, _ = await begin(nursery, seats=2)
    await clients[0].answer(0)
    await settle(clients)
    await clients[1].answer(0)  # the next turn begins, and its player draws
    await settle(clients)
    assert room.state is not None and room.state.turn.number == 2
    await ask(clients[1], clients, m.TakeBack(id="t"))
    assert room.state.turn.number == 2
    assert any(isinstance(message, m.Vote) for message in clients[0].got)


async def test_a_stale_answer_to_a_question_asked_again_is_refused(nursery: trio.Nursery) -> None:
    _, clients, _ = await begin(nursery)
    await clients[0].answer(1)
    await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t"))
    for number, index in ((1, 1), (2, 0)):
        late = m.AnswerMessage(id=f"late{number}", question=q(number), answer=PriorityAnswer(index=index))
        refused = await ask(clients[0], clients, late)
        assert isinstance(refused, m.Refused) and refused.code == "stale", "also what had been answered before"


async def test_what_was_taken_back_is_not_taken_back_again(nursery: trio.Nursery) -> None:
    """An answer that counts no more leads to no moment of the game: who went back there would come to a game that was given up."""
    room, clients, _ = await begin(nursery)
    for _ in range(2):
        await clients[0].answer(1)
        await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t", question=q(1)))
    assert room.state is not None and len(room.state.battlefield) == 0
    for number, question in enumerate((q(1), q(2), q(10**6))):
        refused = await ask(clients[0], clients, m.TakeBack(id=f"t{number}", question=question))
        assert isinstance(refused, m.Refused) and refused.code == "no_takeback"


async def test_nobody_takes_back_what_another_was_asked(nursery: trio.Nursery) -> None:
    """All could agree to it, and it would still not be done: no vote is put up."""
    _, clients, _ = await begin(nursery)
    await clients[0].answer(1)
    await settle(clients)
    refused = await ask(clients[1], clients, m.TakeBack(id="t", question=q(1)))
    assert isinstance(refused, m.Refused) and refused.code == "no_takeback"
    assert not any(isinstance(message, m.Vote) for message in clients[2].got)


@pytest.mark.parametrize(("takebacks", "first", "second"), [("own", "ok", "no_takeback"), ("none", "no_takeback", "")])
async def test_the_room_says_what_may_be_taken_back(
    takebacks: str, first: str, second: str, nursery: trio.Nursery
) -> None:
    _, clients, _ = await begin(nursery, takebacks=takebacks)
    await clients[0].answer(1)
    await settle(clients)
    reply = await ask(clients[0], clients, m.TakeBack(id="t"))
    assert (reply.code if isinstance(reply, m.Refused) else "ok") == first
    if second:
        await clients[0].answer(0)
        await settle(clients)
        await clients[1].answer(1)
        await settle(clients)
        reply = await ask(clients[0], clients, m.TakeBack(id="t2", question=q(3)))
        assert isinstance(reply, m.Refused) and reply.code == second


async def test_a_concession_is_never_taken_back(nursery: trio.Nursery) -> None:
    room, clients, _ = await begin(nursery)
    await clients[0].answer(1)
    await settle(clients)
    await clients[2].send(m.Concede(id="c"))
    await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t", question=q(1)))
    await ask(clients[1], clients, m.Consent(id="y", vote="v1"))
    assert [message.result for message in clients[1].got if isinstance(message, m.Vote)][-1] == "failed"
    assert room.state is not None and len(room.state.battlefield) == 1


async def test_a_real_game_with_takebacks_replays_and_restarts() -> None:
    """Under the real rules: random answers, every fourth of them taken back as all agree; the journal says the same."""
    storage = MemoryStorage()
    room = Room(setup_of(2, "back"), storage)
    chance = Chance("back")
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        clients = table(room)
        read_all(clients)
        for number in range(14):
            await play(room, clients, chance, [], most=4)
            if room.over.is_set():
                break
            back = asked(clients)
            number_of = f"t{number}"
            await back.send(m.TakeBack(id=number_of))
            await settle(clients)
            ballot = room._under_way.votes.ballot
            if ballot is not None:
                await clients[1 - ballot.motion.by].send(m.Consent(id=f"y{number}", vote=ballot.name))
                await settle(clients)
            for client in clients:
                assert client.view == room.view(client.seat)
        nursery.cancel_scope.cancel()
    journal = await storage.load("whole")
    assert sum(isinstance(entry, TakenBack) for entry in journal.entries) >= 10
    *_, last = replay(journal, RULES)
    assert room.state is not None and RULES.fingerprint(last.after) == RULES.fingerprint(room.state)
    (again,) = await recover(storage)
    assert [again.view(seat) for seat in range(2)] == [room.view(seat) for seat in range(2)]
    assert again.seats == room.seats


async def test_a_server_that_stops_as_somebody_takes_back_keeps_what_it_can_go_on_from(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A snapshot of before that came after would be one from which the journal cannot be played."""
    room, clients, storage = await begin(nursery)
    await clients[0].answer(1)
    await settle(clients)
    append = storage.append

    async def late(of: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        if not entries:
            await wait_all_tasks_blocked()
        return await append(of, entries, snapshot)

    monkeypatch.setattr(storage, "append", late)
    async with trio.open_nursery() as both:
        both.start_soon(room.rest)
        await trio.lowlevel.checkpoint()
        await clients[0].send(m.TakeBack(id="t"))
    await settle(clients)
    assert clients[0].reply("t") == m.Ok(re="t")
    (again,) = await recover(storage, FakeGame())
    assert [again.view(seat) for seat in range(3)] == [room.view(seat) for seat in range(3)]
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_what_was_taken_back_stays_so_after_a_restart(nursery: trio.Nursery) -> None:
    """The log says that it was, the answer is not acknowledged, and no second one goes back there."""
    room, clients, storage = await begin(nursery)
    await clients[0].answer(1)
    await settle(clients)
    await ask(clients[0], clients, m.TakeBack(id="t"))
    (again,) = await recover(storage, FakeGame())
    await nursery.start(again.run)
    back = table(again, spectators=1)
    await settle(back)
    for client, before in zip(back, clients, strict=True):
        assert client.events == before.events and client.events[-1].key == "event.taken_back"
    late = m.AnswerMessage(id="late", question=q(1), answer=PriorityAnswer(index=1))
    refused = await ask(back[0], back, late)
    assert isinstance(refused, m.Refused) and refused.code == "stale"
    refused = await ask(back[0], back, m.TakeBack(id="t2", question=q(1)))
    assert isinstance(refused, m.Refused) and refused.code == "no_takeback"


def test_what_led_to_a_question_asked_in_secret_still_counts_when_its_answer_is_taken_back() -> None:
    """Others are told of it only when all may know of it, so it may not be in the log yet."""
    game, setup = FakeGame(), fake_setup()
    teller = Teller(game, setup)
    state, _ = game.start(setup)
    teller.update(state, None)
    asked_first = ConfirmQuestion(seat=0, purpose="may", number=2, source=state.players[0].hand[0])
    teller.add([Line(Event(kind="enter", key="event.enter"))])
    teller.update(replace(state, pending=asked_first), None)
    teller.add([Line(Event(kind="draws", key="event.draws"))])
    back = Line(Event(kind="taken_back", key="event.taken_back"))
    for _ in range(2):
        told = teller.counted(back, 2, [0, 1, 2])
        assert [event.args["lines"] for seat in range(3) if (event := told.of(seat)) is not None] == [1, 1, 1]
        teller.update(state, None)  # all may know of it: the lines are told
