"""What a match between two of its games survives: a fault of the journal, and records of other matches that are of no use."""

from __future__ import annotations

import msgspec
import pytest
import trio

from protocol import messages as m
from server.command.decks import house_decks
from server.lobby import starting
from server.net.app import running
from server.storage import StorageFault
from tests.net.test_match import OWN, concedes, match, next_table, room_of, until_state


async def test_a_match_that_cannot_be_taken_up_hides_no_other() -> None:
    async with match() as (_, storage, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        kept = room_of(ann).id
        good = (await storage.all("match"))[kept]
        gone = msgspec.json.encode(msgspec.json.decode(good) | {"before": "a room that is gone"})
        await storage.delete("match", kept)
        for room, data in (("a damaged one", b""), ("one of no game", gone), (kept, good)):
            await storage.put("match", room, data)
        async with running(storage, house_decks(), settings=OWN) as again:
            assert kept in again.lobby.tables
            assert "one of no game" not in await storage.all("match"), "nothing will ever bring its decks back"


async def test_a_match_whose_game_is_over_by_now_is_not_at_the_table_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """That its game had begun was not written: its journal says so. No other could be begun there."""
    async with match() as (_, storage, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        kept, delete = room_of(ann).id, storage.delete

        async def full(kind: str, key: str) -> None:
            if kind == "match":
                raise StorageFault("full")
            await delete(kind, key)

        monkeypatch.setattr(storage, "delete", full)
        for session in (ann, ben):
            await session.do(m.Ready(id="r"))
        await until_state(ann, "playing", 2)
        await concedes(ben, ann)
        monkeypatch.setattr(storage, "delete", delete)
        assert list(await storage.all("match")) == [kept]
    async with running(storage, house_decks(), settings=OWN) as again:
        assert kept not in again.lobby.tables
        assert await storage.all("match") == {}


async def test_the_next_game_waits_for_a_journal_that_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    async with match(sideboarding_ms=5000) as (_, storage, ann, ben):
        monkeypatch.setattr(starting, "AGAIN_SECONDS", 0.01)
        create, refused = storage.create, trio.Event()

        async def full(*_: object) -> None:
            monkeypatch.setattr(storage, "create", create)
            refused.set()
            raise StorageFault("full")

        await concedes(ben, ann)
        await next_table(ann, ben)
        monkeypatch.setattr(storage, "create", full)
        await refused.wait()
        await until_state(ann, "playing", 2)
