"""Lines that are read together: what is done at once, what is left to a line's task, and when nothing is read."""

from __future__ import annotations

import gc
import select
import socket
import ssl
import struct
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol.codec import JSON
from protocol.questions import PriorityAnswer
from protocol.refusals import Code
from server.lobby.client import Client
from server.lobby.lobby import Lobby
from server.net.line import Gone, Line, SecureLine
from server.net.reader import LINES, READ_BYTES, Reader
from server.net.websocket import Protocol, Unread, Websocket
from server.settings import Limits, Listen, Settings
from tests.net.test_net import app_of, ask, client_of
from tests.net.test_websocket import tls as tls
from tests.rooms.fake import FakeGame

pytestmark = pytest.mark.skipif(not hasattr(select, "epoll"), reason="each line waits by itself there")


@asynccontextmanager
async def reading() -> AsyncIterator[Reader]:
    reader = Reader()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(reader.run)
        await trio.testing.wait_all_tasks_blocked()
        assert reader.runs
        yield reader
        nursery.cancel_scope.cancel()


@contextmanager
def line_of(reader: Reader) -> Iterator[tuple[Line, socket.socket]]:
    """A line, and what is at its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        theirs = socket.create_connection(listening.getsockname())
        ours, _ = listening.accept()
    with theirs:
        line = Line(ours)
        line.reader = reader
        yield line, theirs
        line.close()


class Taking:
    """Does at once what begins by "now"."""

    def __init__(self) -> None:
        self.done: list[bytes] = []

    def __call__(self, data: bytes) -> bool:
        if data.startswith(b"now"):
            self.done.append(data)
        return data.startswith(b"now")


class Steps(trio.abc.Instrument):
    """The names of tasks that do something."""

    def __init__(self) -> None:
        self.tasks: set[str] = set()

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.tasks.add(task.name)


async def turns(most: int) -> None:
    """The loop comes round until it has nothing to do; not more often than that."""
    came = 0

    class Counting(trio.abc.Instrument):
        def after_io_wait(self, timeout: float) -> None:
            nonlocal came
            came += 1

    counting = Counting()
    trio.lowlevel.add_instrument(counting)
    with trio.fail_after(5):
        await trio.testing.wait_all_tasks_blocked()
    trio.lowlevel.remove_instrument(counting)
    assert came <= most


async def test_what_is_done_at_once_wakes_no_task() -> None:
    async with reading() as reader, trio.open_nursery() as nursery:
        with line_of(reader) as (line, theirs):
            taking, got, steps = Taking(), list[bytes](), Steps()

            async def read() -> None:
                got.append(await line.receive(taking))

            nursery.start_soon(read, name="reads")
            await trio.testing.wait_all_tasks_blocked()
            trio.lowlevel.add_instrument(steps)
            for number in range(3):
                theirs.send(b"now%d" % number)
                await trio.testing.wait_all_tasks_blocked()
            assert taking.done == [b"now0", b"now1", b"now2"]
            assert "reads" not in steps.tasks
            theirs.send(b"later")
            await trio.testing.wait_all_tasks_blocked()
            assert got == [b"later"]
            assert "reads" in steps.tasks


@pytest.mark.parametrize("together", [True, False])
async def test_under_tls_what_is_done_at_once_wakes_no_task_and_the_rest_comes_in_order(
    together: bool, tls: tuple[str, ssl.SSLContext]
) -> None:
    pem, trusting = tls
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(pem)
    async with reading() as reader, trio.open_nursery() as nursery:
        with line_of(reader) as (line, theirs):
            line.reader = reader if together else None
            secure, taking, got, steps = SecureLine(line, serving), Taking(), list[bytes](), Steps()
            plain = trio.SocketStream(trio.socket.from_stdlib_socket(theirs.dup()))
            client = trio.SSLStream(plain, trusting, server_hostname="127.0.0.1")
            nursery.start_soon(secure.shake_hands)
            await client.do_handshake()
            await trio.testing.wait_all_tasks_blocked()

            async def read() -> None:
                while data := await secure.receive(taking):
                    got.append(data)

            for word in (b"now0", b"now1", b"later2", b"now3", b"later4"):
                await client.send_all(word)
            nursery.start_soon(read, name="reads")
            await trio.testing.wait_all_tasks_blocked()
            assert (taking.done, got) == ([b"now0", b"now1", b"now3"], [b"later2", b"later4"]), "one read brought all"
            trio.lowlevel.add_instrument(steps)
            for number in range(5, 8):
                await client.send_all(b"now%d" % number)
                await trio.testing.wait_all_tasks_blocked()
            assert taking.done[3:] == [b"now5", b"now6", b"now7"]
            assert ("reads" in steps.tasks) is not together
            nursery.cancel_scope.cancel()


async def test_nothing_is_read_while_the_lines_task_does_something_and_the_loop_sleeps() -> None:
    async with reading() as reader:
        with line_of(reader) as (line, theirs):
            taking = Taking()
            theirs.send(b"a")
            assert await line.receive(taking) == b"a"
            theirs.send(b"now")
            await turns(10)
            assert taking.done == []
            theirs.send(b"b")
            theirs.shutdown(socket.SHUT_WR)
            await turns(10)
            theirs.close()
            await turns(10)
            with trio.move_on_after(0):
                await line.receive(taking)
            with trio.fail_after(5):
                assert await line.receive(taking) == b""
            assert taking.done == [b"nowb"]


async def test_who_sends_much_is_read_a_little_in_a_turn() -> None:
    async with reading() as reader:
        with line_of(reader) as (line, theirs):
            theirs.setblocking(False)
            theirs.send(b"now" + bytes(3 * READ_BYTES))
            taking = Taking()
            with trio.fail_after(5):
                assert await line.receive(taking) == bytes(READ_BYTES)
            assert taking.done == [b"now" + bytes(READ_BYTES - 3)]


async def test_more_lines_than_are_read_in_a_turn_are_all_read() -> None:
    async with reading() as reader, trio.open_nursery() as nursery:
        opened = [line_of(reader) for _ in range(2 * LINES + 1)]
        pairs, takings = [one.__enter__() for one in opened], [Taking() for _ in opened]
        for (line, _), taking in zip(pairs, takings, strict=True):
            nursery.start_soon(line.receive, taking)
        await trio.testing.wait_all_tasks_blocked()
        for _, theirs in pairs:
            theirs.send(b"now")
        await trio.testing.wait_all_tasks_blocked()
        assert [taking.done for taking in takings] == [[b"now"]] * len(opened)
        nursery.cancel_scope.cancel()
        for one in opened:
            one.__exit__(None, None, None)


async def test_a_line_that_is_closed_here_wakes_who_waits_for_it_though_another_process_has_it() -> None:
    async with reading() as reader, trio.open_nursery() as nursery:
        with line_of(reader) as (line, theirs), line.socket.dup() as elsewhere:
            gone = trio.Event()

            async def read() -> None:
                with pytest.raises(Gone):
                    await line.receive(Taking())
                gone.set()

            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            line.close()
            with trio.fail_after(5):
                await gone.wait()
            theirs.send(b"now")
            await turns(10)
            assert elsewhere.recv(3) == b"now"


async def test_what_fails_at_once_fails_where_the_line_is_read() -> None:
    def fails(_: bytes) -> bool:
        raise ZeroDivisionError

    async with reading() as reader:
        with line_of(reader) as (line, theirs):
            theirs.send(b"now")
            with pytest.raises(ZeroDivisionError):
                await line.receive(fails)
            theirs.send(b"now")
            with trio.fail_after(5):
                assert await line.receive(lambda _: False) == b"now"


@pytest.mark.parametrize("closed_here", [True, False])
async def test_a_line_that_failed_is_forgotten_without_a_look_for_garbage(closed_here: bool) -> None:
    kept: list[weakref.ref[Taking]] = []

    async def read(line: Line) -> None:
        taking = Taking()
        kept.append(weakref.ref(taking))
        with pytest.raises(Gone):
            await line.receive(taking)

    gc.collect()
    gc.disable()
    try:
        async with reading() as reader, trio.open_nursery() as nursery:
            with line_of(reader) as (line, theirs):
                nursery.start_soon(read, line)
                await trio.testing.wait_all_tasks_blocked()
                assert kept[0]() is not None
                if closed_here:
                    line.close()
                else:
                    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    theirs.close()  # by a reset
                with trio.fail_after(5):
                    while nursery.child_tasks:
                        await trio.testing.wait_all_tasks_blocked()
                assert kept[0]() is None
    finally:
        gc.enable()


async def test_a_line_waits_by_itself_when_nobody_reads_for_all_any_more() -> None:
    reader, taking, got = Reader(), Taking(), list[bytes]()
    with line_of(reader) as (line, theirs):
        reads = trio.CancelScope()

        async def run() -> None:
            with reads:
                await reader.run()

        async def read() -> None:
            got.append(await line.receive(taking))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            reads.cancel()
            await trio.testing.wait_all_tasks_blocked()
            theirs.send(b"now")
            await trio.testing.wait_all_tasks_blocked()
            assert taking.done == [b"now"]
            theirs.send(b"later")
        assert got == [b"later"]


def masked(body: bytes, mask: bytes = b"mask", *, first: int = 0x81) -> bytes:
    """A client's frame, a whole text unless its first byte says otherwise (RFC 6455, 5.2)."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else bytes((0x80 | 126,)) + len(body).to_bytes(2, "big")
    return bytes((first,)) + size + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(body))


