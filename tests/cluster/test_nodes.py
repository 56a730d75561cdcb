"""Several nodes that serve as one server, each with workers of its own: over real lines, in real processes, on a real PostgreSQL."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import cast

import pytest
import trio

from client_cli.errors import Disconnected, Unreachable
from protocol import messages as m
from server.command.admin import ask
from server.lobby import desk
from server.net.websocket import Unread
from server.net.workers import nodes as nodes_module
from server.net.workers.following import Following
from server.net.workers.keeper import Keeper
from server.net.workers.leading import Leading
from server.net.workers.moving import Moved
from server.net.workers.nodes import PROOF, Callers, Far, NotOurs, WireFor, call, called, exactly, version_of
from server.settings import Settings, Store
from server.storage import MemoryStorage, Storage
from server.storage.writing import WritingStorage
from tests.chaos.guests import until
from tests.chaos.test_chaos import ROOT, Server, chaos
from tests.cluster.door import DatabaseLine, Door
from tests.cluster.test_failover import page
from tests.cluster.test_workers import ANSWERED, ENDED, ROOMS, Caller, Workers, calling
from tests.storage.cluster import Cluster, cluster

LEASE = 2.0
SEED = int(os.environ.get("APNAP_CLUSTER_SEED", "0"))
TAKEN_OVER = "another server has taken over the database"
WAYS = ("killed", "line cut", "stood still", "line dead", "asked to stop", "database killed", "killed", "all killed")


class Node(Workers):
    """`apnap serve --workers 2 --node ...`."""

    def __init__(self, folder: Path, door: Door, store: str) -> None:
        super().__init__(folder, door, store)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.calls: int = free.getsockname()[1]

    def words(self) -> list[str]:
        return [*super().words(), "--node", f"127.0.0.1:{self.calls}"]

    def signal(self, number: int) -> None:
        """To all its processes."""
        assert self.process is not None
        for pid in (self.process.pid, *self.children()):
            os.kill(pid, number)

    async def ready(self) -> None:
        """Until a new player is welcome."""
        with trio.fail_after(90):
            await until(lambda: page(self.port, "/ready")[0] == 200)

    def rooms(self) -> int:
        return page(self.port, "/health")[1].get("rooms", -1)


async def test_a_room_of_one_node_is_joined_from_another(nodes: tuple[Node, Node]) -> None:
    first, second = nodes
    await first.start()
    await second.start()
    await second.ready()
    async with calling(first, "Ada") as ada, calling(second, "Bo") as bo:
        one, other = await ada.open("one"), await bo.open("other")
        assert await ada.rooms() == await bo.rooms() == {one, other}
        async with calling(second, "Cleo", moves=True) as cleo:  # nobody has said where clients reach these nodes
            for room, owner in ((one, "Ada"), (other, "Bo"), (one, "Ada")):
                joined = await cleo.ask(m.Join(id=cleo.id(), room=room), m.Room)
                assert [seat.name for seat in joined.room.seats] == [owner, "Cleo"]
                await cleo.ask(m.Leave(id=cleo.id()), m.Ok)
                for node in nodes:
                    assert page(node.port, "/health")[1]["connections"] == 3, "each counts where it is served"
        for node in nodes:
            said = await trio.to_thread.run_sync(ask, node.folder, desk.ListNodes())
            assert said == desk.Nodes(
                (
                    desk.NodeRow(f"127.0.0.1:{first.calls}", workers=2, rooms=1, keeps=True),
                    desk.NodeRow(f"127.0.0.1:{second.calls}", workers=2, rooms=1, keeps=False),
                )
            )
    assert first.rooms() == second.rooms() == 2


async def begun(caller: Caller) -> str:
    """A game with a bot that waits for the caller's answer: its room."""
    room = await caller.open("a game")
    await caller.ask(m.AddBot(id=caller.id(), level="simple"), object)
    await begin(caller)
    return room


async def begin(caller: Caller) -> None:
    """The game of the caller's room, in which all others are ready, until the caller is asked."""
    decks = (await caller.ask(m.ListDecks(id=caller.id()), m.Decks)).decks
    await caller.ask(m.ChooseDeck(id=caller.id(), house=decks[0].name), object)
    await caller.channel.send(m.Start(id=caller.id()))
    while not getattr(await caller.channel.receive(), "question", None):
        pass


