"""An evening with cards that the server does not read: two people in browsers and one in the terminal play ten turns.

`python -m tests.web.by_hand_evening [TURNS [DECKS CARDS]]` serves, plays, takes the pictures of `docs/by-hand.md` on the way, and says
what was done: with cards of its own, or with the three decks of a file that have most such cards. Whoever must do something by hand
takes it from the palette, or types it; each of them proposes corrections and other words, some before the game.
"""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import TimeoutError as NotSeen

from bench.by_hand import listed as listed_as
from bench.by_hand import read
from server.cards.loading import paragraphs_by_hand
from server.command.library import open_library
from server.oracle.deck_coverage import read_decks
from tests.web.browser import ARGUMENTS, BROWSERS
from tests.web.player import PATIENCE_MS, Player
from tests.web.test_by_hand import CARDS, DECK, bring, serve

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pictures"
DESK = {"width": 1280, "height": 860}
PATIENCE_S = 120
SOON_MS = 3000
READ_S = 1.5
"""Nobody answers sooner what has just changed on a terminal; it would be taken for an answer to what was asked before."""
LINES = ("I gain 2 life", "draw a card", "create a 1/1 white Soldier creature token", "each opponent loses 1 life", "")
WORDINGS = ("Flying", "Vigilance", "Whenever this creature attacks, you gain 1 life.")


