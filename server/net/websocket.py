"""A websocket over a line, by the sans-I/O `ServerProtocol` of `websockets`: the opening, messages in, frames out, pings, the end.

One task reads it (`open`, `receive`, `aclose`). Writing waits for nothing (`send`); what the line has not taken leaves by `drain`.
The library's protocol, with its parser that waits between the parts of a frame, takes 2 KiB: it is there only from what is no whole
message until it has nothing more to wait for.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeAlias, TypeVar

import msgspec
import trio
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import CONNECTING, OPEN, State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader
from websockets.typing import Subprotocol

from protocol import MAX_CLIENT_FRAME, SUBPROTOCOLS
from server.net.line import AnyLine, Gone, came

try:  # in a twelfth of the time
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

log = logging.getLogger("apnap.net")
T = TypeVar("T")

_LIBRARY_LOG = logging.getLogger("apnap.websockets")
MESSAGES = {Opcode.TEXT, Opcode.BINARY}
FINAL = 0x80
PIECES, PIECES_A_SECOND = 256, 64.0
"""Control frames and parts of messages that may come at once, and how fast so many more may: they are counted by nobody else, and a read
may bring hundreds of them, which take the time of all tables.
"""
END_OF_HEAD = b"\r\n\r\n"
VERSION = "13"
"""Of the websocket protocol (RFC 6455, 4.1)."""
AnyResponse: TypeAlias = Response | Awaitable[Response]
"""What is said to a request, now or when it is known."""
WHOLE_BINARY = FINAL | Opcode.BINARY
WHOLE = (FINAL | Opcode.TEXT, WHOLE_BINARY)
"""First bytes of frames that are a whole message, uncompressed (RFC 6455, 5.2)."""
FIRST_BYTE = StreamReader.at_eof.__code__
MASKED = 0x80
SHORT_HEAD, LONGER_HEAD = 6, 8
"""Bytes before a client's payload: two, two more of its length where it is not short, and four of the mask."""
SHORT, LONG = 126, 127
"""Lengths in a frame's head that say that two or eight bytes of length follow (RFC 6455, 5.2)."""


class Unread(msgspec.Struct, frozen=True):
    """What a websocket spoke, and what has come over it and is not looked at yet: whole messages, each with whether it is text, and a
    part of one.
    """

    subprotocol: str | None
    messages: list[tuple[bool, bytes]]
    part: bytes | None = None
    part_is_text: bool = False