async def goes_on(node: Node, name: str, token: str, room: str) -> None:
    """Whoever has a seat in a game comes back to it by that node, and is asked."""
    found: list[bool] = []

    async def comes_back() -> None:
        async with calling(node, name, token) as caller:
            await caller.channel.send(m.Resume(id="r", room=room))
            while not found and not isinstance(message := await caller.channel.receive(), m.Refused):
                if getattr(message, "question", None):
                    found.append(True)

    with trio.fail_after(60):
        while not found:
            try:
                await comes_back()
            except* (Disconnected, Unreachable, OSError):
                await trio.sleep(0.2)


ENDS = [
    pytest.param(leads, number, id=f"{name} {where}", marks=[] if first else pytest.mark.slow)
    for leads, number, name, where, first in (
        (True, signal.SIGKILL, "killed", "with the keeper", True),
        (False, signal.SIGSTOP, "frozen", "without", True),
        (False, signal.SIGKILL, "killed", "without", False),
        (True, signal.SIGSTOP, "frozen", "with the keeper", False),
        (True, signal.SIGTERM, "asked to stop", "with the keeper", False),
        (False, signal.SIGTERM, "asked to stop", "without", False),
    )
]


@pytest.mark.parametrize(("leads", "number"), ENDS)
async def test_the_games_of_a_node_go_on_at_the_other(nodes: tuple[Node, Node], leads: bool, number: int) -> None:
    first, second = nodes
    await first.start()
    await second.start()
    await second.ready()
    gone, left = (first, second) if leads else (second, first)
    async with calling(gone, "Ada") as ada, calling(left, "Bo") as bo:
        one, other = await begun(ada), await begun(bo)
        tokens = ada.welcome.token, bo.welcome.token
    if number == signal.SIGTERM:
        assert gone.process is not None
        gone.process.terminate()
    else:
        gone.signal(number)
    await goes_on(left, "Ada", tokens[0], one)
    await goes_on(left, "Bo", tokens[1], other)
    if number == signal.SIGSTOP:
        gone.signal(signal.SIGCONT)
        assert gone.process is not None
        if leads:
            assert await trio.to_thread.run_sync(gone.process.wait) == 1, "it was taken over from"
        else:
            await trio.sleep(LEASE)
            await goes_on(gone, "Ada", tokens[0], one)


async def test_a_node_that_is_asked_to_stop_says_goodbye(nodes: tuple[Node, Node]) -> None:
    first, second = nodes
    await first.start()
    await second.start()
    await second.ready()
    async with calling(first, "Ada") as ada, calling(second, "Bo") as bo, calling(second, "Cleo") as cleo:
        room = await ada.open("one")
        await bo.ask(m.Join(id=bo.id(), room=room), m.Room)  # passed on
        assert second.process is not None
        second.process.terminate()
        with trio.fail_after(20):
            assert isinstance(await cleo.channel.receive(), m.Closing)
            with pytest.raises(Disconnected):
                while True:
                    await bo.channel.receive()
            assert await trio.to_thread.run_sync(second.process.wait) == 0
        assert await ada.rooms() == {room}


# --- who calls --------------------------------------------------------------------------------------------------------

SECRET = b"s" * 32


@asynccontextmanager
async def answering(version: str) -> AsyncIterator[tuple[str, list[object]]]:
    """A node of that version: its address, and what it was called for."""
    calls: list[object] = []

    async def take(stream: trio.SocketStream) -> None:
        calls.append(await called(stream, SECRET, version))
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, take, 0)
        yield f"127.0.0.1:{listeners[0].socket.getsockname()[1]}", calls
        nursery.cancel_scope.cancel()


async def test_a_call_is_proved_by_the_secret() -> None:
    async with answering("1") as (address, calls):
        stream = await call(address, SECRET, "1", WireFor(3))
        await stream.aclose()
        assert calls == [WireFor(3)]
        with pytest.raises(NotOurs):
            await call(address, b"t" * 32, "1", WireFor(3))
        with pytest.raises(NotOurs, match="version 2"):
            await call(address, SECRET, "2", WireFor(3))
        assert calls == [WireFor(3), None, None]


def test_nodes_that_say_other_things_to_each_other_are_of_other_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    version = version_of("rules")
    assert version == version_of("rules") != version_of("other rules")
    monkeypatch.setattr(nodes_module, "Moved", Unread)
    assert version_of("rules") != version


