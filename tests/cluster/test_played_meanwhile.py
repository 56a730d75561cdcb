"""The terminal and the page are played while nodes are killed: both come back by themselves, and the game ends or goes on."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
import trio

from tests.client.terminal import Screen, environment
from tests.cluster.test_nodes import Both

pytestmark = pytest.mark.slow

KILLS = 4


async def killed(both: Both, times: int) -> None:
    """Now one node, now the other, and after each both serve again."""
    chance, seen = random.Random(0), Counter[str]()
    for _ in range(times):
        await both.end("killed", chance, seen)
        await both.start()
        await trio.sleep(1)  # somebody plays


async def test_the_terminal_is_played_on_while_nodes_are_killed(lined: Both, tmp_path: Path) -> None:
    await lined.start()
    screen = Screen(
        ["play", f"ws://127.0.0.1:{lined.door}", "--name", "Ann", "--new", "4", "--bots"], environment(tmp_path)
    )
    await screen.until("Take a mulligan?")
    over: list[bool] = []
    keys = 0
    with trio.fail_after(300):
        async with trio.open_nursery() as nursery:

            async def kills() -> None:
                await killed(lined, KILLS)
                over.append(True)

            nursery.start_soon(kills)
            while "The game is over." not in screen.text and not over:
                screen.press("1" if keys % 3 == 0 else "\r")
                keys += 1
                await screen.hears(0.5)
                await screen.for_a_while(0.02)
        assert b"Traceback" not in screen.written and screen.process.poll() is None
        before = screen.text
        while screen.text == before and "The game is over." not in screen.text:
            screen.press("1" if keys % 3 == 0 else "\r")
            keys += 1
            await screen.hears(0.5)
    screen.kill()
    assert keys > KILLS
