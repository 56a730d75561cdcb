"""People who play one game after the other against bots, over real websockets, and remember what was acknowledged to them."""

from __future__ import annotations

import random
from collections.abc import Callable

import trio
from msgspec.structs import replace

from client_cli.bots import make
from client_cli.channels import Channel, websocket_dial
from client_cli.errors import Disconnected, RequestRefused, Unreachable
from client_cli.session import Session
from protocol import messages as m
from protocol.options import RoomOptions

SENT_AGAIN = 4
"""Answers of a guest that are sent again when it is back."""
LOSSES = ("notice.lost", "notice.gone_back", "notice.unknown_receipt", "notice.frozen", "notice.damaged")


async def until(true: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    while not true():  # noqa: ASYNC110
        await trio.sleep(0.02)


class Recording:
    """A channel that remembers what was acknowledged."""

    def __init__(self, channel: Channel, guest: Guest) -> None:
        self._channel = channel
        self._guest = guest
        self._sent: dict[str, tuple[str, m.AnswerMessage]] = {}

    async def send(self, message: m.ClientMessage) -> None:
        if isinstance(message, m.AnswerMessage):
            self._sent[message.id] = self._guest.session.room, message
        try:
            await self._channel.send(message)
        except Disconnected:
            self._guest.connected = False
            raise

    async def receive(self) -> m.ServerMessage:
        try:
            message = await self._channel.receive()
        except Disconnected:
            self._guest.connected = False
            raise
        guest = self._guest
        if isinstance(message, m.Ok) and message.re in self._sent:
            guest.acknowledged.append(self._sent[message.re])
            guest.given.append(self._sent[message.re])
        if isinstance(message, m.Ok | m.ViewMessage | m.Patch) and message.receipt:
            guest.receipts[guest.session.room] = message.receipt
        if isinstance(message, m.Notice):
            assert message.key not in LOSSES, message
        return message

    async def aclose(self) -> None:
        self._guest.connected = False
        await self._channel.aclose()


class Guest:
    """A person who plays one game after the other against bots, as long as the test goes on."""

    def __init__(self, number: int, url: str, nursery: trio.Nursery, serves: Callable[[], bool]) -> None:
        """`serves`: whether there is a server to dial."""
        self.number = number
        self._serves = serves
        self.acknowledged: list[tuple[str, m.AnswerMessage]] = []
        """Since the journals were last looked at."""
        self.given: list[tuple[str, m.AnswerMessage]] = []
        """All, of games that go on."""
        self.again = 0
        """Answers that were sent again."""
        self.receipts: dict[str, str] = {}
        self._chance = random.Random(number)
        self.connected = False
        self.returned = False
        """There is a new connection, over which nothing was sent again yet."""
        self.ended: set[str] = set()
        self.stop = False
        self.person = ""
        """Its id, once it has had a seat: from then on the server knows it."""
        self._dial = websocket_dial(url, nursery)
        self.session = Session(self._recorded, f"Guest {number}", digests=True)

    async def _recorded(self) -> Channel:
        await until(self._serves)
        channel = await self._dial()
        self.connected = self.returned = True
        return Recording(channel, self)

    async def live(self) -> None:
        """Play until `stop`, then the game under way to its end."""
        session = self.session
        while True:
            welcome = await self._connect()
            try:
                begun = [room for room in welcome.rooms if room not in self.ended]
                if begun:
                    resume = m.Resume(id=session.new_id(), room=begun[0], receipt=self.receipts.get(begun[0], ""))
                    await session.request(resume, m.Room)
                elif self.stop:
                    return
                else:
                    await self._begin()
                await self._play()
                self.ended.add(session.room)
                self.given = [one for one in self.given if one[0] != session.room]
                await session.do(m.Leave(id=session.new_id()))
            except Unreachable:
                pass
            except RequestRefused as no:
                assert no.refused.code in ("no_such_room", "in_a_room", "not_in_room", "closing", "busy"), no
                await trio.sleep(0.05)

    async def _send_again(self) -> None:
        """Answers of this game, of long ago and of late, are acknowledged again."""
        mine = [answer for room, answer in self.given if room == self.session.room]
        for answer in [*self._chance.sample(mine, min(len(mine), SENT_AGAIN - 1)), *mine[-1:]]:
            sent = replace(answer, id=self.session.new_id())
            while True:
                try:
                    reply = await self.session.request(sent, m.Ok)
                except RequestRefused as no:
                    assert no.refused.code == "busy", (no, answer)
                    await trio.sleep(0.1)
                    sent = replace(answer, id=self.session.new_id())
                else:
                    break
            assert reply.again, answer
            self.again += 1

    async def _connect(self) -> m.Welcome:
        """A new connection, as soon as there is a server."""
        session = self.session
        while True:
            await session._hang_up()
            session.room = ""
            try:
                welcome = await session.connect()
            except Unreachable:
                await trio.sleep(0.05)
            except RequestRefused as no:
                if no.refused.code in ("busy", "closing"):
                    await trio.sleep(0.05)
                    continue
                assert no.refused.code == "bad_token" and not self.person, no
                session.token = ""
            else:
                assert self.person in ("", welcome.person), "it is somebody else now"
                return welcome

    async def _begin(self) -> None:
        session = self.session
        options = RoomOptions(seats=2 + self.number % 3, life=6, private=True)
        opened = await session.request(m.Open(id=session.new_id(), options=options), m.Room)
        self.person = opened.room.seats[0].person
        decks = (await session.request(m.ListDecks(id=session.new_id()), m.Decks)).decks
        await session.do(m.ChooseDeck(id=session.new_id(), house=decks[self.number % len(decks)].name))
        for _ in range(options.seats - 1):
            await session.do(m.AddBot(id=session.new_id(), level="simple"))
        await session.do(m.Start(id=session.new_id()))
        if self.number % 2:  # who is asked at every step has many times the answers
            await session.do(m.Stops(id=session.new_id(), only_pass=True))

    async def _play(self) -> None:
        """Answer what is asked until the game is over, or gone because it was over when the server stopped."""
        session = self.session
        player = make("simple", self.number)
        while True:
            message = await session.receive()
            if self.returned and isinstance(message, m.ViewMessage):
                self.returned = False
                await self._send_again()
            match message:
                case m.ViewMessage() | m.QuestionMessage():
                    question = message.question or None
                    if question is None and session.table.view.result:
                        return
                    if question is not None:
                        try:
                            answer = player.answer(session.table, question)
                        except Exception:
                            answer = question.default
                        await session.answer(question.id, answer)
                case m.Refused() if message.code == "no_such_room":
                    return
                case m.Refused() if message.code not in ("stale", "not_your_question"):
                    question = session.table.question
                    if question is not None:
                        await trio.sleep(0.02)
                        await session.answer(question.id, question.default)
                case m.Over():
                    return
                case _:
                    pass
