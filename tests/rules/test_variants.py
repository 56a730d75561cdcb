"""The multiplayer variants as options: teams, ranges, seats (808 to 811)."""

from __future__ import annotations

import pytest

from server.knowledge.hidden import may_know
from server.rules.happenings import batch as batches
from server.rules.happenings import leave
from server.rules.model import Options, State, events, lookup, player_ref
from server.rules.turn import setup, state_based
from server.rules.turn.variants import SEATS, Variant, with_variant
from tests.rules.play import FOREST


def after(state: State, *batch: events.Event) -> State:
    """The state after these events."""
    found = batches.happen(state, batch, [])
    assert found is not None
    return found


@pytest.mark.rule("809.3a")
def test_an_emperor_reaches_two_seats_and_a_general_one():
    made = with_variant(Options(), "emperor", 6)
    assert made.teams == (0, 0, 0, 1, 1, 1)
    assert made.emperors == (1, 4)
    assert made.ranges == (1, 2, 1, 1, 2, 1)


@pytest.mark.rule("809.6a")
def test_teams_of_four_reach_as_far_as_their_example_says():
    made = with_variant(Options(), "emperor", 8)
    assert made.emperors == (1, 5)
    assert made.ranges == (1, 3, 2, 1, 1, 3, 2, 1)


@pytest.mark.rule("809.6a")
@pytest.mark.parametrize("seats", SEATS["emperor"])
def test_no_emperor_reaches_another(seats: int):
    made = with_variant(Options(), "emperor", seats)
    for one in made.emperors:
        for other in made.emperors:
            apart = min((other - one) % seats, (one - other) % seats)
            assert one == other or apart > made.ranges[one]


@pytest.mark.rule("811.3")
@pytest.mark.parametrize("seats", SEATS["alternating_teams"])
def test_nobody_sits_beside_a_teammate_where_teams_alternate(seats: int):
    teams = with_variant(Options(), "alternating_teams", seats).teams
    assert all(teams[seat] != teams[(seat + 1) % seats] for seat in range(seats))
    assert len({teams.count(team) for team in teams}) == 1


@pytest.mark.rule("810.11")
def test_each_head_beyond_the_second_brings_fifteen_life():
    assert [with_variant(Options(), "two_headed_giant", seats).life for seats in (4, 6, 8)] == [30, 45, 60]


@pytest.mark.rule("806.2a")
def test_each_for_itself_everybody_reaches_equally_far():
    made = with_variant(Options(range_of_influence=2), "free_for_all", 7)
    state = setup.table(made, tuple("ABCDEFG"))
    reached = [[other for other in range(7) if lookup.in_range(state, seat, other)] for seat in range(7)]
    assert reached == [sorted((seat + off) % 7 for off in (-2, -1, 0, 1, 2)) for seat in range(7)]


@pytest.mark.rule("810.1", "809.1", "811.1")
@pytest.mark.parametrize(
    ("variant", "seats"),
    [
        ("emperor", 3),
        ("emperor", 5),
        ("two_headed_giant", 2),
        ("two_headed_giant", 5),
        ("alternating_teams", 2),
        ("alternating_teams", 7),
    ],
)
def test_a_number_of_seats_that_a_variant_lacks_is_refused(variant: Variant, seats: int):
    with pytest.raises(ValueError, match="is not played with"):
        with_variant(Options(), variant, seats)


@pytest.mark.rule("808.5")
def test_teammates_look_at_each_others_hands_and_opponents_do_not():
    state = setup.table(with_variant(Options(), "team_vs_team", 4), ("A", "B", "C", "D"))
    state, card = setup.add(state, 0, "hand", FOREST)
    assert [may_know(state.objects[card], seat) for seat in range(4)] == [True, True, False, False]


@pytest.mark.rule("811.5")
def test_where_teams_alternate_nobody_looks_into_a_hand_across_the_table():
    state = setup.table(with_variant(Options(), "alternating_teams", 4), ("A", "B", "C", "D"))
    state, card = setup.add(state, 0, "hand", FOREST)
    assert [may_know(state.objects[card], seat) for seat in range(4)] == [True, False, False, False]


@pytest.mark.rule("811.5")
@pytest.mark.parametrize(
    ("seats", "gone", "look"),
    [
        (4, (1,), (True, False, True, False)),
        (4, (3,), (True, False, True, False)),
        (6, (1,), (True, False, True, False, False, False)),
        (9, (1,), (True, False, False, False, False, False, False, False, False)),
        (9, (7, 8), (True, False, False, False, False, False, True, False, False)),
    ],
)
def test_where_teams_alternate_mates_look_into_hands_once_nobody_sits_between_them(
    seats: int, gone: tuple[int, ...], look: tuple[bool, ...]
):
    state = setup.table(with_variant(Options(), "alternating_teams", seats), tuple("ABCDEFGHI"[:seats]))
    state, _ = setup.add(state, 0, "hand", FOREST)
    for seat in range(seats):
        state, _ = setup.add(state, seat, "library", FOREST)
    for seat in gone:
        state = leave.concede(state, seat, [])
    state = after(state, events.Draw(subject=player_ref(0)))
    assert len(state.players[0].hand) == 2
    for card in state.players[0].hand:
        assert tuple(may_know(state.objects[card], seat) for seat in range(seats)) == look


@pytest.mark.rule("808.5")
def test_a_teammate_sees_what_is_drawn_and_no_more_of_what_goes_back():
    state = setup.table(with_variant(Options(), "team_vs_team", 4), ("A", "B", "C", "D"))
    state, _ = setup.add(state, 0, "library", FOREST)
    drawn = after(state, events.Draw(subject=player_ref(0)))
    assert may_know(drawn.objects[drawn.players[0].hand[0]], 1)
    back = after(drawn, events.Move(subject=drawn.players[0].hand[0], to="library"))
    assert not may_know(back.objects[back.players[0].library[0]], 1)


@pytest.mark.rule("804.1")
def test_creatures_are_deployed_with_emperors_and_with_nobody_else():
    seats: dict[Variant, int] = {
        "free_for_all": 6,
        "team_vs_team": 6,
        "emperor": 6,
        "alternating_teams": 6,
        "two_headed_giant": 6,
    }
    assert {name: with_variant(Options(), name, n).deploy for name, n in seats.items()} == {
        name: name == "emperor" for name in seats
    }


@pytest.mark.rule("809.7")
def test_an_emperor_and_generals_look_at_each_others_hands():
    state = setup.table(with_variant(Options(), "emperor", 6), tuple("ABCDEF"))
    state, card = setup.add(state, 0, "hand", FOREST)
    assert [may_know(state.objects[card], seat) for seat in range(6)] == [True, True, True, False, False, False]


@pytest.mark.rule("810.11", "810.8d")
@pytest.mark.parametrize(("counters", "loses"), [(19, False), (20, True)])
def test_three_heads_bear_five_poison_counters_more(counters: int, loses: bool):
    state = setup.table(with_variant(Options(), "two_headed_giant", 6), tuple("ABCDEF"))
    state = after(state, events.PutCounters(subject=player_ref(1), counter="poison", amount=counters))
    causes = [event.cause for event in state_based.check(state) if isinstance(event, events.Loses)]
    assert causes == (["poison"] * 3 if loses else [])
