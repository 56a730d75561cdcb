"""The endpoint over real sockets: handshakes, limits, bad frames, slow readers, bots, stopping."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
import trio
import trio.testing
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.trio.client import ClientConnection, connect

from protocol import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
from protocol import messages as m
from protocol.codec import JSON
from protocol.refusals import Code
from protocol.rooms import DeckSummary
from server.net.app import App, running
from server.net.connection import MemoryConnection, OneAfterTheOther
from server.net.line import READ_BYTES, Gone
from server.net.session import Allowance, serve_connection
from server.net.websocket import Websocket
from server.settings import Limits, Listen, Operating, Page, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import TwoDecks, lobby_of
from tests.rooms.fake import FakeGame


@asynccontextmanager
async def app_of(game: FakeGame | None = None, **more: Any) -> AsyncIterator[App]:
    async with running(MemoryStorage(), TwoDecks(), game=game or FakeGame(), **more) as app:
        yield app


@asynccontextmanager
async def client_of(app: App, name: str = "", **more: Any) -> AsyncIterator[ClientConnection]:
    more.setdefault("subprotocols", [JSON_SUBPROTOCOL])
    more.setdefault("max_queue", None)  # a paused reader of this library never ends
    async with connect(app.url, proxy=None, compression=None, max_size=None, **more) as websocket:
        if name:
            await ask(websocket, {"type": "hello", "id": "h", "name": name})
        yield websocket


async def ask(websocket: ClientConnection, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message, wait for its reply."""
    await websocket.send(json.dumps(message))
    with trio.fail_after(10):
        while True:
            got = json.loads(await websocket.recv())
            if got.get("re") == message["id"]:
                return got


