"""Connections to a server, and the session of one person over them: hello, requests, reconnecting, resuming.

A `Channel` carries whole messages. There are two: `WebsocketChannel` over the network, and `memory_channels`, a pair of
ends within one process, so that a server can seat the same bots without a socket. A `Session` speaks the protocol over
channels that it dials: when one breaks it dials again, says hello with the old token and resumes its room.

Knows trio and websockets; knows nothing of games beyond the table it feeds.
"""

from __future__ import annotations

import logging
import secrets
import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import UnionType
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec
import trio
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.trio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from client_cli.table import Table
from protocol import JSON_SUBPROTOCOL, MAX_SERVER_FRAME
from protocol.codec import BY_SUBPROTOCOL, Malformed
from protocol.fairness import commitment, faults
from protocol.messages import (
    AnswerMessage,
    Automatic,
    ClientMessage,
    ClockMessage,
    Closed,
    Closing,
    Commit,
    Hello,
    Leave,
    Over,
    Patch,
    QuestionMessage,
    Refused,
    Resume,
    Reveal,
    RevealWanted,
    Room,
    ServerMessage,
    Sync,
    ViewMessage,
    Vote,
    Welcome,
)
from protocol.questions import Answer

DEFAULT_URL = "ws://127.0.0.1:8802"
RETRIES = 90
"""How often a broken connection is dialled again before giving up; the waits between grow from 0.1 s to 5 s, some seven minutes in all."""
ROOM_LIST_FACES = 2000
"""How many hashes of faces `hello` may name."""

OF_THE_TABLE = Room | ViewMessage | Patch | QuestionMessage | Closed | Over | Automatic | ClockMessage | Vote
"""What is true of one table only, and is told anew to who comes back to it."""

LOGGER = logging.getLogger("apnap.client")
LOGGER.setLevel(logging.CRITICAL)
"""What websockets logs of a connection, silent: a line that breaks is told by `Unreachable`, never across the board on a screen."""

Reply = TypeVar("Reply", bound=ServerMessage)


class ClientError(Exception):
    """Base of what this module raises.

    - `Disconnected`: the channel is gone (a session dials again by itself)
    - `Unreachable`: no connection could be made, or none any more
    - `RequestRefused`: the server refused a request; holds the `Refused`
    """


class Disconnected(ClientError):
    """The other end is gone."""


class Unreachable(ClientError):
    """Nobody answers at that address, or what answers does not speak the protocol."""


class RequestRefused(ClientError):
    """The server said no. `refused` tells why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"{refused.sentence} ({refused.code})")
        self.refused = refused


class Channel(Protocol):
    """One connection, as seen by a client: whole messages in both directions, in order."""

    async def send(self, message: ClientMessage) -> None:
        """Send a message. Raises `Disconnected`."""
        ...

    async def receive(self) -> ServerMessage:
        """The next message from the server. Raises `Disconnected`."""
        ...

    async def aclose(self) -> None:
        """Close; never raises, never takes long."""
        ...


class WebsocketChannel:
    """A channel over a websocket, in the subprotocol agreed on."""

    def __init__(self, websocket: ClientConnection) -> None:
        self._websocket = websocket
        self._codec = BY_SUBPROTOCOL[websocket.subprotocol or JSON_SUBPROTOCOL]

    async def send(self, message: ClientMessage) -> None:
        """Send a message. A send that is cancelled breaks the connection, which is then closed."""
        try:
            await self._websocket.send(self._codec.write(message))
        except (ConnectionClosed, trio.BrokenResourceError, trio.ClosedResourceError) as gone:
            raise Disconnected(str(gone)) from None
        except trio.Cancelled:
            await trio.aclose_forcefully(self._websocket.stream)
            raise

    async def receive(self) -> ServerMessage:
        """The next message; frames that cannot be read at all are skipped."""
        while True:
            try:
                frame = await self._websocket.recv()
            except (ConnectionClosed, trio.BrokenResourceError, trio.ClosedResourceError) as gone:
                raise Disconnected(str(gone)) from None
            try:
                return self._codec.read_server(frame)
            except Malformed:
                continue

    async def aclose(self) -> None:
        """Say goodbye for at most a second, then hang up."""
        with trio.CancelScope(shield=True), trio.move_on_after(1):
            try:
                await self._websocket.aclose()
                return
            except Exception:  # whatever state it is in, it is to be gone
                pass
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self._websocket.stream)


class MemoryChannel:
    """The client's end of an in-memory connection. Messages are handed over as they are: frozen, never copied."""

    def __init__(
        self, to_server: trio.MemorySendChannel[ClientMessage], from_server: trio.MemoryReceiveChannel[ServerMessage]
    ) -> None:
        self._send = to_server
        self._receive = from_server

    async def send(self, message: ClientMessage) -> None:
        """Hand a message to the server."""
        try:
            await self._send.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Disconnected("closed") from None

    async def receive(self) -> ServerMessage:
        """The server's next message."""
        try:
            return await self._receive.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise Disconnected("closed") from None

    async def aclose(self) -> None:
        """Close both directions."""
        self._send.close()
        self._receive.close()


class ServerEnd(msgspec.Struct, frozen=True):
    """The server's end of an in-memory connection: read client messages from `inbox`, write to `outbox`."""

    inbox: trio.MemoryReceiveChannel[ClientMessage]
    outbox: trio.MemorySendChannel[ServerMessage]


def memory_channels(size: int = 256) -> tuple[MemoryChannel, ServerEnd]:
    """A connection within the process: the client's end and the server's, `size` messages buffered each way."""
    to_server, inbox = trio.open_memory_channel[ClientMessage](size)
    outbox, from_server = trio.open_memory_channel[ServerMessage](size)
    return MemoryChannel(to_server, from_server), ServerEnd(inbox, outbox)


