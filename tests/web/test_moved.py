"""A game whose worker changes under the page: it goes on there, without a word."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.command.admin import ask
from server.lobby import desk
from tests.web.conftest import address, serving
from tests.web.player import Player
from tests.web.test_coming_and_going import at_a_table

pytestmark = pytest.mark.skipif(not Path("/proc/self/comm").exists(), reason="children are found by /proc")

MOST_SECONDS = 60


def back(player: Player, does: Callable[[], object]) -> float:
    """Does that, and waits until the page has come back to its game by another connection; the seconds from one to the other."""
    found: list[float] = []

    def heard(data: object) -> None:
        if '"type":"view"' in str(data):
            found.append(time.monotonic())

    def dialled(line: Any) -> None:
        line.on("framereceived", heard)

    player.page.on("websocket", dialled)
    since = time.monotonic()
    does()
    while not found:
        player.page.wait_for_timeout(10)
        assert time.monotonic() < since + MOST_SECONDS
    player.page.remove_listener("websocket", dialled)
    return found[0] - since


def test_a_game_goes_on_at_the_page_whoever_plays_it(
    arrive: Callable[..., Player], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path, APNAP_WORKERS="2") as said:
        ann = arrive("Ann", url=address(said))
        at_a_table(ann)
        room = re.sub(r".*/", "", ann.page.url)

        def moves() -> None:
            """Who has not run for a moment, on a busy machine, counts as no worker until it does."""
            until = time.monotonic() + MOST_SECONDS
            while (reply := ask(tmp_path, desk.MoveRoom(room))) != desk.Done(1):
                assert time.monotonic() < until, reply
                ann.page.wait_for_timeout(100)

        moved: list[float] = []
        for _ in range(3):
            moved.append(back(ann, moves))
            ann.act()
        with capsys.disabled():
            print("\nback at the page after", ", ".join(f"{seconds:.2f} s" for seconds in moved))
        assert not ann.page.locator(".banner.lost").count()
