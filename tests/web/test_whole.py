"""A whole game against a bot by mouse alone, on a desk, and by thumb alone, on a phone held upright: not one key is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player

SEED = "11"
LIFE = "9"
ACTS = 300
"""More than the game has."""
LAID = """id => document.querySelector('.dock')?.dataset.qid !== id || document.querySelector('.hand .tile.picked')"""
"""A card that was pressed is played, or shows the several things that can be done with it."""
EDGE = {"x": 12, "y": 24}
"""Where cards lie like a fan, this much of each is in sight."""
KEYS = "() => { window.keys = 0; addEventListener('keydown', () => { window.keys += 1; }, true); }"


class Mouse(Player):
    """Points at cards, nameplates and buttons where they lie."""

    screen: dict[str, Any] = {}

    def __init__(self, *given: Any, **context: Any) -> None:
        super().__init__(*given, **self.screen, **context)
        self.done: set[str] = set()

    def point(self, selector: str, **more: Any) -> None:
        """Press what lies there."""
        self.page.click(selector, **more)

    def confirm(self) -> None:
        self.point("[data-primary]:not([disabled])")

    def _priority(self, dock: dict[str, Any]) -> None:
        """The first card in hand that can be played, or the button."""
        if not self.page.locator(".hand .tile.can").count():
            self.confirm()
            return
        self.point(".hand .tile.can >> nth=0", position=EDGE)
        self.page.wait_for_function(LAID, arg=dock["id"])
        if self.page.locator(f".dock[data-qid='{dock['id']}']").count():
            self.point(".actions [data-action]:visible >> nth=0")
        self.done.add("card")

    def _choose(self, dock: dict[str, Any]) -> None:
        """A target on the table, where it can be pressed there; else in the list."""
        if dock["immediate"] and self.page.locator(".others .head.can .who, .others .tile.can").count():
            self.point(".others .head.can .who, .others .tile.can >> nth=0")
            self.done.add("target")
            return
        if dock["immediate"]:
            self.point("[data-option='0']")
            return
        for index, _ in dock["options"]:
            if self.page.locator("[data-primary]:not([disabled])").count():
                break
            self.point(f"[data-option='{index}']")
        self.confirm()

    def _attackers(self, dock: dict[str, Any]) -> None:
        """All of ours at the one opponent."""
        while self.page.locator(".mat.own .tile.can:not(.edge)").count():
            self.point(".mat.own .tile.can:not(.edge) >> nth=0")
            self.done.add("attack")
        self.confirm()

    def _blockers(self, dock: dict[str, Any]) -> None:
        """One of ours blocks one of theirs."""
        self.point(".mat.own .tile.can >> nth=0")
        self.point(".others .tile.can >> nth=0")
        self.page.wait_for_selector(".arrow.draft", state="attached")
        self.done.add("block")
        self.confirm()


class Thumb(Mouse):
    """Taps, on a phone."""

    screen = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def point(self, selector: str, **more: Any) -> None:
        self.page.tap(selector, **more)


@pytest.mark.parametrize("way", [Mouse, Thumb])
def test_a_whole_game_is_played_without_a_key(arrive: Callable[..., Any], way: type[Mouse]) -> None:
    ann = arrive("Ann", kind=way)
    ann.page.add_init_script(f"({KEYS})()")
    ann.page.goto(ann.url)
    ann.page.fill("input[name=name]", "Ann")
    ann.point("button >> text=another kind of table")
    ann.page.fill("input[name=seed]", SEED)
    ann.page.get_by_label("Two to ten players").fill("2")
    ann.page.get_by_label("Starting life").fill(LIFE)
    ann.page.get_by_label("Bots take their time").uncheck()
    ann.point("button >> text=open it")
    ann.page.wait_for_selector(".gather")
    ann.point("button.deck:has-text('Emberclan')")
    ann.page.wait_for_selector("button.deck[aria-pressed=true]")
    ann.point("button >> text=fill the free seats")
    ann.point("button.primary:not([disabled]) >> text=start the game")
    for _ in range(ACTS):
        if ann.act() == "over":
            break
    assert ann.dock()["over"], "the game has an end"
    assert ann.done >= {"card", "attack", "block"}, ann.done
    assert ann.page.evaluate("() => window.keys") == 0
