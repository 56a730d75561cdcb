"""The session of one person at a server: hello, requests, reconnecting, resuming.

A `Session` speaks the protocol over channels that it dials: when one breaks it dials again, says hello with the old token
and resumes its room. Knows nothing of games beyond the table it feeds, nor what carries its messages.
"""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import UnionType
from typing import TypeVar

import trio
from msgspec.structs import replace

from client_cli.asides import OwnChance, OwnLanguage
from client_cli.channels import Channel, Dial, DialAt, ReadAhead, dial_beside, reading_ahead, websocket_dial
from client_cli.errors import Disconnected, RequestRefused, Unreachable
from client_cli.table import Table
from protocol import JSON_SUBPROTOCOL
from protocol.gathered import spread
from protocol.messages import (
    AnswerMessage,
    Automatic,
    ClientMessage,
    ClockMessage,
    Closed,
    Closing,
    Hello,
    Moved,
    Notice,
    Ok,
    Over,
    Patch,
    QuestionMessage,
    Refused,
    ServerMessage,
    Sync,
    ViewMessage,
    Vote,
    Welcome,
)
from protocol.questions import Answer, Asked
from protocol.rooms import Join, Leave, Resume, Room, Watch

RETRIES = 90
"""How often a broken connection is dialled again before giving up; the waits between grow from 0.1 s to 5 s, some seven minutes in all."""
HELLO_S = 10
"""How long a server may take to say welcome."""
MOST_MOVES = 3
"""How often one goes on to another address with the same wish, before one stays where one was."""
ROOM_LIST_FACES = 2000
"""How many hashes of faces `hello` may name."""

OF_THE_TABLE = Room | ViewMessage | Patch | QuestionMessage | Closed | Over | Automatic | ClockMessage | Vote
"""What is true of one table only, and is told anew to who comes back to it."""

Reply = TypeVar("Reply", bound=ServerMessage)


