"""A rematch over real websockets: everyone's entropy is in it, as in the first game, though the last who comes has just come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
import trio
from msgspec import UNSET

from client_cli.errors import Unreachable
from client_cli.session import Session, open_session
from protocol import messages as m
from protocol.fairness import commitment, faults
from protocol.options import RoomOptions
from protocol.rooms import RoomState
from server.command.decks import house_decks
from server.lobby import starting
from server.net.app import App, running
from server.storage import MemoryStorage


class Person:
    """Somebody whose client reads all the time. `got` is what has come since the last rematch was asked for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.got: list[m.ServerMessage] = []
        self._news = trio.Event()

    async def listen(self) -> None:
        with suppress(Unreachable):
            async for message in self.session:
                self.got.append(message)
                self._news.set()
                self._news = trio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._news.wait()

    async def say(self, message: m.ClientMessage) -> m.ServerMessage:
        """Send, and wait for the reply."""
        await self.session.send(message)
        await self.until(lambda: any(got.re == message.id for got in self.got))
        return next(got for got in self.got if got.re == message.id)

    def id(self) -> str:
        return self.session.new_id()

    @property
    def room(self) -> RoomState:
        assert self.session.table.room is not None
        return self.session.table.room

    async def in_game(self) -> None:
        await self.until(lambda: self.room.state == "playing")

    async def gives_up(self) -> None:
        await self.say(m.Concede(id=self.id()))

    async def again(self) -> None:
        """To the next table, when this game is over."""
        await self.until(lambda: any(isinstance(got, m.Over) for got in self.got))
        self.got.clear()
        reply = await self.say(m.Rematch(id=self.id()))
        assert isinstance(reply, m.Room), reply


@asynccontextmanager
async def three_of_whom_one_is_a_bot(
    *, adds: tuple[bool, bool] = (True, True), seed: int | None = None
) -> AsyncIterator[tuple[App, list[Person]]]:
    """A game of Ann, Ben and a bot, who is drawn into it; `adds`: whose client adds entropy."""
    async with AsyncExitStack() as stack:
        stack.enter_context(trio.fail_after(30))
        app = await stack.enter_async_context(running(MemoryStorage(), house_decks()))
        nursery = await stack.enter_async_context(trio.open_nursery())
        people: list[Person] = []
        for name, own in zip(("Ann", "Ben"), adds, strict=True):
            people.append(
                Person(await stack.enter_async_context(open_session(app.url, name, adds_entropy=own, bot=False)))
            )
            nursery.start_soon(people[-1].listen)
        ann, ben = people
        options = RoomOptions(seats=3, seed=UNSET if seed is None else seed)
        await ann.say(m.Open(id=ann.id(), options=options))
        await ben.say(m.Join(id=ben.id(), room=ann.room.id))
        for person in people:
            await person.say(m.ChooseDeck(id=person.id(), house=house_decks().summaries()[0].name))
            await person.say(m.Ready(id=person.id()))
        await ann.say(m.AddBot(id=ann.id()))
        await ann.say(m.Start(id=ann.id()))
        yield app, people
        nursery.cancel_scope.cancel()


def is_fair(person: Person) -> bool:
    """Whether what was told of a game at its end fits what was said before it."""
    wanted = next(got for got in person.got if isinstance(got, m.RevealWanted))
    over = next(got for got in person.got if isinstance(got, m.Over))
    return faults(over.seed, wanted.chance, over.entropy, wanted.commits, over.salt) == []


@pytest.mark.parametrize("seed", [None, 7], ids=["drawn", "seeded"])
async def test_a_rematch_has_the_entropy_of_all_who_add_some(seed: int | None) -> None:
    """Also after a game with a seed, to which nobody could add any."""
    async with three_of_whom_one_is_a_bot(seed=seed) as (_, people):
        for _ in range(2):
            first = people[0].room.id
            await to_the_next_table(*people)
            for person in people:
                await person.in_game()
            assert people[0].room.id == people[1].room.id != first
            assert [bool(text) for text in people[1].room.entropy] == [True, True, False]
        for person in people:
            await person.gives_up()
        for person in people:
            await person.until(lambda who=person: any(isinstance(got, m.Over) for got in who.got))
            assert is_fair(person)


async def test_a_rematch_waits_for_nobody_who_adds_none() -> None:
    async with three_of_whom_one_is_a_bot(adds=(False, False)) as (_, people):
        await to_the_next_table(*people)
        await people[1].in_game()
        assert people[1].room.entropy == []
        assert not any(isinstance(got, m.RevealWanted) for got in people[1].got)


async def to_the_next_table(*people: Person) -> None:
    """All give up, and come again in that order."""
    for person in people:
        await person.in_game()
        await person.gives_up()
    for person in people:
        await person.again()


async def test_who_has_committed_once_is_waited_for_though_the_hello_did_not_say_so() -> None:
    text = "the chance of a client that somebody wrote"
    async with three_of_whom_one_is_a_bot(adds=(False, True)) as (_, (ann, ben)):
        for comes_last in (ben, ann):
            first = ben if comes_last is ann else ann
            for person in (ann, ben):
                await person.in_game()
                await person.gives_up()
            await first.again()
            if comes_last is ben:
                await ann.say(m.Commit(id=ann.id(), hash=commitment(text)))
            await comes_last.again()
            if comes_last is ann:
                await ann.say(m.Commit(id=ann.id(), hash=commitment(text)))
            await ann.until(lambda: any(isinstance(got, m.RevealWanted) for got in ann.got))
            await ann.say(m.Reveal(id=ann.id(), entropy=text))
            await ann.in_game()
            assert ann.room.entropy[0] == text and ann.room.entropy[1]


async def test_the_others_begin_when_one_who_was_to_add_entropy_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "COMMIT_SECONDS", float("inf"))
    async with three_of_whom_one_is_a_bot() as (_, (ann, ben)):
        ann.session._chance = None  # says nothing of what she announced
        await to_the_next_table(ann, ben)
        assert ben.room.state == "gathering"
        await ann.session.aclose()
        await ben.in_game()
        assert [bool(text) for text in ben.room.entropy] == [False, True, False]
