"""Takes the twelve pictures of the table: `python -m tests.web.views`. One game against three bots, seeded, at one moment of it, in four
sizes, dark and light; and the opening hand, a choice of target, the first visit and the tour.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.web.browser import ARGUMENTS, BROWSERS
from tests.web.player import Player

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZES = ((1280, 800), (1920, 1080), (844, 390), (390, 844))
FIRST = SIZES[0]
SEED = "5"
LATE = 30
"""Turns after which a picture of combat is taken as it comes."""
CROWD = 3
"""Creatures of ours that make a combat worth a picture."""


def take(page: Any, name: str, size: tuple[int, int], scheme: str) -> None:
    """One picture, of that size, dark or light."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)
    page.screenshot(path=DOCS / f"{name}-{size[0]}x{size[1]}-{scheme}.png")


def arrived(player: Player) -> None:
    """The first visit, and the tour."""
    page = player.page
    page.set_viewport_size({"width": FIRST[0], "height": FIRST[1]})
    page.goto(player.url)
    page.wait_for_selector(".showing .tile.attacking")
    take(page, "first", FIRST, "light")
    page.click("[data-tour]")
    while player.wait_for_question()["kind"] != "attackers":
        player.act()
    take(page, "tour", FIRST, "dark")
    page.click("[data-leave-tour]")
    page.wait_for_selector(".lobby")


def seated(player: Player) -> None:
    """A table with three bots, begun: the opening hand."""
    player.visit()
    player.press("another kind of table")
    player.page.fill("input[name=seed]", SEED)
    player.press("open it")
    player.choose_deck("rootmoot")
    player.press("fill the free seats")
    player.press("start the game")
    player.wait_for_question("confirm")
    take(player.page, "opening", FIRST, "dark")
    player.page.set_viewport_size({"width": FIRST[0], "height": FIRST[1]})


def aimed(player: Player) -> bool:
    """A choice of target, with its arrow."""
    page = player.page
    if not page.locator(".stack .stack-item").count():
        return False
    others = page.locator(".others .tile.can, .others .head.can .who")
    if not others.count():
        return False
    others.nth(others.count() - 1).hover()
    page.wait_for_selector(".dragged.on", state="attached")
    page.wait_for_timeout(600)
    page.screenshot(path=DOCS / f"target-{FIRST[0]}x{FIRST[1]}-light.png")
    return True


def fought(player: Player) -> None:
    """Attackers drafted at all the others, in every size."""
    page = player.page
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.reload()  # as on a screen that has been so from the beginning
        player.wait_for_question("attackers")
        page.keyboard.press("s")
        page.wait_for_selector(".arrow.draft")
        for scheme in ("dark", "light"):
            take(page, "attack", size, scheme)


def play(player: Player) -> None:
    """Until a target has been chosen and a combat is worth it."""
    page = player.page
    page.emulate_media(color_scheme="light")
    targeted = False
    while True:
        dock = player.wait_for_question()
        assert not dock["over"], "it ended before there was a combat worth a picture"
        if dock["kind"] == "choose" and not targeted:
            targeted = aimed(player)
        if dock["kind"] == "attackers":
            turn = int(re.sub(r"\D", "", page.inner_text(".topbar .turn strong")))
            if page.locator(".mat.own .tile.can").count() >= CROWD or turn > LATE:
                fought(player)
                return
        player.act()


def main() -> int:
    """Serve, play, and take them."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", data]
        rules = {**os.environ, "APNAP_GAMES_PASS_SECONDS": "0.02"}
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=rules) as server:
            assert server.stdout is not None
            url = next(line for line in server.stdout if "on this computer:" in line).split()[-1] + "/"
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            try:
                ann = Player(browser, url, "Ann", color_scheme="dark")
                arrived(ann)
                seated(ann)
                play(ann)
            finally:
                browser.close()
                server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
