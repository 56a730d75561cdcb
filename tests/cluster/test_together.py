"""What several workers count together: two lobbies that know each other as two workers do, in one process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
import trio.testing
from msgspec.structs import replace
from websockets.server import ServerProtocol

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.lobby.accounts import ACCOUNT, Accounts
from server.lobby.hall import line_of
from server.lobby.lobby import Lobby
from server.lobby.names import skeleton
from server.lobby.others import Alone, Connected, News, RoomLine
from server.lobby.peers import Peers
from server.lobby.rates import Peer
from server.net.connection import MemoryConnection
from server.net.endpoint import Endpoint
from server.net.session import serve_connection
from server.net.websocket import Unread
from server.net.workers.moving import Moved
from server.net.workers.tickets import Tickets
from server.settings import Limits, Settings
from server.storage import MemoryStorage, StorageFault
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of


class Beside(Alone):
    """One of two; `other` is the lobby of the other one, once there is one."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.other: Lobby | None = None
        self.published: dict[str, RoomLine] = {}
        self.of_other: dict[str, RoomLine] = {}
        self.tickets = Tickets()

    async def claim(self, line: RoomLine, /) -> None:
        self.publish(line)

    def publish(self, line: RoomLine, /) -> None:
        self.published[line.summary.id] = line

    def drop(self, room: str, /) -> None:
        self.published.pop(room, None)

    def lines(self) -> list[RoomLine]:
        return list(self.of_other.values())

    async def issue(self, key: str, data: bytes, /) -> None:
        self.tickets.issue(key, data)

    async def redeem(self, key: str, /) -> bytes | None:
        return self.tickets.redeem(key)

    def tell(self, news: News, /) -> None:
        assert self.other is not None
        self.other.told(news)


@asynccontextmanager
async def two(limits: Limits | None = None) -> AsyncIterator[tuple[Lobby, Lobby]]:
    """The lobbies of two workers on one storage."""
    settings = Settings(limits=limits or Limits())
    storage, one, other = MemoryStorage(), Beside(0), Beside(1)
    one.of_other, other.of_other = other.published, one.published
    one.tickets = other.tickets
    async with (
        lobby_of(storage, settings=settings, others=one) as here,
        lobby_of(storage, settings=settings, others=other) as there,
    ):
        one.other, other.other = there, here
        yield here, there


async def test_what_one_may_do_so_often_is_counted_wherever_they_do_it() -> None:
    async with two() as (here, there):
        for lobby in (here, there, here, there):
            lobby.reception.rates.take("chat", "ada", 4)
        for lobby in (here, there):
            with pytest.raises(Refusal) as no:
                lobby.reception.rates.take("chat", "ada", 4)
            assert no.value.code == Code.TOO_MANY_TRIES


async def test_who_guesses_at_several_workers_is_slowed_as_at_one(autojump_clock: trio.testing.MockClock) -> None:
    async def wrong(lobby: Lobby) -> float:
        before = trio.current_time()
        with pytest.raises(Refusal):
            async with lobby.reception.tries.at("account ada", "192.0.2.1"):
                raise Refusal(Code.BAD_PASSWORD)
        return trio.current_time() - before

    async with two(Limits(tries_per_minute=4)) as (here, there):
        waited = [await wrong(lobby) for lobby in (here, there, here, there, here, there)]
        assert waited[:4] == [0, 0, 0, 0] and min(waited[4:]) > 10


async def test_rooms_seats_and_bots_of_other_workers_count() -> None:
    limits = Limits(rooms_per_address=2, rooms_per_person=1, bots_per_address=1)
    async with two(limits) as (here, there):
        for lobby, name in ((here, "Ada"), (there, "Bo")):
            guest = Guest(lobby, "192.0.2.1")
            await guest.hello(name)
            assert await refusal_of(guest, m.Open(id="o", options=RoomOptions(seats=2))) == ""
        cleo = Guest(here, "192.0.2.1")
        await cleo.hello("Cleo")
        assert await refusal_of(cleo, m.Open(id="o", options=RoomOptions(seats=2))) == Code.TOO_MANY_ROOMS
        ada = next(client.person for client in here.connected if client.person and client.person.name == "Ada")
        with pytest.raises(Refusal) as no:
            there.space.for_seat(ada)
        assert no.value.code == Code.TOO_MANY_SEATS
        ((room, line),) = ((table.id, line_of(table)) for table in here.tables.values())
        assert isinstance(there.others, Beside)
        there.others.of_other[room] = replace(line, summary=replace(line.summary, bots=1))
        with pytest.raises(Refusal) as no:
            there.space.for_bot(next(iter(there.tables.values())))
        assert no.value.code == Code.TOO_MANY_BOTS


