"""With `by_hand: never` nothing has changed: the option alone makes no difference to a game, and what needs it is refused."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import messages as m
from protocol.by_hand import LifeChange
from protocol.options import ByHand, RoomOptions
from protocol.questions import PriorityAnswer
from protocol.refusals import Code
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room
from server.rules.turn import legal
from server.storage import MemoryStorage, Sitting, make_setup
from tests.rooms.tables import Client, read_all
from tests.rules.play import creature


async def played(nursery: trio.Nursery, option: ByHand, answers: int) -> tuple[list[str], list[object], Room]:
    """The hashes of a game of so many answers, and the log as a spectator reads it."""
    deck = (*(creature("Bear", 2, 2, cost="{0}"),) * 20, *(creature("Kite", 1, 1, "flying", cost="{0}"),) * 20)
    people = [Sitting(name=name, person=name, deck=deck) for name in ("Ada", "Ben")]
    options = RoomOptions(seats=2, mulligans=False, seed=5, by_hand=option)
    room = Room(
        make_setup(room="r", options=options, seed="5", sittings=people, version=RULES.version), MemoryStorage()
    )
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat if seat < 2 else None) for seat in range(3)]
    for client in clients:
        client.attach()
    hashes: list[str] = []
    for number in range(answers):
        await wait_all_tasks_blocked()
        read_all(clients)
        state = room.state
        assert state is not None
        hashes.append(RULES.fingerprint(state))
        asked = next((client for client in clients if client.question is not None), None)
        if asked is None or asked.question is None or state.pending is None:
            break
        actions = getattr(state.pending, "actions", ())
        cast = next((i for i, action in enumerate(actions) if action.type in ("play_land", "cast")), 0)
        answer = PriorityAnswer(index=cast) if actions else write_answer(legal.default(state.pending, state))
        question, asked.question = asked.question.id, None
        await asked.send(m.AnswerMessage(id=f"a{number}", question=question, answer=answer))
    return hashes, list(clients[2].events), room


async def test_the_option_alone_makes_no_difference(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    never = await played(nursery, "never", 25)
    found = await played(nursery, "open", 25)
    assert found[:2] == never[:2] and len(set(found[0])) > 15


@pytest.mark.parametrize(
    "message",
    [
        m.Correct(id="x", changes=(LifeChange(seat=0, to=1),)),
        m.Reword(id="x", object="1", line="Draw a card."),
        m.TakeUp(id="x"),
        m.Agree(id="x", ballot="b1"),
        m.Moments(id="x"),
    ],
    ids=lambda message: str(message.__struct_config__.tag),
)
async def test_nothing_by_hand_is_asked_of_such_a_room(
    nursery: trio.Nursery, autojump_clock: MockClock, message: m.ClientMessage
) -> None:
    _, _, room = await played(nursery, "never", 1)
    client = Client(room, "again", 0)
    client.attach()
    await client.send(message)
    await wait_all_tasks_blocked()
    client.read()
    reply = client.reply("x")
    assert isinstance(reply, m.Refused) and reply.code == Code.BAD_OPTION
