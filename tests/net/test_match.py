"""A match of three games over real websockets: its score, cards exchanged with sideboards, who begins, and the time for that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import UNSET

from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.rooms import MatchState, RoomState
from server.command.decks import house_decks
from server.net.app import App, running
from server.settings import Listen, People, Settings
from server.storage import MemoryStorage

OWN = Settings(listen=Listen(port=0), people=People(own_cards="everybody"))
CARDS = """
[[card]]
name = "Hill Ox"
types = "Creature — Ox"
cost = "{G}"
power = "2"
toughness = "2"
"""
DECK = "4 Hill Ox\n56 Forest\n\nSideboard\n3 Plains\n"


def room_of(session: Session) -> RoomState:
    assert session.table.room is not None
    return session.table.room


def match_of(session: Session) -> MatchState:
    match = room_of(session).match
    assert match is not UNSET
    return match


async def until_state(session: Session, state: str, game: int) -> None:
    """Listens until the room of that session has this state in that game of the match."""
    while room_of(session).state != state or match_of(session).game != game:
        await session.receive()


@asynccontextmanager
async def match(**options: Any) -> AsyncIterator[tuple[App, MemoryStorage, Session, Session]]:
    """Ann and Ben in the first game of a match, which Ann begins."""
    storage = MemoryStorage()
    async with (
        running(storage, house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann") as ann,
        open_session(app.url, "Ben") as ben,
    ):
        with trio.fail_after(60):
            made = RoomOptions(seats=2, best_of=3, first=0, mulligans=False, **options)
            room = (await ann.request(m.Open(id="o", options=made), m.Room)).room
            await ben.request(m.Join(id="j", room=room.id), m.Room)
            for session in (ann, ben):
                await session.do(m.ChooseDeck(id="d", text=DECK, cards=CARDS))
                await session.do(m.Ready(id="r"))
            await ann.do(m.Start(id="go"))
            await until_state(ben, "playing", 1)
            yield app, storage, ann, ben


async def concedes(loser: Session, winner: Session) -> None:
    """The game is over for both, who go on to the next one's table."""
    await loser.do(m.Concede(id="c"))
    for session in (loser, winner):
        while session.table.over is None or room_of(session).state != "over":
            await session.receive()


async def next_table(*sessions: Session) -> None:
    for session in sessions:
        session.table.over = None
        session.table.room = (await session.request(m.Rematch(id="again"), m.Room)).room


@pytest.mark.rule("103.2")
@pytest.mark.rule("100.4")
async def test_a_match_is_won_by_who_wins_two_of_three_games() -> None:
    async with match() as (_, storage, ann, ben):
        await concedes(ben, ann)
        assert match_of(ann).wins == [1, 0] and match_of(ann).winner is UNSET
        await next_table(ann, ben)
        assert match_of(ben).chooser == 1 and match_of(ben).left_ms is not UNSET, "who has lost chooses who begins"
        assert match_of(ben).main == {"Hill Ox": 4, "Forest": 56} and match_of(ben).sideboard == {"Plains": 3}
        await ben.do(m.Sideboard(id="s", main={"Hill Ox": 4, "Forest": 53, "Plains": 3}, first=False))
        await ben.do(m.Ready(id="r"))
        await ann.do(m.Ready(id="r"))
        await until_state(ben, "playing", 2)
        setup = (await storage.load(room_of(ben).id)).setup
        assert setup.match is not None and (setup.match.game, setup.match.wins, setup.first) == (2, (1, 0), 0)
        names = [card.name for card in setup.deck(1)]
        assert names.count("Plains") == 3 and names.count("Forest") == 53
        assert [card.name for card in setup.sideboard(1)] == ["Forest"] * 3
        await concedes(ann, ben)
        await next_table(ben, ann)
        assert match_of(ann).wins == [1, 1] and match_of(ann).chooser == 0
        for session in (ann, ben):
            await session.do(m.Ready(id="r"))
        await until_state(ann, "playing", 3)
        setup = (await storage.load(room_of(ann).id)).setup
        assert setup.first == 0, "who says nothing begins"
        await concedes(ben, ann)
        assert match_of(ann).wins == [2, 1] and match_of(ann).winner == 0
        await next_table(ann)
        assert match_of(ann).wins == [0, 0] and match_of(ann).game == 1, "another match"


@pytest.mark.rule("100.4a")
async def test_what_is_no_deck_of_these_cards_is_refused_and_a_match_is_not_changed() -> None:
    async with match() as (app, _, ann, ben):
        with pytest.raises(RequestRefused) as refused:
            await ann.do(m.Sideboard(id="s", main={"Forest": 60}))
        assert refused.value.refused.code == "game_on"
        await concedes(ann, ben)
        await next_table(ann, ben)
        for main in ({"Forest": 56, "Plains": 3}, {"Forest": 56, "Hill Ox": 5}, {"Swamp": 60}):
            with pytest.raises(RequestRefused) as refused:
                await ann.do(m.Sideboard(id="s", main=main))
            assert refused.value.refused.code == "bad_deck"
        assert match_of(ann).main == {"Hill Ox": 4, "Forest": 56}, "nothing has changed"
        for message in (m.ChooseDeck(id="d", house="emberclan"), m.SetOptions(id="x", options=RoomOptions(seats=2))):
            with pytest.raises(RequestRefused) as refused:
                await ann.do(message)
            assert refused.value.refused.code == "game_on"
        await ben.do(m.Leave(id="l"))
        async with open_session(app.url, "Cid") as cid:
            with pytest.raises(RequestRefused) as refused:
                await cid.request(m.Join(id="j", room=room_of(ann).id), m.Room)
            assert refused.value.refused.code == "room_full", "nobody takes the place of who has left a match"


async def test_the_next_game_begins_when_the_time_for_exchanging_is_over() -> None:
    async with match(sideboarding_ms=5000) as (_, _, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        await ann.do(m.Ready(id="r"))
        await until_state(ann, "playing", 2)
        await until_state(ben, "playing", 2)


async def test_a_match_is_played_by_two() -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        with pytest.raises(RequestRefused) as refused:
            await ann.request(m.Open(id="o", options=RoomOptions(seats=4, best_of=3)), m.Room)
        assert refused.value.refused.code == "bad_option"
