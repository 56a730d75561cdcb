"""Mats: what lies on one fills it, lands alone are not blown up, and a creature says that it came this turn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

import pytest

from tests.web.big import SEATS, faces
from tests.web.player import Player
from tests.web.test_button import table, told

LARGE = {"width": 1920, "height": 1080}
FILLED = """() => [...document.querySelectorAll('.mat')].map((mat) => {
  const field = mat.querySelector('.field-rows');
  const style = getComputedStyle(field);
  const inside = (field.clientWidth - 2 * parseFloat(style.paddingLeft)) * (field.clientHeight - 2 * parseFloat(style.paddingTop));
  const tiles = [...field.querySelectorAll('.tile')].reduce((sum, one) => sum + one.offsetWidth * one.offsetHeight, 0);
  return tiles / inside;
})"""
"""The share of each mat that is covered by tiles."""
HALF = 0.5
TILES = "() => [...document.querySelectorAll('.mat.own .tile')].map((one) => [one.offsetWidth, one.offsetHeight])"
LONE = 140
"""Pixels of width that a land has at most that lies there with a few others and nothing else."""
BOARDS = [(6, 0, 0), (1, 0, 5), (2, 0, 4), (3, 1, 2), (0, 0, 6), (4, 2, 6), (0, 3, 5), (9, 3, 8), (15, 5, 10)]
"""Creatures, artifacts, lands."""


def lying(seat: int, creatures: int, artifacts: int, lands: int) -> dict[str, Any]:
    """Creatures and artifacts that are all different, and lands of two kinds in turn, every other one tapped."""
    known = list(faces())
    kinds = [("creature", face) for face in islice(cycle(known[3:18]), creatures)]
    kinds += [("artifact", face) for face in islice(cycle(known[18:]), artifacts)]
    kinds += [("land", face) for face in islice(cycle(known[:2]), lands)]
    made: dict[str, Any] = {}
    for at, (kind, face) in enumerate(kinds):
        thing = {"zone": "battlefield", "owner": seat, "controller": seat, "face": face, "types": [kind]}
        if kind == "creature":
            thing |= {"power": 2, "toughness": 2 + at // 15}
        made[str(1000 + 100 * seat + at)] = thing | ({"tapped": True} if kind == "land" and at % 2 else {})
    return made


def laid(page: Any, *boards: tuple[int, int, int]) -> None:
    """Nothing but these boards, one for each seat in turn."""
    made: dict[str, Any] = {}
    for seat, board in zip(range(SEATS), cycle(boards), strict=False):
        made |= lying(seat, *board)
    told(page, type="patch", epoch=1, seq=1, patch={"objects": made, "battlefield": list(made), "combat": None})
    seen = "ids => document.querySelectorAll('.mat .tile').length && ids.every((id) => document.querySelector(`[data-ids~='${id}']`))"
    page.wait_for_function(seen, arg=list(made))
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")


@pytest.mark.parametrize("board", BOARDS)
def test_a_mat_with_six_permanents_or_more_is_half_full(
    arrive: Callable[..., Player], board: tuple[int, int, int]
) -> None:
    page = table(arrive("Ann", viewport=LARGE))
    laid(page, board)
    shares = page.evaluate(FILLED)
    assert len(shares) == SEATS and min(shares) >= HALF, shares


def test_a_few_lands_alone_lie_one_by_one_and_are_not_blown_up(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann", viewport=LARGE))
    laid(page, (0, 0, 3))
    sizes = page.evaluate(TILES)
    assert len(sizes) == 3 and all(width <= LONE for width, _ in sizes), sizes
    assert len({width for width, _ in sizes}) == 1


def test_lands_beside_creatures_that_fill_their_mat_are_stacks(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann", viewport=LARGE))
    laid(page, (9, 3, 8))
    assert page.locator(".mat.own .tile.land").count() == 2
    assert page.locator(".mat.own .tile.land .tile-count").all_inner_texts() == ["×4", "×4"]


@pytest.mark.rule("302.6")
def test_a_creature_that_has_come_this_turn_says_so_in_a_word(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    laid(page, (2, 0, 3))
    told(page, type="patch", epoch=1, seq=2, patch={"objects": {"1001": {"sick": True}}})
    page.wait_for_selector(".tile.sick[data-ids='1001']")
    assert page.locator(".tile[data-ids='1001'] .chip").all_inner_texts() == ["sick"]
    assert page.locator(".tile[data-ids='1000'] .chip").count() == 0
