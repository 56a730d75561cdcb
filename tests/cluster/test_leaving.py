"""A worker that is asked to stop hands its rooms over before it ends, so that people hardly wait."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import cast

import pytest
import trio

from client_cli.channels import Channel, websocket_dial
from client_cli.errors import Disconnected, Unreachable
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.questions import Question
from protocol.rooms import RoomSummary
from server.command.admin import ask
from server.lobby import desk, waiting
from server.lobby.lobby import Lobby
from server.lobby.others import RoomLine
from server.net.workers.link import PATIENCE_SECONDS, Link
from server.net.workers.messages import Left, Parting
from server.storage import RoomRecord
from server.storage.writes import AnyWrite, Put
from tests.chaos.guests import until
from tests.cluster.test_keeper import ROOM, Hall, Kept, both_begin, kept, nothing
from tests.cluster.test_nodes import Node, begun
from tests.cluster.test_workers import calling, served

pytestmark = pytest.mark.skipif(not Path("/proc/self/comm").exists(), reason="children are found by /proc")

GAMES = int(os.environ.get("APNAP_DRAIN_GAMES", "4"))
THINKS_SECONDS = float(os.environ.get("APNAP_DRAIN_THINKS", "inf"))
"""How long each person thinks before they answer; they do not where that is not said."""
MOST_SECONDS = 2.0
"""Under whatever else a machine that tests has to do; alone it is a tenth of that."""
AGAIN_SECONDS = 0.02


class TakesUp(Hall):
    """What is taken up is told to the others, as a lobby does."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link

    async def take_up(self, rooms: set[str] | None = None) -> None:
        await super().take_up(rooms)
        self.tables = {room: room for room in rooms or ()}

    def publish(self, room: str) -> None:
        self._link.publish(RoomLine(RoomSummary(id=room, state="playing", options=RoomOptions(), taken=2)))


