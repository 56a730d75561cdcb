"""Whatever people at a table do by hand, propose, agree or object to, at every kind of question, and whoever leaves meanwhile."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import by_hand as hand
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.questions import ActAnswer, Answer
from protocol.view import read
from server.bench.invariants import deck_counts, sound, structure
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room, replay, restore
from server.rules.model import ActQuestion, State
from server.rules.turn import legal
from server.storage import MemoryStorage, Sitting, make_setup
from tests.rooms.tables import Client, read_all
from tests.rules.test_by_hand_laws import DECK, LINES

NAMES = ("A", "B", "C", "D")
WORDS = ("Draw a card.", "Creatures you control get +1/+1.", "Flying", "Hum.", "{T}: Add {G}.", "")


class People:
    """Four who do what they may, and much that they may not."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        people = [Sitting(name=name, person=name, deck=DECK) for name in NAMES]
        options = RoomOptions(
            seats=4,
            mulligans=False,
            private=True,
            edition="current",
            by_hand="open",
            agreement="most",
            seed=seed,
            life=100,
        )
        self.storage = MemoryStorage()
        setup = make_setup(room="r", options=options, seed=str(seed), sittings=people, version=RULES.version)
        self.room = Room(setup, self.storage)
        self.clients: list[Client] = []
        self.did: Counter[str] = Counter()
        self.counts = deck_counts((DECK,) * 4)
        self.number = 0

    @property
    def state(self) -> State:
        assert self.room.state is not None
        return self.room.state

    def id(self) -> str:
        self.number += 1
        return f"m{self.number}"

    def object(self) -> str:
        """Any object, seen or not."""
        return str(self.chance.choice(list(self.state.objects)))

    def answer(self) -> Answer:
        pending, chance = self.state.pending, self.chance
        assert pending is not None
        if isinstance(pending, ActQuestion) and chance.random() < 0.8:
            return ActAnswer(line=chance.choice(LINES).format(f"#{self.object()}"), reading=chance.randrange(2))
        return write_answer(legal.sample(pending, self.state, chance))

    def change(self) -> hand.Change:
        chance, seat = self.chance, self.chance.randrange(5)
        moments = [one for client in self.clients for one in client.got if isinstance(one, m.MomentsTold)]
        back = moments[-1].moments if moments and moments[-1].moments else []
        return chance.choice((
            hand.LifeChange(seat=seat, to=chance.randrange(1, 99)),
            hand.CountersChange(counter="+1/+1", to=chance.randrange(3), object=self.object()),
            hand.CountersChange(counter="poison", to=chance.randrange(3), seat=seat),
            hand.DamageChange(object=self.object(), to=chance.randrange(3)),
            hand.TappedChange(object=self.object(), to=chance.random() < 0.5),
            hand.MoveChange(object=self.object(), to=chance.choice(("battlefield", "graveyard", "exile", "hand", "library"))),
            hand.TokenChange(seat=seat, line=chance.choice(("a 1/1 green Snake creature token", "a hum", "")), object=""),
            hand.TokenChange(seat=seat, object=self.object(), count=2),
            hand.GoneChange(object=self.object()),
            hand.TurnChange(seat=seat, step=chance.choice(("upkeep", "precombat_main", "declare_attackers", "end"))),
            *(hand.BackChange(question=one.question) for one in chance.sample(back, min(1, len(back)))),
        ))  # fmt: skip

    def message(self) -> m.ClientMessage:
        """Something that anybody may say."""
        chance = self.chance
        ballots = [one.ballot for one in self.clients[0].got[-40:] if isinstance(one, m.Ballot)] or ["b1"]
        kind = chance.random()
        if kind < 0.3:
            return m.Correct(id=self.id(), changes=tuple(self.change() for _ in range(chance.choice((1, 1, 1, 2)))))
        if kind < 0.4:
            return m.Reword(id=self.id(), object=self.object(), line=chance.choice(WORDS))
        if kind < 0.9:
            return m.Agree(id=self.id(), ballot=chance.choice(ballots[-3:]), yes=chance.random() < 0.7)
        if kind < 0.95:
            return m.Moments(id=self.id())
        return chance.choice((m.TakeBack(id=self.id()), m.TakeUp(id=self.id()), m.Agree(id=self.id(), ballot="a999")))

    async def do(self) -> None:
        """One thing that somebody does; then the game is sound."""
        client = self.clients[self.chance.randrange(4)]
        pending = self.state.pending
        assert pending is not None
        if self.chance.random() < 0.5:
            client = self.clients[pending.seat]
            question = client.question.id if client.question is not None else "q0"
            message: m.ClientMessage = m.AnswerMessage(id=self.id(), question=question, answer=self.answer())
        else:
            message = self.message()
        if self.chance.random() < 0.004:
            message = m.Concede(id=self.id())
        await client.send(message)
        await wait_all_tasks_blocked()
        if self.chance.random() < 0.3:
            await trio.sleep(self.chance.choice((0.5, 6, 40)))
        read_all(self.clients)
        self.did[str(message.__struct_config__.tag)] += 1
        assert not self.room.frozen
        told = [one for one in self.clients[0].got if isinstance(one, m.Ballot)]
        reworded = any((one.what, one.result) == ("reword", "passed") for one in told)
        faults = [*structure(self.state, self.counts), *sound(self.state)]
        # In other words a card counts as another one.
        assert [one for one in faults if not (reworded and one.startswith("cards of player"))] == []


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_a_table_does_by_hand_it_stays_sound_and_plays_again(
    nursery: trio.Nursery, autojump_clock: MockClock, seed: int
) -> None:
    people = People(seed)
    await nursery.start(people.room.run)
    people.clients = [Client(people.room, f"c{seat}", seat) for seat in range(4)]
    for client in people.clients:
        client.attach()
    await trio.sleep(1)
    read_all(people.clients)
    for _ in range(200):
        if people.room.over.is_set():
            break
        await people.do()
    journal = await people.storage.load("r")
    assert RULES.fingerprint(list(replay(journal, RULES))[-1].after) == RULES.fingerprint(people.state)
    again = await restore(journal, people.storage)
    for viewer in (*range(4), None):
        assert read(again.view(viewer)) == read(people.room.view(viewer))
    results = Counter(
        f"{one.what} {one.result}" for one in people.clients[0].got if isinstance(one, m.Ballot) and one.result
    )
    assert results["act passed"] and any(key.startswith("correct") for key in results), results
