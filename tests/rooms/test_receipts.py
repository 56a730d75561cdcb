"""Receipts: a room that has forgotten what a seat saw says so; nobody learns anything by them."""

from __future__ import annotations

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from server.rooms import Room, recover
from server.rooms.receipts import Receipts, receipts_of
from server.storage import Gap, MemoryStorage
from tests.rooms.fake import FakeGame, setup_of
from tests.rooms.tables import Client, asked, read_all, table

GAME = FakeGame(turns=500)
HEAD = bytes(range(16))


def test_a_receipt_says_what_was_written_to_who_has_the_key_only() -> None:
    mine, theirs = Receipts(b"k" * 32), Receipts(b"l" * 32)
    receipt = mine.write("r1", 41, HEAD)
    assert mine.read("r1", receipt) == (41, HEAD[:8])
    assert theirs.read("r1", receipt) is None and mine.read("r2", receipt) is None
    for bad in ("", "x", receipt[:-2], receipt + "00", "0" * len(receipt), receipt[:8] + "00" + receipt[10:]):
        assert bad == receipt or mine.read("r1", bad) is None, bad


def test_no_two_receipts_are_alike_though_nothing_was_written_between() -> None:
    """Or a seat would know, by asking for its view twice, whether another has left an instruction meanwhile."""
    receipts = Receipts(b"k" * 32)
    assert len({receipts.write("r1", 41, HEAD) for _ in range(100)}) == 100


async def begun(nursery: trio.Nursery, storage: MemoryStorage, room: Room | None = None) -> list[Client]:
    """The room, a new one or one that was taken up, with viewers who ask for receipts."""
    room = room or Room(replace(setup_of(2), version=GAME.version), storage, GAME)
    room.keep_receipts(await receipts_of(storage))
    await nursery.start(room.run)
    clients = [Client(room, f"c{seat}", seat) for seat in (0, 1)]
    for client in clients:
        attach(client)
    await settle(clients)
    return clients


def attach(client: Client, receipt: str = "") -> None:
    client.room.attach(client.key, client.outbox, seat=client.seat, digests=True, receipts=True, receipt=receipt)


async def settle(clients: list[Client]) -> None:
    await wait_all_tasks_blocked()
    read_all(clients)


async def played(clients: list[Client], answers: int) -> None:
    for _ in range(answers):
        await asked(clients).answer(0)
        await settle(clients)


def receipt_of(client: Client) -> str:
    return next(
        got.receipt for got in reversed(client.got) if isinstance(got, m.Ok | m.ViewMessage | m.Patch) and got.receipt
    )


def notices(client: Client) -> list[str]:
    return [got.key for got in client.got if isinstance(got, m.Notice)]


async def test_seats_that_ask_for_them_get_receipts_with_what_they_are_told(nursery: trio.Nursery) -> None:
    clients = await begun(nursery, MemoryStorage())
    plain, watcher = Client(clients[0].room, "p", 1), Client(clients[0].room, "w", None)
    plain.attach()
    attach(watcher)
    await settle([*clients, plain, watcher])
    await played(clients, 4)
    read_all([plain, watcher])
    for client in clients:
        kinds = {type(got) for got in client.got if getattr(got, "receipt", "")}
        assert kinds == {m.Ok, m.ViewMessage, m.Patch}
    for client in (plain, watcher):
        assert not any(getattr(got, "receipt", "") for got in client.got)


async def test_who_comes_back_with_a_receipt_that_is_known_is_told_nothing(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    async with trio.open_nursery() as inner:
        clients = await begun(inner, storage)
        first = receipt_of(clients[1])
        await played(clients, 6)
        brought = [first, receipt_of(clients[0]), receipt_of(clients[1])]
        attach(clients[1], first)
        await settle(clients)
        assert notices(clients[1]) == []
        await clients[0].room.rest()
        inner.cancel_scope.cancel()
    (room,) = await recover(storage, GAME)
    clients = await begun(nursery, storage, room)
    for client, receipt in zip((clients[1], *clients), brought, strict=True):
        attach(client, receipt)
        await settle(clients)
        assert notices(client) == []


async def test_a_room_that_has_lost_its_end_says_so_to_everyone_and_after_a_restart(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    storage = MemoryStorage()
    async with trio.open_nursery() as inner:
        clients = await begun(inner, storage)
        await played(clients, 6)
        receipt = receipt_of(clients[1])
        inner.cancel_scope.cancel()
    await storage.cut("r1", 4)
    async with trio.open_nursery() as inner:
        (room,) = await recover(storage, GAME)
        clients = await begun(inner, storage, room)
        attach(clients[1], receipt)
        await settle(clients)
        for client in clients:
            assert notices(client) == ["notice.lost"]
            assert next(got.args for got in client.got if isinstance(got, m.Notice)) == {"entries": 2}
        attach(clients[1], receipt)
        await settle(clients)
        assert notices(clients[0]) == ["notice.lost"], "once to those who are there"
        inner.cancel_scope.cancel()
    assert "entries 5 to 6 of its journal are lost" in caplog.text
    (room,) = await recover(storage, GAME)
    clients = await begun(nursery, storage, room)
    assert notices(clients[0]) == ["notice.lost"]


async def test_an_older_copy_that_has_gone_on_is_noticed_by_who_saw_the_other_game(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    storage = MemoryStorage()
    async with trio.open_nursery() as inner:
        clients = await begun(inner, storage)
        await played(clients, 6)
        receipts = [receipt_of(client) for client in clients]
        inner.cancel_scope.cancel()
    await storage.cut("r1", 4)
    (room,) = await recover(storage, GAME)
    clients = await begun(nursery, storage, room)
    await asked(clients).answer(1)
    await settle(clients)
    await played(clients, 8)
    attach(clients[1], receipts[1])
    await settle(clients)
    assert notices(clients[1]) == ["notice.gone_back"] and notices(clients[0]) == []
    assert "another journal stands in the place of the one that seat 1 saw" in caplog.text


async def test_a_receipt_of_other_data_is_said_to_who_brings_it_only(nursery: trio.Nursery) -> None:
    clients = await begun(nursery, MemoryStorage())
    for receipt in ("nonsense", Receipts(b"l" * 32).write("r1", 99, HEAD)):
        attach(clients[1], receipt)
        await settle(clients)
    assert notices(clients[1]) == ["notice.unknown_receipt"] * 2 and notices(clients[0]) == []


async def test_what_the_witness_found_missing_is_said_to_all_who_come(nursery: trio.Nursery) -> None:
    storage = MemoryStorage()
    async with trio.open_nursery() as inner:
        await played(await begun(inner, storage), 3)
        inner.cancel_scope.cancel()
    storage.gaps = {"r1": Gap(3, 10)}
    (room,) = await recover(storage, GAME)
    storage.gaps = {}
    await nursery.start(room.run)
    clients = table(room, spectators=1)
    await settle(clients)
    assert all(notices(client) == ["notice.lost"] for client in clients)
    (room,) = await recover(storage, GAME)
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)
    assert all(notices(client) == ["notice.lost"] for client in clients), "after another restart, too"
