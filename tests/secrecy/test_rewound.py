"""What could be learnt by taking an answer back: each attack tries to, and learns nothing."""

from __future__ import annotations

import re

import msgspec
import pytest
import trio

from protocol import messages as m
from protocol.questions import ChooseAnswer, ChooseQuestion, PriorityQuestion
from server.cards.forms import Card
from server.cards.loading import whole
from server.oracle.reading import read_card
from server.rooms import Room
from server.rooms.earlier import KEPT_STATES
from server.storage import MemoryStorage
from tests.rooms.tables import Client, table
from tests.rooms.test_room import settle
from tests.rooms.test_whole_games import setup_of
from tests.rules.play import BEAR, BOLT, FOREST, MOUNTAIN, Game
from tests.secrecy.kinds import asking_cards
from tests.secrecy.test_attacks import Begun

QUESTION = re.compile(rb'"q[0-9a-f]{8}"')


def unnumbered(client: Client) -> list[bytes]:
    """All that a viewer was sent, but for the ids of questions and epochs, which tell nothing."""
    return [re.sub(rb'"epoch":\d+', b"", QUESTION.sub(b'"q"', msgspec.json.encode(one))) for one in client.got]


async def take(client: Client, kind: str) -> None:
    """With priority, do something of a kind."""
    assert isinstance(client.question, PriorityQuestion), client.question
    await client.answer(next(n for n, one in enumerate(client.question.actions) if one.type == kind))


def read(**words: str) -> Card:
    card = whole(words, "tests", read_card)
    assert card is not None
    return card


def gift_of(*hand: Card) -> Game:
    """Seat 0 may cast a spell by which it may put a land from its hand onto the battlefield; seat 1 can answer to it."""
    (gift,) = [card for card in asking_cards() if card.name == "Gift Not Asked For"]
    game = Game("AB")
    for card in (gift, *hand):
        game.put("A", card, "hand")
    game.put("A", FOREST)
    game.put("B", BOLT, "hand")
    game.put("B", MOUNTAIN)
    game.begin()
    return game


async def told_of_a_gift(*hand: Card) -> list[list[bytes]]:
    """What seat 1 and a spectator are sent as seat 0 puts nothing onto the battlefield, and seat 1 takes its pass back."""
    room = Room(setup_of(2, "gift"), MemoryStorage(), Begun(gift_of(*hand).state))
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=1)
        await nursery.start(room.run)
        await settle(clients)
        await take(clients[0], "cast")
        await settle(clients)
        await take(clients[1], "pass")
        await settle(clients)
        asked = clients[0].question
        if isinstance(asked, ChooseQuestion):
            clients[0].question = None
            await clients[0].send(m.AnswerMessage(id="no", question=asked.id, answer=ChooseAnswer(picks=())))
            await settle(clients)
        await clients[1].send(m.TakeBack(id="back"))
        await settle(clients)
        nursery.cancel_scope.cancel()
    return [unnumbered(client) for client in clients[1:]]


@pytest.mark.rule("402.3")
async def test_taking_back_does_not_tell_whether_another_chose_in_secret(autojump_clock: object) -> None:
    had_none = await told_of_a_gift(BEAR)
    assert any(b"event.taken_back" in one for one in had_none[0])
    assert await told_of_a_gift(FOREST) == had_none


async def told_of_many_passes(answers: bool) -> list[list[bytes]]:
    """What seat 0 and a spectator are sent as it takes its first ability of many back, to each of which seat 1 has passed: by hand, or
    since it wanted it so.
    """
    game = Game("AB")
    game.put("A", read(name="Patient Fountain", types="Artifact", text="{0}: You gain 1 life."))
    game.put("B", BOLT, "hand")
    game.put("B", MOUNTAIN)
    game.begin()
    room = Room(setup_of(2, "many"), MemoryStorage(), Begun(game.state))
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=1)
        await nursery.start(room.run)
        await settle(clients)
        if not answers:
            await clients[1].send(m.Pass(id="p", until="end_of_turn"))
            await settle(clients)
        asked = clients[0].question
        assert asked is not None
        for _ in range(KEPT_STATES):
            await take(clients[0], "activate")
            await settle(clients)
            assert answers is (clients[1].question is not None)
            if answers:
                await take(clients[1], "pass")
                await settle(clients)
        await clients[0].send(m.TakeBack(id="back", question=asked.id))
        await settle(clients)
        nursery.cancel_scope.cancel()
    return [unnumbered(clients[number]) for number in (0, 2)]


async def test_how_far_one_goes_back_does_not_tell_whether_others_were_asked(autojump_clock: object) -> None:
    assert await told_of_many_passes(answers=True) == await told_of_many_passes(answers=False)
