"""Takes the pictures of docs/: `python -m tests.web.pictures`. They are taken from a seeded game and looked at by hand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.web.browser import ARGUMENTS, BROWSERS
from tests.web.tactics import ARMY, Tactician
from tests.web.test_four import sit_down
from tests.web.test_teams import NAMES, until_turn

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pictures"
FAULTY = ARMY.replace("4 Chapel Squire", "5 Chapel Squire").replace("4 Bramble Boar", "4 Bramble Bear")
PHONE = {"width": 844, "height": 390}
DESK = {"width": 1440, "height": 900}


TEAMS = (("two_headed_giant", NAMES[:4], 9, "blockers"), ("emperor", NAMES, 14, "priority"))
"""Tables of teams at 1280x800: from which turn on a picture is taken, as the first of them sees it, and what somebody is asked."""


class Sitter(Tactician):
    """A player who has the camera held on what is worth a picture."""

    taken: set[str] = set()

    def take(self, name: str) -> None:
        """One picture, once."""
        self.page.wait_for_timeout(500)
        self.page.screenshot(path=DOCS / f"{name}.png")
        Sitter.taken.add(name)

    def split(self, defenders: list[str], three: list[int]) -> None:
        super().split(defenders, three)
        turn = int(re.sub(r"\D", "", self.page.inner_text(".topbar .turn strong")))
        if turn < 20:
            return
        self.page.mouse.move(5, 5)
        self.take("combat")
        self.page.set_viewport_size(PHONE)
        self.take("phone")
        self.page.set_viewport_size(DESK)

    def _damage(self, dock: dict[str, Any]) -> None:
        if self.page.locator(".assigners .assign").count() > 1:
            self.take("division")
        super()._damage(dock)


class Member(Sitter):
    """One of a team: takes what is proposed, and has no picture taken in passing."""

    def split(self, defenders: list[str], three: list[int]) -> None:
        Tactician.split(self, defenders, three)

    def _damage(self, dock: dict[str, Any]) -> None:
        self.confirm()


def main() -> int:
    """Play until every picture is taken; with the word `teams` only those of teams."""
    from playwright.sync_api import sync_playwright

    DOCS.mkdir(exist_ok=True)
    browser_path = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", data]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            said = next(line for line in server.stdout if "on this computer:" in line)
            url = said.split()[-1] + "/"
            browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
            names = ("Ann", "Ben", "Cleo", "Dan")
            players = [Sitter(browser, url, name, viewport=DESK, color_scheme="dark") for name in names]
            if sys.argv[1:] != ["teams"]:
                lobby_and_deck(*players)
                play(players)
                replay(players)
            for player in players:
                player.context.close()
            for variant, names, turn, kind in TEAMS:
                seated = [Member(browser, url, name, color_scheme="dark") for name in names]
                sit_down(list(seated), variant)
                until_turn(list(seated), turn, kind)
                seated[0].take(variant.replace("_", "-"))
                for player in seated:
                    player.context.close()
        finally:
            server.terminate()
            server.wait()
    print("taken:", ", ".join(sorted(Sitter.taken)))
    return 0


def open_table(player: Sitter, title: str, seats: str, edition: str) -> None:
    """A table of one's own kind."""
    player.visit()
    player.press("another kind of table")
    player.page.get_by_label("Title").fill(title)
    player.page.get_by_label("Two to ten players").fill(seats)
    player.page.locator("label", has_text="The rules as of").locator("select").select_option(edition)
    player.press("open it")
    player.page.wait_for_selector(".gather")


def lobby_and_deck(ann: Sitter, ben: Sitter, cleo: Sitter, dan: Sitter) -> None:
    """The lobby with tables of others, and a deck that is not in order."""
    open_table(dan, "Dan against bots", "3", "2011")
    dan.choose_deck("Rootmoot")
    dan.press("fill the free seats")
    dan.press("start the game")
    dan.wait_for_question()
    open_table(cleo, "Six at the long table", "6", "current")
    open_table(ben, "Friday night, casual", "4", "2011")
    ann.visit()
    ann.page.wait_for_selector(".rooms >> text=Friday")
    ann.page.locator("#main").click(position={"x": 2, "y": 2})
    ann.take("lobby")
    ann.page.locator(".rooms li", has_text="Friday").get_by_role("button", name="sit down").click()
    ann.press("own list")
    ann.page.fill(".editor textarea", FAULTY)
    ann.page.wait_for_selector(".verdict .refusal")
    ann.page.evaluate("() => scrollTo(0, 0)")
    ann.take("deck")
    for player in (ann, ben, cleo):
        player.press("leave")
        player.page.wait_for_selector(".lobby")
    dan.page.click(".main-menu > summary")
    dan.press("leave")
    dan.page.wait_for_selector(".lobby")


def play(players: list[Sitter]) -> None:
    """The seeded game, until all pictures of the table are there."""
    sit_down(list(players))
    while not {"combat", "division", "phone"} <= Sitter.taken:
        for player in players:
            dock = player.dock()
            if dock and dock["over"]:
                return
            if dock and dock["id"]:
                player.act()


def replay(players: list[Sitter]) -> None:
    """The game is given up by all but one; the first sees its combat again."""
    for player in players[1:]:
        player.page.click(".main-menu > summary")
        player.press("concede")
        player.press("really leave")
    ann = players[0]
    ann.page.wait_for_selector(".ended")
    ann.press("see it again")
    ann.page.wait_for_selector(".timeline")
    last = int(ann.page.get_attribute(".timeline input", "max") or 0)
    for step in range(last * 9 // 10, last):
        ann.page.fill(".timeline input", str(step))
        ann.page.wait_for_function(f"() => location.hash.includes('/{step}/')")
        if ann.page.locator(".arrow.attack").count() >= 2:
            break
    ann.page.mouse.move(5, 5)
    ann.take("replay")


if __name__ == "__main__":
    sys.exit(main())
