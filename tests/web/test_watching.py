"""A table of bots is watched at the usual pace: it is played out in minutes, and what happens at it is seen."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.web.player import Player
from tests.web.test_measures import measured
from tests.web.test_stage import WATCH, beats

__all__ = ["measured"]

MINUTES = (4, 12)
PATIENCE_MS = 15 * 60 * 1000


@pytest.mark.slow
def test_a_game_of_four_bots_takes_four_to_twelve_minutes(
    arrive: Callable[..., Player], measured: Callable[..., None]
) -> None:
    """Ann opens the table, leaves it to the bots by conceding, and Zoe looks on from the beginning."""
    ann, zoe = arrive("Ann"), arrive("Zoe", watches=True)
    ann.visit()
    ann.press("another kind of table")
    ann.page.get_by_label("Two to ten players").fill("5")
    ann.page.fill("input[name=seed]", "11")
    ann.page.get_by_label("Bots take their time").check()
    ann.press("open it")
    ann.choose_deck("Emberclan")
    ann.press("fill the free seats")
    zoe.page.add_init_script(f"({WATCH})()")
    zoe.come_to(ann.invitation())
    zoe.press("watch")
    ann.press("start the game")
    zoe.page.wait_for_selector(".table")
    ann.page.wait_for_selector(".table")
    ann.page.click(".main-menu > summary")
    ann.press("concede")
    ann.press("really leave")
    began = time.monotonic()
    zoe.page.wait_for_selector(".ended", timeout=PATIENCE_MS)
    minutes = (time.monotonic() - began) / 60
    shown = Counter(beat["kind"] for beat in beats(zoe))
    turn = int(re.sub(r"\D", "", zoe.page.inner_text(".topbar .turn strong")))
    measured(watched_minutes=round(minutes, 1), turns=turn, beats=dict(shown))
    assert MINUTES[0] <= minutes <= MINUTES[1]
    assert shown["turn"] >= turn / 2 and {"cast", "attack", "damage", "leave", "out"} <= set(shown)