class Browsing(Player):
    """Somebody at the page, who notes what was done by hand and holds the camera."""

    done: Counter[str] = Counter()
    taken: set[str] = set()

    def __init__(self, *given: Any, **context: Any) -> None:
        super().__init__(*given, viewport=DESK, color_scheme="light", **context)
        self.ways = itertools.cycle(("life", "draw", "token", "done"))
        self.votes = 0
        self.called = ("", 0)
        """In which turn something was called, and how often."""

    def take(self, name: str) -> None:
        """One picture, once; of cards of our own."""
        if len(sys.argv) < 4 and name not in Browsing.taken:
            self.page.wait_for_timeout(400)
            self.page.screenshot(path=DOCS / f"{name}.png")
            Browsing.taken.add(name)

    def once(self) -> bool:
        """Answer what is asked, and agree to what is proposed; False if there was nothing."""
        if self.page.locator("[data-agree]").count() and self.vote():
            return True
        dock = self.dock()
        if dock is None or not dock["kind"] or dock["over"]:
            return False
        self.page.set_default_timeout(SOON_MS)
        try:
            if dock["kind"] == "act":
                self.by_hand()
            else:
                getattr(self, f"_{dock['kind']}", self._default)(dock)
        except NotSeen:
            self.done["was asked something else meanwhile"] += 1
            return False
        finally:
            self.page.set_default_timeout(PATIENCE_MS)
        self.page.wait_for_timeout(60)
        return True

    def vote(self) -> bool:
        """Say something of what was done or is proposed: yes, but to each eighth act no. False if it is over meanwhile."""
        what = self.page.locator(".vote:has([data-agree])").first.get_attribute("data-ballot")
        if what != "act":
            self.take("by-hand-ballot")
        self.votes += what == "act"
        against = what == "act" and self.votes % 8 == 0
        try:
            self.page.locator("[data-object]" if against else "[data-agree]").first.click(timeout=SOON_MS)
        except NotSeen:
            return False
        self.done[f"{'objected' if against else 'agreed'} in the page: {what}"] += 1
        self.page.wait_for_timeout(100)
        return True

    def _priority(self, dock: dict[str, Any]) -> None:
        """A land or a spell first; a paragraph by hand is called twice in a turn."""
        turn = self.page.inner_text(".topbar .turn strong")
        called = self.called[1] if self.called[0] == turn else 0
        play = [at for at, words in dock["actions"] if re.match(r"(?:play|cast)\b", words, re.IGNORECASE)]
        if play:
            self.page.click(f".actions [data-action='{play[0]}']")
        elif called < 2 and self.page.locator(".call-actions").count():
            self.called = (turn, called + 1)
            if not self.page.locator(".call-actions[open]").count():
                self.page.click(".call-actions > summary")
            self.page.locator(".call-actions [data-action]").first.click()
        else:
            self.confirm()

    def by_hand(self) -> None:
        """One act from the palette, or the end of them; nothing while the last one waits for objections."""
        if self.page.locator("[data-done][disabled]").count():
            return
        way = next(self.ways)
        if way == "done":
            self.page.click("[data-done]")
            self.done["done in the page"] += 1
            return
        self.page.click(f"[data-act={way}]")
        if way == "token":
            self.page.get_by_label("What (in English)").fill("1/1 white Soldier creature")
        self.take("by-hand-palette")
        self.page.click(".act .primary")
        self.done[f"act in the page: {way}"] += 1

    def propose(self, turn: int) -> None:
        """A correction, or other words for a card."""
        if self.page.locator(".vote").count():
            return
        if not self.page.locator(".mending[open]").count():
            self.page.click(".mending > summary")
        card = self.page.locator(".hand .tile", has_text="Kin of")
        if turn % 2 and card.count():
            self.page.locator("[data-form=reword] input").first.focus()
            card.first.click()
            self.page.fill("[data-form=reword] textarea", WORDINGS[turn // 2 % len(WORDINGS)])
            self.take("by-hand-rewording")
            button = self.page.locator("[data-form=reword] .primary:not([disabled])")
            if button.count():
                button.click()
                self.done["other words proposed in the page"] += 1
        else:
            self.page.locator("[data-form=correct] input[type=number]").fill(str(30 + turn))
            self.page.click("[data-form=correct] .primary")
            self.done["correction proposed in the page"] += 1
        self.page.click(".mending > summary")


class Terminal:
    """Somebody in the terminal, line by line over a pseudo-terminal."""

    def __init__(self, link: str, deck: Path) -> None:
        self.near, far = pty.openpty()
        words = [sys.executable, "-m", "server.command.main", "play", link, "--name", "Cleo", "--plain", "--lang", "en"]
        self.process = subprocess.Popen(words, stdin=far, stdout=far, stderr=far, env={**os.environ, "TERM": "dumb"})
        os.close(far)
        self.text, self.read, self.deck = "", 0, deck
        self.lines = itertools.cycle(LINES)
        self.done: Counter[str] = Counter()

    def say(self, line: str) -> None:
        """Type a line."""
        self.read = len(self.text)
        os.write(self.near, f"{line}\n".encode())

    def listen(self, seconds: float) -> str:
        """What was printed since the last line typed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and select.select([self.near], [], [], 0.05)[0]:
            try:
                self.text += os.read(self.near, 65536).decode(errors="replace")
            except OSError:
                break
        return self.text[self.read :]

    def once(self) -> bool:
        """Answer what is asked; False if nothing is."""
        new = self.listen(0.3)
        if "“object” says no to it" in new:
            self.say("yes")
            self.done["let it stand in the terminal"] += 1
            return True
        asked = [line for line in new.splitlines() if line.startswith("> ") or "Choose a number" in line]
        if not asked:
            return False
        tail = new[-3000:]
        if "1. agree" in tail and "2. do not agree" in tail or "1. let it stand" in tail:
            self.say("1")
            self.done["agreed in the terminal"] += 1
        elif "1. pass all the same" in tail or re.search(r"^! ", tail, re.MULTILINE):
            self.say("1")
        elif "Do what it says" in tail:
            line = next(self.lines)
            self.say(line)
            self.done["act in the terminal" if line else "done in the terminal"] += 1
        else:
            play = re.findall(r"^\s+(\d+)\. (cast|play) ", tail, re.MULTILINE)
            self.say(min(play, key=lambda one: one[1])[0] if play else "")
        return True


def sit_down(browser: Any, url: str, folder: Path, decks: Sequence[str]) -> tuple[Browsing, Browsing, Terminal]:
    """A table of three that plays by hand what is not read."""
    ann, ben = Browsing(browser, url, "Ann"), Browsing(browser, url, "Ben")
    ann.visit()
    ann.press("another kind of table")
    ann.page.fill("input[name=seed]", "4")
    ann.page.get_by_label("Players").fill("3")
    ann.page.get_by_label("Starting life").fill("300")
    ann.press("open it")
    ann.page.wait_for_selector(".gather")
    link = ann.invitation()
    ben.come_to(link)
    ben.press("sit down")
    for player, own in ((ann, decks[0]), (ben, decks[1])):
        bring(player, own)
    deck = folder / "deck.txt"
    deck.write_text(decks[2], encoding="utf-8")
    cleo = Terminal(link, deck)
    for _ in range(100):
        if "Cleo" in cleo.listen(0.3):
            break
    cleo.say(f":deck {deck}")
    beforehand(ann, ben, cleo)
    for _ in range(10):
        time.sleep(READ_S)
        cleo.listen(0.3)
        ready = re.findall(r"(\d+)\. (not ready|ready)", cleo.text)
        if ready and ready[-1][1] == "not ready":
            break
        cleo.say(ready[-1][0] if ready else "2")
    ann.press("start the game")
    for player in (ann, ben):
        player.page.wait_for_selector(".table")
    return ann, ben, cleo


def beforehand(ann: Browsing, ben: Browsing, cleo: Terminal) -> None:
    """Before the game one proposes other words for a card, and all agree."""
    for _ in range(100):
        if "your own" in cleo.listen(0.3) or "own" in cleo.text[-400:]:
            break
    ann.page.click(".beforehand summary")
    paragraphs = ann.page.locator("[data-form=reword-deck] select")
    paragraphs.select_option(value=paragraphs.locator("option").last.get_attribute("value"))
    ann.page.fill("[data-form=reword-deck] textarea", WORDINGS[0])
    ann.page.click("[data-form=reword-deck] .primary")
    ben.page.click("[data-rewording] [data-agree]")
    for _ in range(100):
        cleo.listen(0.3)
        agree = re.findall(r"(\d+)\. agree: ", cleo.text)
        if agree:
            cleo.listen(0.1)
            time.sleep(READ_S)
            cleo.say(agree[-1])
            break
    ann.page.wait_for_selector("[data-rewording] >> text=All agree")
    ann.take("by-hand-before")
    ann.done["other words agreed to before the game"] += 1


def play(ann: Browsing, ben: Browsing, cleo: Terminal, turns: int) -> int:
    """To that turn; how many turns it came to."""
    proposed, moved, turn = 0, time.monotonic(), 0
    began = moved
    while turn <= turns and time.monotonic() - moved < PATIENCE_S:
        if any([ann.once(), ben.once(), cleo.once()]):
            moved = time.monotonic()
        said = re.sub(r"\D", "", ann.page.inner_text(".topbar .turn strong"))
        turn = int(said or 0)
        if turn > proposed:
            proposed = turn
            (ann, ben)[turn % 2].propose(turn)
        if os.environ.get("EVENING"):
            print(round(time.monotonic() - began), turn, ann.dock(), ben.dock(), repr(cleo.text[-120:]), flush=True)
        if ann.page.locator(".ended").count():
            break
    if turn <= turns:
        print("stands at turn", turn, ann.dock(), ben.dock(), cleo.text[-1500:])
    return turn


def brought(folder: Path) -> tuple[list[str], Path]:
    """Three decks, and a card list of their cards."""
    if len(sys.argv) < 4:
        listed = folder / "own.jsonl"
        listed.write_text("\n".join(map(json.dumps, CARDS)), encoding="utf-8")
        return [DECK] * 3, listed
    library = open_library(folder, [Path(sys.argv[3])])
    most: list[tuple[int, str]] = []
    for deck in read_decks(Path(sys.argv[2])):
        partly = read(deck, library, True) if deck.format != "commander" else None
        if partly is not None:
            most.append((sum(bool(paragraphs_by_hand(card)) for card in partly.cards), listed_as(deck)))
    found = [deck for _, deck in sorted(most, reverse=True)[:3]]
    library.close()
    wanted = {name for deck in found for name in re.findall(r"^\d+ (.+)$", deck, re.MULTILINE)}
    listed = folder / "own.jsonl"
    lines = Path(sys.argv[3]).read_text(encoding="utf-8").splitlines()
    listed.write_text("\n".join(line for line in lines if json.loads(line)["name"] in wanted), encoding="utf-8")
    return found, listed


def main() -> int:
    """An evening."""
    from playwright.sync_api import sync_playwright

    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    browser_path = next(filter(None, map(shutil.which, BROWSERS)))
    reached, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        folder = Path(data)
        decks, listed = brought(folder)
        for url in serve(folder, listed):
            browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
            ann, ben, cleo = sit_down(browser, url, folder, decks)
            reached = play(ann, ben, cleo, turns)
            ann.take("by-hand-table")
            cleo.process.terminate()
            print(f"{time.monotonic() - began:.0f} s; turn {reached}; faults: {ann.faults + ben.faults}")
            print(dict(Browsing.done), dict(cleo.done))
    return 0 if reached > turns else 1


if __name__ == "__main__":
    sys.exit(main())
