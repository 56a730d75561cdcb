"""Teams are marked on the table: who plays with whom, who leads, and who is out of one's range of influence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_everyone import violations
from tests.web.test_measures import at_the_big_table

COLOURS = """() => Object.fromEntries([...document.querySelectorAll('.mat')].map((mat) =>
  [mat.querySelector('[data-seat]').dataset.seat, getComputedStyle(mat).borderLeftColor]))"""


def divided(player: Player, **parts: Any) -> Any:
    """A table of six, divided so."""
    page = at_the_big_table(player, 6)
    patch = {"teams": [0, 0, 0, 1, 1, 1], **parts}
    page.evaluate("message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 1, "patch": patch})
    page.wait_for_selector(".tag.team")
    return page


@pytest.mark.rule("809.5")
def test_each_player_carries_the_mark_of_their_team_and_who_leads_it(arrive: Callable[..., Player]) -> None:
    page = divided(arrive("Ann", viewport={"width": 1920, "height": 1080}), emperors=[1, 4])
    marks = page.locator(".who .tag.team").evaluate_all("all => all.map((one) => one.dataset.team)")
    assert sorted(marks) == ["0", "0", "0", "1", "1", "1"]
    for seat in range(6):
        mark = page.locator(f".who[data-seat='{seat}'] .tag.team").inner_text()
        assert ("emperor" in mark) == (seat in (1, 4)) and ("with you" in mark) == (seat in (1, 2))
    colours = page.evaluate(COLOURS)
    assert len(set(colours.values())) == 2 and len({colours["0"], colours["1"], colours["2"]}) == 1
    assert violations(page) == []


@pytest.mark.rule("801.2")
def test_who_is_out_of_range_is_marked_and_comes_into_it_as_players_leave(arrive: Callable[..., Player]) -> None:
    page = divided(arrive("Ann"), ranges=[1, 2, 1, 1, 2, 1])
    beyond = (
        "() => [...document.querySelectorAll('.mat.beyond [data-seat]')].map((one) => one.dataset.seat).sort().join()"
    )
    page.wait_for_function(f"() => ({beyond})() === '2,3,4'")
    gone = {"players": {"1": {"lost": True}}}
    page.evaluate("message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 2, "patch": gone})
    page.wait_for_function(f"() => ({beyond})() === '1,3,4' || ({beyond})() === '3,4'")
