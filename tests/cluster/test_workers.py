"""Several workers that serve as one, over real websockets and in real processes: connections that move, rooms that are adopted, one list.

As `tests/chaos`. `APNAP_WORKERS_ENDS` sets how many ends there are, `APNAP_WORKERS_ANSWERS` how many acknowledged answers at least.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
import trio

from client_cli.channels import Channel, websocket_dial
from client_cli.errors import Disconnected
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.people import MakeAccount
from server.command.admin import ask
from server.lobby import desk
from server.storage import Storage
from tests.chaos.guests import until
from tests.chaos.test_chaos import Server, chaos, lives
from tests.cluster.door import Door
from tests.storage.cluster import cluster

pytestmark = pytest.mark.skipif(not Path("/proc/self/comm").exists(), reason="children are found by /proc")

WAYS = (
    "worker killed",
    "worker frozen",
    "keeper killed",
    "worker asked to stop",
    "worker frozen for long",
    "worker killed",
    "killed",
    "asked to stop",
)
"""Frozen for longer than a lease, a worker is ended; for less, it goes on where it stood, and so do its games."""
LEASE = 1.0
ENDED = int(os.environ.get("APNAP_WORKERS_ENDS", "8"))
ANSWERED = int(os.environ.get("APNAP_WORKERS_ANSWERS", "150"))
ROOMS = int(os.environ.get("APNAP_WORKERS_ROOMS", "4"))
TAKEN_UP = re.compile(r"^(\S+)Z .*rooms are taken up here", re.M)
T = TypeVar("T")


class Workers(Server):
    """`apnap serve --workers 2`, and the door before it, which cuts all lines when one of the processes ends; `store` is the address of
    a database, "" for the folder."""

    def __init__(self, folder: Path, door: Door, store: str = "") -> None:
        super().__init__(folder, workers=2)
        self.store = store
        self._leads = door
        self.door = door.port
        self._acts: list[tuple[str, float]] = []

    def words(self) -> list[str]:
        return [*super().words(), *(["--store", self.store] if self.store else [])]

    def journals(self) -> AbstractAsyncContextManager[Storage]:
        if not self.store:
            return super().journals()
        from server.storage.postgresql import open_postgresql

        return open_postgresql(self.store, read_only=True)

    def adoptions(self) -> dict[str, list[float]]:
        """Of each way in which a worker ended with rooms: the seconds until the last of them was taken up by others."""
        taken = [datetime.fromisoformat(f"{at}+00:00").timestamp() for at in TAKEN_UP.findall(self.said())]
        found: dict[str, list[float]] = {}
        for (how, at), (_, upto) in pairwise([*self._acts, ("", math.inf)]):
            if after := [one - at for one in taken if at < one < upto]:
                found.setdefault(how, []).append(max(after))
        return found

    async def start(self) -> None:
        if self.process is None or self.process.poll() is not None:
            await super().start()
        self._leads.leads_to = self.port
        self.serves = True

    def child(self, name: str) -> int | None:
        """The process that goes by that name now."""
        for pid in self.children():
            with suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text().strip() == f"apnap-{name}":
                    return pid
        return None

    async def named(self, name: str, but: int | None = None) -> int:
        """The process that goes by that name, and is not `but`, as soon as there is one."""
        with trio.fail_after(30):
            await until(lambda: self.child(name) not in (None, but))
        found = self.child(name)
        assert found is not None
        return found

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        seen[how] += 1
        who, _, what = how.partition(" ")
        if who not in ("worker", "keeper"):
            self._acts.append((how, time.time()))
            await super().end(how, chance, seen)
        else:
            self.serves = False
            seen["ends"] += 1
            name = "keeper" if who == "keeper" else f"worker-{chance.randrange(2)}"
            before = await self.named(name)
            if what == "frozen":
                os.kill(before, signal.SIGSTOP)
                await trio.sleep(LEASE * chance.random() * 0.6)
                with suppress(ProcessLookupError):
                    os.kill(before, signal.SIGCONT)
                seen["went on"] += self.child(name) == before
                await trio.sleep(0.2 * chance.random())
                what = "killed"  # so that its journals can be looked at
            ends = {"killed": signal.SIGKILL, "frozen for long": signal.SIGSTOP, "asked to stop": signal.SIGTERM}
            self._acts.append((f"{who} {what}", time.time()))
            with suppress(ProcessLookupError):
                os.kill(before, ends[what])
            await self.named(name, but=before)
        self._leads.leads_to = 0
        self._leads.cut()


@pytest.mark.parametrize("kept", ["in a folder", pytest.param("in PostgreSQL", marks=pytest.mark.slow)])
def test_whichever_process_ends_nothing_is_lost_or_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with ExitStack() as stack:
        store = stack.enter_context(cluster()).new() if kept == "in PostgreSQL" else ""
        door = stack.enter_context(Door())
        stack.enter_context(capsys.disabled())
        server = stack.enter_context(Workers(tmp_path / "data", door, store))
        seen = trio.run(partial(chaos, ways=WAYS, rooms=ROOMS), server, ENDED, ANSWERED, 0, partial(print, flush=True))
        adoptions = server.adoptions()
        for how, seconds in adoptions.items():
            middle = sorted(seconds)[len(seconds) // 2]
            print(f"{how}: rooms taken up {len(seconds)} times, after {middle:.2f} s, at most {max(seconds):.2f} s")
        print(dict(seen))
    assert (seen["lost"], seen["doubled"]) == (0, 0)
    assert seen["answers"] >= ANSWERED and seen["views"] > ENDED and seen["sent again"] > ENDED
    assert seen["unfinished"] == 0, "every game ends"
    assert adoptions["worker killed"], "its games go on at once, without a new start"


# --- one server, as its people see it ---------------------------------------------------------------------------------


@contextmanager
def served(folder: Path) -> Iterator[Workers]:
    with Door() as door, Workers(folder, door) as server:
        yield server
        if server.process is not None:
            server.process.terminate()
            assert server.process.wait() == 0


class Caller:
    """Somebody at one connection."""

    def __init__(self, channel: Channel, welcome: m.Welcome) -> None:
        self.channel = channel
        self.welcome = welcome
        self._ids = 0

    def id(self) -> str:
        self._ids += 1
        return str(self._ids)

    async def ask(self, message: m.ClientMessage, kind: type[T]) -> T:
        """The reply to a message, of that kind; what comes before is passed over."""
        await self.channel.send(message)
        return await self.reply(message.id, kind)

    async def reply(self, re: str, kind: type[T]) -> T:
        while True:
            message = await self.channel.receive()
            if getattr(message, "re", None) == re:
                assert isinstance(message, kind), message
                return message

    async def open(self, title: str) -> str:
        options = RoomOptions(seats=2, title=title)
        return (await self.ask(m.Open(id=self.id(), options=options), m.Room)).room.id

    async def rooms(self) -> set[str]:
        return {line.id for line in (await self.ask(m.ListRooms(id=self.id()), m.Rooms)).rooms}


@asynccontextmanager
async def calling(
    server: Workers, name: str, token: str = "", *, ticket: str = "", moves: bool = False
) -> AsyncIterator[Caller]:
    async with trio.open_nursery() as nursery:
        channel = await websocket_dial(f"ws://127.0.0.1:{server.port}", nursery)()
        await channel.send(m.Hello(id="hello", name=name, token=token, client="test", ticket=ticket, moves=moves))
        welcome = await channel.receive()
        assert isinstance(welcome, m.Welcome), welcome
        yield Caller(channel, welcome)
        nursery.cancel_scope.cancel()


def ready(server: Workers) -> None:
    """Until a new player is welcome."""
    while True:
        with suppress(OSError):
            if json.loads(page(server, "/ready"))["ready"]:
                return
        time.sleep(0.1)


def page(server: Workers, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=5) as reply:
        return reply.read().decode()


async def test_a_connection_moves_to_the_room_it_asks_for(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        async with (
            calling(server, "Ada") as ada,
            calling(server, "Bo") as bo,
            calling(server, "Cleo") as cleo,
        ):
            one, other = await ada.open("one"), await bo.open("other")  # the second goes where there are fewer
            assert await cleo.rooms() == {one, other}
            for room in (one, other, one):  # in one of them it was not, or not any more
                joined = await cleo.ask(m.Join(id=cleo.id(), room=room), m.Room)
                assert [seat.name for seat in joined.room.seats] == ["Ada" if room == one else "Bo", "Cleo"]
                assert await cleo.rooms() == {one, other}
                await cleo.ask(m.Leave(id=cleo.id()), m.Ok)
            # What is sent with it, in one go, is answered after it, wherever that is.
            sent = [
                m.Join(id="j", room=other),
                m.Ping(id="p"),
                m.Leave(id="l"),
                m.Join(id="k", room=one),
                m.Ping(id="q"),
            ]
            for message in sent:
                await cleo.channel.send(message)
            for message in sent:
                assert not isinstance(await cleo.reply(message.id, object), m.Refused)
            async with calling(server, "Cleo", cleo.welcome.token) as again:
                assert again.welcome.person == cleo.welcome.person
                assert again.welcome.rooms == [one], "her seat is known to every worker"
        assert 'apnap_rooms{state="gathering"} 2.0' in page(server, "/metrics")
        assert json.loads(page(server, "/health"))["rooms"] == 2
        assert json.loads(page(server, "/ready"))["ready"]
        reply = await trio.to_thread.run_sync(ask, tmp_path, desk.ListRooms())
        assert isinstance(reply, desk.Rooms) and {row.id for row in reply.rooms} == {one, other}


async def test_who_has_moved_is_shown_what_is_shown_to_who_has_not(tmp_path: Path) -> None:
    def told(message: object) -> object:
        """But for whom it answers, and for the time."""
        assert isinstance(message, m.Room | m.ViewMessage)
        return re.sub(rb'"(re|left_ms|deadline_ms|paused_ms|epoch)":("[^"]*"|\d+),?', b"", msgspec.json.encode(message))

    with served(tmp_path) as server, trio.fail_after(120):
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            one, other = await ada.open("one"), await bo.open("other")
            decks = (await ada.ask(m.ListDecks(id=ada.id()), m.Decks)).decks
            await ada.ask(m.ChooseDeck(id=ada.id(), house=decks[0].name), object)
            await ada.ask(m.AddBot(id=ada.id(), level="simple"), object)
            await ada.channel.send(m.Start(id=ada.id()))
            while not getattr(await ada.channel.receive(), "question", None):
                pass  # from here on the game waits for her
            shown: list[list[object]] = []
            token = ""
            for before in (one, other):
                async with calling(server, "Cleo", token) as cleo:
                    token = cleo.welcome.token
                    await cleo.ask(m.Watch(id=cleo.id(), room=before), m.Room)
                    await cleo.ask(m.Leave(id=cleo.id()), m.Ok)
                    await cleo.channel.send(m.Watch(id="w", room=one))
                    got: list[object] = []
                    while not any(isinstance(message, m.ViewMessage) for message in got):
                        got.append(await cleo.channel.receive())
                    shown.append([told(message) for message in got if isinstance(message, m.Room | m.ViewMessage)])
            assert shown[0] == shown[1]


async def test_a_worker_that_stands_still_holds_only_its_own_rooms(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            await ada.open("one")
            await bo.open("other")
            still = await server.named("worker-0")
            answered: list[str] = []

            async def ping(caller: Caller, name: str) -> None:
                await caller.ask(m.Ping(id=caller.id()), m.Pong)
                answered.append(name)

            os.kill(still, signal.SIGSTOP)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(ping, ada, "Ada")
                    nursery.start_soon(ping, bo, "Bo")
                    with trio.fail_after(20):
                        await until(lambda: bool(answered))
                    await trio.sleep(0.5)
                    assert len(answered) == 1
                    os.kill(still, signal.SIGCONT)
            finally:
                os.kill(still, signal.SIGCONT)
            assert set(answered) == {"Ada", "Bo"}


@pytest.mark.parametrize("name", ["worker-0", "keeper"])
async def test_who_stands_still_for_longer_than_a_lease_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", "1")
    with served(tmp_path) as server:
        await server.start()
        still = await server.named(name)
        os.kill(still, signal.SIGSTOP)
        await server.named(name, but=still)
        for what in ("stood still for 1.", "ended by SIGKILL"):
            assert f"{name.replace('-', ' ')} has {what}" in server.said()
        with trio.fail_after(30):
            await trio.to_thread.run_sync(ready, server)


async def test_all_that_stand_still_together_go_on_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", "1")
    with served(tmp_path) as server:
        await server.start()
        assert server.process is not None
        children = [await server.named(name) for name in ("worker-0", "worker-1", "keeper")]
        family = [server.process.pid, *children]
        for pid in family:
            os.kill(pid, signal.SIGSTOP)
        await trio.sleep(2)
        for pid in family:
            os.kill(pid, signal.SIGCONT)
        await trio.sleep(1)
        assert [server.child(name) for name in ("worker-0", "worker-1", "keeper")] == children


async def test_a_worker_that_stands_still_does_not_keep_the_server_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", "1")
    with served(tmp_path) as server:
        await server.start()
        os.kill(await server.named("worker-1"), signal.SIGSTOP)
        assert server.process is not None
        server.process.terminate()
        with trio.fail_after(20):
            assert await trio.to_thread.run_sync(server.process.wait, abandon_on_cancel=True) == 0


async def test_a_worker_that_dies_again_and_again_does_not_keep_the_server_from_stopping(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        os.kill(await server.named("worker-0"), signal.SIGKILL)
        os.kill(await server.named("worker-1"), signal.SIGKILL)  # neither is started again at once
        assert server.process is not None
        server.process.terminate()
        begun = trio.current_time()
        assert await trio.to_thread.run_sync(server.process.wait) == 0
        assert trio.current_time() - begun < 1.5


async def test_nobody_outlives_a_server_that_is_killed_while_it_begins(tmp_path: Path) -> None:
    with Door() as door, Workers(tmp_path, door) as server:
        server.spawn()
        with trio.fail_after(120):
            await until(lambda: len(server.children()) == 3)
        keeper, *workers = server.children()
        assert server.process is not None
        for pid in (server.process.pid, keeper):
            os.kill(pid, signal.SIGKILL)
        try:
            with trio.fail_after(60):
                await until(lambda: not any(map(lives, workers)))
        finally:
            for pid in workers:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


async def test_the_death_of_a_worker_cuts_its_own_rooms_only_and_is_told(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            await ada.open("one")
            await bo.open("other")
            os.kill(await server.named("worker-1"), signal.SIGSEGV)
            left = 0
            for caller in (ada, bo):
                with suppress(Disconnected):
                    left += isinstance(await caller.ask(m.Ping(id=caller.id()), m.Pong), m.Pong)
            assert left == 1
        with trio.fail_after(10):
            await until(lambda: "worker 1 has ended by SIGSEGV" in server.said())


async def test_who_moves_may_not_send_more_than_who_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_LIMITS_BURST", "60")
    monkeypatch.setenv("APNAP_LIMITS_MESSAGES_PER_SECOND", "1")
    with served(tmp_path) as server:
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo, calling(server, "Cleo") as cleo:
            rooms = [await ada.open("one"), await bo.open("other")]
            begun, answered = trio.current_time(), 0
            for number in range(160):
                if number % 40 == 0:
                    await cleo.channel.send(m.Leave(id=f"l{number}"))
                    await cleo.channel.send(m.Watch(id=f"w{number}", room=rooms[number // 40 % 2]))
                await cleo.channel.send(m.Ping(id=f"p{number}"))
            while True:
                reply = await cleo.channel.receive()
                answered += isinstance(reply, m.Pong)
                if getattr(reply, "re", "") == "p159":
                    break
            assert 40 < answered <= 60 + trio.current_time() - begun


async def test_half_open_connections_of_an_address_are_counted_over_all_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_LIMITS_HANDSHAKES_PER_ADDRESS", "20")
    with served(tmp_path) as server:
        await server.start()
        for _ in range(2):
            streams = [await trio.open_tcp_stream("127.0.0.1", server.port) for _ in range(60)]
            for stream in streams:
                with suppress(trio.BrokenResourceError):
                    await stream.send_all(b"GET / HT")
            await trio.sleep(0.5)
            assert sum([await _is_open(stream) for stream in streams]) == 20
            os.kill(await server.named("worker-1"), signal.SIGKILL)  # what it has counted is forgotten with it
            for stream in streams:
                await trio.aclose_forcefully(stream)
            await server.named("worker-1")
            await trio.sleep(1)


async def _is_open(stream: trio.SocketStream) -> bool:
    with trio.move_on_after(0.02):
        try:
            return bool(await stream.receive_some())
        except trio.BrokenResourceError:
            return False
    return True


async def test_an_account_is_known_to_every_worker_at_once(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[people]\naccounts = "open"\n')

    class Open(Workers):
        def words(self) -> list[str]:
            return [*super().words(), "--config", str(tmp_path / "settings.toml")]

    with Door() as door, Open(tmp_path / "data", door) as server:
        await server.start()
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            await ada.open("one")
            await bo.open("other")  # they are at different workers now
            await ada.ask(MakeAccount(id=ada.id(), password="correct horse"), m.Ok)
            await bo.ask(m.Leave(id=bo.id()), m.Ok)
            for number in range(6):  # whichever worker takes them
                async with trio.open_nursery() as nursery:
                    channel = await websocket_dial(f"ws://127.0.0.1:{server.port}", nursery)()
                    await channel.send(m.Hello(id="h", name="Ada", password="correct horse" if number % 2 else ""))
                    reply = await channel.receive()
                    if number % 2:
                        assert isinstance(reply, m.Welcome) and reply.person == ada.welcome.person
                    else:
                        assert isinstance(reply, m.Refused) and reply.code == "name_taken"
                    nursery.cancel_scope.cancel()