async def until(websocket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of that kind."""
    with trio.fail_after(10):
        while True:
            got = json.loads(await websocket.recv())
            if got["type"] == kind:
                return got


async def http(app: App, path: str, extra: str = "") -> tuple[str, str]:
    """Status line and body of a plain GET."""
    stream = await trio.open_tcp_stream(app.host, app.port)
    await stream.send_all(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{extra}\r\n".encode())
    data = b""
    with trio.fail_after(5):
        async for chunk in stream:
            data += chunk
    head, _, body = data.decode().partition("\r\n\r\n")
    return head.split("\r\n")[0], body


async def test_health_and_what_is_not_there() -> None:
    async with app_of() as app, client_of(app, "Ada"):
        status, body = await http(app, "/health")
        assert "200" in status
        figures = {"status": "ok", "connections": 1, "rooms": 0, "playing": 0, "frozen": 0, "people": 1}
        assert json.loads(body) == figures
        assert "404" in (await http(app, "/etc/passwd"))[0]
        assert "200" in (await http(app, "/"))[0]
        assert "404" in (await http(app, "/ws"))[0]
        assert "400" in (await http(app, "/", "Upgrade: websocket\r\nOrigin: a\r\nOrigin: b\r\n"))[0]


async def test_clients_are_told_where_the_host_has_pictures() -> None:
    pictures = "https://pictures.example/{name}.jpg"
    async with (
        app_of(settings=Settings(listen=Listen(port=0), page=Page(pictures=pictures))) as app,
        client_of(app) as ada,
    ):
        assert (await ask(ada, {"type": "hello", "id": "h", "name": "Ada"}))["pictures"] == pictures
    async with app_of() as app, client_of(app) as ada:
        assert "pictures" not in await ask(ada, {"type": "hello", "id": "h", "name": "Ada"})


@pytest.mark.parametrize(
    "address",
    ["https://pictures.example/one.jpg", "javascript:{name}", "https://a.example; script-src b/{name}", "{name}"],
)
def test_what_is_no_address_of_pictures_is_refused(address: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"page\.pictures"):
        msgspec.convert({"page": {"pictures": address}}, Settings)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("https://table.example", True),
        ("http://{host}", True),
        ("http://127.0.0.1:1", False),
        ("https://evil.example", False),
        ("null", False),
    ],
)
async def test_pages_of_strangers_may_not_connect(origin: str | None, allowed: bool) -> None:
    async with app_of(settings=Settings(listen=Listen(port=0, origins=("https://table.example",)))) as app:
        if origin:
            origin = origin.format(host=f"{app.host}:{app.port}")
        if allowed:
            async with client_of(app, "Ada", origin=origin):
                pass
        else:
            with pytest.raises(InvalidStatus) as refused:
                async with client_of(app, origin=origin):
                    pass
            assert refused.value.response.status_code == 403


async def test_a_name_that_was_made_to_point_here_is_foreign() -> None:
    async with app_of() as app:
        assert not app.endpoint.allows("http://evil.example:8802", "evil.example:8802")
        assert app.endpoint.allows("http://localhost:8802", "localhost:8802")
        assert app.endpoint.allows("http://[::1]:8802", "[::1]:8802")


async def test_subprotocols() -> None:
    async with app_of() as app:
        async with client_of(app, subprotocols=None) as websocket:
            assert websocket.subprotocol is None
            assert (await ask(websocket, {"type": "hello", "id": "1", "name": "A"}))["type"] == "welcome"
        async with client_of(app, subprotocols=["later.v9", MSGPACK_SUBPROTOCOL]) as websocket:
            assert websocket.subprotocol == MSGPACK_SUBPROTOCOL
            await websocket.send(msgspec.msgpack.encode({"type": "hello", "id": "1", "name": "A"}))
            got = await websocket.recv()
            assert isinstance(got, bytes) and msgspec.msgpack.decode(got)["type"] == "welcome"
        offers: tuple[dict[str, Any], ...] = (
            {"subprotocols": ["later.v9"]},
            {"subprotocols": None, "origin": f"http://{app.host}:{app.port}"},
        )
        for more in offers:
            with pytest.raises(InvalidStatus) as refused:
                async with client_of(app, **more):
                    pass
            assert refused.value.response.status_code == 400


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET //[::1 HTTP/1.1", "404"),
        ("GET http://[ HTTP/1.1", "404"),
        ("GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nOrigin: http://\xe9\xff", "403"),
        ("GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nOrigin: http://[::1", "403"),
    ],
)
async def test_a_request_that_cannot_be_read_is_answered_and_is_no_defect(
    request_line: str, status: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with app_of() as app:
        stream = await trio.open_tcp_stream(app.host, app.port)
        await stream.send_all(f"{request_line}\r\nHost: localhost\r\n\r\n".encode("latin-1"))
        with trio.fail_after(5):
            answer = b"".join([chunk async for chunk in stream]).decode()
        assert answer.startswith(f"HTTP/1.1 {status} "), answer
        assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("asked", ["//x/metrics", "//x/health", "//x/ready", "/x/ready", "http://localhost//x/ready"])
async def test_a_page_for_programs_has_one_path_only(asked: str) -> None:
    """A proxy that answers `/metrics` itself sees no such path in `//x/metrics`, and passes it on."""
    for end in ("", "?a=b"):
        async with app_of() as app:
            stream = await trio.open_tcp_stream(app.host, app.port)
            await stream.send_all(f"GET {asked}{end} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            with trio.fail_after(5):
                answer = b"".join([chunk async for chunk in stream]).decode()
            assert answer.startswith("HTTP/1.1 404 "), answer


@pytest.mark.parametrize("text", [b'{"type":"ping","id":"\xff"}', b"\xc3", b"\xed\xa0\x80"])
async def test_a_text_that_is_not_utf8_is_refused_and_the_connection_lives(text: bytes) -> None:
    async with app_of() as app, client_of(app, "Ada") as websocket:
        await websocket.send(text, text=True)
        got = json.loads(await websocket.recv())
        assert (got["type"], got["code"]) == ("refused", Code.MALFORMED)
        assert (await ask(websocket, {"type": "ping", "id": "p"}))["type"] == "pong"


@pytest.mark.parametrize(
    ("frame", "code", "path"),
    [
        ("{", Code.MALFORMED, None),
        ("", Code.MALFORMED, None),
        (b"{}", Code.MALFORMED, None),
        ("[" * 60_000, Code.MALFORMED, None),
        ('{"type":"later","id":"1"}', Code.UNKNOWN_MESSAGE, "type"),
        ('{"type":"join","id":"1","room":7}', Code.INVALID, "room"),
        ('{"type":"ping","id":"1","also":7}', Code.INVALID, None),
    ],
)
async def test_a_bad_frame_is_refused_and_the_connection_lives(frame: str | bytes, code: str, path: str | None) -> None:
    async with app_of() as app, client_of(app, "Ada") as websocket:
        await websocket.send(frame)
        got = json.loads(await websocket.recv())
        assert (got["type"], got["code"], got.get("path")) == ("refused", code, path)
        assert (await ask(websocket, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_a_frame_beyond_the_limit_closes_that_connection_only() -> None:
    async with app_of() as app, client_of(app, "Ada") as big, client_of(app, "Bob") as other:
        await big.send("x" * (64 * 1024 + 1))
        with pytest.raises(ConnectionClosed) as closed, trio.fail_after(5):
            await big.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"
        assert (await ask(other, {"type": "chat", "id": "p", "text": "x"}))["code"] == Code.NOT_IN_ROOM


async def test_garbage_on_the_socket_ends_that_connection_only() -> None:
    async with app_of() as app, client_of(app, "Ada") as other:
        for garbage in (b"\x16\x03\x01\x02\x00" * 20, b"GET / HTTP/9\r\n\r\n", b"\r\n\r\n", b"GET " + b"x" * 99_999):
            stream = await trio.open_tcp_stream(app.host, app.port)
            with trio.fail_after(5):
                try:
                    await stream.send_all(garbage)
                    await stream.send_eof()
                    while await stream.receive_some():
                        pass
                except trio.BrokenResourceError:
                    pass
        async with client_of(app, "Bob") as bob:
            # A broken websocket frame: reserved bits set, and then nothing.
            await bob.stream.send_all(b"\xff\xff\xff")
            with pytest.raises(ConnectionClosed), trio.fail_after(5):
                await bob.recv()
        assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_a_defect_in_handling_a_message_is_told_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with app_of() as app, client_of(app, "Ada") as websocket:

        def broken() -> list[DeckSummary]:
            raise RuntimeError("a defect")

        monkeypatch.setattr(app.lobby.decks, "summaries", broken)
        assert (await ask(websocket, {"type": "decks", "id": "d"}))["code"] == Code.DEFECT
        assert (await ask(websocket, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_refusals_are_said_in_the_clients_language() -> None:
    async with app_of() as app, client_of(app) as websocket:
        await ask(websocket, {"type": "hello", "id": "1", "name": "A", "lang": "fr-CA"})
        got = await ask(websocket, {"type": "leave", "id": "2"})
        assert got["sentence"] == "Vous n'êtes dans aucune salle."


async def test_whoever_says_no_hello_is_shown_out(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of() as lobby:
        client = Silent()
        with trio.fail_after(1000):
            await serve_connection(client, lobby)
        assert isinstance(client.sent[-1], m.Closing) and client.closed


class Silent(OneAfterTheOther):
    """A connection that says nothing."""

    local = False

    def __init__(self) -> None:
        self.sent: list[m.ServerMessage] = []
        self.closed = False

    async def receive(self) -> m.ClientMessage:
        await trio.sleep_forever()
        raise AssertionError

    async def send(self, message: m.ServerMessage) -> None:
        self.sent.append(message)
        await trio.lowlevel.checkpoint()

    async def send_many(self, messages: Sequence[m.ServerMessage]) -> None:
        for message in messages:
            await self.send(message)

    async def aclose(self) -> None:
        self.closed = True


class _Flood(Silent):
    """A connection that pings as fast as it is read, but reads nothing itself."""

    count = 0

    async def receive(self) -> m.ClientMessage:
        await trio.lowlevel.checkpoint()
        self.count += 1
        if self.count > 1000:  # nobody has braked it
            raise Gone
        return m.Hello(id="h", name="x") if self.count == 1 else m.Ping(id=str(self.count))

    async def send(self, message: m.ServerMessage) -> None:
        with trio.move_on_after(15):
            await trio.sleep_forever()
        raise Gone


async def test_a_flood_is_braked_and_a_reader_that_never_reads_is_cut_off(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with lobby_of() as lobby:
        flood = _Flood()
        with trio.fail_after(60):
            await serve_connection(flood, lobby, Limits(burst=100, messages_per_second=1))
        assert flood.closed and flood.count < 300


def test_an_allowance_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("server.net.session.time.monotonic", lambda: now[0])
    allowance = Allowance(Limits(burst=3, messages_per_second=2))
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 1.0
    assert [allowance.take() for _ in range(3)] == [True, True, False]


async def test_a_stalled_reader_over_a_socket_is_cut_off_and_holds_nobody() -> None:
    """The client stops reading: buffers fill, the send stalls, the deadline passes, the connection is gone."""
    slow = Settings(listen=Listen(port=0), limits=Limits(send_seconds=0.3))
    async with app_of(settings=slow) as app, client_of(app, "Bob") as other, trio.open_nursery() as nursery:
        stream = await trio.open_tcp_stream(app.host, app.port)
        stream.setsockopt(1, 8, 4096)  # SOL_SOCKET, SO_RCVBUF
        request = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        await stream.send_all(request.encode())
        await stream.receive_some()

        async def write(data: dict[str, Any]) -> None:
            payload = json.dumps(data).encode()
            head = bytes([0x81, 0x80 | 126]) + len(payload).to_bytes(2, "big") + b"\0\0\0\0"
            await stream.send_all(head + payload)

        await write({"type": "hello", "id": "h", "name": "Slow"})

        async def pester() -> None:
            try:
                while True:
                    await write({"type": "decks" * 4000, "id": "1"})
            except trio.BrokenResourceError:
                pass

        nursery.start_soon(pester)
        with trio.fail_after(15):
            while app.endpoint.connections > 1:
                await trio.sleep(0.05)
                assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"
        nursery.cancel_scope.cancel()


async def test_a_room_played_by_seated_bots_over_real_sockets() -> None:
    async with app_of(FakeGame(turns=4)) as app, client_of(app, "Ada") as host, client_of(app, "Eve") as watcher:
        decks = await ask(host, {"type": "decks", "id": "d"})
        assert decks["bots"] and len(decks["decks"]) == 2
        room = (await ask(host, {"type": "open", "id": "o", "options": {"seats": 3}}))["room"]["id"]
        await ask(host, {"type": "deck", "id": "1", "house": "bears"})
        for seat in (1, 2):
            level = decks["bots"][seat - 1]
            got = await ask(host, {"type": "add_bot", "id": f"b{seat}", "level": level})
            assert got["type"] == "ok"
        await ask(watcher, {"type": "watch", "id": "w", "room": room})
        assert (await ask(host, {"type": "start", "id": "s"}))["type"] == "ok"
        over: dict[str, Any] = {}
        await trio.aclose_forcefully(watcher.stream)  # spectators come and go
        with trio.fail_after(20):
            while not over:
                got = JSON.read_server(await host.recv())
                if isinstance(got, m.QuestionMessage | m.ViewMessage) and got.question:
                    question = got.question
                    answer = m.AnswerMessage(id=question.id, question=question.id, answer=question.default)
                    await host.send(JSON.write(answer))
                if isinstance(got, m.Over):
                    over = msgspec.to_builtins(got)
        assert len(over["result"]["standings"]) == 3 and over["state_hash"]


async def test_a_flood_that_is_not_read_any_more_leaves_no_task_behind() -> None:
    async with app_of() as app:
        async with client_of(app) as flood:
            await flood.send('{"type":"hello","id":"h","name":"x"}')
            with trio.move_on_after(0.5):
                while True:
                    await flood.send('{"type":"ping","id":"p"}')
            await trio.aclose_forcefully(flood.stream)
        with trio.fail_after(10):
            await app.endpoint.empty()
            while _reading():  # noqa: ASYNC110
                await trio.sleep(0.05)


async def test_little_is_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each read takes as much memory as could come; 64 KiB of it, for a few bytes, made the heap of many tables grow and grow."""
    came: list[int] = []
    take = Websocket._take

    def taken(self: Websocket, data: bytes) -> None:
        came.append(len(data))
        take(self, data)

    monkeypatch.setattr(Websocket, "_take", taken)
    async with app_of() as app, client_of(app) as client:
        came.clear()  # the request to open a websocket is read before
        await ask(client, {"type": "hello", "id": "h", "name": "x" * 10_000})
    assert len(came) > 2 and max(came) == READ_BYTES == 4096


def _reading() -> int:
    """How many tasks of the server have a connection."""
    tasks = [trio.lowlevel.current_root_task()]
    count = 0
    for task in tasks:
        if task is not None:
            count += "_run_handler" in task.name
            tasks += [child for nursery in task.child_nurseries for child in nursery.child_tasks]
    return count


async def test_a_lost_connection_is_resumed_with_the_open_question() -> None:
    async with app_of() as app, client_of(app) as host:
        welcome = await ask(host, {"type": "hello", "id": "h", "name": "Ada"})
        room = (await ask(host, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
        await ask(host, {"type": "deck", "id": "1", "house": "bears"})
        await ask(host, {"type": "add_bot", "id": "2", "level": "random"})
        await ask(host, {"type": "start", "id": "s"})
        view = json.loads(await host.recv())
        while view["type"] != "view":
            view = json.loads(await host.recv())
        await trio.aclose_forcefully(host.stream)
        async with client_of(app) as again:
            await ask(again, {"type": "hello", "id": "h", "name": "Ada", "token": welcome["token"]})
            await ask(again, {"type": "resume", "id": "r", "room": room, "epoch": view["epoch"], "seq": view["seq"]})
            back = json.loads(await again.recv())
            assert back["type"] == "view" and back["question"]["id"] and back["epoch"] != view["epoch"]
            assert back["view"] == view["view"]


async def test_stopping_tells_clients_to_come_back() -> None:
    settings = Settings(listen=Listen(port=0), operating=Operating(retry_seconds=2.5))
    async with app_of(settings=settings) as app, trio.open_nursery() as nursery:
        connection = await connect(app.url, proxy=None, compression=None).connect(nursery)
        await ask(connection, {"type": "hello", "id": "h", "name": "Ada"})
        with trio.fail_after(5):
            await app.lobby.close()
            got = json.loads(await connection.recv())
            assert got["type"] == "closing" and got["again"] and got["retry_ms"] == 2_500
            with pytest.raises(ConnectionClosed):
                await connection.recv()
        nursery.cancel_scope.cancel()


async def test_the_connection_within_the_process() -> None:
    async with lobby_of() as lobby:
        to_server, inbox = trio.open_memory_channel[m.ClientMessage](8)
        outbox, from_server = trio.open_memory_channel[m.ServerMessage](8)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_connection, MemoryConnection(inbox, outbox), lobby)
            await to_server.send(m.Hello(id="1", name="Ada"))
            assert isinstance(await from_server.receive(), m.Welcome)
            await to_server.aclose()
            with pytest.raises(trio.EndOfChannel), trio.fail_after(3):
                await from_server.receive()


async def test_what_is_refused_again_and_again_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "apnap.net")
    async with app_of() as app, client_of(app, "Ada") as ada:
        told = len(caplog.records)
        for message in ({"type": "leave"}, {"type": "hello", "name": "Ada"}, {"type": "watch", "room": "gone"}):
            for number in range(5):
                assert (await ask(ada, {**message, "id": str(number)}))["type"] == "refused"
        assert len(caplog.records) == told
        assert (await ask(ada, {"type": "open", "id": "o"}))["type"] == "room"
        assert len(caplog.records) == told + 1
