"""Deck rules that the host has added: a table by them is opened, read of in the lobby, and its decks are judged by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.conftest import address, serving
from tests.web.player import Player

RULES = {
    "singles": 'name = "singles"\nleast = 40\ncopies = 1\nlife = 33\nbanned = ["Emberclan Runner"]',
    "duel": 'name = "duel"\nformat = "commander"\nleast = 100\nmost = 100\ncopies = 1\nlife = 20',
}
FAULTY, FINE = "2 Ember Lash\n1 Emberclan Runner\n57 Mountain", "1 Ember Lash\n39 Mountain"
HOUSE = "() => [...document.querySelectorAll('.deck-list .deck strong')].map((one) => one.innerText)"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a server with these rules."""
    data = tmp_path_factory.mktemp("club")
    files: list[str] = []
    for name, text in RULES.items():
        file = data / f"{name}.toml"
        file.write_text(text, "utf-8")
        files.append(str(file))
    with serving(data, APNAP_GAMES_DECK_RULES=str(files)) as said:
        yield address(said)


def field(page: Any, words: str) -> Any:
    """What is chosen or written beside these words."""
    return page.locator("label.field", has_text=words).locator("select, input")


def opened(player: Player, rules: str) -> None:
    """The player's table for two by these rules."""
    player.visit()
    player.press("another kind of table")
    player.page.get_by_label("Two to ten players").fill("2")
    field(player.page, "Decks by the rules of").select_option(rules)
    player.press("open it")
    player.page.wait_for_selector(".gather")


def test_a_table_by_the_rules_of_the_host_takes_what_they_take(arrive: Callable[..., Player], club: str) -> None:
    ann, ben = arrive("Ann", url=club), arrive("Ben", url=club)
    opened(ann, "singles")
    ben.visit()
    assert "decks by singles" in ben.page.wait_for_selector(".rooms li").inner_text()
    assert ann.page.evaluate(HOUSE) == ["own list"], "no house deck has each card once"
    ann.press("own list")
    ann.page.fill(".editor textarea", FAULTY)
    ann.page.wait_for_selector(".verdict .refusal")
    verdict = ann.page.inner_text(".verdict")
    assert "Emberclan Runner" in verdict and "singles" in verdict
    assert ann.page.get_by_role("button", name="play this deck").is_disabled()
    ann.page.fill(".editor textarea", FINE)
    ann.page.wait_for_selector(".verdict .fine")
    ann.press("play this deck")
    ann.page.wait_for_selector(".seats .mine >> text=own list")
    ben.sit_with(ann)
    ben.press("own list")
    ben.page.fill(".editor textarea", FINE)
    ben.press("play this deck")
    ann.press("start the game")
    ann.page.wait_for_selector(".table")
    ben.page.wait_for_selector(".table")
    while not ann.page.locator(".mat.own .life-number").count():
        for one in (ann, ben):
            if one.page.locator(".dock.asked").count():
                one.act()
    ann.page.wait_for_selector(".mat.own .life-number")
    assert ann.page.locator(".mat .life-number").all_inner_texts() == ["33", "33"]


def test_rules_bring_their_format_and_a_format_of_ones_own_ends_them(arrive: Callable[..., Player], club: str) -> None:
    ann = arrive("Ann", url=club)
    opened(ann, "duel")
    ann.page.click("summary:has-text('Options')")
    rules, form = field(ann.page, "Decks by the rules of"), field(ann.page, "Constructed: ")
    assert (rules.input_value(), form.input_value()) == ("duel", "commander")
    assert "Two Fires" in ann.page.evaluate(HOUSE)
    form.select_option("constructed")
    ann.page.wait_for_function(
        "() => ![...document.querySelectorAll('.deck strong')].some((one) => one.innerText === 'Two Fires')"
    )
    assert rules.input_value() == ""
    rules.select_option("singles")
    ann.page.wait_for_function("() => document.querySelectorAll('.deck-list .deck').length === 1")
    rules.select_option("")
    ann.page.wait_for_function("() => document.querySelectorAll('.deck-list .deck').length > 1")


def test_where_the_host_has_added_none_there_is_nothing_to_choose(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.press("another kind of table")
    assert ann.page.locator("label.field", has_text="Constructed: ").count() == 1
    assert ann.page.locator("label.field", has_text="Decks by the rules of").count() == 0
