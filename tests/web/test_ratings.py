"""The server's ladder at the page: a rated table, a game that counts, and who then stands where, on a telephone too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from server.lobby.ladder import KIND, LadderRecord, Rated
from server.storage import open_sqlite
from tests.web.conftest import address, serving
from tests.web.player import Player
from tests.web.test_everyone import violations
from tests.web.test_people import fill, go, make_account

PHONE = {"width": 360, "height": 740}
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has one."""
    with serving(tmp_path_factory.mktemp("ladder"), APNAP_GAMES_LADDER="true") as said:
        yield address(said)


def open_rated(host: Player, title: str) -> None:
    """A rated table for two."""
    host.press("another kind of table")
    page = host.page
    fill(page, "TitleShown in the list of tables.", title)
    page.get_by_label("Two to ten players").fill("2")
    page.keyboard.press("Tab")
    page.locator("label.check", has_text="counts for this server's ratings").locator("input").check()
    assert page.locator("input[name=seed]").is_disabled() and page.locator("select[name=by_hand]").is_disabled()
    host.press("open it")
    page.wait_for_selector(".gather .tag.rated")


def lines(page: Any) -> list[str]:
    """The ladder that is shown, in words."""
    page.wait_for_selector(".ratings tbody tr")
    return [" ".join(row.split()) for row in page.locator(".ratings tbody tr").all_inner_texts()]


def test_a_rated_game_that_ends_changes_the_ladder(arrive: Callable[..., Player], ladder: str) -> None:
    ann, ben = arrive("Ann", url=ladder), arrive("Ben", url=ladder, viewport=PHONE)
    for player in (ann, ben):
        player.visit()
        make_account(player)
        player.page.click(".places >> text=Ratings")
        player.page.wait_for_selector(".ratings >> text=Nobody is rated there yet.")
        player.page.click(".places >> text=Tables")
    open_rated(ann, "For the ladder")
    assert not ann.page.get_by_role("button", name="bot").count(), "the server's bots play no rated game"
    ann.page.wait_for_selector(".seats .mine >> text=Not rated yet.")
    ben.page.wait_for_selector(".rooms li:has-text('For the ladder') >> text=rated")
    ben.press("sit down")
    ben.page.click("text=People here")
    ben.page.locator(".people").get_by_role("button", name="rating").click()
    ben.page.wait_for_selector(".people [role=status] >> text=Not rated yet.")
    for player in (ann, ben):
        player.choose_deck("emberclan")
    ann.press("start the game")
    for player in (ann, ben):
        player.page.wait_for_selector(".topbar .tag.rated")
    ben.page.click(".main-menu > summary")
    ben.press("concede")
    ben.press("really leave")
    for player in (ann, ben):
        player.page.wait_for_selector(".ended")

    ben.page.goto(ladder + "#/ratings")
    ben.page.reload()
    first, second = lines(ben.page)
    assert first.startswith("1 Ann 27.6 still a guess, probably between 12 and 44") and "won: 1" in first
    assert second.startswith("2 Benyou 22.4 still a guess") and "games: 1, won: 0" in second
    assert ben.page.locator("tr[aria-current=true]").count() == 1
    assert ben.page.locator(".ratings fieldset legend").all_inner_texts() == ["People"]
    assert ben.page.evaluate(OVERFLOW) <= 0
    assert violations(ben.page) == []
    go(ann, "#/you")
    ann.page.wait_for_selector("text=60 cards or more: 27.6")
    assert violations(ann.page) == []


def test_bots_stand_apart_from_people_and_the_keyboard_leads_to_them(
    arrive: Callable[..., Player], tmp_path: Path
) -> None:
    rated = {"commander": Rated("Cyriaque", 31.5, 3.0, 70, 40), "bots constructed": Rated("Eager", 25.0, 7.0, 3, 1)}

    async def played_before() -> None:
        async with open_sqlite(tmp_path) as storage:
            for name, one in rated.items():
                await storage.put(KIND, name, msgspec.json.encode(LadderRecord({"somebody": one})))

    trio.run(played_before)
    with serving(tmp_path, APNAP_GAMES_LADDER="true") as said:
        eve = arrive("Eve", url=address(said), viewport=PHONE)
        eve.visit()
        page = eve.page
        page.click(".places >> text=Ratings")
        assert lines(page) == ["1 Cyriaque 31.5 well known, probably between 26 and 38 games: 70, won: 40"]
        assert page.locator(".ratings legend").all_inner_texts() == ["People", "Bots"]
        page.get_by_label("Commander").focus()
        page.keyboard.press("ArrowDown")
        page.wait_for_selector("[role=status] >> text=Bots, 60 cards or more: 1 rated")
        assert lines(page) == ["1 Eager 25.0 still a guess, probably between 11 and 39 games: 3, won: 1"]
        assert page.evaluate("() => document.activeElement.type") == "radio"
        assert page.evaluate(OVERFLOW) <= 0 and violations(page) == []
        page.close()


def test_what_cannot_be_rated_is_said_in_the_readers_language(arrive: Callable[..., Player], ladder: str) -> None:
    ann, ben = arrive("Anna", url=ladder, locale="fr-FR"), arrive("Bert", url=ladder)
    ann.visit()
    page = ann.page
    page.get_by_role("button", name="une autre sorte de table").click()
    page.locator("input[type=number]").first.fill("2")
    page.keyboard.press("Tab")
    page.get_by_label("Classée").check()
    page.get_by_role("button", name="ouvrir").last.click()
    page.wait_for_selector(".gather .tag.rated")
    ben.sit_with(ann)
    for player in (ann, ben):
        player.choose_deck("emberclan")
    page.wait_for_selector(".primary >> text=commencer")
    page.get_by_role("button", name="commencer").click()
    page.wait_for_selector(".refusal >> text=est un invité")


def test_a_server_without_a_ladder_shows_none(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    ann.visit()
    ann.press("another kind of table")
    ann.page.wait_for_selector(".options")
    assert "Rated" not in ann.page.inner_text("#main")
    assert not ann.page.locator(".places >> text=Ratings").count()
