"""Connections as the rest of the server sees them: whole messages in, whole messages out, nothing of websockets.

A narrow face on purpose: `websockets.trio` costs more CPU than its sans-I/O core would, and may be replaced behind it. Two
kinds: over a websocket, and within the process (a seated bot), which hands the frozen messages over as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio
from websockets.exceptions import ConnectionClosed
from websockets.trio.server import ServerConnection

from protocol import JSON_SUBPROTOCOL
from protocol.codec import BY_SUBPROTOCOL
from protocol.messages import ClientMessage, ServerMessage

SEND_SECONDS = 15.0
"""How long one frame may take to leave before the reader counts as gone."""
CLOSE_SECONDS = 2.0
"""How long the closing handshake may take."""


class Gone(Exception):
    """The other end is not there any more. The connection is of no use; only `aclose` may still be called."""


class Connection(Protocol):
    """One client's connection. One task receives, one sends."""

    @property
    def local(self) -> bool:
        """Whether the client lives in this process, where no rate limits are needed."""
        ...

    async def receive(self) -> ClientMessage:
        """The next message. Raises `protocol.codec.Malformed` (the connection lives on) and `Gone`."""
        ...

    async def send(self, message: ServerMessage) -> None:
        """Send a message. Raises `Gone`, also when the other end does not read for `SEND_SECONDS`."""
        ...

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """Send messages that wait together. Raises as `send`."""
        ...

    async def aclose(self) -> None:
        """Close politely for at most `CLOSE_SECONDS`, then for good. Never raises `Gone`."""
        ...


class WebsocketConnection:
    """A websocket whose opening handshake is done."""

    local = False

    def __init__(
        self, websocket: ServerConnection, send_seconds: float = SEND_SECONDS, close_seconds: float = CLOSE_SECONDS
    ) -> None:
        self._websocket = websocket
        self._send_seconds = send_seconds
        self._close_seconds = close_seconds
        self._codec = BY_SUBPROTOCOL[websocket.subprotocol or JSON_SUBPROTOCOL]

    async def receive(self) -> ClientMessage:
        """See `Connection`. A frame beyond the size limit ends the connection (close code 1009)."""
        try:
            frame = await self._websocket.recv()
        except ConnectionClosed:
            raise Gone from None
        return self._codec.read_client(frame)

    async def send(self, message: ServerMessage) -> None:
        """See `Connection`."""
        await self.send_many((message,))

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """See `Connection`. One turn at the websocket for all: `_Guarded` connections (`endpoint`) make one write of them."""
        frames = [self._codec.write(message) for message in messages]
        sent = False
        try:
            with trio.move_on_after(self._send_seconds):
                async with self._websocket.send_context():
                    protocol = self._websocket.protocol
                    for frame in frames:
                        if isinstance(frame, str):
                            protocol.send_text(frame.encode())
                        else:
                            protocol.send_binary(frame)
                sent = True
        except ConnectionClosed:
            raise Gone from None
        finally:
            if not sent:
                # A send that was cut short has left half a frame in the stream: nothing may follow it.
                await self._abort()
        if not sent:
            raise Gone

    async def aclose(self) -> None:
        """See `Connection`. The library's own close waits behind a stalled send for ever; hence the deadline."""
        try:
            with trio.move_on_after(self._close_seconds):
                await self._websocket.aclose()
        except ConnectionClosed:
            pass
        finally:
            await self._abort()

    async def _abort(self) -> None:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self._websocket.stream)


class MemoryConnection:
    """The server's end of a pair of channels within the process."""

    local = True

    def __init__(
        self,
        inbox: trio.MemoryReceiveChannel[ClientMessage],
        outbox: trio.MemorySendChannel[ServerMessage],
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._send_seconds = send_seconds

    async def receive(self) -> ClientMessage:
        """See `Connection`; what comes this way is never malformed."""
        try:
            return await self._inbox.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise Gone from None

    async def send(self, message: ServerMessage) -> None:
        """See `Connection`."""
        try:
            with trio.fail_after(self._send_seconds):
                await self._outbox.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            raise Gone from None

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """See `Connection`."""
        for message in messages:
            await self.send(message)

    async def aclose(self) -> None:
        """See `Connection`."""
        self._inbox.close()
        self._outbox.close()
        await trio.lowlevel.checkpoint()
