"""The page of who controls another player: for whom one decides, that player's hand, and what all read of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.big import NAMES
from tests.web.player import Player
from tests.web.test_everyone import attackers, violations
from tests.web.test_measures import at_the_big_table


@pytest.mark.rule("712.4")
@pytest.mark.rule("712.5")
def test_it_is_plain_for_whom_one_decides_and_whose_cards_these_are(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 1280, "height": 800}))
    face = {"name": "Hill Ox", "cost": "{G}", "types": "Creature — Ox", "power": "2", "toughness": "2"}
    held = {"zone": "hand", "owner": 1, "controller": 1, "face": "ox", "types": ["creature"]}
    patch = {"players": {"1": {"controlled_by": 0, "hand": ["9001"]}}, "objects": {"9001": held}}
    page.evaluate(
        "message => window.socket.tell(message)",
        {"type": "patch", "epoch": 1, "seq": 1, "patch": patch, "faces": {"ox": face}},
    )
    page.wait_for_selector(f".tag.controlled >> text=controlled by {NAMES[0]}", state="attached")
    assert page.locator(".hand-of").count() == 0 and page.locator(".deciding").count() == 0
    asked = attackers()
    asked["seq"] = 1
    asked["question"] |= {"for_seat": 1, "prompt": {"key": "ask.attackers", "args": {"for": NAMES[1]}}}
    page.evaluate("message => window.socket.tell(message)", asked)
    page.wait_for_selector(f".deciding >> text=You decide for {NAMES[1]}.")
    assert page.inner_text(".hand-of") == f"Hand of {NAMES[1]}"
    assert page.locator(".hand .fan >> text=Hill Ox").count() or "Hill Ox" in page.inner_text(".hand")
    assert violations(page) == []
