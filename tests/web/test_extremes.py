"""The longest names, the largest numbers and the fullest cards stay where they belong and can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_measures import at_the_big_table
from tests.web.test_tables import told

SIZES = [(1280, 800), (1920, 1080), (844, 390), (390, 844)]
NAME = "Maximiliana von Hohenstein-Uberl"
CARD = "A Card Whose Name Goes On and On Until Nobody Who Reads It Remembers How It Began, the Interminable"
FACE = {
    "name": CARD,
    "cost": "{X}{X}{W}{W}{U}{U}{B}{R}{G}",
    "types": "Legendary Artifact Enchantment Creature — Elemental Elder Dragon Shapeshifter Wizard",
    "text": "\n".join(["Flying, trample, haste, vigilance, and whatever else there is to be said of it. " * 3] * 8),
    "power": "1",
    "toughness": "1",
    "colors": ["W", "U"],
}
HUGE = {"face": "long", "power": 1_234_567, "toughness": 7_654_321, "damage": 0}
OUTSIDE = """([outer, inner]) => [...document.querySelectorAll(outer)].filter((one) => {
  const part = one.querySelector(inner);
  if (!part) return false;
  const [a, b] = [one, part].map((each) => each.getBoundingClientRect());
  return b.width > 0 && (b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1);
}).length"""
"""How many have a part that reaches out of them."""
ACROSS = "() => document.documentElement.scrollWidth - innerWidth"


def table(player: Player) -> Any:
    """A table of four with such players, and such a card on the table and in hand."""
    page = at_the_big_table(player)
    players: dict[str, Any] = {
        str(seat): {"name": NAME, "life": -1_234_567 if seat % 2 else 987_654} for seat in range(4)
    }
    held = [str(300_000 + at) for at in range(9)]
    players["0"] |= {"hand": held, "hand_count": len(held)}
    hand = {one: {"zone": "hand", "owner": 0, "controller": 0, "face": "long", "types": ["creature"]} for one in held}
    patch = {"players": players, "objects": {"110": HUGE, **hand}}
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": patch, "faces": {"long": FACE}})
    page.wait_for_selector(".hand .tile")
    return page


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_long_names_and_large_numbers_stay_where_they_belong(
    arrive: Callable[..., Player], width: int, height: int
) -> None:
    page = table(arrive("Ann", viewport={"width": width, "height": height}))
    assert page.evaluate(ACROSS) <= 0, "the page is not wider than the screen"
    for outer, inner in (
        (".mat", ".life-number"),
        (".tile", ".tile-name"),
        (".tile", ".tile-pt"),
        (".tile", ".tile-cost"),
    ):
        assert page.evaluate(OUTSIDE, [outer, inner]) == 0, inner
    assert page.locator(".mat.own .tile-pt").first.inner_text() == "1.2M/7.7M"
    assert page.locator(".topbar .phase").last.bounding_box()["width"] >= 20, "the steps have room beside the name"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_of_the_fullest_card_all_is_in_sight(arrive: Callable[..., Player], width: int, height: int) -> None:
    page = table(arrive("Ann", viewport={"width": width, "height": height}))
    page.hover(".hand .tile >> nth=0", position={"x": 4, "y": 20})
    page.wait_for_selector(".zoom")
    page.wait_for_function("() => document.querySelector('.zoom').style.transform")
    box = page.locator(".zoom").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    for part in ("header", ".types", ".rules", "footer"):
        assert page.evaluate(OUTSIDE, [".zoom .card", part]) == 0, part
