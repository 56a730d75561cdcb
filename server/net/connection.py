"""Connections as the rest of the server sees them: whole messages in, an outbox that empties, nothing of websockets.

Two kinds: over a websocket, whose outbox the flusher empties; and within the process (a seated bot), where a task does, and the frozen
messages are handed over as they are.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import trio

from protocol import JSON_SUBPROTOCOL
from protocol.codec import BY_SUBPROTOCOL, Malformed
from protocol.messages import ClientMessage, ServerMessage
from server.net.flusher import Flusher
from server.net.frames import Frames
from server.net.line import Gone, Line
from server.net.websocket import Unread, Websocket
from server.net.workers.moving import SECONDS, Moved, hand_over
from server.net.workers.nodes import Far
from server.net.workers.passing import Ahead, Onward
from server.rooms import Outbox
from server.settings import Limits

log = logging.getLogger("apnap.net")

SEND_SECONDS = 15.0
"""How long what is sent within the process may take to be taken before the reader counts as gone."""
CLOSE_SECONDS = 2.0
"""How long the closing handshake may take."""
TOGETHER = 8
"""Messages that are written at once, if so many wait: a reply, a patch and a question are one write."""

FRAMES = {codec.format: Frames(codec) for codec in BY_SUBPROTOCOL.values()}
"""One for each codec: what they remember is of no connection's own."""


AtOnce = Callable[[ClientMessage], bool]
"""Is offered a message. Whether it has done all with it that is to be done; else nothing. It awaits nothing."""


class Connection(Protocol):
    """One client's connection. One task receives."""

    @property
    def local(self) -> bool:
        """Whether the client lives in this process, where no rate limits are needed."""
        ...

    @property
    def hung_up(self) -> bool:
        """Whether nothing more will come, though not all that came may have been received."""
        ...

    def offer(self, at_once: AtOnce | None) -> None:
        """Offer it what comes while a message is waited for, where that spares waking a task; None: to nobody any more."""
        ...

    def receive(self) -> Awaitable[ClientMessage]:
        """The next message that was not done `at_once`. Raises `protocol.codec.Malformed` (the connection lives on) and `Gone`."""
        ...

    def writing(self, outbox: Outbox, over: Callable[[], None]) -> AbstractAsyncContextManager[None]:
        """While the block runs, what the outbox holds is sent. `over` is called when it is closed and empty, and when the other end
        is gone, or has not read for too long.
        """
        ...

    async def aclose(self) -> None:
        """Close politely for at most `CLOSE_SECONDS`, then for good. Never raises `Gone`."""
        ...