class Protocol(ServerProtocol):
    """Chooses the subprotocol: the first offered one that is spoken here; JSON, unnamed, for a client that offers none. A browser's page
    has to offer one: what speaks to us from a browser without knowing us is no client of ours.
    """

    def __init__(self, state: State = CONNECTING) -> None:
        # No extensions: compression costs more memory than it saves.
        super().__init__(max_size=MAX_CLIENT_FRAME, logger=_LIBRARY_LOG, state=state)
        self._of_a_page = False

    def accept(self, request: Request) -> Response:
        """See `ServerProtocol`; who speaks another version of the protocol is told which is spoken here (RFC 6455, 4.4)."""
        if request.headers.get_all("Sec-WebSocket-Version") in ([], [VERSION]):
            return super().accept(request)
        response = self.reject(
            HTTPStatus.UPGRADE_REQUIRED, f"Version {VERSION} of the websocket protocol is spoken here.\n"
        )
        response.headers["Upgrade"] = "websocket"
        response.headers["Sec-WebSocket-Version"] = VERSION
        return response

    def process_subprotocol(self, headers: Headers) -> Subprotocol | None:
        """See `ServerProtocol`."""
        self._of_a_page = "Origin" in headers
        return super().process_subprotocol(headers)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Raises `NegotiationError`, which is a 400."""
        for name in subprotocols:
            if name in SUBPROTOCOLS:
                return name
        if subprotocols or self._of_a_page:
            raise NegotiationError(f"subprotocols spoken here: {', '.join(SUBPROTOCOLS)}")
        return None


class Websocket:
    """See the module. `send_seconds` is how long what was sent may take to leave; `opened`: another process has opened it."""

    __slots__ = (
        "_heard_at",
        "_messages",
        "_part",
        "_part_is_text",
        "_pieces",
        "_pieces_at",
        "_pinged_at",
        "_protocol",
        "_send_seconds",
        "at_once",
        "line",
        "request",
        "subprotocol",
    )

    def __init__(self, line: AnyLine, send_seconds: float, *, opened: bool = False) -> None:
        self.line = line
        self._protocol: Protocol | None = None if opened else Protocol()
        """Where it is open, and between two frames, and no message has come in part, there need be none."""
        self.subprotocol: str | None = None
        """What was agreed on."""
        self.request: Request | None = None
        self._send_seconds = send_seconds
        self._messages: list[str | bytes] = []
        """Mostly none, and never more than one read brings: an empty list takes 56 bytes, an empty deque 760."""
        self._part: bytearray | None = None
        """What has come of a message in several frames: joined at once, for a frame without data costs memory as well."""
        self._part_is_text = False
        self._pieces = float(PIECES)
        self._pieces_at = trio.current_time()
        self._heard_at: float | None = trio.current_time()
        """When something last came; None while it is not read."""
        self._pinged_at: float | None = None
        self.at_once: Callable[[str | bytes], bool] | None = None
        """Is offered a message that comes while it is waited for. Whether it has done all with it that is to be done; else nothing."""

    @classmethod
    def again(cls, line: AnyLine, send_seconds: float, unread: Unread, more: bytes = b"") -> Websocket:
        """One that another process has opened; `more` has come after what that had read. Raises `Gone`."""
        websocket = cls(line, send_seconds, opened=True)
        websocket.subprotocol = unread.subprotocol
        for is_text, data in unread.messages:
            websocket._messages.append(data.decode(errors="surrogateescape") if is_text else data)
        websocket._part = None if unread.part is None else bytearray(unread.part)
        websocket._part_is_text = unread.part_is_text
        if unread.part is not None:  # what comes next goes on with it
            websocket.protocol.expect_continuation_frame = True
            websocket.protocol.current_size = len(unread.part)
        if more:
            websocket._take(more)
        return websocket

    async def between(self) -> None:
        """Read until no frame has come in part. Raises `Gone`."""
        while not (self._protocol is None or _between_frames(self._protocol)):
            if not self._is_open:
                raise Gone
            self._take(await self.line.receive())
        if not self._is_open:
            raise Gone

    def unread(self) -> Unread:
        """What another process has to know to go on here, after `between`."""
        part = None if self._part is None else bytes(self._part)
        messages = [
            (True, one.encode(errors="surrogateescape")) if isinstance(one, str) else (False, one)
            for one in self._messages
        ]
        return Unread(self.subprotocol, messages, part, self._part_is_text)

    @property
    def protocol(self) -> Protocol:
        """The library's, made where there is none."""
        if self._protocol is None:
            self._protocol = Protocol(OPEN)
        return self._protocol

    @property
    def _is_open(self) -> bool:
        return self._protocol is None or self._protocol.state is OPEN

    def _rest(self) -> None:
        """Let go of the protocol, where it knows nothing that another one would not."""
        protocol = self._protocol
        if protocol is not None and protocol.state is OPEN and self._part is None and _between_frames(protocol):
            protocol.parser.close()  # the two hold each other
            self._protocol = None

    async def open(self, respond: Callable[[ServerProtocol, Request], AnyResponse | None]) -> bool:
        """Read the request. `respond` answers it (plain HTTP, refusals); where it does not, a websocket is opened. Whether one is; if
        not, all is sent, and the other end has hung up. Raises `Gone`.
        """
        seen = more = b""
        while not (events := self.protocol.events_received()):
            data = await self.line.receive()
            if not data:
                return False
            # What follows the request are frames only once it is answered: their pongs would leave before the response.
            end = (seen + data).find(END_OF_HEAD)
            if end >= 0:
                end += len(END_OF_HEAD) - len(seen)
                data, more = data[:end], data[end:]
            seen = (seen + data)[1 - len(END_OF_HEAD) :]
            self.protocol.receive_data(data)
            if self.protocol.eof_sent:  # what came is no request
                self._say_why()
                await self._linger()
                return False
        (first,) = events
        assert isinstance(first, Request)
        self.request = first
        try:
            said = respond(self.protocol, first) or self.protocol.accept(first)
            response = said if isinstance(said, Response) else await said
        except Exception:
            log.exception("a request failed")
            response = self.protocol.reject(HTTPStatus.INTERNAL_SERVER_ERROR, "The server met a defect.\n")
        if first.method == "HEAD":
            response.body = b""
        self.protocol.send_response(response)
        if self.protocol.state is not OPEN:
            await self._linger()
            return False
        self._flush()
        self.subprotocol = self.protocol.subprotocol
        self._rest()
        if more:
            self._take(more)
        return True

    def receive(self) -> Awaitable[str | bytes]:
        """The next message that was not done `at_once`; a text that is not UTF-8 has surrogates in it. Raises `Gone`."""
        return self.receive_as(_as_it_came)

    async def receive_as(self, read: Callable[[str | bytes], T]) -> T:
        """As `receive`, read so. Raises what that raises, too."""
        if self._messages:
            await trio.lowlevel.checkpoint()
            if self.line.stalled:
                await self._is_read()
        while not self._messages:
            if not self._is_open:
                raise Gone
            self._heard_at = trio.current_time()
            if self.at_once is not None and (wait := self.line.waits(self._is_done)) is not None:
                await trio.lowlevel.wait_task_rescheduled(wait)
                if (data := came(wait)) is None:
                    continue
            else:
                data = await self.line.receive(None if self.at_once is None else self._is_done)
            self._pinged_at = None
            self._take(data)
            if self.line.stalled:
                await self._is_read()
        self._heard_at = None
        return read(self._messages.pop(0))

    def _is_done(self, data: bytes) -> bool:
        """Whether what has come is one whole message, and all is done with it; if not, nothing has changed."""
        if self.at_once is None or self.line.stalled or (message := self._whole(data)) is None:
            return False
        if not self.at_once(message):
            return False
        self._heard_at, self._pinged_at = trio.current_time(), None
        return True

    async def _is_read(self) -> None:
        """Who sends without reading is not read either: neither what comes, nor what has come and is not looked at yet."""
        with trio.move_on_after(self._send_seconds) as timeout:
            await self.line.drain()
        if timeout.cancelled_caught:
            self.line.close()

    @property
    def abandoned(self) -> bool:
        """Whether the other end has hung up while it is not read: what it asked for is still done, and nobody waits for it."""
        return self._heard_at is None and self.line.hung_up

    def send(self, frames: bytes) -> bool:
        """Whole frames (`frame`); whether they have left. Raises `Gone`."""
        if not self._is_open:
            raise Gone
        return self.line.send(frames)

    def look_after(self, now: float, interval: float, timeout: float) -> None:
        """Ping who has been silent for `interval` seconds; hang up where no pong comes for `timeout`."""
        if self._heard_at is None or not self._is_open:
            return
        if self._pinged_at is not None:
            if now - self._pinged_at >= timeout:
                self.line.close()
        elif now - self._heard_at >= interval:
            self._pinged_at = now
            try:
                self.line.send(frame(b"", Opcode.PING))
            except Gone:
                self.line.close()

    async def aclose(self, seconds: float) -> None:
        """The closing handshake, for at most so many seconds; then for good."""
        try:
            with trio.move_on_after(seconds):
                if not self.line.closed:
                    if self._is_open:
                        self.protocol.send_close(CloseCode.NORMAL_CLOSURE)
                    await self._linger()
        except Gone:
            pass
        finally:
            self.line.close()

    async def _linger(self) -> None:
        """Send what is left, then read until the other end hangs up: closed earlier, what it has not read yet might be lost."""
        self._flush()
        await self.line.drain()
        while self.protocol.state is not State.CLOSED:
            self._take(await self.line.receive())
            self._messages.clear()  # nobody takes them any more

    def _say_why(self) -> None:
        """The library says nothing of a request that it cannot read, one with a body, say."""
        if not any(self.protocol.writes):
            response = self.protocol.reject(
                HTTPStatus.BAD_REQUEST, "This cannot be read here: a GET or HEAD of HTTP/1.1, without a body.\n"
            )
            self.protocol.writes.insert(0, response.serialize())

    def _take(self, data: bytes) -> None:
        """Take in what has come; nothing is the end."""
        if (message := self._whole(data)) is not None:
            self._messages.append(message)
            return
        if data:
            self.protocol.receive_data(data)
        else:
            self.protocol.receive_eof()
        for event in self.protocol.events_received():
            assert isinstance(event, Frame)
            if not (self._take_frame(event) or self._may_be_piece()):
                self.protocol.fail(CloseCode.POLICY_VIOLATION, "too many frames that are no message")
                break
        if self.protocol.writes:
            self._flush()
        self._rest()

    def _whole(self, data: bytes) -> str | bytes | None:
        """The message, where what has come is one whole frame that the protocol need not see, as nearly always; else None.
        What `ServerProtocol` makes of such a frame through a parser that waits between its parts.
        """
        size = len(data) - SHORT_HEAD
        if size < 0 or data[0] not in WHOLE:
            return None
        head = SHORT_HEAD if size < SHORT else LONGER_HEAD
        if head == SHORT_HEAD and data[1] != MASKED | size:
            return None
        if head == LONGER_HEAD and (data[1] != MASKED | SHORT or int.from_bytes(data[2:4], "big") != len(data) - head):
            return None
        if self._protocol is not None:  # it has seen a part of a frame, or of a message, or the end
            return None
        payload = apply_mask(data[head:], data[head - 4 : head])
        return payload if data[0] == WHOLE_BINARY else str(payload, errors="surrogateescape")

    def _may_be_piece(self) -> bool:
        """Count a frame that is no message by itself."""
        now = trio.current_time()
        self._pieces = min(float(PIECES), self._pieces + (now - self._pieces_at) * PIECES_A_SECOND) - 1
        self._pieces_at = now
        return self._pieces >= 0 or self.protocol.eof_sent

    def _take_frame(self, event: Frame) -> bool:
        """Whether it was a whole message."""
        if event.opcode not in (*MESSAGES, Opcode.CONT):
            return False
        whole = event.fin and self._part is None
        if whole:
            data, text = event.data, event.opcode is Opcode.TEXT
        else:
            if self._part is None:
                self._part, self._part_is_text = bytearray(), event.opcode is Opcode.TEXT
            self._part += event.data
            if not event.fin:
                return False
            data, text = self._part, self._part_is_text
            self._part = None
        self._messages.append(str(data, errors="surrogateescape") if text else bytes(data))
        return whole

    def _flush(self) -> None:
        """What the protocol has to say by itself."""
        for data in self.protocol.data_to_send():
            if data:
                self.line.send(data)
            else:
                self.line.end()


def _as_it_came(message: str | bytes) -> str | bytes:
    return message


def _between_frames(protocol: ServerProtocol) -> bool:
    """Whether its parser waits for the first byte of a frame, or for the end."""
    opened = getattr(protocol.parser, "gi_yieldfrom", None)  # past the opening handshake
    waits = getattr(opened, "gi_yieldfrom", None)
    return getattr(waits, "gi_code", None) is FIRST_BYTE


def frame(data: bytes, opcode: Opcode) -> bytes:
    """A whole, unmasked frame (RFC 6455, 5.2). What `ServerProtocol` makes of it through four calls."""
    size = len(data)
    if size < SHORT:
        return bytes((FINAL | opcode, size)) + data
    if size < 1 << 16:
        return bytes((FINAL | opcode, SHORT)) + size.to_bytes(2, "big") + data
    return bytes((FINAL | opcode, LONG)) + size.to_bytes(8, "big") + data
