"""Whole games under the real rules through a room: every view by patches, nothing hidden ever sent, replay equals play."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.codec import JSON
from protocol.options import RoomOptions
from protocol.view import read
from server.cards.forms import Card, Damage, Noun, SpellAbility
from server.knowledge.hidden import Viewer, may_know
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room, replay, restore
from server.rules.model import PriorityQuestion, State, Take
from server.rules.turn import legal
from server.storage import MemoryStorage, Setup, Sitting, make_setup
from tests.rooms.tables import Client, asked, read_all, table

COLORS = (("Forest", "G"), ("Mountain", "R"), ("Plains", "W"), ("Island", "U"))


def unique_deck(seat: int) -> tuple[Card, ...]:
    """Forty cards, each with a name of its own, so that a name tells which card it is."""
    land, color = COLORS[seat % 4]
    deck: list[Card] = []
    for number in range(17):
        deck.append(Card(name=f"Zq{seat}land{number}x", types=f"Basic Land — {land}"))
    for number in range(17):
        keywords = ("flying", "first strike", "trample", "haste", "vigilance", "deathtouch", "lifelink", "")[number % 8]
        deck.append(
            Card(
                name=f"Zq{seat}bear{number}x",
                types="Creature — Bear",
                cost=f"{{{number % 4}}}{{{color}}}",
                power=str(number % 4 + 1),
                toughness=str(number % 3 + 1),
                keywords=(keywords,) if keywords else (),
            )
        )
    burn = SpellAbility(do=(Damage(amount=3, to=Noun("target creature or player")),))
    for number in range(6):
        deck.append(Card(name=f"Zq{seat}burn{number}x", types="Instant", cost=f"{{{color}}}", abilities=(burn,)))
    return tuple(deck)


def setup_of(seats: int, seed: str, edition: Any = "2011", **options: Any) -> Setup:
    people = [Sitting(name=f"P{seat}", person=f"p{seat}", deck=unique_deck(seat)) for seat in range(seats)]
    wire = RoomOptions(seats=seats, edition=edition, **options)
    return make_setup(room="whole", options=wire, seed=seed, sittings=people, version=RULES.version)


class Chance:
    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.randrange = self._random.randrange
        self.shuffle = self._random.shuffle


class Watcher:
    """Looks at everything a client is sent: only names of cards that it may know or has been shown."""

    NAME = re.compile(r"Zq\d(?:land|bear|burn)\d+x")

    def __init__(self, client: Client) -> None:
        self.client = client
        self.known: set[str] = set()
        self._seen = 0

    def note(self, state: State) -> None:
        viewer: Viewer = self.client.seat
        self.known.update(t.definition.name for t in state.objects.values() if may_know(t, viewer))
        self.known.update(last.object.definition.name for last in state.last.values())

    def look(self, state: State) -> None:
        self.note(state)
        for message in self.client.got[self._seen :]:
            said = str(JSON.write(message))
            assert set(self.NAME.findall(said)) <= self.known
            assert "null" not in said or isinstance(message, m.Patch)
        self._seen = len(self.client.got)
        view = read(self.client.view)
        for key in view.objects:
            thing = state.objects[int(key)]
            assert may_know(thing, self.client.seat) or thing.face_down or thing.zone not in ("hand", "library")


async def play(room: Room, clients: list[Client], chance: Chance, watchers: list[Watcher], most: int = 10**9) -> int:
    """Random legal answers until the game is over, or so many; returns how many."""
    count = 0
    while not room.over.is_set() and count < most:
        client = asked(clients[: len(room.setup.seats)])
        state = room.state
        assert state is not None and state.pending is not None
        answer = legal.sample(state.pending, state, chance)
        if isinstance(state.pending, PriorityQuestion) and isinstance(answer, Take) and chance.randrange(40) == 0:
            answer = Take(answer.index, manual=True)
        question, client.question = client.question, None
        assert question is not None
        await client.send(m.AnswerMessage(id=f"a{count}", question=question.id, answer=write_answer(answer)))
        await wait_all_tasks_blocked()
        read_all(clients)
        reply = client.reply(f"a{count}")
        assert isinstance(reply, m.Ok), (reply, state.pending, answer)
        client.got.clear() if not watchers else None
        assert room.state is not None
        for watcher in watchers:
            assert watcher.client.view == room.view(watcher.client.seat)
            watcher.look(room.state)
            watcher.client.got.clear()
            watcher._seen = 0
        count += 1
    return count


@pytest.mark.parametrize(
    ("seats", "seed", "edition"),
    [(2, "a", "2011"), (3, "b", "current"), (4, "c", "2011"), pytest.param(5, "d", "2011", marks=pytest.mark.slow)],
)
async def test_a_whole_game(nursery: trio.Nursery, seats: int, seed: str, edition: str) -> None:
    storage = MemoryStorage()
    room = Room(setup_of(seats, seed, edition), storage)
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat if seat < seats else None) for seat in range(seats + 1)]
    for client in clients:
        client.attach()
    watchers = [Watcher(client) for client in clients]
    read_all(clients)
    assert room.state is not None
    for watcher in watchers:
        watcher.look(room.state)
    count = await play(room, clients, Chance(seed), watchers)
    assert count > 50 and not room.frozen and room.result is not None
    places = [standing.place for standing in room.result.standings]
    assert len(places) == seats and places[0] == 1
    journal = await storage.load("whole")
    last = list(replay(journal, RULES))[-1].after
    assert RULES.fingerprint(last) == room.state_hash
    again = await restore(journal, storage)
    for viewer in (*range(seats), None):
        assert again.view(viewer) == room.view(viewer)


async def test_a_restart_in_mid_game_changes_nothing(nursery: trio.Nursery) -> None:
    setup = setup_of(3, "mid")
    whole, halves = MemoryStorage(), MemoryStorage()
    first = Room(setup, whole)
    await nursery.start(first.run)
    clients = [Client(first, f"c{seat}", seat) for seat in range(3)]
    for client in clients:
        client.attach()
    read_all(clients)
    await play(first, clients, Chance("x"), [])

    chance = Chance("x")
    room = Room(setup, halves)
    async with trio.open_nursery() as inner:
        await inner.start(room.run)
        clients = [Client(room, f"c{seat}", seat) for seat in range(3)]
        for client in clients:
            client.attach()
        read_all(clients)
        await play(room, clients, chance, [], most=60)
        inner.cancel_scope.cancel()
    view = [room.view(seat) for seat in range(3)]
    room = await restore(await halves.load("whole"), halves)
    assert [room.view(seat) for seat in range(3)] == view
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat) for seat in range(3)]
    for client in clients:
        client.attach()
    read_all(clients)
    await play(room, clients, chance, [])
    assert room.state_hash == first.state_hash


async def test_everyone_concedes(nursery: trio.Nursery) -> None:
    room = Room(setup_of(4, "z"), MemoryStorage())
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat) for seat in range(4)]
    for client in clients:
        client.attach()
    read_all(clients)
    await play(room, clients, Chance("z"), [], most=40)
    for client in (clients[2], clients[0], clients[3]):
        await client.send(m.Concede(id="bye"))
        await wait_all_tasks_blocked()
        read_all(clients)
        assert isinstance(client.reply("bye"), m.Ok)
    assert room.result is not None and room.result.winners == [1]
    assert [s.reason for s in room.result.standings] == ["lost.winner", *["lost.concession"] * 3]


async def test_nobody_answers(nursery: trio.Nursery, autojump_clock: trio.abc.Clock) -> None:
    """With a clock and nobody who answers the game ends all the same: everyone draws from an empty library in the end."""
    room = Room(setup_of(2, "n", answer_ms=1000), MemoryStorage())
    await nursery.start(room.run)
    table(room)
    with trio.fail_after(100_000):
        await room.over.wait()
    assert room.result is not None
    assert room.result.standings[-1].reason == "lost.library"