class Session:
    """One person at one server: sends requests, yields what the server sends, and feeds the table on the way.

    Read with `receive` (or `async for`) from one task only; `send` may be called from others. What arrives while a
    `request` waits for its reply is kept and comes out of `receive` later, in order.
    """

    def __init__(
        self,
        dial: Dial,
        name: str,
        *,
        lang: str = "en",
        token: str = "",
        client: str = "",
        digests: bool = False,
        password: str = "",
        link: str = "",
        bot: bool = False,
        adds_entropy: bool = False,
        receipts: bool = True,
        beside: DialAt | None = None,
        patience: float = HELLO_S,
    ) -> None:
        """`password` and a one-time `link` are for the first hello only; from then on the token is what counts. `receipts`: the server is
        shown after a lost connection what it had told of the game. `beside` dials other addresses of the server's, where a room is.
        `patience`: in so many seconds the server is to greet.
        """
        self._patience = patience
        self._beside = beside
        self._entering: Join | Watch | Resume | None = None
        """What was asked last to come into a room; where that is elsewhere, it is asked again there."""
        self._moves = 0
        """To how many addresses one has gone with that."""
        self._receipts = receipts
        self._dial = dial
        self._first = (password, link, bot)
        self._chance = OwnChance() if adds_entropy else None
        self._reads = OwnLanguage("fr") if lang == "fr" and not bot else None
        self._unasked = ""
        """What was sent last for the chance of a game, by itself."""
        self._hello = (name, lang, client, digests)
        self._channel: Channel | None = None
        self._kept: deque[ServerMessage] = deque()
        self._next_id = 0
        self._closed = False
        self._leaving = False
        self.name = name
        self.lang = lang
        self.token = token
        self.welcome: Welcome | None = None
        self.room = ""
        """Id of the room this session is in; what it resumes after a lost connection."""
        self.receipt = ""
        """The last that was given in that room."""
        self.table = Table()
        self.waiting: set[str] = set()
        """Ids of messages sent whose reply has not been received."""
        self.on_lost: Callable[[str], None] | None = None
        """Called with a reason whenever the connection is lost and dialled again."""

    @property
    def unread(self) -> list[ServerMessage]:
        """What has come and was not received yet, oldest first, where the channel reads ahead."""
        return [*self._kept, *(self._channel.unread if isinstance(self._channel, ReadAhead) else ())]

    @property
    def arrived(self) -> float:
        """When the message came that was received last, by trio's clock."""
        return self._channel.arrived if isinstance(self._channel, ReadAhead) else trio.current_time()

    # --- out -------------------------------------------------------------------------------------------------------

    def new_id(self) -> str:
        """An id for the next message."""
        self._next_id += 1
        return f"c{self._next_id}"

    async def send(self, message: ClientMessage) -> None:
        """Send without waiting for the reply, which comes out of `receive`. A lost connection is left to `receive`,
        which dials again.
        """
        if self._channel is None:
            return
        if isinstance(message, Leave):
            self._leaving = True
        if isinstance(message, Join | Watch | Resume) and message is not self._entering:
            self._entering, self._moves = message, 0
        self.waiting.add(message.id)
        try:
            await self._channel.send(message)
        except Disconnected:
            pass

    async def answer(self, question: str, answer: Answer) -> str:
        """Answer a question; the message's id."""
        message = AnswerMessage(id=self.new_id(), question=question, answer=answer)
        await self.send(message)
        return message.id

    async def do(self, message: ClientMessage) -> ServerMessage:
        """Send a message and wait for its reply, whatever that is. Raises as `request`."""
        await self.send(message)
        while True:
            got = await self._next_reply(message.id)
            if got is not None:
                return got

    async def request(self, message: ClientMessage, kind: type[Reply]) -> Reply:
        """Send a message and wait for its reply. Raises `RequestRefused`; `Unreachable` when the connection is lost
        for good, and when it was lost before the reply came (what became of the request is not known then).
        """
        await self.send(message)
        while True:
            got = await self._next_reply(message.id)
            if isinstance(got, kind):
                return got

    async def _next_reply(self, message_id: str) -> ServerMessage | None:
        """Read one message: the reply to `message_id`, or None when it was another, which is kept."""
        try:
            got = await self._read()
        except Disconnected:
            await self._redial()
            raise Unreachable("the connection was lost before the reply came") from None
        if got.re != message_id:
            if isinstance(got, Closing) and not got.again:
                self._closed = True
            self._kept.append(got)
            return None
        if isinstance(got, Refused):
            raise RequestRefused(got)
        if isinstance(got, Room):
            if got.room.id != self.room:
                # Told of the table before: the end of its game is not the end of this one's.
                self._forget(OF_THE_TABLE)
            else:
                # What was told before it is older than it.
                self._forget(Room)
            self._note(got)
            self.table.feed(got)
        return got

    def _forget(self, kinds: type[ServerMessage] | UnionType) -> None:
        """Drop what is kept of those kinds, but for the faces: they are not sent again."""
        for kept in self._kept:
            if isinstance(kept, kinds) and isinstance(kept, ViewMessage | Patch):
                self.table.faces.update(kept.faces)
        self._kept = deque(kept for kept in self._kept if not isinstance(kept, kinds))

    # --- in --------------------------------------------------------------------------------------------------------

    async def receive(self) -> ServerMessage:
        """The next message, already applied to the table. Dials again and resumes when the connection breaks.

        Raises `Unreachable` when that fails, or when the session is closed.
        """
        while True:
            if self._kept:
                message = self._kept.popleft()
            else:
                try:
                    message = await self._read()
                except Disconnected as lost:
                    if self.on_lost is not None:
                        self.on_lost(str(lost))
                    await self._redial()
                    continue
            if isinstance(message, Closing) and not message.again:
                self._closed = True
            self._note(message)
            if not self.table.feed(message):
                await self.send(Sync(id=self.new_id()))
            if self._reads is not None:
                if self._reads.refused(message):
                    continue
                asked = self._reads.said(message, self.new_id)
                if asked is not None:
                    await self.send(asked)
            if self._chance is not None:
                said = self._chance.said(message, self.new_id)
                if said is not None:
                    await self.send(said)
                    self._unasked = said.id
                elif isinstance(message, Refused) and message.re == self._unasked and message.re:
                    continue  # nobody asked for it: it came too late, after a connection was lost
            return message

    def __aiter__(self) -> AsyncIterator[ServerMessage]:
        return self._messages()

    async def _messages(self) -> AsyncIterator[ServerMessage]:
        while True:
            yield await self.receive()

    def _note(self, message: ServerMessage) -> None:
        if isinstance(message, Room):
            if message.room.id != self.room:
                self.table = Table(self.table.faces, self.table.printings)
                self.receipt = ""
            self.room = message.room.id
            self._leaving = False
        elif isinstance(message, Notice) and self.room and message.args.get("room") == self.room:
            self.room = ""  # put out of it; who dials again does not go back
        elif self._leaving and message.re and not isinstance(message, Refused):
            self.room = ""
            self._leaving = False

    async def _read(self) -> ServerMessage:
        if self._channel is None:
            raise Disconnected("not connected")
        message = _whole(await self._channel.receive())
        while isinstance(message, Moved):
            message = _whole(await (await self._follow(message)).receive())
        if message.re:
            self.waiting.discard(message.re)
        if isinstance(message, Ok | ViewMessage | Patch) and message.receipt:
            self.receipt = message.receipt
        return message

    # --- connecting ------------------------------------------------------------------------------------------------

    async def connect(self) -> Welcome:
        """Dial and say hello. Raises `Unreachable`, `RequestRefused`."""
        self._channel = await self._dial()
        return await self._greet(self._channel)

    async def _greet(self, channel: Channel, ticket: str = "") -> Welcome:
        name, lang, client, digests = self._hello
        password, link, bot = self._first
        hello = Hello(
            id=self.new_id(),
            name=name,
            lang=lang,
            client=client,
            digests=digests,
            packed=True,
            brief=True,
            gathered=True,
            token="" if ticket else self.token,
            ticket=ticket,
            moves=self._beside is not None,
            faces=list(self.table.faces)[:ROOM_LIST_FACES],
            password="" if self.token else password,
            link="" if self.token else link,
            bot=bot,
            receipts=self._receipts,
            commits=self._chance is not None,
        )
        try:
            with trio.fail_after(self._patience):
                await channel.send(hello)
                got = await channel.receive()
                while not isinstance(got, Welcome):
                    if isinstance(got, Refused):
                        raise RequestRefused(got)
                    got = await channel.receive()
        except Disconnected as lost:
            raise Unreachable(f"the server hung up: {lost}", "reach.hung_up", reason=str(lost)) from None
        except trio.TooSlowError:
            raise Unreachable("the server does not greet", "reach.no_greeting", seconds=round(self._patience)) from None
        self.welcome = got
        self.token = got.token or self.token
        self.name = got.name
        return got

    async def _follow(self, moved: Moved) -> Channel:
        """Ask again where a room is, at another address; or where it was asked, to which one comes back then, if that address is of no use.
        Raises `Disconnected` when neither does.
        """
        entering = self._entering
        await self._hang_up()
        try:
            await self._go_to(moved)
        except (Unreachable, RequestRefused):
            await self._hang_up()
            self._beside = None  # what comes from there is passed on to us from now on
            try:
                await self.connect()
            except (Unreachable, RequestRefused) as fault:
                await self._hang_up()
                raise Disconnected(str(fault)) from None
        assert self._channel is not None
        if entering is not None and entering.id == moved.re:
            await self.send(entering)
        return self._channel

    async def _go_to(self, moved: Moved) -> None:
        if self._beside is None:
            raise Unreachable("nobody has said that other addresses are dialled")
        self._moves += 1
        if self._moves > MOST_MOVES:
            raise Unreachable("one address leads to another, round and round")
        self._channel = await self._beside(moved.address)
        await self._greet(self._channel, moved.ticket)

    async def _redial(self) -> None:
        """Connect again and resume the room. Raises `Unreachable` after `RETRIES` vain attempts."""
        await self._hang_up()
        if self._closed:
            raise Unreachable("closed")
        wait = 0.1
        for attempt in range(RETRIES):
            try:
                await self.connect()
                break
            except (Unreachable, RequestRefused) as fault:
                await self._hang_up()  # one that was refused is still connected
                if isinstance(fault, RequestRefused) and fault.refused.code == "bad_token":
                    self.token = ""
                if attempt == RETRIES - 1:
                    raise Unreachable(f"no connection any more: {fault}", "reach.gone", reason=str(fault)) from None
            await trio.sleep(wait)
            wait = min(wait * 2, 5)
        if self.room:
            await self.send(
                Resume(
                    id=self.new_id(),
                    room=self.room,
                    epoch=self.table.epoch,
                    seq=max(self.table.seq, 0),
                    log=self.table.log,
                    receipt=self.receipt,
                )
            )

    async def _hang_up(self) -> None:
        self.waiting.clear()
        self._forget(OF_THE_TABLE)
        if self._channel is not None:
            channel, self._channel = self._channel, None
            await channel.aclose()

    async def aclose(self) -> None:
        """Hang up for good."""
        self._closed = True
        await self._hang_up()


