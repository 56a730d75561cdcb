"""Giants of several heads at the terminal: the turn of a team is each head's (805.4a)."""

from __future__ import annotations

import pytest

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
