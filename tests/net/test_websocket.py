"""A websocket byte by byte, plain and under TLS: what clients may do to it that libraries rarely do."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio
import trustme

from server.net.app import App
from server.net.line import Line
from server.settings import Limits, Listen, Settings
from tests.net.test_net import app_of

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, CONTINUED, CLOSE, PING, PONG = 1, 0, 8, 9, 10
FINAL = 0x80
SMALL = 4096
"""Bytes of a socket's buffers."""


class Wire:
    """The client's end: frames as they are."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._read = b""

    async def send(self, *frames: tuple[int, bytes], first: bytes = b"") -> None:
        """In one write; `first` before them."""
        data = first
        for head, body in frames:
            data += bytes((head, FINAL | 126)) + len(body).to_bytes(2, "big") + bytes(4) + body
        await self.stream.send_all(data)

    async def take(self, size: int) -> bytes:
        while len(self._read) < size:
            more = await self.stream.receive_some(SMALL)
            if not more:
                raise EOFError
            self._read += more
        taken, self._read = self._read[:size], self._read[size:]
        return taken

    async def opened(self) -> None:
        """The response to the request has come."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += await self.take(1)
        assert head.startswith(b"HTTP/1.1 101")

    async def frame(self) -> tuple[int, bytes]:
        """The next frame."""
        with trio.fail_after(10):
            head, size = await self.take(2)
            if size == 126:
                size = int.from_bytes(await self.take(2), "big")
            return head & 15, await self.take(size)

    async def message(self) -> dict[str, object]:
        """The next message."""
        opcode, body = await self.frame()
        assert opcode == TEXT
        return json.loads(body)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ssl.SSLContext]:
    """A certificate's file, and who trusts it."""
    authority = trustme.CA()
    path: Path = tmp_path_factory.mktemp("tls") / "server.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(path))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return str(path), context


@asynccontextmanager
async def wired(app: App, context: ssl.SSLContext | None = None) -> AsyncIterator[Wire]:
    """Connected; nothing is sent yet."""
    stream: trio.abc.Stream = await trio.open_tcp_stream(app.host, app.port)
    if context is not None:
        stream = trio.SSLStream(stream, context, server_hostname="127.0.0.1", https_compatible=True)
    async with stream:
        yield Wire(stream)


def says(kind: str, key: str, **more: object) -> tuple[int, bytes]:
    """A message as a frame of its own."""
    return FINAL | TEXT, json.dumps({"type": kind, "id": key, **more}).encode()


@pytest.mark.parametrize("secure", [False, True])
async def test_messages_in_parts_and_many_in_one_write_are_answered_in_order(
    secure: bool, tls: tuple[str, ssl.SSLContext]
) -> None:
    """Beginning with what follows the request at once; a ping may come between the parts of a message."""
    pem, context = tls
    listen = Listen(port=0, tls_cert=pem, tls_key=pem) if secure else Listen(port=0)
    async with app_of(settings=Settings(listen=listen)) as app, wired(app, context if secure else None) as wire:
        await wire.send(says("hello", "h", name="Ada"), says("ping", "1"), first=REQUEST)
        await wire.opened()
        assert [(await wire.message())["re"] for _ in range(2)] == ["h", "1"]
        _, whole = says("ping", "2")
        await wire.send((TEXT, whole[:5]), (FINAL | PING, b"here?"), (CONTINUED, whole[5:9]))
        assert await wire.frame() == (PONG, b"here?")
        await wire.send((FINAL | CONTINUED, whole[9:]), *(says("ping", str(number)) for number in range(3, 40)))
        assert [(await wire.message())["re"] for _ in range(38)] == [str(number) for number in range(2, 40)]
        await wire.send((FINAL | CLOSE, (1000).to_bytes(2, "big")))
        assert await wire.frame() == (CLOSE, (1000).to_bytes(2, "big"))
        with pytest.raises(EOFError):
            await wire.take(1)
        await trio.aclose_forcefully(wire.stream)
        with trio.fail_after(5):
            await app.endpoint.empty()