@pytest.mark.parametrize("size", [0, 1, 120, 125, 126, 127, 128, 256, READ_BYTES - 8])
async def test_a_whole_frame_is_a_message_without_the_librarys_parser_and_in_pieces_with_it(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    parse = Protocol.receive_data

    def receive_data(self: Protocol, data: bytes) -> None:
        parsed.append(len(data))
        parse(self, data)

    monkeypatch.setattr(Protocol, "receive_data", receive_data)
    body = ("ab" * size)[:size]
    whole, other = masked(body.encode()), masked(b"other")
    with line_of(Reader()) as (line, theirs):
        websocket = Websocket.again(line, 1.0, Unread(None, []))
        theirs.send(whole)
        assert await websocket.receive() == body
        assert parsed == []
        for cut in {1, 2, 3, 4, 6, 7, 8, len(whole) - 1}:
            if not 0 < cut < len(whole):
                continue
            async with trio.open_nursery() as nursery:
                theirs.send(whole[:cut])

                async def read() -> None:
                    assert await websocket.receive() == body

                nursery.start_soon(read)
                await trio.testing.wait_all_tasks_blocked()
                theirs.send(whole[cut:])
        theirs.send(whole + other)
        assert [await websocket.receive(), await websocket.receive()] == [body, "other"]
        theirs.send(other + whole)
        assert [await websocket.receive(), await websocket.receive()] == ["other", body]


PING, TEXT_TO_BE_CONTINUED, LAST = 0x89, 0x01, 0x80


async def test_the_librarys_parser_is_there_only_while_something_has_come_in_part() -> None:
    def parsers() -> int:
        gc.collect()  # those of connections that are no more
        return sum(type(one) is Protocol for one in gc.get_objects())

    frame, got, others = masked(b"whole"), list[str | bytes](), parsers()
    with line_of(Reader()) as (line, theirs):
        websocket = Websocket.again(line, 1.0, Unread(None, []))

        async def read() -> None:
            while True:
                got.append(await websocket.receive())

        async def comes(data: bytes) -> int:
            theirs.send(data)
            await trio.testing.wait_all_tasks_blocked()
            return parsers() - others

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            assert [await comes(frame), await comes(frame[:4]), await comes(frame[4:] + frame[:1])] == [0, 1, 1]
            assert [await comes(frame[1:]), await comes(masked(b"is it?", first=PING))] == [0, 0]
            assert theirs.recv(64) == b"\x8a\x06is it?"
            assert [await comes(masked(b"in ", first=TEXT_TO_BE_CONTINUED)), await comes(frame[:0])] == [1, 1]
            assert await comes(masked(b"parts", first=LAST) + frame) == 0
            nursery.cancel_scope.cancel()
    assert got == ["whole"] * 3 + ["in parts", "whole"]


@pytest.mark.parametrize("together", [True, False])
async def test_an_answer_reaches_its_room_without_its_connections_task(
    together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not together:  # as where there is no epoll
        monkeypatch.setattr("server.net.reader.select", SimpleNamespace())
    asked: list[type] = []
    handle = Lobby.handle

    async def handled(self: Lobby, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        if not client.local:
            asked.append(type(message))
        return await handle(self, client, message)

    monkeypatch.setattr(Lobby, "handle", handled)
    answers = 0
    async with app_of(FakeGame(turns=4)) as app, client_of(app, "Ada") as ada:
        decks = await ask(ada, {"type": "decks", "id": "d"})
        await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}})
        await ask(ada, {"type": "deck", "id": "1", "house": "bears"})
        await ask(ada, {"type": "add_bot", "id": "b", "level": decks["bots"][0]})
        assert (await ask(ada, {"type": "start", "id": "s"}))["type"] == "ok"
        with trio.fail_after(20):
            while not isinstance(got := JSON.read_server(await ada.recv()), m.Over):
                if isinstance(got, m.QuestionMessage | m.ViewMessage) and (question := got.question):
                    answer = m.AnswerMessage(id=question.id, question=question.id, answer=question.default)
                    await ada.send(JSON.write(answer))
                    answers += 1
    assert answers > 2
    assert asked == [m.Hello, m.ListDecks, m.Open, m.ChooseDeck, m.AddBot, m.Start]


async def test_who_answers_faster_than_is_allowed_is_told_so_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.net.session.time", SimpleNamespace(monotonic=lambda: 0.0))
    settings = Settings(listen=Listen(port=0), limits=Limits(burst=5))
    async with app_of(settings=settings) as app, client_of(app, "Ada") as ada:
        for number in range(8):
            await ada.send(JSON.write(m.AnswerMessage(id=f"a{number}", question="x", answer=PriorityAnswer(index=0))))
        said = [JSON.read_server(await ada.recv()) for _ in range(8)]
    refused = [(one.re, one.code) for one in said if isinstance(one, m.Refused)]
    assert refused == [(f"a{n}", Code.NOT_IN_ROOM if n < 4 else Code.TOO_FAST) for n in range(8)]


async def test_a_message_is_not_kept_until_another_comes() -> None:
    async with app_of() as app, client_of(app) as websocket:
        await ask(websocket, {"type": "hello", "id": "h", "name": "Ada", "faces": ["of nobody else"]})
        kept = [one for one in gc.get_objects() if type(one) is m.Hello and one.faces == ["of nobody else"]]
        assert kept == []
