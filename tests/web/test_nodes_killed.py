"""The page is played while the nodes that serve it are killed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from tests.cluster.test_nodes import LEASE, two_nodes
from tests.web.player import Player
from tests.web.test_coming_and_going import at_a_table
from tests.web.test_moved import back

KILLS = 3


class Undaunted(Player):
    """Lines that break are what this is about: the browser says so of each."""

    def _note(self, said: object) -> None:
        if "WebSocket" not in getattr(said, "text", ""):
            super()._note(said)


@pytest.mark.slow
def test_a_game_goes_on_at_the_page_while_nodes_are_killed(
    arrive: Callable[..., Player], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    chance, seen = random.Random(0), Counter[str]()
    with two_nodes(tmp_path) as both:
        trio.run(both.start)
        ann = arrive("Ann", kind=Undaunted, url=f"http://127.0.0.1:{both.door}/")
        at_a_table(ann)

        def dies() -> None:
            trio.run(both.end, "killed", chance, seen)
            trio.run(both.start)

        pauses: list[float] = []
        for _ in range(KILLS):
            pauses.append(back(ann, dies))
            for _ in range(3):
                ann.act()
        with capsys.disabled():
            print("\nback at the page after", ", ".join(f"{seconds:.1f} s" for seconds in pauses))
        assert not ann.page.locator(".banner.lost").count()
