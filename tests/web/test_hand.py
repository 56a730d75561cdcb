"""The hand: no card of it is ever out of sight, it lies sorted, and what is dragged from it to the table is cast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, priority, table, told
from tests.web.test_everyone import violations

SIGHT = """() => [...document.querySelectorAll('.fan .tile')].map((one) => {
  const box = one.getBoundingClientRect();
  let seen = 0;
  for (let x = Math.max(0, box.left); x < Math.min(innerWidth, box.right); x += 1)
    if (document.elementFromPoint(x, box.top + box.height / 2)?.closest('.tile') === one) seen += 1;
  return { name: one.dataset.name, seen, whole: box.left >= 0 && box.right <= innerWidth };
})"""
NAMES = "() => [...document.querySelectorAll('.fan .tile')].map((one) => one.dataset.name)"
TOUCHED = 18
"""Pixels of a card that can be seen and pressed at least."""
OVER = """() => {
  const zoom = document.querySelector('.zoom').getBoundingClientRect();
  const over = (one) => {
    const box = one.getBoundingClientRect();
    return box.left < zoom.right && box.right > zoom.left && box.top < zoom.bottom && box.bottom > zoom.top;
  };
  return [...document.querySelectorAll('.tile, .dock')].filter(over).length;
}"""


def with_hand(page: Any, cards: int) -> list[str]:
    """So many cards in our hand: lands first, then the dearest."""
    known = list(faces())
    order = [*range(3), *range(len(known) - 1, 2, -1)]
    hand: dict[str, Any] = {}
    for at in range(cards):
        face = order[at % len(order)]
        types = ["land"] if face < 3 else ["creature"]
        hand[str(900 + at)] = {"zone": "hand", "owner": 0, "controller": 0, "face": known[face], "types": types}
    patch = {"objects": hand, "players": {"0": {"hand": list(hand), "hand_count": cards}}}
    told(page, type="patch", epoch=1, seq=1, patch=patch)
    page.wait_for_function(f"() => document.querySelectorAll('.fan .tile').length === {cards}")
    return list(hand)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (844, 390), (390, 844)])
@pytest.mark.parametrize("cards", [1, 7, 12])
def test_no_card_in_hand_is_out_of_sight(arrive: Callable[..., Player], size: tuple[int, int], cards: int) -> None:
    page = table(arrive("Ann", viewport={"width": size[0], "height": size[1]}))
    with_hand(page, cards)
    shown = page.evaluate(SIGHT)
    assert len(shown) == cards
    assert all(one["whole"] and one["seen"] >= TOUCHED for one in shown), shown


def test_the_hand_lies_sorted_or_as_it_was_drawn(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    with_hand(page, 5)
    assert page.evaluate(NAMES)[2:] == ["Forest", "Plains", "Swamp"]
    page.click(".sort-hand")
    page.wait_for_function(f"() => ({NAMES})()[0] === 'Forest'")
    assert page.evaluate(NAMES)[:3] == ["Forest", "Plains", "Swamp"]


def middle(page: Any, selector: str) -> tuple[float, float]:
    """Of the first that there is."""
    box = page.locator(selector).first.bounding_box()
    assert box, selector
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def castable(card: str) -> dict[str, Any]:
    """A question in which one card of our hand can be cast."""
    asked = priority(1)
    asked["actions"].append({"type": "cast", "object": card, "text": "Banner 4"})
    return asked


def drag(page: Any, card: str, to: tuple[float, float]) -> None:
    """A card from the hand to a point, the button still held."""
    page.mouse.move(*middle(page, f".fan [data-ids='{card}']"))
    page.mouse.down()
    page.mouse.move(*to, steps=5)


def test_a_card_dragged_to_the_table_is_cast_and_one_let_go_over_the_hand_is_not(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    card = with_hand(page, 7)[3]
    ask(page, castable(card))
    drag(page, card, middle(page, ".fan .tile >> nth=0"))
    page.mouse.up()
    drag(page, card, middle(page, ".mat.own .head"))
    page.wait_for_selector(".dragged")
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.evaluate(ANSWERS) == [] and not page.locator(".dragged").count()
    drag(page, card, middle(page, ".mat.own .tile >> nth=0"))
    page.mouse.up()
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    assert page.evaluate(ANSWERS) == [{"kind": "priority", "index": 1}]


def targets(number: int) -> dict[str, Any]:
    """Which player the spell on the stack is aimed at."""
    head = {"kind": "choose", "id": f"t{number}", "seat": 0, "purpose": "target", "prompt": {"key": "ask.target"}}
    options = [{"kind": "player", "seat": seat} for seat in (1, 2, 3)]
    return {
        **head,
        "options": options,
        "least": 1,
        "most": 1,
        "default": {"kind": "choose", "picks": [0]},
        "source": "990",
    }


def cast(page: Any, card: str) -> None:
    """The card is on the stack now."""
    face = list(faces())[-1]
    spell = {"zone": "stack", "owner": 0, "controller": 0, "types": ["artifact"], "face": face}
    told(page, type="patch", epoch=1, seq=2, patch={"objects": {"990": spell, card: None}, "stack": ["990"]})


def test_a_card_dropped_on_a_target_is_cast_at_it(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    card = with_hand(page, 7)[3]
    ask(page, castable(card))
    drag(page, card, middle(page, ".who[data-seat='2']"))
    page.mouse.up()
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    cast(page, card)
    # What else is asked while it is cast is asked: a number, here.
    number = {"kind": "number", "id": "x", "seat": 0, "purpose": "x", "prompt": {"key": "ask.number"}, "source": "990"}
    ask(page, {**number, "least": 0, "most": 3, "default": {"kind": "number", "number": 1}})
    page.click("[data-primary]")
    page.wait_for_function(f"() => ({ANSWERS})().length === 2")
    told(page, type="question", epoch=1, seq=2, question=targets(1))
    page.wait_for_function(f"() => ({ANSWERS})().length === 3")
    assert page.evaluate(ANSWERS)[2] == {"kind": "choose", "picks": [1]}
    ask(page, targets(2))
    page.wait_for_function("() => document.querySelectorAll('[data-option]').length === 3")
    assert len(page.evaluate(ANSWERS)) == 3, "only what was asked first"


def test_a_live_arrow_goes_with_the_pointer_to_the_target(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    card = with_hand(page, 7)[3]
    ask(page, castable(card))
    page.click(f".fan [data-ids='{card}']")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    cast(page, card)
    ask(page, targets(1))
    page.mouse.move(*middle(page, ".mat.own .tile >> nth=0"))
    page.wait_for_selector(".dragged:not(.on)", state="attached")
    page.mouse.move(*middle(page, ".who[data-seat='3']"))
    page.wait_for_selector(".dragged.on", state="attached")
    assert page.locator(".options-list .pointed").get_attribute("data-option") == "2", "its row, too"
    assert violations(page) == []
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function(f"() => ({ANSWERS})().length === 2")
    assert page.evaluate(ANSWERS)[1] == {"kind": "choose", "picks": [2]}


def test_the_zoom_covers_neither_cards_nor_the_question_and_goes_with_a_press(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    with_hand(page, 7)
    ask(page, priority(1))
    for one in (".fan .tile >> nth=2", ".mat.own .tile >> nth=5", ".others .tile >> nth=7"):
        x, y = middle(page, one)
        page.mouse.move(x, y)
        page.wait_for_selector(".zoom")
        page.wait_for_function("() => document.querySelector('.zoom').style.transform")
        assert page.evaluate(OVER) == 0, one
        page.mouse.down()
        page.wait_for_selector(".zoom", state="detached")
        page.mouse.up()
        # What lies under the pointer is drawn anew by the press, and the browser says that it is there.
        page.locator(one).first.dispatch_event(
            "pointerover", {"bubbles": True, "clientX": x + 1, "clientY": y, "pointerType": "mouse"}
        )
        page.wait_for_timeout(400)  # longer than it takes the zoom to come
        assert page.locator(".zoom").count() == 0