@pytest.mark.parametrize("secure", [False, True])
async def test_who_stops_reading_for_a_while_gets_all_of_it_then(
    secure: bool, tls: tuple[str, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    pem, context = tls
    stalled = trio.Event()
    drain = Line.drain

    async def drained(self: Line) -> None:
        if self.stalled:
            stalled.set()
        await drain(self)

    def of(stream: trio.SocketStream) -> Line:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        return Line(socket.socket(fileno=stream.socket.detach()))

    monkeypatch.setattr(Line, "of", of)
    monkeypatch.setattr(Line, "drain", drained)
    listen = Listen(port=0, tls_cert=pem, tls_key=pem) if secure else Listen(port=0)
    settings = Settings(listen=listen, limits=Limits(burst=100_000))
    async with app_of(settings=settings) as app, wired(app, context if secure else None) as wire:
        transport = wire.stream.transport_stream if isinstance(wire.stream, trio.SSLStream) else wire.stream
        assert isinstance(transport, trio.SocketStream)
        transport.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        await wire.send(says("hello", "h", name="Ada"), first=REQUEST)
        await wire.opened()
        assert (await wire.message())["re"] == "h"
        keys: list[str] = []
        with trio.fail_after(10):
            while not stalled.is_set():
                fresh = [f"{len(keys) + more}".rjust(60) for more in range(20)]
                await wire.send(*(says("ping", key) for key in fresh))
                keys += fresh
                await trio.sleep(0.001)
        assert len(keys) < 1000, "more than an outbox may hold was not needed"
        assert [(await wire.message())["re"] for _ in keys] == keys


async def test_who_is_silent_is_pinged_and_stays_if_there_is_a_pong() -> None:
    settings = Settings(listen=Listen(port=0), limits=Limits(idle_seconds=0.3))
    async with app_of(settings=settings) as app, wired(app) as silent, wired(app) as dead:
        for wire in (silent, dead):
            await wire.send(first=REQUEST)
            await wire.opened()
        begun = trio.current_time()
        while trio.current_time() < begun + 0.6:
            opcode, body = await silent.frame()
            assert opcode == PING
            await silent.send((FINAL | PONG, body))
        assert await dead.frame() == (PING, b"")
        with trio.fail_after(5), pytest.raises((EOFError, trio.BrokenResourceError)):
            await dead.take(1)
        assert app.endpoint.connections == 1


async def test_tls_where_the_other_end_speaks_none_ends_that_connection_only(
    tls: tuple[str, ssl.SSLContext], caplog: pytest.LogCaptureFixture
) -> None:
    pem, context = tls
    async with app_of(settings=Settings(listen=Listen(port=0, tls_cert=pem, tls_key=pem))) as app:
        async with wired(app) as plain:
            await plain.send(first=REQUEST)
            with trio.fail_after(5), pytest.raises((EOFError, trio.BrokenResourceError)):
                while True:
                    await plain.take(1)
        async with wired(app, context) as wire:
            await wire.send(first=REQUEST)
            await wire.opened()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_parts_without_data_cost_no_memory_and_end_their_connection() -> None:
    async with app_of() as app, wired(app) as wire:
        await wire.send((TEXT, b"{"), *((CONTINUED, b"") for _ in range(1000)), first=REQUEST)
        await wire.opened()
        assert await wire.frame() == (CLOSE, (1008).to_bytes(2, "big") + b"too many frames that are no message")


@pytest.mark.parametrize("opcode", [PING, PONG])
async def test_who_floods_with_pings_is_cut_off_and_holds_nobody(opcode: int) -> None:
    async with app_of() as app, wired(app) as flood, wired(app) as other:
        await flood.send(first=REQUEST)
        await flood.opened()
        await flood.send(*((FINAL | opcode, b"") for _ in range(1000)))
        while (frame := await flood.frame())[0] == PONG:
            pass
        assert frame[0] == CLOSE and frame[1].startswith((1008).to_bytes(2, "big"))
        await other.send(says("hello", "h", name="Ada"), first=REQUEST)
        await other.opened()
        assert (await other.message())["type"] == "welcome"


@pytest.mark.parametrize(
    ("request_", "status", "body"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", b"400", True),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400", True),
        (b"no request\r\n\r\n", b"400", True),
        (REQUEST.replace(b"Version: 13", b"Version: 8"), b"426", True),
        (b"DELETE /health HTTP/1.1\r\nHost: x\r\n\r\n", b"405", True),
        (b"HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n", b"200", False),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 2, b"200", True),
    ],
)
async def test_what_is_no_plain_request_is_answered_and_what_follows_one_is_not(
    request_: bytes, status: bytes, body: bool
) -> None:
    async with app_of() as app, wired(app) as wire:
        await wire.stream.send_all(request_)
        answer = b""
        with pytest.raises(EOFError):
            while True:
                answer += await wire.take(1)
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 " + status) and b"Connection: close" in head
        assert bool(rest) is body


