"""A lobby with a game of a few lines, two decks and no sockets, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import TypeVar

import trio

from protocol import messages as m
from protocol.options import Format, RoomOptions
from protocol.printings import Printing
from protocol.refusals import Code, Refusal
from protocol.rooms import DeckFault, DeckRulesSummary, DeckSummary
from server.lobby.client import Client
from server.lobby.decks import Deck
from server.lobby.ladder import Rater
from server.lobby.lobby import BotRunner, Lobby
from server.lobby.others import Others
from server.lobby.rates import peer_of
from server.rooms.worker import NOWHERE, Around
from server.settings import Settings
from server.storage import MemoryStorage, Storage
from tests.rooms.fake import BEAR, SECRET, FakeGame

CARDS = (BEAR, SECRET) * 5
Kind = TypeVar("Kind", bound=m.ServerMessage)


class TwoDecks:
    """House decks "bears" and "secrets"; texts are read if they say so."""

    def summaries(self) -> list[DeckSummary]:
        return [DeckSummary(name="bears", cards=10), DeckSummary(name="secrets", cards=10)]

    def rules(self) -> list[DeckRulesSummary]:
        return []

    def house(self, name: str, rules: str = "") -> Deck:
        if name not in ("bears", "secrets"):
            raise Refusal(Code.UNKNOWN_DECK)
        return Deck(name, CARDS)

    async def read(
        self,
        text: str,
        own: str = "",
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> Deck:
        if "Bear" not in text:
            raise Refusal(Code.BAD_DECK, f"line 1: there is no card called {text!r}")
        return Deck("own", CARDS)

    async def check(
        self,
        text: str,
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> m.DeckReport:
        if "Bear" not in text:
            return m.DeckReport(faults=[DeckFault(line=1, text=f"there is no card called {text!r}")])
        return m.DeckReport(cards=len(CARDS))

    async def printings(self, lang: str, names: Sequence[str]) -> dict[str, Printing]:
        return {name: Printing(name=f"{name} ({lang})") for name in names if "Bear" in name}


class Guest:
    """A client of the lobby without a connection: `ask` sends, `got` is all that came."""

    def __init__(self, lobby: Lobby, address: str = "") -> None:
        self.lobby = lobby
        self.client = Client(peer_of(address, lobby.settings.limits))
        self.got: list[m.ServerMessage] = []
        self._ids = count(1)

    def id(self) -> str:
        return f"m{next(self._ids)}"

    async def ask(self, message: m.ClientMessage) -> m.ServerMessage:
        """Send a message; its reply. Raises `Refusal`."""
        reply = await self.lobby.handle(self.client, message)
        if reply is not None:
            self.got.append(reply)
            return reply
        with trio.fail_after(5):
            while True:
                self.read()
                for got in self.got:
                    if got.re == message.id:
                        return got
                await trio.sleep(0.01)

    def read(self) -> list[m.ServerMessage]:
        while (message := self.client.outbox.get_nowait()) is not None:
            self.got.append(message)
        return self.got

    def last(self, kind: type[Kind]) -> Kind:
        """The last message of a kind."""
        return next(message for message in reversed(self.read()) if isinstance(message, kind))

    async def hello(self, name: str, token: str = "", **more: str | bool) -> m.Welcome:
        reply = await self.ask(m.Hello(id=self.id(), name=name, token=token, **more))  # type: ignore[arg-type]
        assert isinstance(reply, m.Welcome)
        return reply

    async def prepare(self) -> None:
        await self.ask(m.ChooseDeck(id=self.id(), house="bears"))
        await self.ask(m.Ready(id=self.id()))


@asynccontextmanager
async def lobby_of(
    storage: Storage | None = None,
    game: FakeGame | None = None,
    bots: BotRunner | None = None,
    settings: Settings | None = None,
    others: Others | None = None,
    rate: Rater | None = None,
) -> AsyncIterator[Lobby]:
    """A running lobby."""
    lobby = Lobby(
        storage or MemoryStorage(),
        TwoDecks(),
        bots=bots,
        levels=("simple",),
        game=game or FakeGame(),
        settings=settings,
        others=others,
        rate=rate,
    )
    async with trio.open_nursery() as nursery:
        await nursery.start(lobby.run)
        yield lobby
        nursery.cancel_scope.cancel()


async def refusal_of(guest: Guest, message: m.ClientMessage) -> str:
    """The code with which a message is refused, "" if it is not."""
    try:
        reply = await guest.ask(message)
    except Refusal as refusal:
        return refusal.code
    return reply.code if isinstance(reply, m.Refused) else ""


async def table_of(lobby: Lobby, seats: int = 2, **options: object) -> list[Guest]:
    """A room whose seats are taken by guests P0, P1, ... with decks, ready; P0 is the host."""
    guests = [Guest(lobby) for _ in range(seats)]
    for number, guest in enumerate(guests):
        await guest.hello(f"P{number}")
    opened = await guests[0].ask(m.Open(id="o", options=RoomOptions(seats=seats, **options)))  # type: ignore[arg-type]
    assert isinstance(opened, m.Room)
    for guest in guests[1:]:
        await guest.ask(m.Join(id=guest.id(), room=opened.room.id))
    for guest in guests:
        await guest.prepare()
    return guests
