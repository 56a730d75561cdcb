"""A combat on three players and a planeswalker, attack and block, by mouse alone, by keys alone and by touch alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, table, told

WALKER = "800"
OWN = [str(110 + at) for at in range(5)]
THEIRS = ["210", "310", "410"]
REACHED = "selector => document.activeElement?.closest('[data-ids],[data-seat]')?.matches(selector) ?? false"

HERE = "() => { const { ids, seat } = document.activeElement.dataset; return `${ids} ${seat}`; }"

MARKED = "all => all.map((one) => one.dataset.ids ?? one.querySelector('[data-seat]').dataset.seat)"

STROKES = """all => all.map((one) => {
  const { strokeDasharray: dash, markerEnd: end } = getComputedStyle(one);
  return `${dash} ${end}`;
})"""


class Mouse:
    """Presses, and drags the last one."""

    context: dict[str, Any] = {}

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        """What lies there."""
        self.page.click(selector)

    def send(self, one: str, at: str) -> None:
        """A creature at whom or what it attacks or blocks."""
        self.press(tile(one))
        self.press(at)

    def done(self) -> None:
        """The button."""
        self.page.click("[data-primary]")


class Touch(Mouse):
    """Taps."""

    context = {"has_touch": True}

    def press(self, selector: str) -> None:
        self.page.tap(selector)

    def done(self) -> None:
        self.page.tap("[data-primary]")


class Keys(Mouse):
    """Arrows to where it lies, Enter, and the button by the space bar."""

    def press(self, selector: str) -> None:
        for _ in range(60):
            if self.page.evaluate(REACHED, selector):
                self.page.keyboard.press("Enter")
                return
            first, second = self.towards(selector)
            before = self.page.evaluate(HERE)
            self.page.keyboard.press(first)
            if self.page.evaluate(HERE) == before:
                self.page.keyboard.press(second)
        raise AssertionError(f"{selector} is not reached")

    def towards(self, selector: str) -> tuple[str, str]:
        """The arrow that leads there, and the other one."""
        x, y = self.page.evaluate(
            """selector => {
              const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
              const here = document.activeElement?.closest('[data-ids],[data-seat]');
              const to = middle(document.querySelector(selector));
              const from = here ? middle(here) : [0, 0];
              return [to[0] - from[0], to[1] - from[1]];
            }""",
            selector,
        )
        upright, across = "ArrowDown" if y > 0 else "ArrowUp", "ArrowRight" if x > 0 else "ArrowLeft"
        return (across, upright) if abs(x) > abs(y) else (upright, across)

    def done(self) -> None:
        self.page.keyboard.press("Space")


def tile(one: str) -> str:
    """A permanent, where it lies."""
    return f".tile[data-ids~='{one}']"


def who(seat: int) -> str:
    """A player's nameplate."""
    return f".who[data-seat='{seat}']"


def battle(page: Any) -> None:
    """Five creatures of ours, one of each of the others, and a planeswalker of the second."""
    known = list(faces())
    creature = {"zone": "battlefield", "types": ["creature"], "power": 2, "toughness": 4}
    things = {one: {**creature, "owner": 0, "controller": 0, "face": known[3 + at]} for at, one in enumerate(OWN)}
    things |= {
        one: {**creature, "owner": 1 + at, "controller": 1 + at, "face": known[10 + at]}
        for at, one in enumerate(THEIRS)
    }
    walker = {
        "zone": "battlefield",
        "types": ["planeswalker"],
        "loyalty": 4,
        "face": known[-1],
        "power": None,
        "toughness": None,
    }
    things[WALKER] = {**walker, "owner": 2, "controller": 2}
    told(page, type="patch", epoch=1, seq=1, patch={"objects": things, "battlefield": list(things), "combat": None})
    page.wait_for_function(f"() => document.querySelectorAll('.tile').length === {len(things)}")


@pytest.mark.rule("508.1b")
@pytest.mark.rule("509.1a")
@pytest.mark.parametrize("way", [Mouse, Keys, Touch])
def test_three_players_and_a_planeswalker_are_attacked_and_attackers_blocked(
    arrive: Callable[..., Player], way: type[Mouse]
) -> None:
    page = table(arrive("Ann", **way.context))
    battle(page)
    by = way(page)
    defenders = [{"kind": "player", "seat": seat} for seat in (1, 2, 3)] + [{"kind": "object", "id": WALKER}]
    head = {"kind": "attackers", "id": "a", "seat": 0, "purpose": "attackers", "prompt": {"key": "ask.attackers"}}
    attackers = [{"object": one, "defenders": defenders} for one in OWN]
    ask(page, {**head, "attackers": attackers, "default": {"kind": "attackers", "attacks": []}})
    marked = page.locator(".others .head.can, .others .tile.can").evaluate_all(MARKED)
    assert sorted(marked) == ["1", "2", "3", WALKER], "all that can be attacked"
    for one, at in zip(OWN, (who(1), tile(WALKER), who(3), who(2)), strict=False):
        by.send(one, at)
    # An arrow for each: what is drawn is what will be sent.
    page.wait_for_function("() => document.querySelectorAll('.arrow.draft').length === 4")
    by.done()
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    assert page.evaluate(ANSWERS)[0]["attacks"] == [[0, 0], [1, 3], [2, 2], [3, 1]]
    fight = {one: {"defender": {"kind": "player", "seat": 0}, "defending_player": 0} for one in THEIRS}
    told(page, type="patch", epoch=1, seq=2, patch={"active": 1, "combat": {"attackers": fight}})
    page.wait_for_function("() => document.querySelectorAll('.tile.attacking').length === 3")
    head = {"kind": "blockers", "id": "b", "seat": 0, "purpose": "blockers", "prompt": {"key": "ask.blockers"}}
    blockers = [{"object": one, "attackers": THEIRS} for one in OWN]
    ask(page, {**head, "blockers": blockers, "default": {"kind": "blockers", "blocks": []}})
    for one, at in zip(OWN, ("410", "210", "210"), strict=False):
        by.send(one, tile(at))
    page.wait_for_function("() => document.querySelectorAll('.arrow.blocks .line').length === 3")  # in the next frame
    attacks, blocks = (page.locator(f".arrow{one} .line").evaluate_all(STROKES) for one in (".attack", ".blocks"))
    assert len(blocks) == 3 and attacks and not {*attacks} & {*blocks}, "a block does not look like an attack"
    by.done()
    page.wait_for_function(f"() => ({ANSWERS})().length === 2")
    assert page.evaluate(ANSWERS)[1]["blocks"] == [[0, "410"], [1, "210"], [2, "210"]]
