"""Which node another one follows is what the database says, also where the one that had the keeper cannot be asked, or does not know it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import msgspec
import psycopg
import pytest
import trio
import trio.testing

from client_cli.errors import Disconnected
from server.net.workers import following as module
from server.net.workers import leading as leading_module
from server.net.workers.following import AGAIN_SECONDS, Another, Following
from server.net.workers.keeper import Keeper
from server.net.workers.leading import Leading
from server.net.workers.nodes import KEY, KIND, SECONDS, Call, Leads, NotOurs, TakenOver, call, called
from server.settings import Settings, Store
from server.storage import MemoryStorage
from server.storage.postgresql import held
from server.storage.writing import WritingStorage
from tests.chaos.guests import until
from tests.cluster.door import DatabaseLine, Door
from tests.cluster.test_nodes import LEASE, TAKEN_OVER, Kept, Node, begun, goes_on
from tests.cluster.test_workers import calling
from tests.storage.cluster import cluster

ONE, OTHER = Leads("127.0.0.1:9", b"1"), Leads("127.0.0.1:10", b"2")


async def has_the_keeper(storage: MemoryStorage, leads: Leads) -> None:
    await storage.put(KIND, KEY, msgspec.msgpack.encode(leads))


@pytest.fixture
def following() -> Iterator[Following]:
    settings = Settings(store=Store(node="127.0.0.1:8", lease_seconds=4.0))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        unused.listen()
        yield Following(settings, MemoryStorage, [], unused, unused, [], Path(), "1", trio.Event())


async def test_nobody_waits_for_a_node_that_answers_nothing_when_another_has_the_keeper(
    autojump_clock: trio.testing.MockClock, following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was frozen, or its machine is gone: without a word whoever calls it would wait for seconds, while games go on elsewhere."""
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())

    async def call(leads: Leads, _: object) -> trio.SocketStream:
        if leads == ONE:
            await trio.sleep(SECONDS)
            raise NotOurs("does not answer")
        return ours

    monkeypatch.setattr(following, "_call", call)
    storage, found = MemoryStorage(), list[tuple[Leads, int, float]]()
    await has_the_keeper(storage, ONE)

    async def find() -> None:
        leads, node, _ = await following._found(storage)
        found.append((leads, node, trio.current_time() - taken))

    async with ours, theirs, trio.open_nursery() as nursery:
        nursery.start_soon(find)
        await trio.sleep(1)
        taken = trio.current_time()
        await has_the_keeper(storage, OTHER)
        await theirs.send_all((7).to_bytes(4, "big"))
    ((leads, node, seconds),) = found
    assert (leads, node) == (OTHER, 7) and seconds <= 2 * AGAIN_SECONDS


async def test_a_keeper_that_is_anothers_by_now_is_followed_no_more(
    autojump_clock: trio.testing.MockClock, following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is cut off from the database alone goes on saying that it is there."""
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())

    async def no_desk(*_: object) -> None:
        """It has a thread, for which this clock does not wait."""

    monkeypatch.setattr(module, "serve_desk", no_desk)
    storage = MemoryStorage()
    await has_the_keeper(storage, ONE)

    async def beats() -> None:
        while True:
            await theirs.send_all(b".")
            await trio.sleep(1)

    async def taken_over() -> None:
        await trio.sleep(20)
        await storage.delete(KIND, KEY)
        await trio.sleep(10)  # that nobody says it is no other
        await has_the_keeper(storage, OTHER)

    begun = trio.current_time()
    async with theirs, trio.open_nursery() as nursery:
        nursery.start_soon(beats)
        nursery.start_soon(taken_over)
        with pytest.raises(ExceptionGroup) as lost, trio.fail_after(60):
            await following._follow(storage, ONE, 1, ours)
        nursery.cancel_scope.cancel()
    assert lost.group_contains(Another)
    assert 30 <= trio.current_time() - begun <= 30 + AGAIN_SECONDS


@pytest.mark.slow
async def test_all_other_nodes_go_on_when_one_of_them_has_the_keeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is cut off from the database, and reached by both of them all the while."""
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, ExitStack() as stack:
        store, door = database.new(), stack.enter_context(Door())
        line = stack.enter_context(DatabaseLine(database.folder))
        stores = (store.replace(str(database.folder), str(line.folder)), store, store)
        nodes = [stack.enter_context(Node(tmp_path / f"node{n}", door, one)) for n, one in enumerate(stores)]
        for node in nodes:
            await node.start()
            await node.ready()
        _, second, third = nodes
        async with calling(second, "Ada") as ada, calling(third, "Bo") as bo:
            one, other = await begun(ada), await begun(bo)
            tokens = ada.welcome.token, bo.welcome.token
        line.cut_off(dead=False)
        for node in (second, third):
            await goes_on(node, "Ada", tokens[0], one)
            await goes_on(node, "Bo", tokens[1], other)
        assert not line.holds


@pytest.mark.parametrize("dead", [pytest.param(False, marks=pytest.mark.slow), True], ids=["closed", "silent"])
async def test_who_is_cut_off_from_the_database_alone_keeps_nobody_when_another_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dead: bool
) -> None:
    """The others have left it. People are hung up on, and find by the same address who serves."""
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, ExitStack() as stack:
        store, door = database.new(), stack.enter_context(Door())
        line = stack.enter_context(DatabaseLine(database.folder))
        first = stack.enter_context(
            Node(tmp_path / "first", door, store.replace(str(database.folder), str(line.folder)))
        )
        second = stack.enter_context(Node(tmp_path / "second", door, store))
        for node in (first, second):
            await node.start()
            await node.ready()
        async with calling(first, "Ada") as ada:
            room, token = await begun(ada), ada.welcome.token
            line.cut_off(dead=dead)
            assert first.process is not None
            with trio.fail_after(60):
                assert await trio.to_thread.run_sync(first.process.wait) == 1
                with pytest.raises(Disconnected):
                    while True:
                        await ada.channel.receive()
        assert TAKEN_OVER in first.said()
        assert not line.holds
        await goes_on(second, "Ada", token, room)


