"""The game is seen to happen: beats of what the log tells, in order, while nothing can be answered by mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import TimeoutError as NotSeen

from tests.web.player import Player

WATCH = """() => {
  window.beats = [];
  window.drawn = [];
  document.addEventListener('apnap:beat', (e) => window.beats.push({
    kind: e.detail.kind, ms: e.detail.ms, keys: e.detail.events.map((one) => one.key), at: e.detail.at,
  }));
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      const stage = document.querySelector('.stage');
      const kind = stage?.dataset.beat;
      if (kind) window.drawn.push(kind + ' ' + stage.children.length);
    }).observe(document.body, { subtree: true, attributes: true, childList: true, attributeFilter: ['data-beat'] });
  });
}"""
SHOWN = "() => document.querySelector('.stage')?.dataset.shown"


def against_bots(player: Player, seed: str, *, wait: bool = False) -> None:
    """The player's table with three bots, begun. Unless they `wait`, the bots leave nobody time to look: the page has to show all of
    it in its 2.5 s."""
    player.page.add_init_script(f"({WATCH})()")
    player.visit()
    player.press("another kind of table")
    player.page.fill("input[name=seed]", seed)
    player.page.get_by_label("Bots take their time").set_checked(wait)
    player.press("open it")
    player.choose_deck("Emberclan")
    player.press("fill the free seats")
    player.press("start the game")
    player.page.wait_for_selector(".table")


def beats(player: Player) -> list[dict[str, Any]]:
    """What has been shown so far."""
    return player.page.evaluate("() => window.beats")


def play_until(player: Player, kinds: set[str], acts: int = 400) -> None:
    """Answer as a simple player would until beats of all these kinds have been shown."""
    for _ in range(acts):
        if kinds <= {beat["kind"] for beat in beats(player)} or player.act() == "over":
            return
    raise AssertionError(kinds - {beat["kind"] for beat in beats(player)})


def test_what_happens_is_seen_for_its_beat(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", watches=True)
    against_bots(ann, "11")
    kinds = {"turn", "cast", "attack", "block", "damage", "leave"}
    play_until(ann, kinds)
    ann.wait_for_question()
    shown = beats(ann)
    drawn = {one.split()[0] for one in ann.page.evaluate("() => window.drawn")}
    assert kinds <= drawn
    assert all(beat["ms"] >= 60 for beat in shown)
    # What the log tells of has been a beat, and as often.
    told = ann.page.evaluate("() => [...document.querySelectorAll('.log li')].map((li) => li.innerText)")
    seen = (
        (" attacks ", "event.attack"),
        (" casts ", "event.cast"),
        (" blocks ", "event.block"),
        (" deals ", "event.damage"),
    )
    for words, key in seen:
        lines = sum(words in line for line in told)
        assert 0 < lines <= sum(one.startswith(key) for beat in shown for one in beat["keys"])


def until_a_beat(player: Player) -> None:
    """Play on until something is being shown, while a question waits behind it."""
    for _ in range(200):
        player.act()
        try:
            player.page.wait_for_selector(".stage:not([data-beat=''])", state="attached", timeout=300)
        except NotSeen:
            continue
        return
    raise AssertionError("nothing was shown")


def test_a_press_ends_what_is_to_be_seen_and_answers_nothing(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", watches=True)
    answers: list[str] = []

    def listen(line: Any) -> None:
        line.on("framesent", lambda frame: answers.append(frame) if '"type":"answer"' in frame else None)

    ann.page.on("websocket", listen)
    against_bots(ann, "11")
    while ann.wait_for_question()["kind"] != "priority":
        ann.act()
    primary = ann.page.locator("[data-primary]").bounding_box()
    assert primary is not None
    ann.act()
    assert answers
    for way in ("key", "mouse", "key", "mouse"):
        until_a_beat(ann)
        given, before = len(answers), ann.page.evaluate(SHOWN)
        if way == "key":
            ann.page.keyboard.press("f")
        else:
            ann.page.mouse.click(primary["x"] + 5, primary["y"] + 5)
        assert before in ("0", None) or ann.page.evaluate(SHOWN) != before
        ann.wait_for_question()
        assert len(answers) == given


def test_without_pace_a_beat_is_never_shown(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    against_bots(ann, "11")
    for _ in range(30):
        ann.act()
    assert beats(ann) == []
