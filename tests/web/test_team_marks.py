"""Teams are marked on the table: who plays with whom, who leads, and who is out of one's range of influence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_everyone import violations
from tests.web.test_measures import at_the_big_table

COLOURS = """() => Object.fromEntries([...document.querySelectorAll('.mat')].map((mat) =>
  [mat.querySelector('[data-seat]').dataset.seat, getComputedStyle(mat).borderLeftColor]))"""


def divided(player: Player, **parts: Any) -> Any:
    """A table of six, divided so."""
    page = at_the_big_table(player, 6)
    patch = {"teams": [0, 0, 0, 1, 1, 1], **parts}
    page.evaluate("message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 1, "patch": patch})
    page.wait_for_selector(".tag.team")
    return page


@pytest.mark.rule("809.5")
def test_each_player_carries_the_mark_of_their_team_and_who_leads_it(arrive: Callable[..., Player]) -> None:
    page = divided(arrive("Ann", viewport={"width": 1920, "height": 1080}), emperors=[1, 4])
    marks = page.locator(".who .tag.team").evaluate_all("all => all.map((one) => one.dataset.team)")
    assert sorted(marks) == ["0", "0", "0", "1", "1", "1"]
    for seat in range(6):
        mark = page.locator(f".who[data-seat='{seat}'] .tag.team").inner_text()
        assert ("emperor" in mark) == (seat in (1, 4)) and ("with you" in mark) == (seat in (1, 2))
    colours = page.evaluate(COLOURS)
    assert len(set(colours.values())) == 2 and len({colours["0"], colours["1"], colours["2"]}) == 1
    assert violations(page) == []


COVERED = """() => {
  const read = [...document.querySelectorAll('.who :is(.seat-dot, strong, .life)')].map((one) => one.getBoundingClientRect());
  const touch = (a) => read.some((b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top);
  const numbers = [...document.querySelectorAll('.arrow.ribbon text')].map((one) => one.getBoundingClientRect());
  const lines = [...document.querySelectorAll('.arrow.ribbon .line')].flatMap((line) =>
    Array.from({ length: 50 }, (_, at) => line.getPointAtLength((line.getTotalLength() * at) / 49))
      .map(({ x, y }) => new DOMRect(x - 3, y - 3, 6, 6)));
  return [numbers.filter(touch).length, lines.filter(touch).length];
}"""
"""How many numbers of ribbons, and points of the ribbons themselves, lie on a name, a seat's number or a life total."""


@pytest.mark.rule("810.7b")
@pytest.mark.parametrize("attacked", [2, 3])
def test_two_heads_that_attack_together_cover_no_nameplate(arrive: Callable[..., Player], attacked: int) -> None:
    page = at_the_big_table(arrive("Ann"))
    sent = ("110", "111", "112", "210", "211")
    fight = {one: {"defender": {"kind": "player", "seat": attacked}, "defending_player": attacked} for one in sent}
    lying = [str(100 * (seat + 1) + at) for seat in range(4) for at in range(8, 15)]
    patch = {"teams": [0, 0, 1, 1], "shared_turns": True, "battlefield": lying, "combat": None}
    for seq, parts in enumerate((patch, {"combat": {"attackers": fight}}), 1):
        page.evaluate("m => window.socket.tell(m)", {"type": "patch", "epoch": 1, "seq": seq, "patch": parts})
    page.wait_for_function("() => document.querySelectorAll('.arrow.ribbon text').length === 2")
    assert sorted(page.locator(".arrow.ribbon text").all_text_contents()) == ["2 ⚔ 4", "3 ⚔ 6"]
    assert page.evaluate(COVERED) == [0, 0]


@pytest.mark.rule("801.2")
def test_who_is_out_of_range_is_marked_and_comes_into_it_as_players_leave(arrive: Callable[..., Player]) -> None:
    page = divided(arrive("Ann"), ranges=[1, 2, 1, 1, 2, 1])
    beyond = (
        "() => [...document.querySelectorAll('.mat.beyond [data-seat]')].map((one) => one.dataset.seat).sort().join()"
    )
    page.wait_for_function(f"() => ({beyond})() === '2,3,4'")
    gone = {"players": {"1": {"lost": True}}}
    page.evaluate("message => window.socket.tell(message)", {"type": "patch", "epoch": 1, "seq": 2, "patch": gone})
    page.wait_for_function(f"() => ({beyond})() === '1,3,4' || ({beyond})() === '3,4'")