async def test_who_says_anything_else_is_not_heard() -> None:
    async with answering("1") as (address, calls):
        for said in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, b"\x00\x00\x00\x05hello"):
            stream = await trio.open_tcp_stream("127.0.0.1", int(address.rpartition(":")[2]))
            with suppress(trio.BrokenResourceError):  # it may have been shown out already
                await stream.send_all(said)
                await stream.send_eof()
            with trio.fail_after(5):
                await until(lambda: bool(calls))
            assert calls.pop() is None


async def test_strangers_who_say_nothing_keep_no_node_away() -> None:
    callers = Callers(SECRET, "1", most=2)
    calls: list[object] = []

    async def take(stream: trio.SocketStream) -> None:
        calls.append(await callers.called(stream))
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, take, 0)
        address = f"127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        silent = [await trio.open_tcp_stream("127.0.0.1", listeners[0].socket.getsockname()[1]) for _ in range(3)]
        for stream in silent:
            await exactly(stream, PROOF)  # it has been let in
        assert calls == [None], "the oldest was shown out"
        assert await silent[0].receive_some() == b""
        await (await call(address, SECRET, "1", WireFor(3))).aclose()
        assert calls == [None, None, WireFor(3)]
        nursery.cancel_scope.cancel()


async def test_who_is_called_has_to_prove_itself_too() -> None:
    async def another(stream: trio.SocketStream) -> None:
        await stream.send_all(b"c" * PROOF)
        await stream.receive_some()
        await stream.send_all(b"p" * PROOF)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, another, 0)
        with pytest.raises(NotOurs, match="no node of this server"):
            await call(f"127.0.0.1:{listeners[0].socket.getsockname()[1]}", SECRET, "1", WireFor(3))
        nursery.cancel_scope.cancel()


async def test_a_node_that_ends_is_not_said_to_be_of_another_version() -> None:
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, trio.aclose_forcefully, 0)
        with pytest.raises(NotOurs, match="has hung up$"):
            await call(f"127.0.0.1:{listeners[0].socket.getsockname()[1]}", SECRET, "1", WireFor(3))
        nursery.cancel_scope.cancel()


class Kept:
    """A keeper, as far as other nodes need one to serve with it."""

    def __init__(self) -> None:
        self.settled = trio.Event()
        self.settled.set()
        self.cuts: list[int] = []

    def tell_nodes(self, _: object) -> None: ...

    def cut(self, node: int) -> None:
        self.cuts.append(node)


async def test_two_nodes_of_one_name_do_not_serve_together(caplog: pytest.LogCaptureFixture) -> None:
    """What is passed on to the one would come to the other."""
    caplog.set_level("INFO")
    kept, storage, lease = Kept(), MemoryStorage(), 5.0
    with socket.create_server(("127.0.0.1", 0)) as calls:
        keeps = f"127.0.0.1:{calls.getsockname()[1]}"
        leading = Leading(
            cast(Keeper, kept), cast(WritingStorage, storage), Store(node=keeps, lease_seconds=lease), [], "1"
        )

        def following(node: str) -> Following:
            settings = Settings(store=Store(node=node, lease_seconds=lease))
            return Following(settings, lambda: storage, [], calls, calls, [], Path(), "1", trio.Event())

        async def found(node: str) -> None:
            _, number, stream = await following(node)._found(storage)
            told.append((node, number))
            await stream.aclose()

        told: list[tuple[str, int]] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(leading.run, calls)
            with trio.fail_after(20):
                _, one, stream = await following("10.0.0.2:8803")._found(storage)
                for name in ("10.0.0.2:8803", keeps):
                    nursery.start_soon(found, name)
                    await until(lambda name=name: f"lets no node serve at {name}" in caplog.text)
                assert (one, told) == (1, [])
                assert caplog.text.count("another node would serve at 10.0.0.2:8803") == 1, (
                    "told once, however often it tries"
                )
                await stream.aclose()
                await until(lambda: bool(told))
                assert told == [("10.0.0.2:8803", 2)], "the first is gone"
            nursery.cancel_scope.cancel()


