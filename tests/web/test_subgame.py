"""A game within the game (715) is told: as it begins and ends, and for as long as it lasts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.player import Player
from tests.web.test_everyone import violations
from tests.web.test_measures import at_the_big_table
from tests.web.test_tables import told

INSIDE = """(element) => {
  const box = element.getBoundingClientRect();
  const side = document.querySelector('.side').getBoundingClientRect();
  const right = side.left > 0 ? side.left : innerWidth;
  return box.width > 0 && box.left >= 0 && box.right <= right && element.scrollWidth <= element.clientWidth + 1;
}"""


@pytest.mark.rule("715.1a", "715.1b")
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (844, 390), (390, 844)])
def test_a_game_within_the_game_is_told_while_it_lasts(arrive: Callable[..., Player], width: int, height: int) -> None:
    page = at_the_big_table(arrive("Ann", watches=True, viewport={"width": width, "height": height}))
    assert page.locator(".topbar .subgame").count() == 0
    begins = {"kind": "subgame", "key": "event.subgame"}
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": {"subgame": 1}, "events": [begins]})
    banner = page.wait_for_selector(".stage[data-beat=game] .stage-banner")
    assert "A subgame begins" in banner.inner_text() and banner.evaluate(INSIDE)
    page.wait_for_function("() => document.querySelector('.stage').dataset.beat === ''")
    tag = page.locator(".topbar .subgame")
    assert tag.inner_text() == "subgame" and tag.evaluate(INSIDE.replace("side.left > 0 ? side.left : ", ""))
    if width == 1280:
        assert violations(page) == []
    ends = {"kind": "subgame_over", "key": "event.subgame_over"}
    told(page, {"type": "patch", "epoch": 1, "seq": 2, "patch": {"subgame": None}, "events": [ends]})
    page.wait_for_selector(".stage-banner >> text=The subgame is over")
    page.wait_for_selector(".topbar .subgame", state="detached")
