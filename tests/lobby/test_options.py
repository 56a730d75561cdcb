"""Options of a room: what goes together and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.lobby.options import clean_options
from server.storage.journal import engine_options


@pytest.mark.rule("809.1")
def test_a_room_of_emperors_has_their_teams_and_ranges():
    options = engine_options(clean_options(RoomOptions(variant="emperor", seats=6)), "1")
    assert options.teams == (0, 0, 0, 1, 1, 1)
    assert options.ranges == (1, 2, 1, 1, 2, 1)


@pytest.mark.rule("810.4")
@pytest.mark.parametrize(("said", "life"), [({}, 30), ({"life": 40}, 40)])
def test_a_giant_begins_with_its_life_or_with_what_the_host_says(said: dict[str, Any], life: int):
    assert engine_options(RoomOptions(variant="two_headed_giant", **said), "1").life == life


@pytest.mark.rule("800.2")
@pytest.mark.parametrize(
    "said",
    [
        {"variant": "emperor", "seats": 5},
        {"variant": "emperor", "seats": 6, "range": 2},
        {"variant": "two_headed_giant", "seats": 4, "attack": "left"},
        {"variant": "team_vs_team", "seats": 4, "teams": [0, 0, 1, 1]},
    ],
    ids=str,
)
def test_a_variant_is_not_contradicted(said: dict[str, Any]):
    with pytest.raises(Refusal) as no:
        clean_options(RoomOptions(**said))
    assert no.value.code == Code.BAD_OPTION


@pytest.mark.rule("811.2a")
def test_where_teams_alternate_the_range_may_be_said():
    options = clean_options(RoomOptions(variant="alternating_teams", seats=6, range=1, attack="left"))
    assert engine_options(options, "1").range_of_influence == 1


@pytest.mark.parametrize(
    "said",
    [
        {"seats": 4, "draw_teams": True},
        {"seats": 4, "best_of": 3},
        {"seats": 2, "best_of": 3, "draw_seats": True},
        {"seats": 2, "format": "brawl"},
    ],
    ids=str,
)
def test_what_a_room_cannot_have_is_refused(said: dict[str, Any]):
    """Teams that there are not are not drawn; a match is played by two, who keep their seats, and Brawl by the current rules."""
    with pytest.raises(Refusal) as no:
        clean_options(RoomOptions(**said))
    assert no.value.code == Code.BAD_OPTION


def test_teams_are_drawn_by_the_seed_of_all_chance():
    """The same teams by the same seed, as many of each as the host wants, and not always those that were said."""
    options = clean_options(RoomOptions(seats=4, teams=[0, 0, 1, 1], draw_teams=True))
    drawn = {seed: engine_options(options, str(seed)).teams for seed in range(40)}
    assert all(sorted(teams) == [0, 0, 1, 1] for teams in drawn.values())
    assert len(set(drawn.values())) == 6, "every division comes"
    assert engine_options(options, "7").teams == drawn[7]
    assert engine_options(RoomOptions(seats=4, teams=[0, 0, 1, 1]), "7").teams == (0, 0, 1, 1)
