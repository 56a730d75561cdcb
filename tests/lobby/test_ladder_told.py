"""What is told of the ladder: who stands where, also far from the first, and that it cannot be read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol import messages as m
from protocol import people as p
from server.command.serve import doubtful
from server.lobby.ladder import KIND, LadderRecord, Rated
from server.settings import Games, People, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of
from tests.lobby.test_ladder import RATE, ratings


async def test_who_is_not_among_the_best_is_told_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.ladder.LISTED", 1)
    storage = MemoryStorage()
    people = {f"p{n}": Rated(f"P{n}", 25.0 + n, 1.0) for n in range(5)}
    await storage.put(KIND, "constructed", msgspec.json.encode(LadderRecord(people)))
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        told = await ratings(guest, person="p1")
        assert [(one.name, one.place) for one in told.rated] == [("P4", 1)]
        assert [(one.name, one.place) for one in told.of] == [("P1", 4)]


async def test_ratings_that_cannot_be_read_are_refused_and_who_asked_stays() -> None:
    storage = MemoryStorage()
    await storage.put(KIND, "constructed", b"{")
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert await refusal_of(guest, p.ListRatings(id="r")) == "unrated"
        assert isinstance(await guest.ask(m.Ping(id="p")), m.Pong)


async def test_people_are_listed_before_bots() -> None:
    storage = MemoryStorage()
    for name in ("bots commander", "constructed", "commander"):
        await storage.put(KIND, name, msgspec.json.encode(LadderRecord()))
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        told = await ratings(guest)
    assert (told.ladder, told.ladders) == ("commander", ["commander", "constructed", "bots commander"])


@pytest.mark.parametrize(
    "ladder, accounts, doubts",
    [(True, "off", True), (True, "open", False), (True, "invited", False), (False, "off", False)],
)
def test_a_ladder_where_nobody_can_have_an_account_is_doubted(ladder: bool, accounts: Any, doubts: bool) -> None:
    settings = Settings(games=Games(ladder=ladder), people=People(accounts=accounts))
    assert bool(doubtful(settings)) == doubts
