"""The stage of combat: declarations in few presses, the forecast on the table, keys that do not look like seats, sounds."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.player import Player
from tests.web.test_button import ANSWERS, ask, table, told
from tests.web.test_everyone import attackers, violations
from tests.web.test_measures import at_the_big_table

FORESEES = """() => { const send = socket.send; socket.send = (text) => {
  const { id, type } = JSON.parse(text);
  if (type !== 'preview') return send.call(socket, text);
  setTimeout(() => socket.tell({ type: 'forecast', re: id, legal: true, effects: { life: { 1: -2 } } }));
}; }"""
COUNTS = "() => [...document.querySelectorAll('.defender-count')].map((one) => one.innerText)"
HEAR = """() => {
  window.heard = [];
  const node = () => ({ connect: (to) => to, gain: line(), frequency: line(true) });
  const line = (pitch) => ({ setValueAtTime: (hertz) => pitch && heard.push(hertz), linearRampToValueAtTime() {},
    exponentialRampToValueAtTime() {} });
  window.AudioContext = class {
    currentTime = 0;
    createOscillator() { return { ...node(), start() {}, stop() {} }; }
    createGain() { return { ...node() }; }
  };
}"""


def test_all_attack_the_weakest_or_are_spread_by_one_press(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    told(page, type="patch", epoch=1, seq=1, patch={"players": {"2": {"life": 5}}})
    ask(page, attackers()["question"])
    page.click("[data-weakest]")
    assert page.evaluate(COUNTS) == ["", "6", ""]
    page.keyboard.press("Escape")
    assert page.evaluate(COUNTS) == ["", "5", ""], "one is taken back"
    page.get_by_role("button", name="clear").click()
    page.keyboard.press("s")
    assert page.evaluate(COUNTS) == ["2", "2", "2"]
    page.keyboard.press("w")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    assert [to for _, to in page.evaluate(ANSWERS)[0]["attacks"]] == [1] * 6
    assert violations(page) == []


def test_the_forecast_stands_beside_the_life_total(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    page.evaluate(FORESEES)
    ask(page, attackers()["question"])
    page.keyboard.press("w")
    page.wait_for_selector(".who[data-seat='1'] .life-after")
    assert page.inner_text(".who[data-seat='1'] .life").endswith("→ 18")
    assert not page.locator(".who[data-seat='2'] .life-after").count()


def test_many_attackers_are_one_ribbon_and_one_that_is_pointed_at_is_shown_alone(arrive: Callable[..., Player]) -> None:
    """At the made-up table nine creatures with power 2 attack three players."""
    page = table(arrive("Ann"))
    page.wait_for_selector(".arrow.ribbon")
    assert page.locator(".arrow.ribbon text").all_text_contents() == ["3 ⚔ 6"] * 3
    assert page.locator(".arrow.bundled").count() == 9
    opaque = (
        "() => [...document.querySelectorAll('.arrow')].filter((one) => getComputedStyle(one).opacity === '1').length"
    )
    assert page.evaluate(opaque) == 3
    page.hover(".mat.own .tile.attacking >> nth=0")
    page.wait_for_selector(".arrows.fading")
    assert page.evaluate(opaque) == 2, "its own arrow, and the ribbon of those it attacks with"


def test_a_key_never_looks_like_a_seat(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    ask(page, attackers()["question"])
    page.wait_for_selector(".who .keycap")
    assert (
        page.inner_text(".who[data-seat='1'] .seat-dot") == "2"
        and page.inner_text(".who[data-seat='1'] .keycap") == "1"
    )
    assert page.locator(".defender .seat-dot").all_inner_texts() == ["2", "3", "4"]


def test_each_class_of_event_has_a_sound_of_its_own_unless_sounds_are_off(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", watches=True)
    ann.page.add_init_script(f"({HEAR})()")
    page = at_the_big_table(ann)
    page.click(".topbar .turn")
    event = {"card": "Warden of Gate 9", "card_id": "119", "target": "Ben", "target_seat": 1, "amount": 2, "seat": 1}
    for seq, key in enumerate(("attack", "damage", "turn"), 1):
        told(page, type="patch", epoch=1, seq=seq, events=[{"kind": key, "key": f"event.{key}", "args": event}])
    page.wait_for_function("() => heard.length === 3")
    assert len(set(page.evaluate("() => heard"))) == 3
    page.click(".main-menu > summary")
    page.get_by_label("Volume").fill("70")
    page.get_by_label("Sound").uncheck()
    told(page, type="patch", epoch=1, seq=4, events=[{"kind": "x", "key": "event.attack", "args": event}])
    page.wait_for_selector(".stage[data-beat=attack]", state="attached")
    assert page.evaluate("() => heard.length") == 3
