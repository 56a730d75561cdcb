"""Connections to a server: whole messages in both directions, over the network or within one process.

There are two: `WebsocketChannel` over the network, and `memory_channels`, a pair of ends within one process, so that a
server can seat the same bots without a socket. Knows trio and websockets; knows nothing of what the messages say.
"""

from __future__ import annotations

import logging
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol
from urllib.parse import urlsplit

import msgspec
import trio
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.trio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from client_cli.errors import Disconnected, Unreachable
from client_cli.reaching import fingerprint_of, unreachable
from protocol import JSON_SUBPROTOCOL, MAX_SERVER_FRAME
from protocol.codec import BY_SUBPROTOCOL, Malformed
from protocol.messages import ClientMessage, ServerMessage

BESIDE_S = 4
"""How long another address of a server's may take: where it does not answer, there is a way without it."""
MOST_UNREAD = 5000
"""Messages that are read ahead; more wait in the line."""
LOGGER = logging.getLogger("apnap.client")
LOGGER.setLevel(logging.CRITICAL)
"""What websockets logs of a connection, silent: a line that breaks is told by `Unreachable`, never across the board on a screen."""


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


class ReadAhead:
    """A channel of which everything is read as it comes, for one who takes time to look: to the server that is no slow reader."""

    def __init__(self, channel: Channel, nursery: trio.Nursery) -> None:
        self._channel = channel
        self._lost = ""
        self._more = trio.Event()
        self._room = trio.Event()
        self._unread: deque[tuple[float, ServerMessage]] = deque()
        self._scope = trio.CancelScope()
        self.arrived = 0.0
        """When the message came that was taken last, by trio's clock."""
        nursery.start_soon(self._read)

    @property
    def unread(self) -> list[ServerMessage]:
        """What has come and was not taken yet, oldest first."""
        return [message for _, message in self._unread]

    async def _read(self) -> None:
        with self._scope:
            try:
                while True:
                    message = await self._channel.receive()
                    self._unread.append((trio.current_time(), message))
                    self._more.set()
                    if len(self._unread) >= MOST_UNREAD:
                        self._room = trio.Event()
                        await self._room.wait()
            except Disconnected as lost:
                self._lost = str(lost) or "closed"
                self._more.set()

    async def send(self, message: ClientMessage) -> None:
        """As the channel's."""
        await self._channel.send(message)

    async def receive(self) -> ServerMessage:
        """The next message. Raises `Disconnected` once all is read that came before the connection broke."""
        while not self._unread:
            if self._lost:
                raise Disconnected(self._lost)
            self._more = trio.Event()
            await self._more.wait()
        self.arrived, message = self._unread.popleft()
        self._room.set()
        return message

    async def aclose(self) -> None:
        """As the channel's."""
        self._scope.cancel()
        await self._channel.aclose()


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
DialAt = Callable[[str], Awaitable[Channel]]
"""The same, of an address."""


def reading_ahead(dial: Dial, nursery: trio.Nursery) -> Dial:
    """The same dialler, of channels that read ahead; their tasks live in `nursery`."""

    async def ahead() -> Channel:
        return ReadAhead(await dial(), nursery)

    return ahead


def websocket_dial(
    url: str,
    nursery: trio.Nursery,
    *,
    subprotocol: str = JSON_SUBPROTOCOL,
    timeout: float = 10,
    tls: ssl.SSLContext | None = None,
    fingerprint: str = "",
) -> Dial:
    """A dialler of `url`. The connection's own tasks live in `nursery`. `fingerprint`: the SHA-256 that the server's certificate must
    have, looked at before a word is said. Dialling raises `Unreachable`.
    """

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
                ssl=tls if url.startswith("wss:") else None,
                logger=LOGGER,
            )
            connection = await connecting.connect(nursery)
        except (
            OSError,
            InvalidURI,
            InvalidHandshake,
            ConnectionClosed,
            TimeoutError,
            trio.BrokenResourceError,
            trio.TooSlowError,
            ValueError,
        ) as fault:
            raise await unreachable(url, fault) from None
        channel = WebsocketChannel(connection)
        found = fingerprint_of(connection.stream)
        if fingerprint and found != fingerprint:
            await channel.aclose()
            key = "reach.other_fingerprint" if found else "reach.no_certificate"
            raise Unreachable(f"{url}: another certificate", key, url=url, fingerprint=found)
        return channel

    return dial


def dial_beside(
    url: str,
    nursery: trio.Nursery,
    *,
    ahead: bool = False,
    subprotocol: str = JSON_SUBPROTOCOL,
    tls: ssl.SSLContext | None = None,
    fingerprint: str = "",
) -> DialAt:
    """A dialler of other addresses of the server at `url`, arguments as `websocket_dial`: as safe as that one, or not at all."""

    async def dial(address: str) -> Channel:
        if url.startswith("wss:") and not address.startswith("wss:"):
            raise Unreachable(f"{address}: not encrypted, as {url} is")
        there = websocket_dial(
            address, nursery, subprotocol=subprotocol, timeout=BESIDE_S, tls=tls, fingerprint=fingerprint
        )
        return await (reading_ahead(there, nursery) if ahead else there)()

    return dial
