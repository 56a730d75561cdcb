"""The first visit: what this is, a table that is played before one's eyes, and a tour that can be left at any moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.web.player import Player
from tests.web.test_everyone import violations

LIVES = "() => [...document.querySelectorAll('.showing .life-number')].map((one) => one.innerText).join()"
COACH = "() => document.querySelector('.coach p')?.innerText ?? ''"
DONE = "() => document.querySelectorAll('.lessons .done').length"


def come(player: Player, **more: Any) -> Any:
    """Somebody who has never been here."""
    player.page.goto(player.url)
    player.page.wait_for_selector(".showing .tile")
    return player.page


def test_who_comes_for_the_first_time_sees_what_this_is_and_a_table_in_play(arrive: Callable[..., Player]) -> None:
    page = come(arrive("Ann"))
    assert page.locator(".welcome-points li").count() == 3
    assert page.locator(".showing .mat").count() == 4
    assert page.evaluate(
        "() => document.querySelector('.showing .life-number').getBoundingClientRect().top < innerHeight"
    )
    assert "example" in page.inner_text(".showing")
    before = page.evaluate(LIVES)
    page.wait_for_function(f"before => ({LIVES})() !== before", arg=before)
    page.wait_for_selector(".showing .tile.attacking")
    page.wait_for_selector(".showing .arrow.attack", state="attached")
    assert violations(page) == []
    page.get_by_role("button", name="stop the picture").click()
    page.get_by_role("button", name="let it go on").wait_for()


def test_who_has_said_their_name_before_sees_the_tables_at_once(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = come(ann)
    page.fill("input[name=name]", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_function("() => localStorage['apnap.name'] === 'Ann'")
    assert page.locator(".welcome").count() == 1, "nothing moves under their pointer"
    page.reload()
    page.wait_for_selector(".lobby")
    assert page.locator(".welcome").count() == 0


def test_the_tour_explains_what_is_asked_and_is_left_at_any_moment(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    said: list[str] = []
    ann.page.on("websocket", lambda line: line.on("framesent", lambda frame: said.append(json.loads(frame)["type"])))
    page = come(ann)
    page.click("[data-tour]")
    ann.wait_for_question("confirm")
    assert "opening hand" in page.evaluate(COACH)
    heard: list[str] = []
    for _ in range(60):
        dock = ann.wait_for_question()
        if page.evaluate(DONE) >= 4 or dock["over"]:
            break
        heard.append(page.evaluate(COACH))
        ann.act()
    assert len(set(heard)) >= 4 and any("Lands" in one for one in heard) and any("attacks" in one for one in heard)
    page.click("[data-leave-tour]")
    page.wait_for_selector(".lobby .welcome")
    assert not page.locator(".coach, .table").count()
    page.click("[data-tour]")  # and again: it has left nothing behind
    ann.wait_for_question("confirm")
    page.click("[data-leave-tour]")
    page.wait_for_selector(".lobby")
    assert said.count("concede") == 2, "its games are given up: nobody waits for us there"
    page.fill("input[name=name]", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_function("() => localStorage['apnap.name'] === 'Ann'")
    ann.press("open a table for four")
    page.wait_for_selector(".seats strong >> text=Ann")
