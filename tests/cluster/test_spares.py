"""Where a lease seems to end, others are ready to come in the place of workers that begin anew then; if it goes on, nobody notices."""

from __future__ import annotations

import math
import signal
import socket
import time
from pathlib import Path

import msgspec
import pytest
import trio

from server.command import workers
from server.command.stores import _Opening
from server.command.workers import KEEPER, Family
from server.net.workers import pulse
from server.net.workers.following import Following
from server.net.workers.leading import BEATS
from server.net.workers.nodes import KEY, KIND, Leads, NotOurs
from server.net.workers.pulse import Pulses, Readiness, Wish
from server.settings import Settings, Store
from server.storage import MemoryStorage
from server.storage.postgresql import Timelines
from tests.chaos.guests import until
from tests.cluster.test_nodes import TAKEN_OVER, Node, begun, goes_on
from tests.cluster.test_workers import calling

LONG_LEASE = 6.0
"""Long enough that a node which stands still can be woken before it is over, and that others are ready by then."""
NAMES = ("worker-0", "worker-1")


async def both_serve(nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch) -> tuple[Node, Node]:
    """The one with the keeper, and the other, whose workers serve with it."""
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LONG_LEASE))
    for node in nodes:
        await node.start()
    await nodes[1].ready()
    return nodes


async def spares(node: Node) -> list[int]:
    return [await node.named(f"spare-{number}") for number in range(2)]


