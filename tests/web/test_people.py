"""Who one is at the page: accounts and one-time links, decks that are kept, rooms with a password, people one does not want to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.player import Player
from tests.web.test_everyone import violations

PASSWORD = "correct horse battery"
SQUIRES = "40 Plains\n4 Chapel Squire\n4 Sunlit Orchard\n4 Orchard Saint\n4 Gardener of Miracles\n4 Oathsworn Paladin"


def fill(page: Any, words: str, text: str) -> None:
    """Fill the field with that label."""
    page.get_by_label(words, exact=True).fill(text)


def go(player: Player, path: str) -> None:
    """Go to a page by its address, once the line is open."""
    player.page.goto(player.url + path)
    player.page.wait_for_selector(".banner", state="detached")


def make_account(player: Player) -> None:
    """An account under the player's own name."""
    go(player, "#/you")
    fill(player.page, "New password", PASSWORD)
    player.page.get_by_role("button", name="Make an account").click()
    player.page.wait_for_selector(f"text=You have an account: {player.name}")


def test_an_account_is_made_and_used_on_another_device(arrive: Callable[..., Player]) -> None:
    ivy, phone = arrive("Ivy"), arrive("Somebody")
    ivy.visit()
    make_account(ivy)
    assert violations(ivy.page) == []

    phone.visit()
    go(phone, "#/you")
    assert violations(phone.page) == []
    fill(phone.page, "Name of the account", "Ivy")
    fill(phone.page, "Password", "wrong" + PASSWORD)
    phone.page.get_by_role("button", name="Sign in").click()
    phone.page.wait_for_selector(".refusal")
    fill(phone.page, "Name of the account", "Ivy")
    fill(phone.page, "Password", PASSWORD)
    phone.page.get_by_role("button", name="Sign in").click()
    phone.page.wait_for_selector("text=You have an account: Ivy")
    phone.page.wait_for_selector(".rooms li >> nth=1")

    ivy.page.reload()
    ivy.page.get_by_role("button", name="end all others").click()
    phone.page.wait_for_function("() => !document.querySelector('#main').innerText.includes('You have an account')")


def test_the_hosts_one_time_link_makes_an_admin(arrive: Callable[..., Player], admin_link: str) -> None:
    host = arrive("Hedda")
    host.page.goto(admin_link)
    assert violations(host.page) == []
    fill(host.page, "Name of the account", "Hedda")
    fill(host.page, "New password", PASSWORD)
    host.press("use the link")
    host.page.wait_for_selector("text=You are Hedda, and look after this server.")


def test_a_deck_is_kept_renamed_played_and_deleted(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = ann.page
    ann.visit()
    ann.press("open a table for four")
    ann.press("own list")
    page.fill(".editor textarea", SQUIRES)
    page.wait_for_selector(".verdict .fine")
    ann.press("keep this list")
    fill(page, "Name of the deck", "Squires")
    ann.press("keep this list")
    page.get_by_role("button", name="rename: Squires").click()
    fill(page, "Name of the deck", "Knights")
    page.get_by_role("button", name="rename", exact=True).click()
    page.wait_for_selector(".saved >> text=Knights")
    assert violations(page) == []
    page.fill(".editor textarea", "")
    ann.press("play it")
    page.wait_for_selector(".seats .mine >> text=own list")
    page.get_by_role("button", name="delete: Knights").click()
    page.wait_for_selector(".saved", state="detached")


def test_a_locked_table_opens_by_its_password_or_by_its_invitation(arrive: Callable[..., Player]) -> None:
    ann, ben, cleo = arrive("Ann"), arrive("Ben"), arrive("Cleo")
    ann.visit()
    ann.press("open a table for four")
    open_link = ann.invitation()
    ann.page.click("text=lock the table with a password")
    fill(ann.page, "Password of the table", "sesame and more")
    ann.press("lock it")
    ann.page.wait_for_selector("text=The table has a password")
    ben.come_to(open_link)
    fill(ben.page, "Password of the table", "sesame and more")
    ben.press("sit down")
    ben.page.wait_for_selector(".gather")
    cleo.sit_with(ann)
    cleo.page.wait_for_selector(".gather")


def test_who_is_ignored_is_not_read_and_who_is_muted_cannot_speak(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.visit()
    ann.press("open a table for four")
    ben.sit_with(ann)
    ben.page.wait_for_selector(".gather")
    ben.page.click("text=People here")
    ben.press("ignore")
    ben.page.wait_for_selector("button[aria-pressed=true] >> text=read again")
    ann.page.fill(".chat input", "Can you read me?")
    ann.press("send")
    ann.page.wait_for_selector(".chat li >> text=Can you read me?")
    assert not ben.page.locator(".chat li").count()
    ann.page.click("text=People here")
    ann.press("report")
    fill(ann.page, "What did Ben do?The host of the server reads this, with the last lines of chat.", "He ignores me.")
    ann.press("send the report")
    ann.page.wait_for_selector("text=The host of the server has been told.")
    ann.press("mute")
    ann.page.wait_for_selector("text=let speak again")
    ben.page.fill(".chat input", "Am I heard?")
    ben.press("send")
    ben.page.wait_for_selector(".refusal")


def test_the_list_of_rooms_is_told_as_it_changes(arrive: Callable[..., Player]) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.visit()
    asked: list[str] = []
    ann.page.on("websocket", lambda line: line.on("framesent", lambda frame: asked.append(frame)))
    ann.page.reload()
    ann.page.wait_for_selector(".lobby")
    ben.visit()
    ben.press("another kind of table")
    fill(ben.page, "TitleShown in the list of tables.", "Live")
    ben.press("open it")
    ann.page.wait_for_selector(".rooms >> text=Live")
    ben.page.wait_for_selector(".gather")
    ben.press("leave")
    ann.page.wait_for_selector(".rooms >> text=Live", state="detached")
    assert sum('"list"' in frame for frame in asked) <= 2, "the list is not asked for again"


def test_what_is_kept_about_one_is_told_and_deleted(arrive: Callable[..., Player], tmp_path: Path) -> None:
    zoe = arrive("Zoe")
    page = zoe.page
    zoe.visit()
    make_account(zoe)
    with page.expect_download() as downloading:
        zoe.press("download all of it")
    downloading.value.save_as(tmp_path / "data.json")
    told = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))
    assert told["person"]["name"] == "Zoe" and told["sessions"]
    zoe.press("delete all of it")
    fill(page, "Password", PASSWORD)
    zoe.press("delete all of it for good")
    page.wait_for_selector("input[name=name]")
    assert page.input_value("input[name=name]") == ""
