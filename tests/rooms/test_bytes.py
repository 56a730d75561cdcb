"""How much is sent: to who comes back, and to seats that only look on."""

from __future__ import annotations

import random
from statistics import median

import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.codec import JSON
from protocol.options import RoomOptions
from server.bench.decks import house_decks
from server.cards.forms import Card
from server.knowledge.questions import write_answer
from server.rooms import RULES, Outbox, Room
from server.rooms.seats import FRESH_LINES, Seeing
from server.rooms.tell import Teller
from server.rules.model import Options
from server.rules.turn import legal, setup
from server.storage import MemoryStorage, Setup, Sitting, make_setup
from tests.rooms.tables import Client

REJOIN = 8 * 1024
LOOKING_ON = 150


def setup_of(seats: int, seed: int) -> Setup:
    decks = house_decks(seats, seed)
    people = [Sitting(name=f"Player {seat}", person=f"p{seat}", deck=deck) for seat, deck in enumerate(decks)]
    return make_setup(room="bytes", options=RoomOptions(seats=seats), seed=str(seed), sittings=people)


def size(message: m.ServerMessage) -> int:
    said = JSON.write(message)
    return len(said.encode() if isinstance(said, str) else said)


def test_who_comes_back_gets_a_whole_view_of_at_most_8_kib() -> None:
    """Four seats with twelve permanents each, seven cards in hand, the faces known from before, the events all seen."""
    game = setup_of(4, 1)
    state = setup.table(Options(), tuple(seat.name for seat in game.seats))
    for seat in range(4):
        deck = game.deck(seat)
        lands: list[Card] = [card for card in deck if "Land" in card.types]
        creatures = [card for card in deck if "Creature" in card.types]
        for card in (*lands[:6], *creatures[:6]):
            state, _ = setup.enter(state, seat, card)
        for card in deck[:7]:
            state, _ = setup.add(state, seat, "hand", card)
    teller = Teller(RULES, game)
    teller.update(state, None)
    outbox = Outbox()
    viewer = Seeing("back", outbox, 0, set())
    teller.whole(viewer, state, None, None)
    first, again = outbox.get_nowait(), None
    teller.whole(viewer, state, None, None)
    again = outbox.get_nowait()
    assert isinstance(first, m.ViewMessage) and isinstance(again, m.ViewMessage)
    assert len(again.view["battlefield"]) == 48 and not again.faces  # type: ignore[arg-type]
    print(f"first {size(first)} bytes, again {size(again)}")
    assert size(again) <= REJOIN


async def test_a_long_game_costs_who_comes_back_no_more_and_who_looks_on_little(nursery: trio.Nursery) -> None:
    room = Room(setup_of(4, 2), MemoryStorage())
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat) for seat in range(4)]
    for client in clients:
        room.attach(client.key, client.outbox, seat=client.seat, known=client.known)
        await client.send(m.Stops(id="s", only_pass=True))
    chance = random.Random(2)
    patches: list[int] = []
    for number in range(500):
        await wait_all_tasks_blocked()
        state = room.state
        if state is None or state.pending is None:
            break
        for client in clients:
            while (message := client.outbox.get_nowait()) is not None:
                if isinstance(message, m.Patch) and client.seat != state.pending.seat:
                    patches.append(size(message))
                elif isinstance(message, m.ViewMessage | m.QuestionMessage):
                    client.question = message.question or None
        question = clients[state.pending.seat].question
        if question is None:
            continue
        clients[state.pending.seat].question = None
        answer = write_answer(legal.sample(state.pending, state, chance))
        await clients[state.pending.seat].send(m.AnswerMessage(id=f"a{number}", question=question.id, answer=answer))
        if number % 50 == 49:
            outbox = Outbox()
            room.attach("back", outbox, seat=None, known=set(clients[0].known), epoch=1, seq=1)
            view = outbox.get_nowait()
            assert isinstance(view, m.ViewMessage) and len(view.events) <= FRESH_LINES
            room.detach("back")
    print(f"{len(patches)} patches, median {median(patches)} bytes")
    assert median(patches) <= LOOKING_ON
