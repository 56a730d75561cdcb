"""Brawl over a real websocket: its rooms, its decks, and how a game of it begins (current 903.12)."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from protocol import messages as m
from protocol.options import RoomOptions
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage


async def opened(session: Session, **options: Any) -> str:
    made = RoomOptions(format="brawl", **options)
    return (await session.request(m.Open(id="o", options=made), m.Room)).room.id


@pytest.mark.rule("current 903.12a")
@pytest.mark.rule("current 903.12f")
@pytest.mark.parametrize(("seats", "life"), [(2, 25), (3, 30)])
async def test_a_game_of_brawl_begins_with_its_life_and_its_commanders(seats: int, life: int) -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        with trio.fail_after(60):
            await opened(ann, seats=seats, edition="current", seed=1)
            await ann.do(m.ChooseDeck(id="d", house="brawl-two-fires"))
            for number in range(1, seats):
                await ann.do(m.AddBot(id=f"b{number}", level="simple"))
            await ann.do(m.Start(id="s"))
            while not ann.table.started:
                await ann.receive()
            view = ann.table.view
            assert {player.life for player in view.players.values()} == {life}
            assert len(view.command) == seats
            mine = view.players["0"]
            assert mine.library_count + mine.hand_count == 59, "the commander is the sixtieth (current 903.12d)"


@pytest.mark.rule("current 903.12d")
async def test_what_is_no_brawl_is_refused() -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        with pytest.raises(RequestRefused, match="current 903.12") as refused:
            await opened(ann, seats=2, edition="2011")
        assert refused.value.refused.code == "bad_option"
        await opened(ann, seats=2, edition="current")
        for message in (
            m.ChooseDeck(id="1", house="two-fires"),
            m.ChooseDeck(id="2", house="emberclan"),
            m.ChooseDeck(id="3", text="60 Forest"),
        ):
            with pytest.raises(RequestRefused) as refused:
                await ann.do(message)
            assert refused.value.refused.code == "bad_deck"
        report = await ann.request(m.CheckDeck(id="c", text="100 Forest", format="brawl"), m.DeckReport)
        assert any("current 903.12d" in fault.text for fault in report.faults)
