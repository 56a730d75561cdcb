"""The stack: what is on it can be let resolve always, where it stands."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_button import ask, priority, table, told

SAID = "() => socket.said.filter((one) => ['yield', 'forget'].includes(one.type)).map(({ id, ...more }) => more)"
TEXT = "When this creature enters, draw a card."


def test_the_card_that_is_shown_large_leaves_the_stack_in_sight(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    spell = {"zone": "stack", "owner": 1, "controller": 1, "types": ["creature"], "face": list(faces())[3]}
    told(page, type="patch", epoch=1, seq=1, patch={"objects": {"900": spell}, "stack": ["900"]})
    page.wait_for_selector(".stack-item")
    page.hover(".others .tile >> nth=0")
    page.wait_for_selector(".zoom")
    zoom, stack = (page.locator(one).bounding_box() for one in (".zoom", ".stack"))
    assert zoom["x"] > stack["x"] and zoom["y"] >= stack["y"] + stack["height"]


def test_a_yield_is_set_and_undone_on_what_is_on_the_stack(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    spell = {"zone": "stack", "owner": 1, "controller": 1, "types": ["creature"], "face": list(faces())[3]}
    trigger = {"zone": "stack", "owner": 2, "controller": 2, "kind": "ability", "source": "310", "text": TEXT}
    alike = {**trigger, "source": "311"}  # the same words, of something of another name
    patch = {"objects": {"899": alike, "900": spell, "901": trigger}, "stack": ["899", "900", "901"]}
    told(page, type="patch", epoch=1, seq=1, patch=patch)
    ask(page, priority(1))
    buttons = page.locator(".stack .yield")
    assert buttons.count() == 3, "each has its own, the top first"
    buttons.nth(0).click()
    page.wait_for_function(f"() => ({SAID})().length === 1")
    name = page.locator(".stack-item strong").nth(0).inner_text()
    told(page, type="automatic", answers=[{"key": "k1", "does": "pass", "name": name, "text": TEXT}])
    page.wait_for_selector(".stack li:nth-child(1) .yield[aria-pressed=true]")
    assert [buttons.nth(at).get_attribute("aria-pressed") for at in (1, 2)] == ["false", "false"]
    buttons.nth(1).click()
    buttons.nth(0).click()
    page.wait_for_function(f"() => ({SAID})().length === 3")
    assert page.evaluate(SAID) == [
        {"type": "yield", "object": "901"},
        {"type": "yield", "object": "900"},
        {"type": "forget", "key": "k1"},
    ]