class WebsocketConnection:
    """A websocket whose opening handshake is done."""

    __slots__ = ("_at_once", "_codec", "_flusher", "_frames", "_limits", "_outbox", "_over", "_websocket")

    local = False

    def __init__(self, websocket: Websocket, flusher: Flusher, limits: Limits) -> None:
        self._websocket = websocket
        self._flusher = flusher
        self._limits = limits
        self._codec = BY_SUBPROTOCOL[websocket.subprotocol or JSON_SUBPROTOCOL]
        self._frames = FRAMES[self._codec.format]
        self._outbox = Outbox()
        self._over: Callable[[], None] = lambda: None
        self._at_once: AtOnce | None = None

    @property
    def hung_up(self) -> bool:
        """See `Connection`."""
        return self._websocket.line.hung_up

    def receive(self) -> Awaitable[ClientMessage]:
        """See `Connection`. A frame beyond the size limit ends the connection (close code 1009)."""
        return self._websocket.receive_as(self._codec.read_client)

    def offer(self, at_once: AtOnce | None) -> None:
        """See `Connection`."""
        self._at_once = at_once
        self._websocket.at_once = None if at_once is None else self._is_done

    def _is_done(self, data: str | bytes) -> bool:
        try:
            return self._at_once is not None and self._at_once(self._codec.read_client(data))
        except Malformed:
            return False  # which is said when it is received

    def writing(self, outbox: Outbox, over: Callable[[], None]) -> AbstractAsyncContextManager[None]:
        """See `Connection`."""
        self._outbox, self._over = outbox, over
        return _Flushed(self, outbox, self._flusher)

    async def settle(self) -> None:
        """Until what the outbox holds has left, and no frame has come in part. Raises `Gone`."""
        with trio.move_on_after(self._limits.send_seconds):
            await self._websocket.between()
            while not self.flush():
                await self.drain()
            if self.ended:
                self._over()
            return
        raise Gone

    async def hand_over(self, onward: Onward, moving: Callable[[Unread], Moved]) -> Ahead | None:
        """Another process goes on with it, after `settle`. Whatever becomes of that, it is of no use here any more; where a line to
        another node comes of it, what comes over its own is to be passed on there.
        """
        line, ahead = self._websocket.line, None
        assert isinstance(line, Line)
        try:
            with trio.move_on_after(SECONDS) as timeout:
                moved = moving(self._websocket.unread())
                if not isinstance(onward.way, Far):
                    await hand_over(onward.way, line.socket, moved)
                elif onward.back:
                    await self._give_back(await onward.way.hand_over(moved))
                elif onward.passed is not None:
                    ahead = Ahead(await onward.way.hand_over(moved), onward.passed)
            if timeout.cancelled_caught:  # whoever comes in the other's place may take it yet
                log.warning("a connection is not taken over in time")
        except (OSError, Gone, trio.BrokenResourceError) as fault:
            log.warning("a connection cannot be handed over: %s", fault)
        finally:
            if ahead is None:
                line.close()
        return ahead

    async def _give_back(self, far: trio.SocketStream) -> None:
        """What was on its way here goes after it, until whoever has the client's line has sent the last."""
        async with far:
            while data := await self._websocket.line.receive():
                await far.send_all(data)

    @property
    def ended(self) -> bool:
        """Whether the outbox gets nothing more."""
        return self._outbox.closed

    def over(self) -> None:
        """All has left, and nothing more will come."""
        self._over()

    def flush(self) -> bool:
        """Write what the outbox holds; whether all has left. Raises `Gone`."""
        outbox, websocket = self._outbox, self._websocket
        if websocket.line.stalled:
            return False
        write = self._frames.unnumbered if outbox.unnumbered else self._frames.of
        while outbox.waits and (messages := outbox.take(TOGETHER)):
            frames = write(messages[0]) if len(messages) == 1 else b"".join(map(write, messages))
            if not websocket.send(frames):
                return False
        return True

    async def drain(self) -> None:
        """Wait until what was written has left, for at most as long as the limits allow. Raises `Gone`."""
        with trio.move_on_after(self._limits.send_seconds):
            await self._websocket.line.drain()
            return
        raise Gone

    def give_up(self) -> None:
        """Nothing can be written any more: nothing may follow what has left in part."""
        self._websocket.line.close()
        self._over()

    def look_after(self, now: float) -> None:
        """Ping who is silent, hang up on who stays so. Who hangs up while something is done for them waits for it no more."""
        if self._websocket.abandoned:
            self.give_up()
            return
        idle = self._limits.idle_seconds
        self._websocket.look_after(now, idle / 3, idle * 2 / 3)

    async def aclose(self) -> None:
        """See `Connection`."""
        await self._websocket.aclose(CLOSE_SECONDS)


class _Flushed(AbstractAsyncContextManager[None]):
    """While the block runs, the flusher empties the outbox. Of a generator each connection would hold five times as much."""

    __slots__ = ("_connection", "_flusher", "_outbox")

    def __init__(self, connection: WebsocketConnection, outbox: Outbox, flusher: Flusher) -> None:
        self._connection = connection
        self._outbox = outbox
        self._flusher = flusher

    async def __aenter__(self) -> None:
        self._outbox.on_waiting = self._flusher.take_on(self._connection)
        self._outbox.on_waiting()

    async def __aexit__(self, *_: object) -> None:
        self._outbox.on_waiting = None
        self._flusher.let_go(self._connection)


class OneAfterTheOther:
    """A connection to which a task of its own writes, by `send_many`."""

    hung_up = False
    """Of those who live in this machine nobody waits for what is done for them."""

    def offer(self, at_once: AtOnce | None) -> None:
        """See `Connection`: all that comes is received."""

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """Send messages that wait together. Raises `Gone`, also when the other end does not read for `SEND_SECONDS`."""
        raise NotImplementedError

    @asynccontextmanager
    async def writing(self, outbox: Outbox, over: Callable[[], None]) -> AsyncIterator[None]:
        """See `Connection`."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._write, outbox, over)
            yield
            nursery.cancel_scope.cancel()

    async def _write(self, outbox: Outbox, over: Callable[[], None]) -> None:
        try:
            async for message in outbox:
                together = [message]
                while len(together) < TOGETHER and (more := outbox.get_nowait()) is not None:
                    together.append(more)
                await self.send_many(together)
        except Gone:
            pass
        except Exception:
            log.exception("writing failed")
        over()


class MemoryConnection(OneAfterTheOther):
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

    async def send_many(self, messages: Sequence[ServerMessage]) -> None:
        """See `OneAfterTheOther`."""
        try:
            for message in messages:
                with trio.fail_after(self._send_seconds):
                    await self._outbox.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            raise Gone from None

    async def aclose(self) -> None:
        """See `Connection`."""
        self._inbox.close()
        self._outbox.close()
        await trio.lowlevel.checkpoint()
