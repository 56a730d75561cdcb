"""The opening hand: a view of its own with the cards in full, where what is asked of them is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, table, told
from tests.web.test_everyone import violations

CARDS = """() => [...document.querySelectorAll('.opening-card')].map((one) => {
  const box = one.getBoundingClientRect();
  const rules = one.querySelector('.rules').getBoundingClientRect();
  return { name: one.dataset.name, width: box.width, x: box.x, y: box.y, right: box.right, bottom: box.bottom, rules: rules.height };
})"""
READ = 150
"""Pixels of width at which a card can be read."""


def before_the_first_turn(page: Any, cards: int = 7) -> list[str]:
    """The made-up table with nothing on it but our hand of so many."""
    known = list(faces())
    hand = {
        str(900 + at): {
            "zone": "hand",
            "owner": 0,
            "controller": 0,
            "face": known[at],
            "types": ["land" if at < 3 else "creature"],
        }
        for at in range(cards)
    }
    told(
        page,
        type="patch",
        epoch=1,
        seq=1,
        patch={
            "turn": 0,
            "objects": hand,
            "battlefield": [],
            "combat": None,
            "players": {"0": {"hand": list(hand), "hand_count": cards}},
            "waiting_for": [0, 2],
        },
    )
    page.wait_for_selector(".opening")
    return list(hand)


def mulligan() -> dict[str, Any]:
    """Whether to take one."""
    head = {"kind": "confirm", "id": "m", "seat": 0, "purpose": "mulligan", "prompt": {"key": "ask.mulligan"}}
    return {**head, "default": {"kind": "confirm", "yes": False}}


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (844, 390), (390, 844)])
def test_the_opening_hand_is_in_sight_whole_beside_its_question(
    arrive: Callable[..., Player], size: tuple[int, int]
) -> None:
    width, height = size
    page = table(arrive("Ann", viewport={"width": width, "height": height}))
    before_the_first_turn(page)
    ask(page, mulligan())
    page.wait_for_function("() => document.querySelector('.opening-cards').style.getPropertyValue('--card')")
    shown = page.evaluate(CARDS)
    assert len(shown) == 7
    assert [one["name"] for one in shown[4:]] == ["Forest", "Plains", "Swamp"], "sorted: lands lie last"
    button = page.locator("[data-primary]").bounding_box()
    assert button
    assert all(one["x"] >= 0 and one["right"] <= width and one["bottom"] <= button["y"] for one in shown)
    if min(size) >= 800:
        assert all(one["width"] >= READ and one["rules"] > 20 for one in shown)
    assert violations(page) == []
    assert page.locator(".phase.now").count() == 0, "no step of a turn is on"
    assert page.locator(".hand").count() == 0 and page.locator(".dock").count() == 1
    told(page, type="patch", epoch=1, seq=2, patch={"turn": 1})
    page.wait_for_selector(".hand .tile")
    assert page.locator(".opening").count() == 0 and page.locator(".side .dock").count() == 1


def test_it_is_said_who_begins(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    before_the_first_turn(page)
    told(page, type="patch", epoch=1, seq=2, patch={"active": 2})
    page.wait_for_selector(".opening-others >> text=begins")
    assert "begins" in page.locator(".opening-others li").nth(1).inner_text()
    told(page, type="patch", epoch=1, seq=3, patch={"active": 0})
    page.wait_for_selector(".opening h2 >> text=you begin")
    assert "begins" not in page.inner_text(".opening-others")


def test_what_goes_to_the_bottom_is_pressed_on_the_cards_themselves(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    hand = before_the_first_turn(page)
    head = {"kind": "choose", "id": "b", "seat": 0, "purpose": "bottom", "prompt": {"key": "ask.bottom"}}
    options = [{"kind": "object", "id": one} for one in hand]
    ask(page, {**head, "options": options, "least": 2, "most": 2, "default": {"kind": "choose", "picks": [0, 1]}})
    for name in ("Swamp", "Forest"):
        page.click(f".opening-card[data-name='{name}']")
    assert page.locator(".opening-card.picked").count() == 2
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    assert page.evaluate(ANSWERS) == [{"kind": "choose", "picks": [2, 0]}]


def test_a_mulligan_is_taken_and_a_hand_kept_in_a_game(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.press("another kind of table")
    ann.page.fill("input[name=seed]", "11")
    ann.press("open it")
    ann.choose_deck("Emberclan")
    ann.press("fill the free seats")
    ann.press("start the game")
    first = ann.wait_for_question("confirm")
    ann.page.wait_for_selector(".opening-card")
    before = ann.page.locator(".opening-card").evaluate_all("all => all.map((one) => one.dataset.ids)")
    ann.press("take a mulligan")
    ann.answered(first["id"])
    again = ann.wait_for_question("confirm")
    ann.page.wait_for_function(
        "before => ![...document.querySelectorAll('.opening-card')].some((one) => before.includes(one.dataset.ids))",
        arg=before,
    )
    assert "take a mulligan" in ann.page.inner_text("[data-takeback]")
    ann.press("keep these")
    ann.answered(again["id"])
    ann.page.wait_for_selector(".hand .tile")
    assert ann.page.locator(".opening").count() == 0
