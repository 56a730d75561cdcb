"""Tables of every size, on every screen: who sits where, whose turn and clock it is, who attacks whom; and where one is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.big import NAMES
from tests.web.player import Player
from tests.web.test_everyone import attackers, violations
from tests.web.test_measures import at_the_big_table

DESK = {"width": 1440, "height": 900}
HEADERS = """() => [...document.querySelectorAll('.others .mat, .mat.own')].map((mat) => {
  const frame = mat.getBoundingClientRect();
  const seen = (part) => {
    const element = mat.querySelector(part);
    if (!element) return '';
    const box = element.getBoundingClientRect();
    return box.left >= frame.left && box.right <= frame.right ? element.innerText.trim() : 'cut off';
  };
  return [seen('.who strong'), seen('.life').split(/\\s+/).at(-1), seen('.seat-clock'), seen('.tag.attacked')];
})"""
HIDDEN = """() => [...document.querySelectorAll('.field-rows')].filter((rows) => rows.scrollHeight > rows.clientHeight + 1).length"""


WITHIN = """one => {
  const [box, mat] = [one, one.closest('.mat')].map((each) => each.getBoundingClientRect());
  return box.width > 0 && box.left >= mat.left && box.right <= mat.right && box.bottom <= mat.bottom;
}"""


def told(page: Any, message: dict[str, Any]) -> None:
    """As if the server said it."""
    page.evaluate("message => window.socket.tell(message)", message)


def at_all(seats: int) -> dict[str, Any]:
    """A question for attackers, who can attack everybody else."""
    asked = attackers()
    for one in asked["question"]["attackers"]:
        one["defenders"] = [{"kind": "player", "seat": seat} for seat in range(1, seats)]
    return asked


@pytest.mark.parametrize("seats", [5, 6, 8, 10])
def test_everybody_is_seen_with_life_clock_and_attackers(arrive: Callable[..., Player], seats: int) -> None:
    page = at_the_big_table(arrive("Ann", viewport=DESK), seats)
    banks = {str(seat): 60_000 * (seat + 1) for seat in range(seats)}
    told(page, {"type": "clock", "seat": 1, "by": "bank", "left_ms": 75_000, "banks": banks})
    page.wait_for_selector(".seat-clock.runs")
    headers = page.evaluate(HEADERS)
    assert [name for name, *_ in headers] == [*NAMES[1:seats], NAMES[0]]
    assert [life for _, life, *_ in headers] == ["20"] * seats
    assert [clock for *_, clock, _ in headers][1:] == [*(f"{seat + 1}:00" for seat in range(2, seats)), "1:00"]
    attacked = [count.split("\n")[0] for *_, count in headers]
    assert attacked == ["⚔ 3"] * 3 + [""] * (seats - 3)
    assert page.evaluate(HIDDEN) == 0, "every permanent is in sight"
    told(page, attackers())
    page.wait_for_selector(".defender")
    assert violations(page) == []


@pytest.mark.parametrize("seats", [4, 10])
def test_on_a_phone_held_upright_the_button_is_whole_in_sight(arrive: Callable[..., Player], seats: int) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 390, "height": 844}), seats)
    told(page, at_all(seats))
    page.wait_for_selector(".defender")
    page.keyboard.press("s")
    page.wait_for_selector(".arrow.draft")
    page.evaluate("() => { document.querySelector('.side').scrollTop = 0; }")
    button = page.locator("[data-primary]").bounding_box()
    assert button["y"] + button["height"] <= 844
    there = "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-primary]') !== null"
    assert page.evaluate(there, [button["x"] + button["width"] / 2, button["y"] + button["height"] - 3])


ATTACKED = """() => [...document.querySelectorAll('.head.can .who, .tag.attacked')].filter((one) => {
  const box = one.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return there !== one && !one.contains(there) && !there?.contains(one);
}).length"""
"""Of those who are or can be attacked, how many are out of sight."""


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_on_a_phone_held_upright_whom_one_attacks_is_in_sight(arrive: Callable[..., Player], seats: int) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 390, "height": 844}, has_touch=True), seats)
    page.wait_for_selector(".tag.attacked")
    assert page.evaluate(ATTACKED) == 0, "while creatures attack"
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": {"combat": None}})
    told(page, at_all(seats))
    page.wait_for_selector(".defender")
    assert page.locator(".head.can").count() == seats - 1
    assert page.evaluate(ATTACKED) == 0, "while it is asked who is to be attacked"
    page.tap(".mat.own .tile.can >> nth=0")
    page.tap(".others .head.can .who >> nth=0")
    page.wait_for_selector(".arrow.draft")


def test_on_a_phone_held_upright_the_log_is_behind_its_tab(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 390, "height": 844}))
    line = {"kind": "attack", "key": "event.attack", "args": {"card": "Warden", "card_id": "110", "target": "Ben"}}
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "events": [line]})
    assert not page.locator(".log").count()
    page.get_by_role("tab", name="Log").click()
    page.wait_for_selector(".log >> text=Warden")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844), (1280, 800)])
def test_what_is_said_is_sent_by_a_button_that_is_whole_in_sight(
    arrive: Callable[..., Player], width: int, height: int
) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": width, "height": height}))
    page.get_by_role("tab", name="Chat").click()
    box = page.locator(".chat button").bounding_box()
    assert box["width"] >= 40 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_who_is_out_leaves_the_room_to_the_others(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport=DESK))
    width = "() => [...document.querySelectorAll('.others .mat')].map((mat) => mat.clientWidth)"
    before = page.evaluate(width)
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": {"players": {"2": {"lost": True}}}})
    page.wait_for_selector(".mat.lost")
    ben, cleo, dan = page.evaluate(width)
    assert cleo < before[1] / 2 and ben > before[0] < dan
    told(page, {"type": "patch", "epoch": 1, "seq": 2, "patch": {"players": {"0": {"lost": True}}}})
    page.wait_for_selector(".mat.own.lost")
    heights = page.evaluate("() => ['.others .mat', '.mat.own'].map((one) => document.querySelector(one).clientHeight)")
    assert heights[0] > 8 * heights[1]


def test_on_a_phone_held_across_who_is_out_keeps_the_whole_name(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 844, "height": 390}))
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": {"players": {"2": {"lost": True}}}})
    name = page.locator(".mat.lost .who strong")
    name.wait_for()
    assert name.inner_text() == "Cleo" and name.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert "out" in page.locator(".mat.lost .tag.out .tag-sign").inner_text()
    assert page.locator(".mat.lost .tag.out").evaluate(WITHIN)


def test_on_a_phone_held_upright_nothing_moves_under_a_finger(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 390, "height": 844}, has_touch=True))
    told(page, {"type": "patch", "epoch": 1, "seq": 1, "patch": {"players": {"0": {"hand": ["110", "111"]}}}})
    place = (
        "() => { const box = document.querySelector('.hand').getBoundingClientRect(); return [box.top, box.height]; }"
    )
    before = page.evaluate(place)
    told(page, attackers())
    page.wait_for_selector(".defender")
    assert page.evaluate(place) == before
    own = page.evaluate(
        "() => [document.querySelector('.mat.own .tile').getBoundingClientRect().top,"
        " document.querySelector('.board').getBoundingClientRect().bottom]"
    )
    assert own[0] < own[1], "own creatures are in sight while they are asked about"
    assert page.inner_text(".step-now") == "Attack"
    cut = "() => [...document.querySelectorAll('.step')].filter((e) => getComputedStyle(e).fontSize !== '0px').length"
    assert page.evaluate(cut) == 0, "no name of a step is cut off"


def test_stops_are_set_for_ones_own_turns_for_others_and_for_one_player(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport=DESK))
    page.evaluate(
        "() => { const send = socket.send; socket.said = [];"
        " socket.send = (t) => { socket.said.push(JSON.parse(t)); send.call(socket, t); }; }"
    )
    page.get_by_role("button", name="Upkeep step. Stop here on your turns").click()
    page.click(".stops-menu summary")
    page.get_by_label("Turns of others: end step").click()
    page.get_by_role("button", name="own stops for the turns of Cleo").click()
    page.get_by_label("Cleo: draw step").click()
    said = page.evaluate("() => socket.said.filter((one) => one.type === 'stops').at(-1)")
    assert "upkeep" in said["mine"] and "end" not in said["others"]
    assert said["seats"] == {"2": ["draw", *said["others"]]}
    assert violations(page) == []


@pytest.mark.rule("508.1g", "509.1d")
def test_what_attacking_whom_and_blocking_costs_stands_in_the_question(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann"))
    asked = attackers()
    asked["question"]["attackers"] = [{**one, "costs": ["", "{2}", ""]} for one in asked["question"]["attackers"]]
    told(page, asked)
    page.wait_for_selector(".defender .cost")
    lines = [line.inner_text() for line in page.query_selector_all(".defender-name")]
    assert ["costs" in line for line in lines] == [False, True, False] and lines[1].startswith("Cleo")
    assert page.query_selector(".defender .cost [aria-label]") is not None
    asked["question"] |= {
        "id": "q2",
        "kind": "blockers",
        "default": {"kind": "blockers", "blocks": []},
        "blockers": [{"object": "119", "attackers": ["210"], "cost": "{3}"}, {"object": "120", "attackers": ["210"]}],
    }
    del asked["question"]["attackers"]
    told(page, asked)
    page.wait_for_selector(".hint[data-cost='119'] .cost")
    assert page.query_selector(".hint[data-cost='120']") is None


UNDER = """() => {
  const badges = [...document.querySelectorAll('.mat .who .tag, .mat .who .seat-dot')].map((one) => one.getBoundingClientRect());
  let crossed = 0, covered = 0;
  for (const path of document.querySelectorAll('.arrow .line')) {
    path.style.pointerEvents = 'stroke';
    for (let at = 0; at < path.getTotalLength(); at += 1) {
      const { x, y } = path.getPointAtLength(at);
      if (!badges.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom)) continue;
      crossed += 1;
      covered += document.elementFromPoint(x, y)?.closest('.arrows') ? 1 : 0;
    }
  }
  return [crossed > 0, covered];
}"""
"""Whether arrows cross badges, and at how many points they lie over them."""


def test_on_a_phone_arrows_pass_beneath_badges_and_what_is_left_out_is_counted(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", viewport={"width": 390, "height": 844}))
    told(page, at_all(4))
    page.wait_for_selector(".defender")
    page.keyboard.press("s")
    page.wait_for_selector(".arrow.draft")
    assert page.evaluate(UNDER) == [True, 0]
    page.wait_for_selector(".others .all-permanents")
    assert [one.inner_text() for one in page.locator(".others .all-permanents > [aria-hidden]").all()] == ["▦ 30"] * 3
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".all-permanents", state="hidden")
