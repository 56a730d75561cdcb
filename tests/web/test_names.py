"""Names of cards in the log and in the strip of what was played lately show their cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.player import Player
from tests.web.test_everyone import violations
from tests.web.test_measures import at_the_big_table

PLAYED = ("Warden of Gate 3", "Banner 2", "Warden of Gate 7")


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
