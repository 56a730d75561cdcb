"""An answer that counted is acknowledged again, however long ago it was given; one that did not count is not."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.questions import PriorityAnswer
from server.rooms import Room, recover
from server.rooms.seats import KEPT_ANSWERS
from server.storage import MemoryStorage
from tests.rooms.fake import FakeGame, q, setup_of
from tests.rooms.tables import Client, asked, read_all, running

GAME = FakeGame(turns=2000)


async def reply_to(client: Client, message: m.ClientMessage) -> m.ServerMessage:
    await client.send(message)
    await wait_all_tasks_blocked()
    client.read()
    return next(got for got in reversed(client.got) if got.re == message.id)


async def played(clients: list[Client], answers: int) -> list[tuple[int, m.AnswerMessage]]:
    """So many passes of whoever is asked; (seat, message) of each."""
    sent: list[tuple[int, m.AnswerMessage]] = []
    for number in range(answers):
        client = asked(clients)
        assert client.seat is not None and client.question is not None
        message = m.AnswerMessage(id=f"a{number}", question=client.question.id, answer=PriorityAnswer(index=0))
        sent.append((client.seat, message))
        client.question = None
        assert await reply_to(client, message) == m.Ok(re=message.id)
        read_all(clients)
    return sent


async def test_an_answer_of_long_ago_is_acknowledged_again_before_and_after_a_restart(
    autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(2), storage, GAME)
    async with trio.open_nursery() as inner:
        clients = await running(inner, room)
        sent = await played(clients, 3 * KEPT_ANSWERS)
        for seat, message in sent[:3] + sent[-3:]:
            assert await reply_to(clients[seat], message) == m.Ok(re=message.id, again=True)
        inner.cancel_scope.cancel()
    (room,) = await recover(storage, GAME)
    clients = await running(nursery, room)
    before = room.seq
    for number, (seat, message) in enumerate(sent):
        if number % 100 == 0:
            await trio.sleep(60)  # as often as it may be asked
        assert await reply_to(clients[seat], message) == m.Ok(re=message.id, again=True), number
    assert room.seq == before, "and played once"


async def test_what_was_not_answered_so_by_that_seat_is_not_acknowledged(nursery: trio.Nursery) -> None:
    room = Room(setup_of(2), MemoryStorage(), GAME)
    clients = await running(nursery, room)
    sent = await played(clients, 3 * KEPT_ANSWERS)
    seat, first = sent[0]
    other = m.AnswerMessage(id="x", question=first.question, answer=PriorityAnswer(index=1))
    for client, message, code in (
        (clients[seat], other, "stale"),
        (clients[1 - seat], first, "not_your_question"),
        (clients[seat], m.AnswerMessage(id="y", question=q(99_999), answer=first.answer), "not_your_question"),
    ):
        refused = await reply_to(client, message)
        assert isinstance(refused, m.Refused) and refused.code == code


async def test_what_was_taken_back_long_ago_counts_no_more(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(2), storage, GAME)
    async with trio.open_nursery() as inner:
        clients = await running(inner, room)
        taken: list[m.AnswerMessage] = []
        for number in (1, 2):
            message = m.AnswerMessage(id=f"t{number}", question=q(2 * number - 1), answer=PriorityAnswer(index=1))
            taken.append(message)
            assert isinstance(await reply_to(clients[0], message), m.Ok)
            assert isinstance(await reply_to(clients[0], m.TakeBack(id=f"b{number}")), m.Ok)
            read_all(clients)
        kept = (await played(clients, 3 * KEPT_ANSWERS))[0][1]
        await room.rest()
        inner.cancel_scope.cancel()
    (room,) = await recover(storage, GAME)
    clients = await running(nursery, room)
    for message in taken:
        refused = await reply_to(clients[0], message)
        assert isinstance(refused, m.Refused) and refused.code == "stale"
    assert await reply_to(clients[0], kept) == m.Ok(re=kept.id, again=True)


async def test_a_seat_has_the_journal_searched_only_so_often(
    autojump_clock: trio.testing.MockClock, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(2), storage, GAME)
    room.watch_over(lambda: None, resends_per_minute=6)
    clients = await running(nursery, room)
    seat, first = (await played(clients, 3 * KEPT_ANSWERS))[0]
    searched = 0
    search = storage.answer_to

    async def answer_to(room: str, question: int) -> object:
        nonlocal searched
        searched += 1
        return await search(room, question)

    monkeypatch.setattr(storage, "answer_to", answer_to)
    replies = [
        await reply_to(clients[seat], m.AnswerMessage(id=f"r{n}", question=first.question, answer=first.answer))
        for n in range(9)
    ]
    assert [isinstance(reply, m.Ok) for reply in replies] == [True] * 6 + [False] * 3 and searched == 6
    assert isinstance(replies[-1], m.Refused) and replies[-1].code == "busy"
    await trio.sleep(10)
    assert isinstance(
        await reply_to(clients[seat], m.AnswerMessage(id="z", question=first.question, answer=first.answer)), m.Ok
    )
