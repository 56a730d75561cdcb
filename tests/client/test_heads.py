"""Teams at the terminal: who is of which, whose turn it is and what mates see of each other."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client_cli.show import Show
from protocol.messages import ViewMessage
from protocol.view import write
from tests.client.tables import Setting

TEAMS = [0, 0, 1, 1]


@pytest.mark.rule("805.4a")
def test_a_team_s_turn_is_each_head_s() -> None:
    setting = Setting(active=1)
    setting.more = {"teams": TEAMS, "shared_turns": True}
    table = setting.table()
    assert [table.is_active(seat) for seat in (0, 1, 2, 3, None)] == [True, True, False, False, False]


@pytest.mark.rule("808.5")
def test_a_team_mate_s_turn_is_not_one_s_own_where_each_has_one_alone() -> None:
    setting = Setting(active=1)
    setting.more = {"teams": TEAMS}
    table = setting.table()
    assert [table.is_active(seat) for seat in (0, 1, 2, 3, None)] == [False, True, False, False, False]


@pytest.mark.rule("801.2", "809.2")
def test_it_says_who_is_of_which_team_leads_it_and_is_out_of_range() -> None:
    setting = Setting(6)
    setting.more = {"teams": [0, 0, 0, 1, 1, 1], "emperors": [1, 4], "ranges": [1, 2, 1, 1, 2, 1]}
    show = Show(setting.table())
    assert [show.player_line(seat).partition("graveyard 0")[2] for seat in range(6)] == [
        ", team A",
        ", team A, with you, emperor",
        ", team A, with you, out of your range",
        ", team B, out of your range",
        ", team B, emperor, out of your range",
        ", team B",
    ]
    setting.players[1] |= {"lost": True}
    assert "out of your range" not in Show(setting.table()).player_line(2)


def test_a_table_without_teams_and_ranges_says_nothing_of_them() -> None:
    assert Show(Setting().table()).player_line(1).endswith("graveyard 0")


@pytest.mark.rule("810.5")
def test_the_hands_of_team_mates_are_read_with_the_whole_table() -> None:
    setting = Setting()
    setting.more = {"teams": TEAMS, "shared_turns": True}
    view = setting.view()
    card = setting.card("Far Fox", "creature", "", 1)
    players = {**view.players, "1": replace(view.players["1"], hand=[card])}
    table = setting.table()
    seen = replace(view, players=players, objects=setting.objects)
    table.feed(ViewMessage(epoch=2, seq=0, view=write(seen), faces=setting.faces))
    assert "Hand of Bob: Far Fox {2}" in Show(table, full=True).hand()
    assert len(Show(table).hand()) == 1
