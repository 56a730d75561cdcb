"""What the page costs: bytes before the table is seen, time from a patch to its paint, memory in a long game."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from server.bench.engine import reference
from tests.web.big import PAINTED, SEATS, SOCKET, beginning, changes
from tests.web.player import Player

FIRST_VIEW_BYTES = 250 * 1024
PAINT_MS = 32
REFERENCE_MS = 50
"""How long the reference of `apnap bench engine` takes on the machine for which the times here are promised. On one where it takes
longer they may be as much longer: what is told is the page's cost, not the machine's.
"""
PATCHES = 120
FRAME_MS = 1000 / 60
QUIET = 1.5
"""Load of the machine below which wall time says something."""
TURNS = 60
PATCHES_A_TURN = 40


@pytest.fixture
def measured(record_property: Callable[[str, object], None], capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """Writes figures down for the report and says them, whether they are good or not."""

    def tell(**figures: object) -> None:
        for name, figure in figures.items():
            record_property(name, figure)
            with capsys.disabled():
                print(f"\n{name}: {figure}", end="")

    return tell


def at_the_big_table(player: Player, seats: int = SEATS) -> Any:
    """The page before a made-up table with thirty permanents each."""
    player.page.add_init_script(f"({SOCKET})()")
    player.page.goto(player.url)
    player.page.wait_for_function("() => window.socket && document.querySelector('.lobby')")
    for message in beginning(seats):
        player.page.evaluate("message => window.socket.tell(message)", message)
    player.page.wait_for_selector(".table")
    return player.page


def test_the_first_view_of_the_table_is_small(arrive: Callable[..., Player], measured: Callable[..., None]) -> None:
    ann = arrive("Ann")
    sent: list[int] = []
    ann.page.on("response", lambda response: sent.append(int(response.headers.get("content-length", "0"))))
    ann.visit()
    ann.page.wait_for_selector(".lobby")
    assert len(sent) >= 3
    measured(first_view_bytes=sum(sent))
    assert sum(sent) <= FIRST_VIEW_BYTES


def test_a_patch_is_painted_within_two_frames(arrive: Callable[..., Player], measured: Callable[..., None]) -> None:
    """The 95th percentile of wall time where the machine is ours alone. Where others use it, that says nothing of the page: then
    the median of its own CPU time and the wait for one frame. All but that wait is scaled by the reference of the same run.
    """
    page = at_the_big_table(arrive("Ann"))
    assert page.locator(".mat .tile").count() >= 4 * 20
    patches = changes(PATCHES * 3)
    page.evaluate(PAINTED, list(islice(patches, PATCHES)))  # until the browser has compiled what it runs often
    wall = percentile(page.evaluate(PAINTED, list(islice(patches, PATCHES))))
    asking = sorted(cpu_ms(page, [{"type": "pong"}] * 40))[20]  # what it costs to ask the browser, without any patch
    work = [one - asking for one in cpu_ms(page, list(patches))]
    slower = max(1.0, min(reference() for _ in range(5)) / REFERENCE_MS)
    measured(
        patch_to_paint_p95_ms=round(wall, 1),
        patch_cpu_median_ms=round(sorted(work)[len(work) // 2], 1),
        patch_cpu_p95_ms=round(percentile(work), 1),
        load=os.getloadavg()[0],
        slower=round(slower, 2),
    )
    if os.getloadavg()[0] < QUIET:
        assert wall <= FRAME_MS + (PAINT_MS - FRAME_MS) * slower, wall
    assert sorted(work)[len(work) // 2] <= (PAINT_MS - FRAME_MS) * slower, work


def percentile(times: list[float]) -> float:
    """The 95th."""
    return sorted(times)[int(len(times) * 0.95)]


def cpu_ms(page: Any, patches: list[dict[str, Any]]) -> list[float]:
    """CPU time of the page's main thread for each patch: script, style, layout, paint."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"] * 1000

    times: list[float] = []
    for patch in patches:
        before = spent()
        page.evaluate(PAINTED, [patch])
        times.append(spent() - before)
    return times


def test_memory_is_flat_over_sixty_turns(arrive: Callable[..., Player], measured: Callable[..., None]) -> None:
    page = at_the_big_table(arrive("Ann"))
    devtools = page.context.new_cdp_session(page)
    patches = changes(TURNS * PATCHES_A_TURN)
    used: list[float] = []
    for _ in range(TURNS):
        page.evaluate(
            "messages => messages.forEach((one) => window.socket.tell(one))", list(islice(patches, PATCHES_A_TURN))
        )
        page.wait_for_timeout(20)
        devtools.send("HeapProfiler.collectGarbage")
        used.append(devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
    # The log is full after 1500 lines, which is at turn 38.
    measured(heap_mb_by_turn=[round(one, 1) for one in used[::10]])
    assert used[-1] - used[40] < 1.0, used
