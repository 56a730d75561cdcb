"""Votes and games within the game, in rooms: over a restart, taken back, and played again from the journal (715, current 701.38)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.options import RoomOptions
from server.cards.forms import Card, PlaySubgame, SpellAbility
from server.cards.loading import Entry
from server.knowledge.questions import write_answer
from server.oracle.reading import read_card
from server.rooms import RULES, Room, recover, replay
from server.rules.model import AnyAnswer, PriorityQuestion, State, Take
from server.rules.model.questions import ChooseQuestion, Pick
from server.rules.turn import legal
from server.storage import MemoryStorage, Sitting, make_setup
from tests.rooms.tables import Client, asked, read_all, running

OPEN = "Starting with you, each player votes for feast or famine. Each opponent loses 1 life for each famine vote."
SECRET = "Each player secretly votes for a player, then those votes are revealed. Each player loses 1 life for each vote they received."
TALE = Card(name="Tale Within", types="Instant", cost="{0}", abilities=(SpellAbility(do=(PlaySubgame(),)),))


def moot(text: str, name: str) -> Card:
    found = read_card(Entry(name, "{0}", "Instant", text))
    assert isinstance(found, Card), found
    return found


CARDS = (TALE, moot(OPEN, "Old Moot"), moot(SECRET, "Dark Moot"))


def room_of(storage: MemoryStorage) -> Room:
    people = [Sitting(name=f"P{seat}", person=f"p{seat}", deck=CARDS * 20) for seat in range(3)]
    options = RoomOptions(seats=3, edition="current", mulligans=False, first=0, seed=7)
    return Room(make_setup(room="w", options=options, seed="within", sittings=people, version=RULES.version), storage)


class Table:
    """Three people of whom the first casts what the test names."""

    def __init__(self, room: Room, clients: list[Client]) -> None:
        self.room, self.clients = room, clients
        self._ids = 0

    @property
    def state(self) -> State:
        assert self.room.state is not None
        return self.room.state

    async def tell(self, seat: int, message: m.ClientMessage) -> m.ServerMessage:
        await self.clients[seat].send(message)
        await wait_all_tasks_blocked()
        read_all(self.clients)
        return self.clients[seat].reply(message.id)

    def id(self) -> str:
        self._ids += 1
        return f"m{self._ids}-{id(self)}"

    async def answer(self, answer: AnyAnswer | None = None) -> None:
        """The open question, by its default unless it is said how."""
        client = asked(self.clients)
        pending = self.state.pending
        assert pending is not None and client.question is not None and client.seat is not None
        question, client.question = client.question, None
        given = write_answer(answer or legal.default(pending, self.state))
        reply = await self.tell(client.seat, m.AnswerMessage(id=self.id(), question=question.id, answer=given))
        assert isinstance(reply, m.Ok), reply

    async def until(self, there: Callable[[State], bool], cast: str) -> None:
        """Whoever has priority first casts that card, once; else all goes by default."""
        for _ in range(400):
            if there(self.state):
                return
            pending = self.state.pending
            answer: AnyAnswer | None = None
            if cast and isinstance(pending, PriorityQuestion):
                names = [_named(self.state, action.object) for action in pending.actions]
                answer, cast = (Take(names.index(cast)), "") if cast in names else (None, cast)
            await self.answer(answer)
        raise AssertionError("it never came to that")

    async def vote(self, place: int) -> None:
        assert voting(self.state)
        await self.answer(Pick((place,)))


def voting(state: State) -> bool:
    return isinstance(state.pending, ChooseQuestion) and state.pending.purpose == "vote"


def within(state: State) -> bool:
    return voting(state) and state.main is not None


def _named(state: State, oid: int) -> str:
    found = state.objects.get(oid)
    return found.definition.name if found is not None else ""


async def begun(nursery: trio.Nursery, storage: MemoryStorage, cast: str) -> Table:
    """A vote within a game within the game: the first player is asked."""
    room = room_of(storage)
    table = Table(room, await running(nursery, room))
    await table.until(lambda state: state.main is not None, "Tale Within")
    await table.until(within, cast)
    return table


async def replayed(storage: MemoryStorage) -> str:
    return RULES.fingerprint(list(replay(await storage.load("w"), RULES))[-1].after)


@pytest.mark.rule("715.1")
@pytest.mark.rule("current 701.38a")
@pytest.mark.parametrize("every", [5, 10_000])
async def test_a_vote_within_a_subgame_goes_on_after_a_restart(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    monkeypatch.setattr("server.rooms.history.SNAPSHOT_EVERY", every)
    storage = MemoryStorage()
    async with trio.open_nursery() as nursery:
        table = await begun(nursery, storage, "Old Moot")
        await table.vote(1)
        assert within(table.state)
        before = [table.room.view(seat) for seat in (0, 1, 2, None)]
        nursery.cancel_scope.cancel()
    (room,) = await recover(storage, RULES)
    assert [room.view(seat) for seat in (0, 1, 2, None)] == before and not room.frozen
    async with trio.open_nursery() as nursery:
        table = Table(room, await running(nursery, room))
        for place in (1, 0):
            await table.vote(place)
        lost = 20 - min(player.life for player in table.state.players)
        assert lost == 2 and table.state.main is not None
        loser = asked(table.clients).seat
        for seat in {0, 1, 2} - {loser}:
            await table.tell(seat, m.Concede(id=table.id()))
        assert table.state.main is None and [player.life for player in table.state.players] == [20, 20, 20]
        assert await replayed(storage) == RULES.fingerprint(table.state)
        nursery.cancel_scope.cancel()


@pytest.mark.rule("current 701.38a")
@pytest.mark.parametrize("cast", ["Old Moot", "Dark Moot"])
async def test_a_vote_within_a_subgame_is_taken_back(nursery: trio.Nursery, cast: str) -> None:
    storage = MemoryStorage()
    table = await begun(nursery, storage, cast)
    voter = asked(table.clients).seat
    assert voter is not None
    hashed = [table.room.view(seat) for seat in (0, 1, 2, None)]
    await table.vote(1)
    reply = await table.tell(voter, m.TakeBack(id=table.id()))
    assert isinstance(reply, m.Ok), reply
    assert [table.room.view(seat) for seat in (0, 1, 2, None)] == hashed
    assert within(table.state) and asked(table.clients).seat == voter
    for _ in range(3):
        await table.vote(0)
    assert not voting(table.state) and table.state.main is not None
    assert await replayed(storage) == RULES.fingerprint(table.state)


@pytest.mark.rule("current 701.38a")
@pytest.mark.parametrize("cast", ["Old Moot", "Dark Moot"])
async def test_after_the_next_vote_all_must_agree_to_take_one_back(nursery: trio.Nursery, cast: str) -> None:
    storage = MemoryStorage()
    table = await begun(nursery, storage, cast)
    before = table.room.view(None)
    voter = asked(table.clients).seat
    assert voter is not None
    question = table.clients[voter].question
    assert question is not None
    await table.vote(1)
    await table.vote(1)
    await table.tell(voter, m.TakeBack(id=table.id(), question=question.id))
    others = {0, 1, 2} - {voter}
    ballot = next(x for x in table.clients[min(others)].got if isinstance(x, m.Vote))
    assert (ballot.what, set(ballot.waiting)) == ("takeback", others)
    assert asked(table.clients).seat in others, "until then the next is asked"
    for seat in others:
        await table.tell(seat, m.Consent(id=table.id(), vote=ballot.vote))
    assert asked(table.clients).seat == voter and table.room.view(None) == before
    assert await replayed(storage) == RULES.fingerprint(table.state)


@pytest.mark.rule("current 701.38a")
async def test_who_concedes_a_subgame_while_being_asked_votes_no_more(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    table = await begun(nursery, storage, "Dark Moot")
    await table.vote(0)
    leaver = asked(table.clients).seat
    assert leaver is not None
    await table.tell(leaver, m.Concede(id=table.id()))
    assert table.state.main is not None and asked(table.clients).seat != leaver
    for _ in range(2):  # what nobody was told yet is asked anew
        assert asked(table.clients).seat != leaver
        await table.vote(0)
    assert not voting(table.state) and not table.room.frozen
    assert await replayed(storage) == RULES.fingerprint(table.state)