async def test_the_rooms_of_a_worker_that_leaves_are_for_others_before_it_ends(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        halls = TakesUp(one), TakesUp(other)
        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            for link, hall in zip((one, other), halls, strict=True):
                link.serve(cast(Lobby, hall), nothing)
                nursery.start_soon(link.settled, nursery)
            await until(lambda: made.keeper._there == [0, 1] and not one.coming())
            assert made.keeper.worker_of(ROOM) == 0
            halls[0].publish(ROOM)
            assert await one.leave(), "another one stays"
            assert made.keeper._there == [1]
            found: list[int | None] = []

            async def asks(link: Link) -> None:
                found.append(await link.whose(ROOM))

            assert await other.whose(ROOM) == 0, "as long as it is there it goes on"
            async with one.parting(ROOM):
                halls[0].tables.clear()
                await one.known()
                assert [line.summary.id for line in one.lines()] == [ROOM], "who comes here meanwhile has a seat there"
                nursery.start_soon(asks, one)
                nursery.start_soon(asks, other)
                await other.known()
                assert not found, "who asks for it now waits"
            await until(lambda: len(found) == 2)
            assert {*found} == {None, 1} and halls[1].taken == [{ROOM}], "it is there now"
        nursery.cancel_scope.cancel()


async def test_who_asks_for_a_room_while_the_disk_is_read_is_told_who_has_it_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other = Link(0), Link(1)
        reads, may = trio.Event(), trio.Event()
        found: list[int | None] = []

        async def slowly(of: Collection[str] | None = None) -> list[RoomRecord]:
            reads.set()
            await may.wait()
            return []

        async def asks(link: Link) -> None:
            found.append(await link.whose(ROOM))

        async def parts() -> None:
            async with one.parting(ROOM):
                for link in (one, other):
                    await link.known()  # the keeper has had its turn
                assert not reads.is_set(), "it is at rest only after that"

        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            for link in (one, other):
                link.serve(cast(Lobby, TakesUp(link)), nothing)
                nursery.start_soon(link.settled, nursery)
            await until(lambda: made.keeper._there == [0, 1])
            monkeypatch.setattr(made.storage, "rooms", slowly)
            nursery.start_soon(parts)
            await reads.wait()
            for link in (one, other):
                nursery.start_soon(asks, link)
                await link.known()  # the keeper has been asked
            assert not found, "who had it has it no more"
            may.set()
            await until(lambda: len(found) == 2)
            assert {*found} == {None, 1}
        nursery.cancel_scope.cancel()


class Stuck(Hall):
    """It does not get done with taking a room up."""

    async def take_up(self, rooms: set[str] | None = None) -> None:
        await super().take_up(rooms)
        await trio.sleep_forever()


class Mortal:
    """A worker that can die at once: nothing more comes from it."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self._life = trio.CancelScope()

    async def run(self, path: str, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        with self._life:
            await self.link.run(path, lambda: None, task_status=task_status)

    def dies(self) -> None:
        self._life.cancel()


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[tuple[Kept, trio.Nursery, Mortal, Mortal, TakesUp]]:
    """Two workers that have begun, the first with the room, and its lobby; that of the second is for the test to say."""
    async with kept(folder) as made, trio.open_nursery() as nursery:
        one, other = Mortal(Link(0)), Mortal(Link(1))
        had = TakesUp(one.link)
        with trio.fail_after(20):
            async with trio.open_nursery() as starting:
                for worker in (one, other):
                    starting.start_soon(nursery.start, worker.run, made.path)
            one.link.serve(cast(Lobby, had), nothing)
            for worker in (one, other):
                nursery.start_soon(worker.link.settled, nursery)
            await until(lambda: made.keeper._there == [0, 1] and bool(had.tables))
            assert made.keeper.worker_of(ROOM) == 0
            had.taken.clear()
            yield made, nursery, one, other, had
        nursery.cancel_scope.cancel()


async def hands_over(link: Link) -> None:
    async with link.parting(ROOM):
        pass


async def test_a_worker_that_dies_while_it_hands_a_room_over_leaves_it_to_another(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, nursery, one, other, _had):
        hall = TakesUp(other.link)
        other.link.serve(cast(Lobby, hall), nothing)
        found: list[int | None] = []

        async def asks() -> None:
            found.append(await other.link.whose(ROOM))

        one.link._put(Parting(ROOM))
        await one.link.known()
        nursery.start_soon(asks)
        await other.link.known()
        assert not found
        one.dies()
        await until(lambda: bool(found))
        assert found == [None] and hall.taken == [{ROOM}]


async def test_a_worker_that_dies_before_it_has_taken_a_room_up_leaves_it_to_who_had_it(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, nursery, one, other, had):
        hall = Stuck()
        other.link.serve(cast(Lobby, hall), nothing)
        nursery.start_soon(hands_over, one.link)
        await until(lambda: hall.taken == [{ROOM}])
        assert not had.taken
        other.dies()
        await until(lambda: had.taken == [{ROOM}])
        assert await one.link.whose(ROOM) is None, "it is here again"


async def test_a_room_is_given_once_though_its_worker_dies_while_the_disk_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(tmp_path) as (made, nursery, one, other, _):
        hall, may, reads = TakesUp(other.link), trio.Event(), list[bool]()
        other.link.serve(cast(Lobby, hall), nothing)

        async def slowly(of: Collection[str] | None = None) -> list[RoomRecord]:
            reads.append(True)
            await may.wait()
            return []

        monkeypatch.setattr(made.storage, "rooms", slowly)
        nursery.start_soon(hands_over, one.link)
        await until(lambda: len(reads) == 1)
        one.dies()
        await until(lambda: len(reads) == 2)  # for what it had when it died
        may.set()
        assert await other.link.whose(ROOM) is None
        await until(lambda: made.keeper.worker_of(ROOM) == 1)
        for _ in range(3):
            await made.storage.all(waiting.KIND)  # the disk has had its turn, and then the keeper
            await other.link.known()
        assert hall.taken == [{ROOM}]


async def test_a_disk_that_does_not_say_whether_a_room_goes_on_is_asked_until_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.workers.keeper.AGAIN_SECONDS", 0.01)
    async with two(tmp_path) as (made, nursery, one, other, _):
        hall = TakesUp(other.link)
        other.link.serve(cast(Lobby, hall), nothing)
        made.storage.faults = 3
        nursery.start_soon(hands_over, one.link)
        await until(lambda: made.storage.faults < 3)
        assert await other.link.whose(ROOM) is None and hall.taken == [{ROOM}]
        assert not made.storage.faults


async def test_a_room_stays_where_the_only_other_worker_leaves_meanwhile(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, _nursery, one, other, had):
        other.link.serve(cast(Lobby, Hall()), nothing)
        with trio.fail_after(PATIENCE_SECONDS / 2):  # it is known at once that it has been taken up
            async with one.link.parting(ROOM):
                assert await other.link.leave()
        assert had.taken == [{ROOM}] and await other.link.whose(ROOM) == 0


async def test_what_its_worker_had_asked_for_is_written_before_another_has_a_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(tmp_path) as (made, nursery, one, other, _):
        hall = TakesUp(other.link)
        other.link.serve(cast(Lobby, hall), nothing)
        slow, waits = made.storage.begin, list[Callable[[], None]]()

        def later(write: AnyWrite, done: Callable[[bytes | BaseException], None]) -> None:
            waits.append(partial(slow, write, done))

        monkeypatch.setattr(made.storage, "begin", later)
        nursery.start_soon(one.link.write, Put("note", "key", b"of the room"))
        await until(lambda: len(waits) == 1)
        nursery.start_soon(hands_over, one.link)
        for _ in range(3):
            await other.link.known()
            await made.storage.rooms([ROOM])  # the disk has had its turn, too
        assert not hall.taken
        waits[0]()
        await until(lambda: hall.taken == [{ROOM}])
        assert await made.storage.get("note", "key") == b"of the room"


async def test_no_room_is_given_away_by_who_does_not_have_it_or_has_not_said_so_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(tmp_path) as (made, _nursery, one, other, had):
        hall, reads = TakesUp(other.link), list[object]()
        other.link.serve(cast(Lobby, hall), nothing)

        async def rooms(of: Collection[str] | None = None) -> list[RoomRecord]:
            reads.append(of)
            return []

        monkeypatch.setattr(made.storage, "rooms", rooms)
        for message in (Parting(ROOM), Left(ROOM)):
            other.link._put(message)
        await other.link.known()
        assert await other.link.whose(ROOM) == 0, "nobody waits for it"
        one.link._put(Left(ROOM))  # without a word before
        await one.link.known()
        assert await one.link.whose(ROOM) is None and not hall.taken and not had.taken
        assert not reads, "it was not even looked whether it goes on"


async def test_no_room_goes_to_a_worker_of_a_node_that_leaves(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        one, other, hall = Link(0), Link(1), Hall()
        with trio.fail_after(5):
            await both_begin(nursery, made.path, one, other)
            one.serve(cast(Lobby, Hall()), nothing)
            other.serve(cast(Lobby, hall), nothing)
            nursery.start_soon(one.settled, nursery)
            nursery.start_soon(other.settled, nursery)
            await until(lambda: made.keeper._there == [0, 1])
            made.keeper.leaves(0)
            assert made.keeper._there == []
            assert not await one.leave(), "nobody stays"
            async with one.parting(ROOM):
                pass
            await until(lambda: made.keeper._orphans() == [ROOM])
            await other.known()
            assert not hall.taken and not other._adopting
        nursery.cancel_scope.cancel()


async def pause(url: str, token: str, room: str) -> None:
    """Until somebody is asked again at their table, who comes back as soon as they can."""
    found: list[bool] = []

    async def comes_back() -> None:
        async with trio.open_nursery() as nursery:
            channel = await websocket_dial(url, nursery)()
            await channel.send(m.Hello(id="hello", name="Ada", token=token, client="test"))
            await channel.send(m.Resume(id="r", room=room))
            while not found and not isinstance(message := await channel.receive(), m.Refused):
                if getattr(message, "question", None):
                    found.append(True)
            nursery.cancel_scope.cancel()

    with trio.fail_after(60):
        while not found:
            try:
                await comes_back()
            except* (Disconnected, Unreachable, OSError):
                pass
            if not found:
                await trio.sleep(AGAIN_SECONDS)


async def answers(channel: Channel, question: Question) -> None:
    """What is taken for granted, after a while."""
    await trio.sleep(THINKS_SECONDS)
    with suppress(Disconnected):
        await channel.send(m.AnswerMessage(id=question.id, question=question.id, answer=question.default))


class Drain:
    """People at their tables, each at one of a server that closes, where they come back at once: how long each had to wait."""

    def __init__(self, url: str, back: str) -> None:
        """They come by `url`, and come back by the address `back`."""
        self._url = url
        self._back = back
        self.people: list[tuple[str, str]] = []
        """The token of each, and their room."""
        self.seated: list[str] = []
        self.told: list[str] = []
        """The rooms of those who were told that it closes."""
        self.pauses: list[float] = []

    async def sits(self, token: str, room: str) -> None:
        """At a table until the server says that it closes, and back there."""
        async with trio.open_nursery() as nursery:
            channel = await websocket_dial(self._url, nursery)()
            await channel.send(m.Hello(id="hello", name="Ada", token=token, client="test"))
            await channel.send(m.Resume(id="r", room=room))
            while not isinstance(message := await channel.receive(), m.Closing):
                if question := getattr(message, "question", None):
                    nursery.start_soon(answers, channel, question)
                    if room not in self.seated:
                        self.seated.append(room)
            nursery.cancel_scope.cancel()
        since = trio.current_time()
        self.told.append(room)
        assert message.again and message.retry_ms == 0, "others are here"
        await pause(self._back, token, room)
        self.pauses.append(trio.current_time() - since)

    async def until_all_are_back(self, stop: Callable[[], Awaitable[object]]) -> None:
        """Those who were told, by when what was to `stop` has done so."""
        async with trio.open_nursery() as nursery:
            for token, room in self.people:
                nursery.start_soon(self.sits, token, room)
            with trio.fail_after(60):
                await until(lambda: len(self.seated) == len(self.people))
                await stop()
                await until(lambda: len(self.pauses) == len(self.told) > 0)
            nursery.cancel_scope.cancel()
        self.pauses.sort()

    def __str__(self) -> str:
        waited = self.pauses
        middle, late = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
        return f"{len(waited)} of {len(self.people)} games moved: {middle:.3f} s, p99 {late:.3f} s, at most {waited[-1]:.3f} s"


async def test_a_game_is_moved_to_another_worker_and_goes_on_there(tmp_path: Path) -> None:
    def moved(room: str) -> desk.AnyReply:
        return ask(tmp_path, desk.MoveRoom(room))

    with served(tmp_path) as server:
        await server.start()
        url = f"ws://127.0.0.1:{server.port}"
        async with calling(server, "Ada") as caller, calling(server, "Bo") as other, calling(server, "Cleo") as cleo:
            token, room = caller.welcome.token, await begun(caller)
            gathers = await other.open("not begun")
            await cleo.ask(m.Watch(id="w", room=room), m.Room)
            assert await trio.to_thread.run_sync(moved, "nowhere") == desk.Failed("there is no room nowhere")
            assert await trio.to_thread.run_sync(moved, gathers) == desk.Failed("no game goes on there")
            told: list[object] = []
            with trio.fail_after(60):
                assert await trio.to_thread.run_sync(moved, room) == desk.Done(2)
                for one in (caller, cleo):
                    while not isinstance(message := await one.channel.receive(), m.Closing):
                        pass
                    told.append((message.code, message.again, message.retry_ms))
            assert told == [("moved", True, 0)] * 2
        await pause(url, token, room)
        assert server.said().count("1 rooms are taken up here") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("one_address")
async def test_people_of_a_worker_that_is_asked_to_stop_hardly_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path) as server:
        await server.start()
        url = f"ws://127.0.0.1:{server.port}"
        drain = Drain(url, url)
        for number in range(GAMES):
            async with calling(server, f"Ada {number}") as caller:
                drain.people.append((caller.welcome.token, await begun(caller)))
        before = await server.named("worker-0")

        async def stop() -> None:
            os.kill(before, signal.SIGTERM)
            await server.named("worker-0", but=before)  # all of its people have been told

        await drain.until_all_are_back(stop)
    with capsys.disabled():
        print(f"\n{drain}")
    assert 0 < len(drain.pauses) < GAMES, "those of the other worker go on"
    assert drain.pauses[-1] < MOST_SECONDS


@pytest.mark.slow
@pytest.mark.usefixtures("one_address")
async def test_people_of_a_node_that_is_asked_to_stop_hardly_wait(
    nodes: tuple[Node, Node], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = nodes
    await first.start()
    await second.start()
    await second.ready()
    drain = Drain(f"ws://127.0.0.1:{second.port}", f"ws://127.0.0.1:{first.port}")
    for number in range(GAMES):
        async with calling(second, f"Ada {number}") as caller:
            drain.people.append((caller.welcome.token, await begun(caller)))
    for number in range(2):  # one at each worker of the other node, so that it need not be begun there
        async with calling(first, f"Bo {number}") as caller:
            await begun(caller)

    async def stop() -> None:
        assert second.process is not None
        second.process.terminate()
        assert await trio.to_thread.run_sync(second.process.wait) == 0

    await drain.until_all_are_back(stop)
    with capsys.disabled():
        print(f"\n{drain}")
    assert len(drain.pauses) == GAMES
    assert drain.pauses[-1] < MOST_SECONDS
