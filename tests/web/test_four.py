"""Four people in four browsers play a whole seeded game against each other through the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.web.tactics import ARMY, LANDS, Tactician

SEED = "20"
LIFE = "12"
ACTS = 4000
"""More than the game has."""
PATIENCE = 20
"""Seconds for which nobody has anything to answer before the table counts as stuck."""


def sit_down(players: list[Tactician], variant: str = "") -> None:
    """The first opens a table, of that variant with a seat for each, the others come by its link; all paste the same list."""
    host, *others = players
    host.visit()
    host.press("another kind of table")
    host.page.fill("input[name=seed]", SEED)
    if variant:
        host.page.get_by_label("Two to ten players").fill(str(len(players)))
        host.page.locator(f"select:has(option[value={variant}])").select_option(variant)
    else:
        host.page.get_by_label("Starting life").fill(LIFE)
    host.page.get_by_role("button", name="open it").click()
    host.page.wait_for_selector(".gather")
    link = host.invitation()
    for player in others:
        player.come_to(link)
        player.press("sit down")
    for player in players:
        player.press("own list")
        player.page.fill(".editor textarea", ARMY)
        player.page.wait_for_selector(".verdict .fine")
        player.press("play this deck")
        player.page.wait_for_selector(".seats .mine >> text=own list")
    for player in others:
        player.page.wait_for_selector(".seats .mine >> text=ready")
    host.press("start the game")
    for player in players:
        player.page.wait_for_selector(".table")


def drop_the_line(player: Tactician, lines: list[Any]) -> None:
    """Cut the websocket; the page dials again by itself and shows the same question."""
    before = player.dock()
    assert before is not None
    for line in lines:
        line.close()
    lines.clear()
    player.page.wait_for_selector(".banner.lost")
    player.page.wait_for_selector(".banner", state="detached")
    player.page.wait_for_selector(f".dock[data-qid='{before['id']}']")
    player.seen.add("line lost in combat")


def reload_the_page(player: Tactician) -> None:
    """A reload keeps the seat and the question."""
    before = player.dock()
    assert before is not None
    player.page.reload()
    player.page.wait_for_selector(f".dock[data-qid='{before['id']}']")
    player.seen.add("reload")


def plays_a_land(dock: dict[str, Any]) -> bool:
    """Whether the first thing that the player would do is to play a land."""
    return dock["kind"] == "priority" and bool(dock["actions"]) and dock["actions"][0][1].startswith("play ")


def take_back_a_land(player: Tactician, others: list[Tactician]) -> None:
    """Play a land and take it back: at once, or by consent if the game has gone on."""
    lands = len(player.lands())
    player.act()
    player.page.wait_for_function(f"() => ({LANDS})().length === {lands + 1}")
    player.page.keyboard.press("u")
    player.page.wait_for_function(f"() => ({LANDS})().length === {lands} || document.querySelector('.vote, .refusal')")
    assert not player.page.locator(".refusal").count(), player.page.inner_text(".dock")
    if player.page.locator(".vote").count():
        for other in others:
            other.page.click(".vote .primary")
        player.seen.add("consent")
    player.page.wait_for_function(f"() => ({LANDS})().length === {lands}")
    player.seen.add("takeback")


def seen_by(players: list[Tactician]) -> set[str]:
    """What any of them has seen."""
    return set().union(*(player.seen for player in players))


def play_to_the_end(players: list[Tactician], lines: list[Any]) -> None:
    """Everyone answers what they are asked until the game is over for all. The server passes for people after a moment, so
    what is counted is answers, and how long nobody has had one to give."""
    acts = 0
    since = time.monotonic()
    while not all((dock := player.dock()) is not None and dock["over"] for player in players):
        assert acts < ACTS, "the game has no end"
        assert time.monotonic() - since < PATIENCE, [player.dock() for player in players]
        for player in players:
            dock = player.dock()
            if dock is None or not dock["id"]:
                continue
            if dock["kind"] == "blockers" and player is players[1] and "line lost in combat" not in player.seen:
                drop_the_line(player, lines)
            if dock["kind"] == "attackers" and player is players[2] and "reload" not in player.seen:
                reload_the_page(player)
            if "takeback" not in player.seen and player is players[3] and plays_a_land(dock):
                take_back_a_land(player, players[:3])
            player.act()
            acts += 1
            since = time.monotonic()


def test_four_people_play_a_whole_game(arrive: Callable[..., Any]) -> None:
    players: list[Tactician] = [arrive(name, kind=Tactician) for name in ("Ann", "Ben", "Cleo", "Dan")]
    lines: list[Any] = []

    def through(line: Any) -> None:
        line.connect_to_server()
        lines.append(line)

    players[1].page.route_web_socket("**/ws", through)
    sit_down(players)
    play_to_the_end(players, lines)
    assert seen_by(players) >= {
        "split attack",
        "double block",
        "division",
        "loyalty ability",
        "takeback",
        "line lost in combat",
        "reload",
    }
