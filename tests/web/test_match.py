"""A match of several games in the page: its score, and cards exchanged with the sideboard before the next game."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.player import Player


def test_a_match_goes_on_with_other_cards(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", viewport={"width": 1280, "height": 800})
    ann.visit()
    ann.press("another kind of table")
    page = ann.page
    page.get_by_label("Two to ten players").fill("2")
    page.keyboard.press("Tab")
    page.locator("select:has(option[value='5'])", has_text="best of three").select_option("3")
    page.get_by_role("button", name="open it").click()
    page.wait_for_selector(".gather .match >> text=game 1, 0:0")
    ann.choose_deck("emberclan")
    ann.press("fill the free seats")
    page.wait_for_selector(".seats >> text=bot")
    ann.press("start the game")
    page.wait_for_selector(".table")
    page.click(".main-menu > summary")
    ann.press("concede")
    ann.press("really leave")
    page.wait_for_selector(".ended .match >> text=0:1")
    ann.press("On to the next game")
    page.wait_for_selector(".exchange")
    assert "game 2, 0:1" in page.inner_text(".match") and "Ann chooses" in page.inner_text(".match")
    done = page.get_by_role("button", name="this is my deck")
    assert done.is_disabled(), "nothing has been exchanged yet"
    page.get_by_role("button", name="Watchdog Brazier: into the deck").click()
    page.get_by_role("button", name="Ruindrum Giant: into the sideboard").click()
    assert done.is_enabled()
    done.click()
    page.wait_for_selector(".exchange li:has-text('1/1 Watchdog Brazier')")
    assert "ready" not in page.inner_text(".seats li.mine"), "nobody is ready before they say so, not even the host"
    page.get_by_label("I take the first turn").uncheck()
    ann.press("ready")
    page.wait_for_selector(".table")
    page.wait_for_selector(".dock")
