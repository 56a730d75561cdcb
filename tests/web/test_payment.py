"""Paying by hand, and other small things that once went wrong: a cost said twice, a button that stayed grey, a page scrolled away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, table, told


def payment(number: int, *lands: str) -> dict[str, Any]:
    """{1}{G} for a spell, with these lands untapped."""
    head = {"kind": "payment", "id": f"y{number}", "seat": 0, "purpose": "payment", "source": "990", "cost": "{1}{G}"}
    prompt = {"key": "ask.payment", "args": {"cost": "{1}{G}"}}
    actions = [{"type": "activate", "object": one, "text": "{T}: Add {G}.", "mana": True} for one in lands]
    default = {"kind": "payment", "index": 0}
    return {**head, "prompt": prompt, "actions": actions, "can_auto": True, "default": default}


@pytest.mark.rule("605.3a")
def test_mana_made_by_hand_is_paid_as_soon_as_it_suffices(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    ask(page, payment(1, "100", "103"))
    assert page.locator(".dock .mana.m-G").count() == 3, "the cost once, and each land's"
    page.click(".dock [data-action='0']")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    told(page, type="patch", epoch=1, seq=1, patch={"players": {"0": {"mana": {"G": 1}}}})
    ask(page, payment(2, "103"))
    page.click(".dock [data-action='0']")
    page.wait_for_function(f"() => ({ANSWERS})().length === 2")
    told(page, type="patch", epoch=1, seq=2, patch={"players": {"0": {"mana": {"G": 2}}}})
    told(page, type="question", epoch=1, seq=2, question=payment(3))
    page.wait_for_function(f"() => ({ANSWERS})().length === 3")
    assert [one["index"] for one in page.evaluate(ANSWERS)] == [1, 1, 0]


@pytest.mark.rule("106.4")
def test_mana_that_was_there_before_is_not_spent_by_itself(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    told(page, type="patch", epoch=1, seq=1, patch={"players": {"0": {"mana": {"G": 2}}}})
    ask(page, payment(1, "100"))
    page.wait_for_selector(".figure.pool")
    assert page.evaluate(ANSWERS) == []


def test_a_table_is_opened_while_the_name_is_still_being_written(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", viewport={"width": 900, "height": 420})
    ann.page.goto(ann.url)
    ann.page.locator("input[name=name]").press_sequentially("Ann")
    button = ann.page.get_by_role("button", name="open a table for four")
    assert button.is_enabled()
    ann.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ann.page.wait_for_function("() => scrollY > 0")
    button.evaluate("(one) => one.click()")  # not scrolled into sight first
    ann.page.wait_for_selector(".gather .seats")
    assert ann.page.evaluate("() => scrollY") == 0, "the seats are in sight"
