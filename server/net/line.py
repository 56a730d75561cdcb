"""A connected socket, plain or under TLS: bytes in, bytes out. Knows nothing of HTTP and websockets.

Reading waits, writing does not: what the socket does not take at once stays here until someone has `drain`ed it. TLS is an `SSLObject`
between two buffers in memory, so that it is read and written in the same way.
"""

from __future__ import annotations

import select
import socket
import ssl
from contextlib import suppress
from functools import partial

import trio

from server.net.reader import READ_BYTES, AtOnce, Reader, Waiting

NOWHERE = "0.0.0.0"
"""The address of a line whose other end was gone before it could be asked."""


class Gone(Exception):
    """The other end is not there any more. The connection is of no use; only `aclose` may still be called."""


class Line(trio.abc.AsyncResource):
    """A plain one. One task reads; any may write. `address` is the other end's."""

    __slots__ = ("_draining", "_ending", "_socket", "_unsent", "address", "closed", "reader")

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._socket = sock
        self._unsent = bytearray()
        self._ending = False
        self._draining: trio.Lock | None = None
        self.reader: Reader | None = None
        """Who waits for what comes, where something can be done with it at once."""
        self.closed = False
        try:
            self.address = str(sock.getpeername()[0])
        except OSError:
            self.address = NOWHERE

    @classmethod
    def of(cls, stream: trio.SocketStream) -> Line:
        """The line over a stream's socket; the stream is of no use any more."""
        return cls(socket.socket(fileno=stream.socket.detach()))

    @property
    def socket(self) -> socket.socket:
        """Its socket, to be handed to another process; nothing must wait."""
        return self._socket

    @property
    def stalled(self) -> bool:
        """Whether something waits that the socket has not taken."""
        return bool(self._unsent)

    @property
    def hung_up(self) -> bool:
        """Whether the other end sends nothing any more, told without reading: what it sent before may still be there."""
        if self.closed:
            return True
        if hasattr(select, "POLLRDHUP"):  # Linux
            look = select.poll()
            look.register(self._socket, select.POLLRDHUP)
            return bool(look.poll(0))
        try:
            return not self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    async def receive(self, at_once: AtOnce | None = None) -> bytes:
        """What has come, at most `READ_BYTES`, and was not done `at_once`; nothing when nothing will come any more. Raises `Gone`."""
        while not self.closed:
            if at_once is not None and (wait := self.waits(at_once)) is not None:
                await trio.lowlevel.wait_task_rescheduled(wait)
                if (data := came(wait)) is not None:
                    return data
                continue
            try:
                await trio.lowlevel.wait_readable(self._socket)
                data = self._socket.recv(READ_BYTES)
            except BlockingIOError:
                continue
            except (OSError, trio.ClosedResourceError):
                break
            if at_once is None or not data or not at_once(data):
                return data
        raise Gone

    def waits(self, at_once: AtOnce) -> Waiting | None:
        """How its task waits together with others', as `receive` does and without a coroutine of its own (`Reader.next`): what has come is
        `came` then. None where it cannot. Raises `Gone`.
        """
        if self.reader is None or not self.reader.runs:
            return None
        if self.closed:
            raise Gone
        try:
            return self.reader.next(self._socket, at_once)
        except OSError:
            raise Gone from None

    def send(self, data: bytes) -> bool:
        """Hand over; whether all has left, so that nothing is `stalled`. Raises `Gone`."""
        if self._unsent:
            self._unsent += data
            return False
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            raise Gone from None
        if sent < len(data):
            self._unsent += data[sent:]
            return False
        return True

    def end(self) -> None:
        """Nothing more is sent after what waits; the other end is told so."""
        self._ending = True
        if not self._unsent:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)

    async def drain(self) -> None:
        """Wait until all that waits has left. Any number of tasks. Raises `Gone`."""
        if self._draining is None:
            self._draining = trio.Lock()
        async with self._draining:
            while self._unsent:
                if self.closed:
                    raise Gone
                try:
                    await trio.lowlevel.wait_writable(self._socket)
                    sent = self._socket.send(self._unsent)
                except BlockingIOError:
                    continue
                except (OSError, trio.ClosedResourceError):
                    raise Gone from None
                del self._unsent[:sent]
            if self._ending:
                self.end()

    def close(self) -> None:
        """For good and at once; who waits for it gets `Gone`."""
        if not self.closed:
            self.closed = True
            if self.reader is not None:
                self.reader.closed(self._socket)
            trio.lowlevel.notify_closing(self._socket)
            self._socket.close()

    async def aclose(self) -> None:
        """See `close`."""
        self.close()
        await trio.lowlevel.checkpoint()