def _whole(message: ServerMessage) -> ServerMessage:
    """The message with its question whole, if it brings one."""
    if isinstance(message, QuestionMessage | ViewMessage) and isinstance(message.question, Asked):
        return replace(message, question=spread(message.question))
    return message


@asynccontextmanager
async def open_session(
    url: str,
    name: str,
    *,
    lang: str = "en",
    token: str = "",
    client: str = "",
    subprotocol: str = JSON_SUBPROTOCOL,
    password: str = "",
    link: str = "",
    bot: bool = False,
    adds_entropy: bool = False,
    tls: ssl.SSLContext | None = None,
    fingerprint: str = "",
    ahead: bool = False,
) -> AsyncIterator[Session]:
    """A connected session over a websocket, arguments as `Session` and `websocket_dial`. `ahead`: what comes is read at once, however
    slowly it is received. Raises `Unreachable`, `RequestRefused`.
    """
    async with trio.open_nursery() as nursery:
        dial = websocket_dial(url, nursery, subprotocol=subprotocol, tls=tls, fingerprint=fingerprint)
        beside = dial_beside(url, nursery, ahead=ahead, subprotocol=subprotocol, tls=tls, fingerprint=fingerprint)
        if ahead:
            dial = reading_ahead(dial, nursery)
        session = Session(
            dial,
            name,
            lang=lang,
            token=token,
            client=client,
            password=password,
            link=link,
            bot=bot,
            adds_entropy=adds_entropy,
            beside=beside,
        )
        try:
            await session.connect()
            yield session
        finally:
            await session.aclose()
            nursery.cancel_scope.cancel()