async def test_a_node_that_serves_no_more_takes_no_connection() -> None:
    moved = Moved("", Unread(None, []), "p", "s", {}, m.Join(id="1", room="r"), 1.0)
    with pytest.raises(NotOurs, match="no more"):
        await Far("", 0, SECRET, "1").hand_over(moved)


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
def test_where_calls_cannot_be_listened_for_is_said(tmp_path: Path, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        node = f"{host}:{taken.getsockname()[1]}"
        words = ["serve", "--port", "0", "--data", str(tmp_path), "--store", "postgresql:///none", "--node", node]
        command = [sys.executable, "-m", "server.command.main", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 1
    assert f"cannot be listened for at {node} (--node)" in done.stderr


# --- all at once ------------------------------------------------------------------------------------------------------


class Both(Server):
    """Two nodes, each with a line of its own to their database, and the door, which leads now to the one and now to the other."""

    def __init__(
        self,
        folder: Path,
        nodes: Sequence[Node],
        door: Door,
        lines: Sequence[DatabaseLine],
        database: Cluster,
        store: str,
    ) -> None:
        super().__init__(folder)
        self._nodes = nodes
        self._leads = door
        self.door = door.port
        self._lines = lines
        self._database = database
        self.store = store
        self._turn = 0
        self._still: Node | None = None

    def journals(self) -> AbstractAsyncContextManager[Storage]:
        from server.storage.postgresql import open_postgresql

        return open_postgresql(self.store, read_only=True)

    def said(self) -> str:
        return "\n".join(node.said() for node in self._nodes if node.log.exists())

    async def start(self) -> None:
        if self._still is not None:
            self._still.signal(signal.SIGCONT)
            self._still = None
            await trio.sleep(LEASE / 2)  # whoever was taken over from has learnt it by then
        for line in self._lines:
            if not line.holds:
                line.mend()
        for node in self._nodes:
            await node.start()
        for node in self._nodes:
            with trio.fail_after(90):
                while page(node.port, "/ready")[0] != 200:
                    await node.start()  # whoever was taken over from ends by itself, as soon as it has run
                    await trio.sleep(0.02)
        self._turn += 1
        self._leads.leads_to = self._nodes[self._turn % 2].port
        self.serves = True

    async def kill(self) -> None:
        for node in self._nodes:
            await node.kill()

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        self.serves = False
        seen["ends"] += 1
        seen[how] += 1
        place = chance.randrange(2)
        node = self._nodes[place]
        assert node.process is not None
        if how == "stood still":
            self._still = node
            node.signal(signal.SIGSTOP)
            await trio.sleep(LEASE + 1)
        elif how in ("line cut", "line dead"):
            self._lines[place].cut_off(dead=how == "line dead")
            await trio.sleep(LEASE + 1)
        elif how == "database killed":
            await trio.to_thread.run_sync(self._database.stop)
            await trio.sleep(LEASE * chance.random() * 2)
            await trio.to_thread.run_sync(self._database.start)
        elif how == "all killed":
            await self.kill()
        elif how == "killed":
            await node.kill()
        else:
            node.process.terminate()
            code = await trio.to_thread.run_sync(node.process.wait)
            # Whoever was cut off may learn just now that it was taken over from.
            assert code == 0 or code == 1 and TAKEN_OVER in node.said(), code
        self._leads.leads_to = 0
        self._leads.cut()


@contextmanager
def two_nodes(folder: Path) -> Iterator[Both]:
    """Two nodes on a database of their own."""
    with cluster() as database, ExitStack() as stack:
        store, door = database.new(), stack.enter_context(Door())
        lines = [stack.enter_context(DatabaseLine(database.folder)) for _ in range(2)]
        reached = [store.replace(str(database.folder), str(line.folder)) for line in lines]
        made = [stack.enter_context(Node(folder / f"node{n}", door, one)) for n, one in enumerate(reached)]
        with Both(folder / "both", made, door, lines, database, store) as both:
            yield both


@pytest.mark.slow
def test_whichever_node_or_line_ends_nothing_is_lost_or_doubled(
    lined: Both, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        seen = trio.run(
            partial(chaos, ways=WAYS, rooms=ROOMS), lined, ENDED, ANSWERED, SEED, partial(print, flush=True)
        )
        print(f"\n{dict(seen)}")
    assert (seen["lost"], seen["doubled"]) == (0, 0)
    assert seen["answers"] >= ANSWERED and seen["views"] > ENDED and seen["sent again"] > ENDED
    assert seen["unfinished"] == 0, "every game ends"
