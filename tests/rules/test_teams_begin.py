"""Who begins a game of teams, and who is asked first whether to take a mulligan (805.3, 808.4, 809.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server import rules
from server.bench.decks import bench_deck
from server.rules import Options, State
from server.rules.model.questions import Confirm, ConfirmQuestion
from server.rules.turn.variants import Variant, with_variant


def begun(variant: Variant, seats: int, seed: int) -> State:
    """A game at its first question."""
    options = with_variant(Options(), variant, seats)
    return rules.start(
        replace(options, seed=str(seed)), tuple(rules.Seat(f"P{i}", bench_deck()) for i in range(seats))
    )[0]


def first_players(variant: Variant, seats: int) -> set[int]:
    """Whose first turn it is, over many seeds."""
    return {begun(variant, seats, seed).turn.active for seed in range(24)}


@pytest.mark.rule("808.4")
@pytest.mark.parametrize(("seats", "first"), [(4, {1, 3}), (6, {1, 4}), (8, {2, 6}), (10, {2, 7})])
def test_of_a_team_the_middle_seat_begins_or_the_one_left_of_the_middle(seats: int, first: set[int]) -> None:
    assert first_players("team_vs_team", seats) == first


@pytest.mark.rule("805.1")
@pytest.mark.parametrize("teams", [(0, 1, 0, 1), (0, 1, 1, 0)])
def test_no_turn_is_shared_by_players_who_do_not_sit_side_by_side(teams: tuple[int, ...]) -> None:
    seats = tuple(rules.Seat(f"P{i}", bench_deck()) for i in range(4))
    with pytest.raises(rules.Illegal, match="side by side"):
        rules.start(Options(teams=teams, shared=True), seats)
    assert rules.start(Options(teams=teams), seats)[0].pending is not None


@pytest.mark.rule("808.4")
def test_the_middle_of_a_team_that_sits_across_the_first_seat_is_the_middle_of_who_sits_there() -> None:
    """Of seats 5, 0 and 1 it is seat 0; of 2, 3 and 4 seat 3."""
    seats = tuple(rules.Seat(f"P{i}", bench_deck()) for i in range(6))
    first = {rules.start(Options(teams=(0, 0, 1, 1, 1, 0), seed=str(seed)), seats)[0].turn.active for seed in range(24)}
    assert first == {0, 3}


@pytest.mark.rule("809.4")
@pytest.mark.parametrize(("seats", "first"), [(6, {1, 4}), (8, {1, 5}), (9, {1, 4, 7}), (10, {2, 7})])
def test_an_emperor_begins(seats: int, first: set[int]) -> None:
    assert first_players("emperor", seats) == first


@pytest.mark.rule("805.3", "805.2")
def test_of_a_giant_the_primary_player_begins() -> None:
    assert first_players("two_headed_giant", 4) == {0, 2}
    assert first_players("two_headed_giant", 6) == {0, 3}


@pytest.mark.rule("805.3a")
def test_the_starting_team_says_first_whether_it_takes_mulligans_and_a_head_may_after_the_other_has_kept() -> None:
    for seed in range(8):
        state = begun("two_headed_giant", 4, seed)
        first = state.turn.active
        order = [(first + i) % 4 for i in range(4)]
        for place, seat in enumerate(order):
            question = state.pending
            assert isinstance(question, ConfirmQuestion) and question.seat == seat
            state, _ = rules.submit(state, seat, Confirm(place == 1))
        assert state.pending is not None and state.pending.seat == order[1]
        assert [state.players[seat].kept for seat in order] == [True, False, True, True]
