"""Names of cards in the log and in the strip of what was played lately show their cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.player import Player
from tests.web.test_everyone import attackers, violations
from tests.web.test_measures import at_the_big_table

PLAYED = ("Warden of Gate 3", "Banner 2", "Warden of Gate 7")


LONGER_MS = 400
"""Longer than it takes a card to come."""


def play(page: Any) -> None:
    """Ben plays three cards, and one of them attacks."""
    cast = [{"player": "Ben", "seat": 1, "card": card, "card_id": "900"} for card in PLAYED]
    events = [{"kind": "cast", "key": "event.cast", "args": one} for one in cast]
    fight = {"card": PLAYED[0], "card_id": "213", "target": "Ann", "target_seat": 0}
    events.append({"kind": "attacks", "key": "event.attack", "args": fight})
    page.evaluate("message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 1, "events": events})
    page.wait_for_selector(".lately .played")


def shown(page: Any) -> str:
    """The name on the card that is shown large."""
    page.wait_for_selector(".zoom")
    return str(page.inner_text(".zoom strong"))


def test_names_show_their_cards_when_hovered(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    play(page)
    assert page.locator(".lately .sr").all_inner_texts() == [f"{card}, played by Ben" for card in reversed(PLAYED)]
    page.hover(".lately .played >> nth=1")
    assert shown(page) == "Banner 2"
    page.hover(".topbar")
    page.wait_for_selector(".zoom", state="detached")
    page.hover(".log li:last-child .card-name")
    assert shown(page) == PLAYED[0]
    assert page.locator(".log li:last-child .card-name").all_inner_texts() == [PLAYED[0]], "Ann is no card"
    assert violations(page) == []


def test_names_show_their_cards_when_pressed_and_keep_them_shown(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", has_touch=True))
    play(page)
    page.tap(".log li:last-child .card-name")
    assert shown(page) == PLAYED[0]
    page.wait_for_timeout(100)
    assert shown(page) == PLAYED[0]
    page.tap(".topbar .turn")
    page.wait_for_selector(".zoom", state="detached")
    page.tap(".lately .played >> nth=0")
    assert shown(page) == PLAYED[2]


def test_a_name_that_is_pointed_at_shows_its_card_while_the_log_goes_on(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    play(page)
    page.hover(".log li:last-child .card-name")
    assert shown(page) == PLAYED[0]
    cast = {"kind": "cast", "key": "event.cast", "args": {"player": "Ben", "seat": 1, "card": "Banner 2"}}
    page.evaluate(
        "message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 2, "events": [cast] * 3}
    )
    page.wait_for_selector(".log li:nth-last-child(3) .card-name >> text=Banner 2")
    page.wait_for_timeout(LONGER_MS)
    assert shown(page) == PLAYED[0]
    page.mouse.move(5, 5)
    page.wait_for_selector(".zoom", state="detached")


def test_a_question_that_comes_or_goes_does_not_hide_the_card_that_is_pointed_at(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    play(page)
    page.evaluate("message => window.socket.tell(message)", attackers())
    page.focus("[data-primary]")
    for pointed, name in ((".log li:last-child .card-name", PLAYED[0]), (".mat.own .tile >> nth=0", "")):
        page.hover(pointed)
        page.evaluate("() => document.activeElement.blur()")
        page.wait_for_timeout(LONGER_MS)
        assert name in shown(page)
        page.focus("[data-primary]")
        page.wait_for_timeout(LONGER_MS)
        assert name in shown(page)
