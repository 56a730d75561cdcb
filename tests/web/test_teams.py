"""Teams in real browsers: Two-Headed Giant with four, Emperor with six, each with a page of their own at 1280x800."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.tactics import Tactician
from tests.web.test_everyone import violations
from tests.web.test_four import sit_down

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
ACTS = 600
"""More than a few turns take."""

HEADERS = """() => Object.fromEntries([...document.querySelectorAll('.mat')].map((mat) => {
  const who = mat.querySelector('.who');
  const box = (one) => one.getBoundingClientRect();
  const inside = (one, outer) => box(one).left >= box(outer).left - 1 && box(one).right <= box(outer).right + 1
    && box(one).bottom <= innerHeight && box(one).top >= 0 && box(one).width > 0;
  const seen = [...who.querySelectorAll('.tag, .life, strong')];
  const clear = seen.every((one, at) => seen.slice(at + 1).every((next) =>
    one.contains(next) || box(one).right <= box(next).left + 1 || box(one).bottom <= box(next).top + 1));
  return [who.dataset.seat, {
    team: who.querySelector('.tag.team')?.dataset.team,
    emperor: Boolean(who.querySelector('.tag.team .icon')),
    turn: Boolean(who.querySelector('.tag.turn')),
    asked: Boolean(who.querySelector('.tag.asked')),
    beyond: mat.classList.contains('beyond'),
    readable: clear && seen.every((one) => inside(one, who) && parseFloat(getComputedStyle(one).fontSize) >= 10.5),
  }];
}))"""
"""What each player's header says, and whether all of it lies inside and nothing over anything else."""


def until_turn(players: list[Tactician], turn: int, kind: str) -> Tactician:
    """Play until somebody is asked such a question in that turn or later; who it is."""
    for _ in range(ACTS):
        for player in players:
            dock = player.dock()
            if dock is None or not dock["id"]:
                continue
            assert not dock["over"]
            words = player.page.inner_text(".topbar .turn strong") if player.page.locator(".mat").count() else ""
            now = int("".join(filter(str.isdigit, words)) or 0)
            if now >= turn and dock["kind"] == kind:
                return player
            player.act()
    raise AssertionError(f"nobody was asked for {kind} in turn {turn}")


def told(player: Player) -> dict[int, dict[str, Any]]:
    """What a page says of each seat."""
    return {int(seat): said for seat, said in player.page.evaluate(HEADERS).items()}


def all_see(players: list[Tactician], asked: Tactician) -> list[dict[int, dict[str, Any]]]:
    """Every page is readable and says who decides; what each says of the seats."""
    at = players.index(asked)
    pages = []
    for seat, player in enumerate(players):
        player.page.wait_for_selector(f".who[data-seat='{at}'] .tag.asked", state="attached")
        said = told(player)
        assert all(one["readable"] for one in said.values()), (player.name, said)
        if seat != at:
            assert asked.name in player.page.inner_text(".dock .prompt")
        assert violations(player.page) == []
        pages.append(said)
    return pages


class Plain(Tactician):
    """Who takes what is proposed."""

    def _damage(self, dock: dict[str, Any]) -> None:
        self.confirm()


@pytest.mark.rule("805.4", "805.4a", "810.5")
def test_four_people_play_giants_and_see_whose_turn_it_is_and_their_mate_s_hand(arrive: Callable[..., Any]) -> None:
    players: list[Tactician] = [arrive(name, kind=Plain) for name in NAMES[:4]]
    sit_down(players, "two_headed_giant")
    players[1].page.wait_for_selector(".opening .opening-others .tag.team[data-team='0'] >> text=with you")
    asked = until_turn(players, 5, "attackers")
    ours = players.index(asked) // 2
    for player, said in zip(players, all_see(players, asked), strict=True):
        assert [said[seat]["team"] for seat in range(4)] == ["0", "0", "1", "1"]
        assert [said[seat]["turn"] for seat in range(4)] == [ours == 0, ours == 0, ours == 1, ours == 1]
        named = player.page.inner_text(".topbar .turn")
        assert [name in named for name in NAMES[:4]] == [ours == 0, ours == 0, ours == 1, ours == 1]
    for seat, player in enumerate(players):
        mate = seat ^ 1
        opens = player.page.locator("button.figure[title*='in hand']")
        assert opens.count() == 1
        hand = opens.inner_text().split()[-1]
        opens.click()
        player.page.wait_for_selector(".pile .tile")
        assert NAMES[mate] in player.page.inner_text(".pile h2") and f"{hand}" in player.page.inner_text(".pile h2")
        named = player.page.locator(".pile .tile").evaluate_all("all => all.map((one) => one.dataset.ids).join(' ')")
        assert len(named.split()) == int(hand)
        opens.click()


@pytest.mark.rule("809.3a", "809.2", "801.2")
def test_six_people_play_emperor_and_see_teams_ranges_and_who_decides(arrive: Callable[..., Any]) -> None:
    players: list[Tactician] = [arrive(name, kind=Plain) for name in NAMES]
    sit_down(players, "emperor")
    asked = until_turn(players, 2, "priority")
    far = {0: {2, 3, 4}, 1: {4}, 2: {0, 4, 5}, 3: {0, 1, 5}, 4: {1}, 5: {1, 2, 3}}
    for seat, said in enumerate(all_see(players, asked)):
        assert [said[at]["team"] for at in range(6)] == ["0", "0", "0", "1", "1", "1"]
        assert [at for at in range(6) if said[at]["emperor"]] == [1, 4]
        assert {at for at in range(6) if said[at]["beyond"]} == far[seat]
        assert sum(said[at]["turn"] for at in range(6)) == 1