@pytest.mark.slow
async def test_a_database_that_is_away_for_all_ends_nobodys_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever had the lease has it when it is back, however long that was; nor does it end because another node does meanwhile."""
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, Door() as door, ExitStack() as stack:
        store = database.new()
        nodes = [stack.enter_context(Node(tmp_path / f"node{n}", door, store)) for n in range(3)]
        for node in nodes:
            await node.start()
            await node.ready()
        first, second, third = nodes
        async with calling(first, "Ada") as ada, calling(second, "Bo") as bo:
            rooms = {await ada.open("one"), await bo.open("other")}
            had = lines_of(store)
            await trio.to_thread.run_sync(database.stop)
            await trio.sleep(2 * LEASE)
            third.signal(signal.SIGKILL)
            await trio.sleep(LEASE / 2)
            await trio.to_thread.run_sync(database.start)
            with trio.fail_after(30):
                await until(lambda: held(store) > 0)
            assert lines_of(store) == had
            assert await ada.rooms() == await bo.rooms() == rooms


def lines_of(store: str) -> list[tuple[int]]:
    """The numbers of those that write to a database."""
    with psycopg.connect(store) as db:
        return db.execute("SELECT id FROM node").fetchall()


class Told(MemoryStorage):
    """`times` it was told that another server writes there; `put_last` is what was put there last."""

    times = 0
    put_last = b""

    async def put(self, kind: str, key: str, data: bytes) -> None:
        await super().put(kind, key, data)
        self.put_last = data

    def taken_over(self) -> None:
        self.times += 1


async def test_who_had_the_keeper_is_told_that_another_has_it(caplog: pytest.LogCaptureFixture) -> None:
    """By the one that has it, which knows the other's secret from the database that both write; by nobody else."""
    caplog.set_level("INFO")
    old, new, before = Told(), Told(), b""
    async with trio.open_nursery() as nursery:
        with trio.fail_after(20), ExitStack() as stack:
            for storage in (old, new):
                calls = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
                store = Store(node=f"127.0.0.1:{calls.getsockname()[1]}")
                if before:
                    await storage.put(KIND, KEY, before)
                leading = Leading(cast(Keeper, Kept()), cast(WritingStorage, storage), store, [], "1")
                nursery.start_soon(leading.run, calls)
                await until(lambda storage=storage, before=before: storage.put_last != before)
                before = storage.put_last
            await until(lambda: "is told that it is here now" in caplog.text and bool(old.times))
            with pytest.raises(NotOurs):
                await call(msgspec.msgpack.decode(before, type=Leads).address, b"s" * 32, "1", TakenOver())
            assert (old.times, new.times) == (1, 0)
            nursery.cancel_scope.cancel()


async def test_who_had_the_keeper_is_told_when_it_can_be_reached_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was cut off from the other nodes as well as from the database, and only the line to them is mended."""
    heard, told, calls_made = list[Call | None](), trio.Event(), list[str]()

    async def counted(address: str, *given: Any) -> trio.SocketStream:
        calls_made.append(address)
        return await call(address, *given)

    monkeypatch.setattr(leading_module, "call", counted)

    async def hear(stream: trio.SocketStream) -> None:
        heard.append(await called(stream, b"s" * 32, "1"))
        told.set()

    with trio.fail_after(20), socket.socket() as away, socket.create_server(("127.0.0.1", 0)) as calls:
        away.bind(("127.0.0.1", 0))
        storage = Told()
        await has_the_keeper(storage, Leads(f"127.0.0.1:{away.getsockname()[1]}", b"s" * 32))
        store = Store(node=f"127.0.0.1:{calls.getsockname()[1]}")
        leading = Leading(cast(Keeper, Kept()), cast(WritingStorage, storage), store, [], "1")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(leading.run, calls)
            await until(lambda: len(calls_made) > 1)
            away.listen()
            listener = trio.SocketListener(trio.socket.from_stdlib_socket(away.dup()))
            nursery.start_soon(trio.serve_listeners, hear, [listener])
            await told.wait()
            nursery.cancel_scope.cancel()
    assert heard == [TakenOver()]
