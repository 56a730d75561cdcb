"""A game of four: each attack, block, damage and death is on the screen for its beat. What the server tells is compared with the
moments of the queue, and these with what was on the screen while they lasted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_stage import against_bots

SAMPLE = """() => {
  window.samples = {};
  window.told = [];
  document.addEventListener('apnap:beat', ({ detail }) => window.told.push(detail));
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    const inside = box.width > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
    return inside && Number(getComputedStyle(one).opacity) > 0.05;
  };
  const look = () => {
    const stage = document.querySelector('.stage');
    if (stage?.dataset.beat) {
      const found = (window.samples[stage.dataset.shown] ??= { signs: [], moves: 0, times: 0 });
      found.times += 1;
      found.signs.push(...[...stage.querySelectorAll('.float')].filter(seen).map((one) => one.textContent));
      found.moves = Math.max(found.moves, document.getAnimations().length);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Looks at each frame: which signs are to be seen, and how much moves, by the number of the beat."""
FIGHT = {"event.attack": "attack", "event.block": "block", "event.damage": "damage", "event.die": "leave"}
ENOUGH = Counter(attack=12, block=4, damage=15, leave=2)
ROUND_MS = 300_000
"""For three bots that take their time, where others use the machine."""
LONG_MS = 250
"""A beat that lasts as long is drawn, however slow the machine is."""
MISSED = 0.1
"""Of those, the share in whose time a machine that others use may have drawn nothing."""


def fought(told: list[dict[str, Any]]) -> Counter[str]:
    """How many lines of each kind."""
    kept = (one for one in told if one.get("key") != "event.die" or one.get("args", {}).get("from") == "battlefield")
    return Counter(FIGHT[one["key"]] for one in kept if one.get("key") in FIGHT)


def sign(beat: dict[str, Any]) -> str:
    """What rises where it happened."""
    if beat["kind"] == "damage" and len(beat["events"]) == 1:
        return f"\N{MINUS SIGN}{beat['events'][0]['args']['amount']}"
    return "\N{MULTIPLICATION X}" if beat["kind"] == "leave" else ""


@pytest.mark.slow
def test_each_attack_block_damage_and_death_is_on_the_screen_for_its_beat(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", watches=True)
    ann.page.set_default_timeout(ROUND_MS)
    told: list[dict[str, Any]] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "patch":
            told.extend(message.get("events", ()))

    ann.page.on("websocket", lambda line: line.on("framereceived", hear))
    ann.page.add_init_script(f"({SAMPLE})()")
    against_bots(ann, "11", wait=True)
    while not fought(told) >= ENOUGH and ann.act() != "over":
        pass
    ann.page.wait_for_function("() => document.querySelector('.stage')?.dataset.beat === ''")
    shown = ann.page.evaluate("() => window.told")
    assert fought(told) >= ENOUGH, "the game has fights"
    assert fought([event for beat in shown for event in beat["events"]]) == fought(told)
    samples = ann.page.evaluate("() => window.samples")
    long = [beat for beat in shown if beat["kind"] in FIGHT.values() and beat["ms"] >= LONG_MS]
    drawn = [(beat, samples[str(beat["id"])]) for beat in long if str(beat["id"]) in samples]
    assert len(long) - len(drawn) <= MISSED * len(long)
    placed = [(beat, one) for beat, one in drawn if all(beat["at"]) and one["times"] > 1]
    assert len(placed) > len(drawn) / 2
    wrong = [
        (beat["kind"], beat["at"], one)
        for beat, one in placed
        if not one["moves"] or (sign(beat) and sign(beat) not in one["signs"])
    ]
    assert len(wrong) <= MISSED * len(drawn), wrong