Dial = Callable[[], Awaitable[Channel]]


def websocket_dial(
    url: str,
    nursery: trio.Nursery,
    *,
    subprotocol: str = JSON_SUBPROTOCOL,
    timeout: float = 10,
    tls: ssl.SSLContext | None = None,
) -> Dial:
    """A dialler of `url`. The connection's own tasks live in `nursery`. Dialling raises `Unreachable`."""

    async def dial() -> Channel:
        loopback = (urlsplit(url).hostname or "") in ("localhost", "127.0.0.1", "::1")
        try:
            # A proxy of the environment is for the world outside, never for this machine.
            connecting = connect(
                url,
                subprotocols=[Subprotocol(subprotocol)],
                compression=None,
                max_size=MAX_SERVER_FRAME,
                open_timeout=timeout,
                proxy=None if loopback else True,
                ssl=tls,
                logger=LOGGER,
            )
            return WebsocketChannel(await connecting.connect(nursery))
        except (
            OSError,
            InvalidURI,
            InvalidHandshake,
            ConnectionClosed,
            TimeoutError,
            trio.TooSlowError,
            ValueError,
        ) as fault:
            reason = str(fault) or type(fault).__name__
            raise Unreachable(f"{url}: {reason}") from None

    return dial


class OwnChance:
    """The entropy that a person's client adds to the chance of each game, and what it found wrong at the end.

    `faults` are sentences about the last game; None while nothing is known.
    """

    def __init__(self) -> None:
        self.faults: list[str] | None = None
        self._entropy = ""
        self._for = ""
        self._wanted: RevealWanted | None = None

    def said(self, message: ServerMessage, new_id: Callable[[], str]) -> ClientMessage | None:
        """What is to be said to a message, if anything."""
        match message:
            case Room(room=room) if room.state == "gathering" and isinstance(room.you, int):
                if not room.seeded and room.chance != self._for:
                    self._for = room.chance
                    self._entropy = secrets.token_hex(16)
                    return Commit(id=new_id(), hash=commitment(self._entropy))
            case RevealWanted():
                self._wanted = message
                if self._entropy and commitment(self._entropy) in message.commits:
                    return Reveal(id=new_id(), entropy=self._entropy)
            case Over() if self._wanted is not None:
                wanted = self._wanted
                self.faults = faults(message.seed, wanted.chance, message.entropy, wanted.commits)
            case _:
                pass
        return None


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
    ) -> None:
        """`password` and a one-time `link` are for the first hello only; from then on the token is what counts."""
        self._dial = dial
        self._first = (password, link, bot)
        self._chance = OwnChance() if adds_entropy else None
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
        self.table = Table()
        self.waiting: set[str] = set()
        """Ids of messages sent whose reply has not been received."""
        self.on_lost: Callable[[str], None] | None = None
        """Called with a reason whenever the connection is lost and dialled again."""

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
            if self._chance is not None:
                said = self._chance.said(message, self.new_id)
                if said is not None:
                    await self.send(said)
            return message

    def __aiter__(self) -> AsyncIterator[ServerMessage]:
        return self._messages()

    async def _messages(self) -> AsyncIterator[ServerMessage]:
        while True:
            yield await self.receive()

    def _note(self, message: ServerMessage) -> None:
        if isinstance(message, Room):
            if message.room.id != self.room:
                self.table = Table(self.table.faces)
            self.room = message.room.id
            self._leaving = False
        elif self._leaving and message.re and not isinstance(message, Refused):
            self.room = ""
            self._leaving = False

    async def _read(self) -> ServerMessage:
        if self._channel is None:
            raise Disconnected("not connected")
        message = await self._channel.receive()
        if message.re:
            self.waiting.discard(message.re)
        return message

    # --- connecting ------------------------------------------------------------------------------------------------

    async def connect(self) -> Welcome:
        """Dial and say hello. Raises `Unreachable`, `RequestRefused`."""
        self._channel = await self._dial()
        name, lang, client, digests = self._hello
        password, link, bot = self._first
        hello = Hello(
            id=self.new_id(),
            name=name,
            lang=lang,
            client=client,
            digests=digests,
            packed=True,
            token=self.token,
            faces=list(self.table.faces)[:ROOM_LIST_FACES],
            password="" if self.token else password,
            link="" if self.token else link,
            bot=bot,
        )
        try:
            await self._channel.send(hello)
            while True:
                got = await self._channel.receive()
                if isinstance(got, Refused):
                    raise RequestRefused(got)
                if isinstance(got, Welcome):
                    break
        except Disconnected as lost:
            raise Unreachable(f"the server hung up: {lost}") from None
        self.welcome = got
        self.token = got.token
        self.name = got.name
        return got

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
                if isinstance(fault, RequestRefused) and fault.refused.code == "bad_token":
                    self.token = ""
                if attempt == RETRIES - 1:
                    raise Unreachable(f"no connection any more: {fault}") from None
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
) -> AsyncIterator[Session]:
    """A connected session over a websocket, arguments as `Session`. Raises `Unreachable`, `RequestRefused`."""
    async with trio.open_nursery() as nursery:
        dial = websocket_dial(url, nursery, subprotocol=subprotocol)
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
        )
        try:
            await session.connect()
            yield session
        finally:
            await session.aclose()
            nursery.cancel_scope.cancel()


def plain_error(fault: BaseException) -> ClientError | None:
    """The client's own error in what a nursery raised, if that is all it holds."""
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    return fault if isinstance(fault, ClientError) else None
