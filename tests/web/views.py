"""Takes the twelve pictures of the table: `python -m tests.web.views`. Of seeded games against three bots: an attack and blocks, each in
four sizes, dark and light; and the opening hand, a choice of target, the first visit and the tour.
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
SCHEMES = ("dark", "light", "dark", "light")
"""Of each size one scene is dark and the other one light."""
GANG = "a1"
"""The keys by which all that can block the first attacker."""
SEEDS = {"attackers": "14", "blockers": "5"}
"""Games in which there is an attack, and in which there are blocks, worth a picture."""
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


def seated(player: Player, seed: str) -> None:
    """A table with three bots, begun."""
    player.visit()
    player.press("another kind of table")
    player.page.fill("input[name=seed]", seed)
    player.press("open it")
    player.choose_deck("rootmoot")
    player.press("fill the free seats")
    player.press("start the game")
    player.wait_for_question("confirm")


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


def scene(player: Player, name: str, keys: str, drawn: str, shots: tuple[tuple[tuple[int, int], str], ...]) -> None:
    """What the keys draft, in each of these sizes, dark or light."""
    page = player.page
    for size, scheme in shots:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.reload()  # as on a screen that has been so from the beginning
        player.wait_for_question(name)
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_selector(drawn)
        take(page, {"attackers": "attack", "blockers": "block"}[name], size, scheme)
    page.set_viewport_size({"width": FIRST[0], "height": FIRST[1]})
    page.emulate_media(color_scheme="light")


def is_worth_it(page: Any) -> bool:
    """Whether a combat of ours is one to look at: a crowd, or late."""
    turn = int(re.sub(r"\D", "", page.inner_text(".topbar .turn strong")))
    return page.locator(".mat.own .tile.can").count() >= CROWD or turn > LATE


def is_deadly(page: Any) -> bool:
    """Whether somebody dies if all that can block the first attacker do, several of them."""
    several = page.locator(".mat.own .tile.can").count() > 1
    for key in GANG:
        page.keyboard.press(key)
    page.wait_for_timeout(600)
    return several and page.locator(".tile.dies").count() > 0 and page.locator(".arrow.draft").count() > 0


def play(player: Player, wanted: set[str]) -> None:
    """Until there is a picture of all that is wanted: a choice of target, an attack, blocks."""
    page = player.page
    page.emulate_media(color_scheme="light")
    while wanted:
        dock = player.wait_for_question()
        assert not dock["over"], f"it ended before there was a picture of {wanted}"
        kind = dock["kind"]
        if kind in wanted and kind == "choose" and aimed(player):
            wanted.remove(kind)
        if kind in wanted and kind == "attackers" and is_worth_it(page):
            scene(player, kind, "s", ".arrow.draft", tuple(zip(SIZES, SCHEMES, strict=True)))
            wanted.remove(kind)
        if kind == "blockers" and is_deadly(page) and kind in wanted:
            scene(player, kind, GANG, ".tile.dies", tuple(zip(SIZES, reversed(SCHEMES), strict=True)))
            wanted.remove(kind)
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
                seated(ann, SEEDS["attackers"])
                take(ann.page, "opening", FIRST, "dark")
                play(ann, {"attackers"})
                ann.context.close()
                again = Player(browser, url, "Ann", color_scheme="dark")
                seated(again, SEEDS["blockers"])
                play(again, {"choose", "blockers"})
            finally:
                browser.close()
                server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