def came(wait: Waiting) -> bytes | None:
    """What has come to who waited so and was not done at once; None where nothing did. Raises `Gone`."""
    try:
        return wait.taken()
    except (OSError, trio.ClosedResourceError):
        raise Gone from None


class SecureLine:
    """TLS over a plain line; of use after `shake_hands`."""

    def __init__(self, line: Line, context: ssl.SSLContext) -> None:
        self._line = line
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._plain: bytes | None = None
        """What has come and is to be received."""
        self.address = line.address

    @property
    def closed(self) -> bool:
        """See `Line`."""
        return self._line.closed

    @property
    def stalled(self) -> bool:
        """See `Line`."""
        return self._line.stalled

    @property
    def hung_up(self) -> bool:
        """See `Line`."""
        return self._line.hung_up

    async def shake_hands(self) -> None:
        """Raises `Gone`, also where the other end speaks no TLS of ours."""
        while True:
            try:
                self._tls.do_handshake()
                self._push()
                return
            except ssl.SSLWantReadError:
                self._push()
            except ssl.SSLError:
                self._push()  # it says why
                raise Gone from None
            if not await self._feed():
                raise Gone

    async def receive(self, at_once: AtOnce | None = None) -> bytes:
        """See `Line`."""
        while True:
            data, self._plain = self._plain or self._decrypted(), None
            if data is None:
                if not await self._feed(at_once):
                    return b""
            elif not data or at_once is None or not at_once(data):
                return data

    def waits(self, _at_once: AtOnce) -> None:
        """See `Line`: who waits here has to decrypt what has come."""

    def _is_done(self, at_once: AtOnce, data: bytes) -> bool:
        """Take in what has come. Whether all is done with it; if not, what is left is received."""
        self._incoming.write(data)
        plain = self._decrypted()
        if plain and at_once(plain):
            plain = self._decrypted()  # much may come at once, and most of it waits for its turn
        self._plain = plain
        return plain is None

    def _decrypted(self) -> bytes | None:
        """What has come; None where more has to come first. Raises `Gone`."""
        try:
            return self._tls.read(READ_BYTES)
        except ssl.SSLWantReadError:
            self._push()
            return None
        except ssl.SSLError:
            raise Gone from None

    def send(self, data: bytes) -> bool:
        """See `Line`."""
        try:
            self._tls.write(data)
        except ssl.SSLError:
            raise Gone from None
        self._push()
        return not self._line.stalled

    def end(self) -> None:
        """See `Line`; TLS says goodbye first."""
        with suppress(ssl.SSLError):
            self._tls.unwrap()
        with suppress(Gone):
            self._push()
        self._line.end()

    async def drain(self) -> None:
        """See `Line`."""
        await self._line.drain()

    def close(self) -> None:
        """See `Line`."""
        self._line.close()

    async def _feed(self, at_once: AtOnce | None = None) -> bool:
        """Take in what comes; false when nothing will."""
        data = await self._line.receive(None if at_once is None else partial(self._is_done, at_once))
        if at_once is None:
            self._incoming.write(data)
        return bool(data)

    def _push(self) -> None:
        if self._outgoing.pending:
            self._line.send(self._outgoing.read())


AnyLine = Line | SecureLine
