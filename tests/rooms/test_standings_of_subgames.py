"""Who has lost a game within the game is still in it, and stands where the main game puts them (715)."""

from __future__ import annotations

import pytest

from server.rooms.seats import Roster
from server.rules.turn import game
from tests.rules.test_subgames import tell


@pytest.mark.rule("715.5")
def test_losing_a_subgame_is_no_departure() -> None:
    played = tell("ABC")
    roster = Roster(3)
    state = played.state
    for seat in (1, 2, 0, 1):  # B and C lose the subgame; then A leaves the main game, and B
        state, happened = game.concede(state, seat)
        roster.note(state, happened)
    assert state.result is not None
    places = {one.seat: (one.place, one.reason) for one in roster.result(state).standings}
    assert places == {2: (1, "lost.winner"), 1: (2, "lost.concession"), 0: (3, "lost.concession")}


@pytest.mark.rule("715.1")
def test_who_concedes_the_main_game_during_one_departs() -> None:
    played = tell("ABC")
    roster = Roster(3)
    state = played.state
    for seat in (1, 1):
        state, happened = game.concede(state, seat)
        roster.note(state, happened)
    assert state.main is not None
    assert [one.seat for one in roster.departures] == [1]
