"""One person at the page against three bots, from the lobby to the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.web.player import Player


def test_a_game_against_three_bots_is_played_to_its_end(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.press("another kind of table")
    ann.page.fill("input[name=seed]", "11")
    ann.press("open it")
    ann.choose_deck("Emberclan")
    ann.press("fill the free seats")
    ann.press("start the game")
    kinds: Counter[str] = Counter()
    while (kind := ann.act()) != "over":
        kinds[kind] += 1
        assert kinds.total() < 1000
    assert {"priority", "attackers", "confirm"} <= set(kinds)
    assert ann.page.locator(".ended li").count() == 4
