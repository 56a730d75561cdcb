"""In a room that plays by hand a correction is proposed at any question, waits where all see it, and can be withdrawn until it is done."""

from __future__ import annotations

import random
from collections import Counter

import trio
from trio.testing import MockClock

from protocol import messages as m
from protocol.by_hand import LifeChange
from protocol.options import RoomOptions
from server.cards.forms import Card
from server.cards.loading import Entry
from server.knowledge.questions import write_answer
from server.oracle.by_hand import read_partly
from server.rooms import RULES, Room
from server.rules.model import PriorityQuestion, State
from server.rules.turn import legal
from server.storage import Sitting, make_setup
from tests.rooms.tables import Client
from tests.rooms.test_objections import Four, proposed
from tests.rules.play import creature

KINDS = {"confirm", "priority", "choose", "act", "attackers", "blockers"}


def verse() -> Card:
    found = read_partly(Entry("Verse of Evens", cost="{0}", types="Sorcery", text="Hum at target player."))
    assert isinstance(found, Card)
    return found


def table_of_two(nursery: trio.Nursery) -> Four:
    """Whose decks ask questions of many kinds."""
    table = Four(nursery, seats=2)
    people = [
        Sitting(name=name, person=name, deck=(*(verse(),) * 30, *(creature("Bear", 2, 2, cost="{0}"),) * 30))
        for name in ("Ada", "Ben")
    ]
    options = RoomOptions(seats=2, by_hand="open", life=500)
    table.room = Room(
        make_setup(room="r", options=options, seed="any", sittings=people, version=RULES.version), table.storage
    )
    return table


async def test_a_correction_is_proposed_at_any_question_waits_and_is_withdrawn(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await table_of_two(nursery).begin()
    chance, met = random.Random(1), Counter[str]()
    for number in range(250):
        state = table.room.state
        if set(met) >= KINDS or state is None or state.pending is None:
            break
        kind = str(state.pending.__struct_config__.tag)
        if not met[kind]:
            await proposed_and_withdrawn(table, f"c{number}", state)
        met[kind] += 1
        assert table.asked is not None and table.asked.question is not None
        answer = write_answer(legal.sample(state.pending, state, chance))
        question, table.asked.question = table.asked.question, None
        await table.clients[question.seat].send(m.AnswerMessage(id=f"a{number}", question=question.id, answer=answer))
        await table.still()
        while table.room._under_way.by_hand.busy:
            await trio.sleep(1)
            await table.still()
        await table.settle()
    assert set(met) >= KINDS, met


async def proposed_and_withdrawn(table: Four, new: str, state: State) -> None:
    """All agree to a correction; where nobody has priority it waits, and is withdrawn; else it is done."""
    was = table.life(1)
    assert isinstance(await proposed(table, 0, m.Correct(id=new, changes=(LifeChange(seat=1, to=was - 1),))), m.Ok)
    await table.say(1, yes=True)
    if isinstance(state.pending, PriorityQuestion):
        await table.settle()
        assert (table.ballot.result, table.life(1)) == ("passed", was - 1)
        return
    assert (table.ballot.result, table.ballot.left_ms, table.ballot.waiting) == ("", 0, [])
    late = Client(table.room, f"late {new}", None)
    late.attach()
    late.read()
    assert any(isinstance(one, m.Ballot) and one.what == "correct" for one in late.got), "whoever comes sees it, too"
    await table.say(0, yes=False)
    assert (table.ballot.result, table.life(1)) == ("withdrawn", was) and table.room.state is state
