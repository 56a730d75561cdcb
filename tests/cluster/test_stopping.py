"""In which order a worker stops that is one of several: its door first, then its games one by one, and at last all that is left."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from server.lobby.lobby import Lobby
from server.net import app
from server.net.app import GOODBYE_SECONDS, HAND_OVER_SECONDS
from server.net.endpoint import Endpoint
from server.net.workers.link import Link

TABLES = ("one", "two", "three", "four")


async def left(*, others: bool | None, seconds: float = 0.0) -> list[str]:
    """What a worker does that leaves; `others` stay, or not, or nobody says (None); to hand a game over takes so many `seconds`."""
    done: list[str] = []

    async def leave() -> bool:
        return await trio.sleep_forever() if others is None else others

    async def hand_over(table: str) -> bool:
        await trio.sleep(seconds)
        done.append(table)
        return True

    async def close(*, at_once: bool) -> None:
        done.append("all at once" if at_once else "all")

    lobby: Any = SimpleNamespace(tables=dict(zip(TABLES, TABLES, strict=True)), hand_over=hand_over, close=close)
    endpoint: Any = SimpleNamespace(close=lambda: done.append("door"))
    link: Any = SimpleNamespace(leave=leave)
    await app._leave(cast(Lobby, lobby), cast(Endpoint, endpoint), cast(Link, link))
    return done


async def test_nobody_comes_in_any_more_before_games_are_handed_over() -> None:
    assert await left(others=True) == ["door", *TABLES, "all at once"]


async def test_where_nobody_stays_all_stop_together_and_come_back_later() -> None:
    assert await left(others=False) == ["all"]


async def test_a_keeper_that_does_not_say_who_stays_is_waited_for_a_moment(
    autojump_clock: trio.testing.MockClock,
) -> None:
    begun = trio.current_time()
    assert await left(others=None) == ["all"]
    assert trio.current_time() - begun == pytest.approx(GOODBYE_SECONDS)


async def test_what_is_not_handed_over_in_time_stops_with_the_rest(autojump_clock: trio.testing.MockClock) -> None:
    assert await left(others=True, seconds=HAND_OVER_SECONDS / 2) == ["door", "one", "two", "all at once"]
