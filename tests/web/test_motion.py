"""What moves costs little: only transform and opacity, a few milliseconds of script a frame, and no task that is felt."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_measures import at_the_big_table, measured, percentile

__all__ = ["measured"]

MOVES = {"transform", "opacity", "translate", "rotate", "scale"}
"""Properties that the browser changes without laying out or painting anew."""
WATCH = """() => {
  window.moved = new Set();
  const look = () => {
    for (const one of document.getAnimations())
      for (const frame of one.effect.getKeyframes())
        for (const name of Object.keys(frame))
          if (!['offset', 'computedOffset', 'easing', 'composite'].includes(name)) moved.add(name);
    requestAnimationFrame(look);
  };
  look();
}"""
DONE = "() => document.querySelector('.stage').dataset.beat === '' && Number(document.querySelector('.stage').dataset.shown) >= 0"
SCRIPT_MS, TASK_MS = 4, 50
NOTICED = 3
"""What is measured depends on the machine and on who else uses it; so many times as much does not."""
FRAME = 1_000_000 / 60
"""Microseconds."""
BETWEEN_MS = 120
"""Between two messages; bots that take their time wait three times as long at least."""
GIVE = """([messages, apart]) => {
  window.given = 0;
  messages.forEach((one, at) => setTimeout(() => { window.socket.tell(one); window.given += 1; }, at * apart));
}"""
CALLS = {"FunctionCall", "FireAnimationFrame", "TimerFire"}


def happenings(turns: int = 1) -> list[dict[str, Any]]:
    """Turns as a game has it: cast, attack, block, damage, deaths, life, draws."""
    names = [face.name for face in faces().values()]
    of = {
        "player": "Ben",
        "seat": 1,
        "card": names[5],
        "card_id": "210",
        "target": "Ann",
        "target_seat": 0,
        "target_id": "112",
    }
    keys = ("turn", "cast", "trigger", "activate", "enter", "attack", "block", "damage", "life_loss", "draw", "die")
    kinds = {"life_loss": "life", "die": "leave"}
    return [
        {
            "type": "patch",
            "epoch": 1,
            "seq": at + 1,
            "patch": {
                "players": {"0": {"life": 20 - at}},
                "objects": {"210": {"tapped": at % 2 == 0, "damage": at % 4}},
            },
            "events": [{"kind": kinds.get(key, key), "key": f"event.{key}", "args": {**of, "amount": 1, "number": 1}}],
        }
        for at, key in enumerate(keys * 2 * turns)
    ]


def played_out(page: Any, messages: list[dict[str, Any]]) -> None:
    """All of it, at the pace at which it is watched."""
    page.evaluate(GIVE, [messages, BETWEEN_MS])
    page.wait_for_function("count => window.given === count", arg=len(messages))
    page.wait_for_function(DONE)


def test_only_transform_and_opacity_are_animated(arrive: Callable[..., Player]) -> None:
    page = at_the_big_table(arrive("Ann", watches=True))
    page.evaluate(WATCH)
    played_out(page, happenings())
    page.hover(".mat.own .tile")
    moved = set(page.evaluate("() => [...moved]"))
    assert "transform" in moved and moved <= MOVES, moved
    changing = """() => [...new Set([...document.querySelectorAll('*')].map((one) => getComputedStyle(one))
      .filter((style) => style.transitionDuration !== '0s').map((style) => style.transitionProperty))]"""
    assert set(page.evaluate(changing)) <= MOVES


def by_frame(calls: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of script in each sixtieth of a second; what was called by what is counted already is a part of it."""
    start, end = calls[0]["ts"], 0.0
    script = [0.0] * (int((calls[-1]["ts"] - start) / FRAME) + 1)
    for one in calls:
        if one["ts"] < end:
            continue
        end = one["ts"] + one["dur"]
        script[int((one["ts"] - start) / FRAME)] += one["tdur"] / 1000
    return script


def test_while_it_is_played_out_script_takes_little_of_each_frame(
    arrive: Callable[..., Player], chromium: Any, measured: Callable[..., None]
) -> None:
    """Of CPU time, which grows, too, where others use the machine: what is measured is told, what is far beyond it is refused."""
    page = at_the_big_table(arrive("Ann", watches=True))
    messages = happenings(3)
    played_out(page, messages[: len(messages) // 3])  # until the browser has compiled what it runs often
    chromium.start_tracing(page=page, categories=["devtools.timeline", "toplevel"])
    played_out(page, messages[len(messages) // 3 :])
    trace = json.loads(chromium.stop_tracing())["traceEvents"]
    main = next(one["tid"] for one in trace if one.get("args", {}).get("name") == "CrRendererMain")
    mine = sorted((one for one in trace if one.get("tid") == main and "tdur" in one), key=lambda one: one["ts"])
    tasks = [one["tdur"] / 1000 for one in mine if one["name"].endswith("RunTask")]
    script = by_frame([one for one in mine if one["name"] in CALLS])
    busy = percentile(script)
    measured(
        script_p95_ms=round(busy, 2),
        longest_task_ms=round(max(tasks), 1),
        frames=len(script),
        load=os.getloadavg()[0],
    )
    assert max(tasks) <= TASK_MS
    assert busy <= NOTICED * SCRIPT_MS
