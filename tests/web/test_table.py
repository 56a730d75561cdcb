"""What lies on the table: stacks of equal tokens split by number, attachments under their host, commanders by their nameplates."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, table, told
from tests.web.test_everyone import violations

CROWD = 12
PLACE = "() => document.querySelector('.mat.own .tile.many.can').getBoundingClientRect().toJSON()"
LABEL = ".mat.own .tile.many.can .tile-label"
BOXES = """() => {
  const box = (one) => { const { left, right, top, bottom } = one.getBoundingClientRect(); return { left, right, top, bottom }; };
  return [...document.querySelectorAll('.wearing')].map((one) => ({
    host: box(one.querySelector('.tile')),
    size: box(one.querySelector('.tile-pt') ?? one.querySelector('.tile-name')),
    worn: [...one.querySelectorAll('.worn')].map(box),
    field: box(one.closest('.field-rows')),
  }));
}"""


def settled(page: Any) -> str:
    """Where the stack lies, once nothing on its way there moves."""
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    return json.dumps(page.evaluate(PLACE))


def crowd(page: Any) -> dict[str, Any]:
    """Nothing but twelve equal tokens of ours, and the question which of them attack whom."""
    face = list(faces())[3]
    token = {"zone": "battlefield", "owner": 0, "controller": 0, "face": face, "types": ["creature"], "kind": "token"}
    made = {str(500 + at): {**token, "power": 1, "toughness": 1} for at in range(CROWD)}
    patch = {"objects": made, "battlefield": list(made), "combat": None}
    told(page, type="patch", epoch=1, seq=1, patch=patch)
    page.wait_for_selector(".mat.own .tile.many")
    defenders = [{"kind": "player", "seat": seat} for seat in (1, 2, 3)]
    head = {"kind": "attackers", "id": "a", "seat": 0, "purpose": "attackers", "prompt": {"key": "ask.attackers"}}
    attackers = [{"object": one, "defenders": defenders} for one in made]
    return {**head, "attackers": attackers, "default": {"kind": "attackers", "attacks": []}}


def test_a_stack_of_equal_tokens_is_split_by_number_and_does_not_move(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    ask(page, crowd(page))
    place = settled(page)
    page.click(".mat.own .tile.many.can")
    page.fill(".split input", "3")
    page.click(".defender >> nth=0")
    assert page.inner_text(LABEL) == "1×3"
    page.click(".mat.own .tile.many.can")
    for _ in range(3):
        page.locator(".split").get_by_role("button", name="more").click()
    page.click(".defender >> nth=1")
    assert page.inner_text(LABEL) == "1×3 2×4"
    assert page.locator(".mat.own .tile").count() == 1
    assert settled(page) == place
    page.keyboard.press("Escape")
    assert page.inner_text(LABEL) == "1×3 2×3"
    page.click(".defender >> nth=2")  # now whatever is pressed attacks the third
    page.click(".mat.own .tile.many.can")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("-")
    assert page.inner_text(LABEL) == "1×3 2×3 3×2"
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    sent = [defender for _, defender in page.evaluate(ANSWERS)[0]["attacks"]]
    assert sorted(sent) == [0, 0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_what_is_attached_lies_under_its_host_and_covers_nothing(
    arrive: Callable[..., Player], size: tuple[int, int]
) -> None:
    page = table(arrive("Ann", viewport={"width": size[0], "height": size[1]}))
    aura = {
        "zone": "battlefield",
        "owner": 0,
        "controller": 0,
        "face": list(faces())[-1],
        "types": ["enchantment", "aura"],
    }
    hosts = {"600": "119", "601": "119", "602": "119", "603": "100", "604": "215"}
    worn = {one: {**aura, "attached_to": host} for one, host in hosts.items()}
    ids = [str(100 * (seat + 1) + at) for seat in range(4) for at in range(0, 30, 3)] + ["119", "100", "215"]
    told(
        page,
        type="patch",
        epoch=1,
        seq=1,
        patch={"objects": worn, "battlefield": [*dict.fromkeys(ids), *worn], "combat": None},
    )
    page.wait_for_function("() => document.querySelectorAll('.wearing').length === 3")
    page.wait_for_timeout(100)
    shown = page.evaluate(BOXES)
    assert sorted(len(one["worn"]) for one in shown) == [1, 1, 3]
    for one in shown:
        for strip in one["worn"]:
            assert strip["top"] >= one["size"]["bottom"] - 1, "power and toughness are in sight"
            assert strip["top"] >= one["host"]["bottom"] - 6 and strip["bottom"] - strip["top"] >= 12
            assert strip["bottom"] <= one["field"]["bottom"] + 1 and strip["right"] <= one["field"]["right"]


def test_a_commander_stands_as_a_card_by_its_nameplate(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    cards = {
        str(700 + seat): {
            "zone": "command",
            "owner": seat,
            "controller": seat,
            "face": list(faces())[3 + seat],
            "types": ["creature"],
        }
        for seat in (0, 1)
    }
    cards["701"] |= {"tax": 4, "notes": {"color": "blue", "foretold": ""}, "colors": ["U"]}
    patch = {"objects": cards, "command": list(cards)}
    told(page, type="patch", epoch=1, seq=1, patch=patch)
    page.wait_for_selector(".mat.own .head .commander[data-ids='700']")
    theirs = page.locator(".commander[data-ids='701']")
    assert "costs {4} more" in theirs.locator(".sr").inner_text()
    assert theirs.locator(".commander-tax .mana").count() == 1
    assert page.locator(".mat.own .commander-tax").count() == 0
    told(page, type="patch", epoch=1, seq=2, patch={"players": {"0": {"commander_damage": {"1": 7}}}})
    page.wait_for_selector(".commander[data-ids='701'] .commander-dealt.s0")
    assert theirs.locator(".commander-dealt").inner_text() == "7"
    assert violations(page) == []
    theirs.hover()
    page.wait_for_selector(".zoom >> text=Warden of Gate 1")
    assert page.inner_text(".zoom .now") == "color: blue · foretold"
    assert "f-U" in page.get_attribute(".zoom .card", "class").split()