async def test_who_speaks_another_version_is_told_which_is_spoken_here() -> None:
    """RFC 6455, 4.4."""
    async with app_of() as app, wired(app) as wire:
        await wire.stream.send_all(REQUEST.replace(b"Version: 13", b"Version: 8"))
        with trio.fail_after(5):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += await wire.take(1)
        assert head.startswith(b"HTTP/1.1 426") and b"\r\nSec-WebSocket-Version: 13\r\n" in head


COMPRESSED = 0x40
"""The bit of a compressed frame (RFC 7692, 6)."""


@pytest.mark.parametrize(
    "frames",
    [
        bytes((FINAL | COMPRESSED | TEXT, FINAL | 4)) + bytes(4) + b"\x78\x9c\x03\x00",
        bytes((FINAL | TEXT, 2)) + b"{}",
        bytes((FINAL | TEXT, FINAL | 127)) + b"\x7f" + b"\xff" * 7 + bytes(4),
        bytes((FINAL | PING, FINAL | 126)) + (200).to_bytes(2, "big") + bytes(204),
        bytes((FINAL | CONTINUED, FINAL)) + bytes(4),
        bytes((FINAL | 3, FINAL)) + bytes(4),
        bytes((FINAL | CLOSE, FINAL | 1)) + bytes(5),
    ],
    ids=["compressed", "unmasked", "of 2**63 bytes", "long ping", "of no message", "of no kind", "half a code"],
)
async def test_a_frame_that_may_not_be_ends_its_connection_and_nothing_else(
    frames: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """No compression was agreed on, whatever is offered: nothing that comes is unpacked."""
    offers = REQUEST.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
    async with app_of() as app, wired(app) as wire, wired(app) as other:
        await wire.stream.send_all(offers + frames)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += await wire.take(1)
        assert b"101" in head and b"deflate" not in head
        opcode, why = await wire.frame()
        assert opcode == CLOSE and int.from_bytes(why[:2], "big") in (1002, 1009)
        await other.send(says("hello", "h", name="Ada"), first=REQUEST)
        await other.opened()
        assert (await other.message())["type"] == "welcome"
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Many: 1\r\n" * 10_000 + b"\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"x" * 1_000_000,
    ],
    ids=["a long header", "many headers", "a long path", "no end of line"],
)
async def test_a_head_without_bound_is_not_taken_in(head: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with app_of() as app, wired(app) as wire:
        answer = b""
        with trio.fail_after(5), suppress(trio.BrokenResourceError, EOFError):
            await wire.stream.send_all(head)
            while True:
                answer += await wire.take(1)
        assert not answer or answer.startswith(b"HTTP/1.1 4")
        async with wired(app) as other:
            await other.send(says("hello", "h", name="Ada"), first=REQUEST)
            await other.opened()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


class Slowly(trio.abc.Stream):
    """A socket whose bytes leave a few at a time."""

    def __init__(self, stream: trio.SocketStream) -> None:
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        for at in range(0, len(data), 7):
            await self._stream.send_all(data[at : at + 7])
            await trio.lowlevel.checkpoint()

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return bytes(await self._stream.receive_some(max_bytes))

    async def aclose(self) -> None:
        await self._stream.aclose()


async def test_tls_records_that_come_in_small_pieces_are_read(tls: tuple[str, ssl.SSLContext]) -> None:
    pem, context = tls
    async with app_of(settings=Settings(listen=Listen(port=0, tls_cert=pem, tls_key=pem))) as app:
        raw = Slowly(await trio.open_tcp_stream(app.host, app.port))
        async with trio.SSLStream(raw, context, server_hostname="127.0.0.1", https_compatible=True) as stream:
            wire = Wire(stream)
            await wire.send(says("hello", "h", name="Ada"), says("ping", "1"), first=REQUEST)
            await wire.opened()
            assert [(await wire.message())["re"] for _ in range(2)] == ["h", "1"]


async def test_a_ping_behind_the_request_is_answered_behind_the_response() -> None:
    async with app_of() as app, wired(app) as wire:
        await wire.send((FINAL | PING, b"here?"), first=REQUEST)
        await wire.opened()
        assert await wire.frame() == (PONG, b"here?")


async def test_who_asks_for_much_without_reading_gets_little_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are short and replies are not: so what came in one piece waits as well until what was asked before it is read."""
    asked = 0

    async def data_of(*_: object) -> dict[str, str]:
        nonlocal asked
        asked += 1
        return {"much": "x" * 1_000_000}

    async with app_of() as app, wired(app) as wire:
        monkeypatch.setattr(app.lobby.personal, "data_of", data_of)
        await wire.send(says("hello", "h", name="Ada"), *[says("my_data", str(n)) for n in range(50)], first=REQUEST)
        await wire.opened()
        for _ in range(100):
            await trio.testing.wait_all_tasks_blocked()
        assert 0 < asked < 15, "as much as sockets hold, and one more"


def short(opcode: int, body: bytes, mask: bytes = b"mask") -> bytes:
    """A short, masked frame, in which most messages of clients come."""
    return bytes((opcode, FINAL | len(body))) + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(body))


async def test_short_frames_are_read_wherever_a_read_ends() -> None:
    """One that comes in pieces, of which one looks like a frame of its own, is one message all the same."""
    async with app_of() as app, wired(app) as wire, wired(app) as other:
        await other.stream.send_all(REQUEST + short(FINAL | TEXT, b'{"type":"hello","id":"h","name":"Ben"}'))
        await other.opened()
        await other.message()

        async def is_read(data: bytes) -> None:
            await wire.stream.send_all(data)
            for _ in range(3):  # the server has been there since
                await other.stream.send_all(short(FINAL | TEXT, b'{"type":"ping","id":"p"}'))
                await other.message()

        await is_read(REQUEST)
        await wire.opened()
        await is_read(short(FINAL | TEXT, '{"type":"hello","id":"é","name":"Ada"}'.encode()))
        assert (await wire.message())["re"] == "é"
        inner = short(FINAL | TEXT, b'{"type":"ping","id":"1"}')
        outer = short(FINAL | TEXT, inner, bytes(4))
        for cut in (1, 2, 4, 6):
            await is_read(outer[:cut])
            await is_read(outer[cut:])
            assert (await wire.message())["type"] == "refused", f"cut after {cut} bytes"
        await is_read(inner)
        assert (await wire.message())["re"] == "1"
        await is_read(short(TEXT, b'{"type":"ping",'))
        await is_read(short(FINAL | TEXT, b'{"type":"ping","id":"2"}'))
        opcode, why = await wire.frame()
        assert (opcode, int.from_bytes(why[:2], "big")) == (CLOSE, 1002), "a part was expected"
