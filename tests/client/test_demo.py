"""`apnap demo`: whole games over real websockets, each view compared with the room's."""

from __future__ import annotations

import pytest
import trio

from server.command.demo import play_game
from server.command.witness import Witness
from server.net.app import running
from server.storage import MemoryStorage
from tests.lobby.parlour import TwoDecks
from tests.rooms.fake import FakeGame


@pytest.mark.parametrize("seats", [2, 4])
async def test_a_game_of_three_lines_is_verified(seats: int) -> None:
    rules = FakeGame(turns=6)
    with trio.fail_after(30):
        async with running(MemoryStorage(), TwoDecks(), game=rules) as app:
            game = await play_game(app, seats, 7, rules=rules)
    assert game.whole and not game.mismatches
    assert game.verified > 10 and game.turns >= 6
    assert len(game.standings) == seats
    assert game.summary(seats).winner in game.names


async def test_a_view_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = FakeGame(turns=4)
    right = Witness._view

    def wrong(self: Witness, room, seat: int):
        tree = right(self, room, seat)
        return {**tree, "turn": 99} if seat == 1 and room.seq >= 5 else tree

    monkeypatch.setattr(Witness, "_view", wrong)
    with trio.fail_after(30):
        async with running(MemoryStorage(), TwoDecks(), game=rules) as app:
            game = await play_game(app, 2, 7, rules=rules)
    assert game.whole
    assert game.mismatches and "seat 1" in game.mismatches[0] and "should be 99" in game.mismatches[0]