async def test_the_seats_of_all_workers_are_counted_together() -> None:
    async with two(Limits(seats=4)) as (here, there):
        codes: list[str] = []
        for number, lobby in enumerate((here, there)):
            guest = Guest(lobby, f"192.0.2.{number}")
            await guest.hello(f"P{number}")
            codes.append(await refusal_of(guest, m.Open(id="o", options=RoomOptions(seats=3))))
        assert codes == ["", Code.TOO_MANY_SEATS]


async def test_connections_of_an_address_are_counted_wherever_they_are() -> None:
    async with two() as (here, there):
        peer = Peer("192.0.2.1", "192.0.2.0")
        here.peers.come(peer)
        there.peers.come(peer)
        there.peers.come(Peer("192.0.2.9", "192.0.2.0"))
        for lobby in (here, there):
            assert [lobby.peers.of(part) for part in (*peer, "")] == [2, 3, 3]
        there.peers.go(peer)
        assert [here.peers.of(part) for part in (*peer, "")] == [1, 2, 2]


def test_of_a_worker_that_is_no_more_no_connection_counts_and_a_new_one_is_told_of_all() -> None:
    told: list[News] = []

    class Telling(Alone):
        def tell(self, news: News, /) -> None:
            told.append(news)

    peer = Peer("192.0.2.1", "192.0.2.0")
    peers = Peers(Telling())
    peers.come(peer)
    peers.told(Connected(1, *peer, 5))
    assert peers.of(peer.address) == 6
    told.clear()
    peers.only(set(), tell=False)
    assert peers.of(peer.address) == 1 and not told
    peers.only({1}, tell=True)
    assert told == [Connected(0, *peer, 1)]


async def test_who_is_forgotten_has_no_name_at_any_worker() -> None:
    async with two() as (here, there):
        guests = await table_of(there)
        room = there.tables[guests[0].client.room]
        await guests[0].ask(m.Say(id="s", text="hello"))
        person = guests[0].client.person
        assert person is not None
        mine = await here.people.find(person.id)
        assert mine is not None
        await here.personal.forget(mine)
        assert [seat.name for seat in room.room_state(guests[1].client).seats] == ["", "P1"]
        assert not room.chat


async def test_another_password_leaves_what_others_have_changed_meanwhile() -> None:
    storage = MemoryStorage()
    accounts = Accounts(storage)
    account = await accounts.add("Ada", "correct horse", "ada")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accounts.set_password, account, "another horse")
        await trio.testing.wait_all_tasks_blocked()
        accounts.changed(ACCOUNT, skeleton("Ada"), msgspec.json.encode(replace(account, admin=True)))
    now = await accounts.check("Ada", "another horse")
    assert now.admin
    written = await storage.get(ACCOUNT, skeleton("Ada"))
    assert written is not None and json.loads(written)["admin"]


async def test_an_account_that_is_gone_gets_no_other_password() -> None:
    storage = MemoryStorage()
    accounts = Accounts(storage)
    account = await accounts.add("Ada", "correct horse", "ada")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refused, accounts.set_password(account, "another horse"))
        await trio.testing.wait_all_tasks_blocked()
        await accounts.remove(account)
    assert await storage.get(ACCOUNT, skeleton("Ada")) is None


async def refused(work: Awaitable[object]) -> None:
    with pytest.raises(Refusal):
        await work


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ([b"", b""], 200),
        ([b"games are taken up", b""], 200),
        ([b"", b"the server stops"], 200),
        ([b"the server stops", b"the server stops"], 503),
        ([b"the disk is full", b"the disk is full"], 503),
        ([], 503),
    ],
)
async def test_one_worker_that_is_ready_is_enough(said: list[bytes], status: int) -> None:
    async with two() as (here, _):
        endpoint = Endpoint(here, Settings())
        assert endpoint.ready("192.0.2.1", ServerProtocol(), said).status_code == status


async def test_who_comes_from_another_worker_while_the_disk_says_nothing_is_let_go(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Cut(MemoryStorage):
        gone = False

        async def get(self, kind: str, key: str) -> bytes | None:
            if self.gone:
                raise StorageFault("the line is cut")
            return await super().get(kind, key)

    moved = Moved("", Unread(None, []), "somebody", "session", {}, m.Resume(id="r", room="room"), 1.0)
    said, _ = trio.open_memory_channel[m.ServerMessage](9)
    _, says = trio.open_memory_channel[m.ClientMessage](9)
    storage = Cut()
    async with lobby_of(storage) as lobby:
        storage.gone = True
        with trio.fail_after(5):
            await serve_connection(MemoryConnection(says, said), lobby, moved=moved)
        assert not lobby.connected
    assert [record.levelname for record in caplog.records if "cannot be read" in record.message] == ["ERROR"]
    assert not any(record.exc_info for record in caplog.records), "it is no defect of ours"
