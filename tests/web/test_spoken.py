"""What once failed in silence, or lied: a button that stays grey, a server that does not answer, a replay that is refused."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.player import Player
from tests.web.test_button import ask, priority, table, told
from tests.web.test_measures import at_the_big_table


def test_the_table_can_be_opened_while_the_name_is_being_written(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.page.goto(ann.url)
    ann.page.locator("input[name=name]").press_sequentially("Ann")
    ann.press("open a table for four")
    ann.page.wait_for_selector(".gather")
    assert "Ann" in ann.page.inner_text(".seats")


def test_a_replay_that_is_refused_says_why(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.page.goto(ann.url + "#/replay/no-such-game/0")
    assert ann.page.inner_text(".hero .refusal")


def test_a_server_that_does_not_answer_is_said_to_be_silent(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    page.clock.install()
    page.evaluate("() => { const send = socket.send; socket.send = () => { socket.send = send; }; }")
    ask(page, priority(1))
    page.click("[data-primary]")
    page.clock.run_for(2500)
    assert not page.locator(".banner").count()
    page.clock.run_for(1000)
    page.wait_for_selector(".banner.lost")
    assert "not answered" in page.inner_text(".banner")


def test_a_card_shown_large_goes_when_one_presses(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    page.hover(".mat.own .tile >> nth=0")
    page.wait_for_selector(".zoom")
    page.mouse.down()
    page.wait_for_selector(".zoom", state="detached")


def test_costs_in_a_question_are_drawn(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    prompt = {"key": "ask.payment", "args": {"cost": "{1}{W}"}}
    head = {"kind": "payment", "id": "q", "seat": 0, "purpose": "payment", "prompt": prompt, "cost": "{1}{W}"}
    ask(page, {**head, "default": {"kind": "payment", "index": 0}, "actions": [], "can_auto": True})
    assert page.locator(".prompt .mana").count() == 2 and "{" not in page.inner_text(".prompt")


def test_taking_back_names_what_it_undoes(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    asked = priority(1)
    asked["actions"].append({"type": "cast", "object": "119", "text": "Warden of Gate 9"})
    ask(page, asked)
    page.click(".actions [data-action='1']")
    told(page, type="closed", question="p1", reason="answered")
    page.wait_for_selector("[data-takeback] >> text=take back: cast Warden of Gate 9")