async def test_a_lease_that_goes_on_after_all_ends_nobodys_connection(
    nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await both_serve(nodes, monkeypatch)
    workers = [await second.named(name) for name in NAMES]
    async with calling(second, "Bo") as bo:
        room = await bo.open("other")
        first.signal(signal.SIGSTOP)
        try:
            await spares(second)
            assert [second.child(name) for name in NAMES] == workers, "they may still be of use"
        finally:
            first.signal(signal.SIGCONT)
        with trio.fail_after(30):
            await until(lambda: second.child("spare-0") is None and second.child("spare-1") is None)
        assert await bo.rooms() == {room}, "the same connection, and the same keeper"
    assert [second.child(name) for name in NAMES] == workers
    assert TAKEN_OVER not in first.said()


async def test_when_it_ends_they_are_the_workers_and_have_played_the_rooms(
    nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await both_serve(nodes, monkeypatch)
    async with calling(first, "Ada") as ada, calling(second, "Bo") as bo:
        one, other = await begun(ada), await begun(bo)
        tokens = ada.welcome.token, bo.welcome.token
    first.signal(signal.SIGSTOP)
    ready = await spares(second)
    await goes_on(second, "Ada", tokens[0], one)
    await goes_on(second, "Bo", tokens[1], other)
    assert [second.child(name) for name in NAMES] == ready
    assert second.said().count("of 1 rooms that this worker takes up 1 are prepared") == 2
    with trio.fail_after(30):
        await until(lambda: second.child("spare-0") is None and second.child("spare-1") is None)


@pytest.mark.slow
async def test_spares_end_with_their_server(nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await both_serve(nodes, monkeypatch)
    first.signal(signal.SIGSTOP)
    try:
        await spares(second)
        assert second.process is not None
        second.process.terminate()
        with trio.fail_after(30):
            assert await trio.to_thread.run_sync(second.process.wait) == 0
            await until(lambda: not second.children())
    finally:
        first.signal(signal.SIGCONT)


class Counted(Family):
    """A family whose processes are numbers."""

    def __init__(self) -> None:
        self.spares, self._spares, self._wished = Wish(60.0), {}, 0.0
        self._children = {1: (KEEPER, 0.0), 2: (0, 0.0), 3: (1, 0.0)}
        self._told, self.pulses, self._no_spares_until = True, Pulses(5), 0.0
        self.settings, self._awake = Settings(workers=2), 0.0
        self.readiness, self._short_lived, self._given_up = Readiness(4), set(), set()
        self._looked = time.monotonic()
        self.forked: list[int] = []

    def _fork(self, who: int, told: bool, go: int = -1) -> int:
        self.forked.append(who)
        return 100 + len(self.forked)

    def _end_spare(self, who: int) -> None:
        del self._spares[who]


def test_one_spare_for_each_worker_and_no_more_when_they_have_come() -> None:
    family = Counted()
    family._have_spares()
    assert family.forked == []
    family.spares.wish(True)
    family._no_spares_until = math.inf  # one has just ended by itself
    family._have_spares()
    assert family.forked == []
    family._no_spares_until = 0.0
    family._have_spares()
    family._have_spares()
    assert family.forked == [0, 1]
    family.spares.wish(False)  # it has taken over: the workers are about to end
    del family._children[2]
    family._have_spares()
    family._start(0)
    assert family.forked == [0, 1] and family._children[101][0] == 0
    family._have_spares()
    assert family.forked == [0, 1] and set(family._spares) == {1}, "the other is still to come"
    family._wished = 0.0
    family._have_spares()
    assert not family._spares


def test_a_spare_that_stands_still_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rooms would wait for it for a lease, until it is ended."""
    family = Counted()
    family.spares.wish(True)
    family._have_spares()
    family._children.clear()
    monkeypatch.setattr(workers, "STILL_SECONDS", 0.0)
    family._start(0)
    assert family._children.keys() == {103}, "another"
    monkeypatch.setattr(workers, "STILL_SECONDS", 60.0)
    family._start(1)
    assert family._children.keys() == {102, 103}
    family._start(0)
    assert family.forked == [0, 1, 0, 0], "which comes once"


def test_who_stands_still_is_ended_until_it_has_and_told_of_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    family, killed = Counted(), list[int]()
    family.pulses.note(KEEPER)
    family.pulses.note(0)
    monkeypatch.setattr("os.kill", lambda pid, _: killed.append(pid))
    family._look()
    family._look()
    assert killed == [3, 3] and caplog.text.count("has stood still") == 1


def test_only_what_ends_soon_again_and_again_is_waited_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is killed as it begins is missed; what cannot live would only begin and end."""
    family, now = Counted(), 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    family._again(1, now)  # which is nobody else's
    waits = [family._again(KEEPER, now - lived) - now for lived in (0.1, 0.1, 0.1, 60.0, 0.1)]
    assert waits == [0.0, workers.SOON_SECONDS, workers.SOON_SECONDS, 0.0, 0.0]


@pytest.mark.parametrize("of_second", [1, 3], ids=["a worker", "its spare"])
def test_a_node_is_ready_when_for_each_worker_somebody_has_prepared(of_second: int) -> None:
    family = Counted()
    for number in range(4):
        family.pulses.note(number)
    assert not family.ready()
    family.readiness.note(2, True)  # the first one's spare
    assert not family.ready()
    family.readiness.note(of_second, True)
    assert family.ready()
    family.readiness.note(2, False)
    assert not family.ready()


def test_what_who_stands_still_has_prepared_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    family = Counted()
    for number in range(4):
        family.pulses.note(number)
        family.readiness.note(number, True)
    assert family.ready()
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 2 * workers.STILL_SECONDS)
    assert not family.ready()


async def test_a_spare_that_has_come_beats_as_the_worker_that_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one may stand still."""
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.001)
    pulses = Pulses(3)
    for number in (1, 0, 0):  # the last time that it may have been in the midst of the first is over
        pulses.beat(number)
        pulses._at[1] = pulses._at[0] = 0.0
        with trio.fail_after(10):
            await until(lambda number=number: pulses._at[number] > 0.0)
    assert pulses._at[1] == 0.0


def test_who_follows_nobody_needs_none() -> None:
    """Its workers have begun anew, and prepare rooms themselves."""
    told = list[bool]()
    following = Following.__new__(Following)
    following._follows, following._spare = False, told.append
    following.soon(True)
    following._follows = True
    following.soon(True)
    following.soon(False)
    assert told == [False, True, False]


async def test_a_node_that_has_ended_is_told_from_a_keeper_that_has(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keeper that begins anew renews its lease; of a node at which nobody listens any more nobody does, and its games are prepared."""
    answers, told = list[OSError](), list[bool]()
    storage = MemoryStorage()
    await storage.put(KIND, KEY, msgspec.msgpack.encode(Leads("127.0.0.1:9", b"s")))
    settings = Settings(store=Store(node="127.0.0.1:8", lease_seconds=4.0))
    with socket.socket() as unused:
        known = (settings, lambda: storage, [], unused, unused, [], Path(), "1", trio.Event())
        following = Following(*known, ahead=told.append)

    async def call(*_: object) -> trio.SocketStream:
        raise answers[-1]

    monkeypatch.setattr(following, "_call", call)
    found = list[bool]()
    async with trio.open_nursery() as nursery:
        answers.append(NotOurs("has hung up"))
        nursery.start_soon(following._found, storage)
        for lost, fault in (
            (0, answers[0]),
            (0, ConnectionRefusedError()),
            (0, answers[0]),
            (9, ConnectionRefusedError()),
        ):
            following._lost = trio.current_time() - lost
            answers.append(fault)
            await trio.sleep(1)
            found.append(following.alone)
            assert bool(told) == following.alone
            told.clear()
        nursery.cancel_scope.cancel()
    assert found == [False, True, False, False], "the last has ended long ago"


def test_a_wish_is_over_by_itself() -> None:
    short, long = Wish(0.0), Wish(60.0)
    assert not short and not long
    for wish in (short, long):
        wish.wish(True)
    assert long and not short
    long.wish(False)
    assert not long


LEASES = [
    # (our own lease, what is seen of theirs, when it is late)
    pytest.param(2.0, [1.9, 1.6, 1.9, 1.3, 1.1, 0.6, 0.0], 4, id="not renewed"),
    pytest.param(2.0, [1.1], 0, id="seen late"),
    pytest.param(2.0, [1.7, 1.4, 1.9, 1.6, 1.4, 1.8], None, id="renewed"),
    pytest.param(10.0, [1.4, 1.9, 1.6, 1.4, 1.9, 1.3, 1.1], 6, id="theirs is shorter"),
]


@pytest.mark.parametrize(("ours", "seen", "late"), LEASES)
async def test_a_lease_seems_to_end_where_a_renewal_has_not_come(
    tmp_path: Path, ours: float, seen: list[float], late: int | None
) -> None:
    store = Store(address="postgresql:///none", lease_seconds=ours)
    opening = _Opening(store, Timelines(tmp_path), "us", bool, lambda: True)
    found = [opening._is_late(left) for left in seen]
    renewed = 2 if ours > 2.0 else 0  # until then nothing is known of theirs
    assert [number for number, one in enumerate(found) if one and number >= renewed][:1] == (
        [] if late is None else [late]
    )
    assert late is None or all(found[late:])


async def test_it_is_looked_again_just_when_a_renewal_has_not_come(tmp_path: Path) -> None:
    store = Store(address="postgresql:///none", lease_seconds=2.0)
    opening = _Opening(store, Timelines(tmp_path), "us", bool, lambda: True)
    assert not opening._is_late(1.5)
    pause = opening._until_late()
    assert 0.3 < pause < 0.35 and opening._is_late(1.5 - pause)


async def test_a_line_that_breaks_between_two_beats_is_known_to_be_gone_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    settings = Settings(store=Store(node="127.0.0.1:8", lease_seconds=4.0))
    with socket.socket() as unused:
        following = Following(settings, MemoryStorage, [], unused, unused, [], Path(), "1", trio.Event())
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())

    async def answers_once() -> None:
        assert await theirs.receive_some() == b"."
        await theirs.send_all(b".")
        await trio.sleep(0.1)
        await theirs.aclose()

    begun = trio.current_time()
    async with ours, trio.open_nursery() as nursery:
        nursery.start_soon(answers_once)
        with pytest.raises(ExceptionGroup) as lost:
            await following._beat(ours)
    assert lost.group_contains(EOFError, match="has hung up")
    assert trio.current_time() - begun < 4.0 / BEATS
