"""Two tabs, spectators, and a room whose options are all on the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.web.player import Player


def at_a_table(ann: Player) -> str:
    """Ann plays one bot; the path of her table."""
    ann.visit()
    ann.press("another kind of table")
    ann.page.get_by_label("Two to ten players").fill("2")
    ann.page.get_by_role("button", name="open it").click()
    ann.choose_deck("Rootmoot")
    ann.press("fill the free seats")
    link = ann.invitation()
    ann.press("start the game")
    ann.wait_for_question()
    return link.removeprefix(ann.url)


def test_two_tabs_do_not_fight_for_a_seat(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    path = at_a_table(ann)
    first, second = ann.page, ann.new_page()
    second.goto(ann.url + path)
    second.wait_for_selector(".dock.asked")
    first.wait_for_selector("text=played in another tab")
    first.wait_for_timeout(500)
    assert second.locator(".banner").count() == 0, "the older tab has taken the seat back by itself"
    first.get_by_role("button", name="play here instead").click()
    first.wait_for_selector(".banner", state="detached")
    second.wait_for_selector("text=played in another tab")


def test_a_spectator_sees_the_table_and_no_hand(arrive: Callable[..., Player]) -> None:
    ann, zoe = arrive("Ann"), arrive("Zoe")
    path = at_a_table(ann)
    zoe.visit(path)
    zoe.press("watch")
    zoe.page.wait_for_selector(".table")
    assert zoe.page.locator(".mat").count() == 2
    assert not zoe.page.locator(".hand .tile, .opening-card").count()
    assert ann.page.locator(".opening-card").count() >= 7
    ann.act()
    zoe.page.wait_for_selector(".log li")


def test_bots_are_chosen_by_what_they_do(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.press("open a table for four")
    levels = ann.page.get_by_label("which bot")
    levels.wait_for()
    assert levels.locator("option").all_inner_texts() == [
        "bot, simple",
        "bot, plays at random",
        "bot, thinks ahead, 50 ms for each decision",
        "bot, thinks ahead, 500 ms for each decision",
    ]
    levels.select_option("search 500 ms")
    ann.press("fill the free seats")
    ann.page.wait_for_selector(".seats li:nth-child(4) >> text=bot, thinks ahead, 500 ms for each decision")


def test_a_room_is_opened_with_options_of_ones_own(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.visit()
    ann.press("another kind of table")
    ann.page.get_by_label("Title").fill("Thursday")
    ann.page.get_by_label("Starting life").fill("30")
    ann.page.get_by_label("Clock", exact=True).first.select_option("bank")
    ann.page.get_by_role("button", name="open it").click()
    ann.page.wait_for_selector("h1 >> text=Thursday")
    ben.visit()
    ben.page.wait_for_selector(".rooms >> text=Thursday")


def test_whoever_says_something_is_read_by_the_others(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.visit()
    ann.press("open a table for four")
    ben.sit_with(ann)
    ben.page.fill(".chat input", "Hello there")
    ben.press("send")
    ann.page.wait_for_selector(".chat li >> text=Hello there")


def test_who_comes_back_reads_what_happened_meanwhile(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    lines: list[Any] = []
    up = [True]

    def through(line: Any) -> None:
        if up[0]:
            line.connect_to_server()
            lines.append(line)
        else:
            line.close()

    ann.page.route_web_socket("**/ws", through)
    ann.visit()
    ann.press("another kind of table")
    ann.page.fill("input[name=seed]", "11")  # Ben has a Mountain in his opening hand
    ann.page.get_by_label("Two to ten players").fill("2")
    ann.page.locator("label:has(> span:text-is('Plays first')) select").select_option("1")
    ann.press("open it")
    ann.choose_deck("Rootmoot")
    ben.sit_with(ann)
    ben.choose_deck("Emberclan")
    ann.press("start the game")
    for player in (ben, ann):  # keep the opening hands
        player.wait_for_question("confirm")
        player.confirm()
    ben.wait_for_question("priority")
    up[0] = False
    for line in lines:
        line.close()
    ann.page.wait_for_selector(".banner.lost")
    ben.page.get_by_role("button", name="play Mountain").click()
    ben.page.wait_for_selector(".own .tile.land")
    up[0] = True
    ann.page.wait_for_selector(".log .missed >> text=Mountain enters the battlefield")
    assert ann.page.locator(".others .tile.land").count() == 1


def test_a_list_that_the_server_gave_up_reading_is_read_once_more(arrive: Callable[..., Player]) -> None:
    """A server with much to do refuses it; nothing would be said of the list until it is changed."""
    ann = arrive("Ann")
    given_up: list[str] = []

    def through(line: Any) -> None:
        server = line.connect_to_server()

        def hear(frame: str) -> None:
            message = json.loads(frame)
            if message["type"] == "check_deck" and not given_up:
                given_up.append(message["id"])
                sentence = "There is too much to do just now."
                line.send(json.dumps({"type": "refused", "re": message["id"], "code": "busy", "sentence": sentence}))
            else:
                server.send(frame)

        line.on_message(hear)

    ann.page.route_web_socket("**/ws", through)
    ann.visit()
    ann.press("another kind of table")
    ann.press("open it")
    ann.press("own list")
    ann.page.fill(".editor textarea", "4 No Such Card")
    ann.page.wait_for_selector(".verdict .refusal")
    assert given_up
