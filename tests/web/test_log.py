"""The log: what was taken back is marked, and it is whole after the page was reloaded."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.player import Player
from tests.web.test_button import table, told

LINES = "() => [...document.querySelectorAll('.log li')].map((one) => one.innerText.trim())"
UNDONE = "() => [...document.querySelectorAll('.log li.undone')].map((one) => one.innerText.trim())"
EARLIER = ".log button.quiet"
ENOUGH = 130
"""Lines: more than the server tells again, and than are shown at once."""


def test_what_was_taken_back_is_marked(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    cast = [{"kind": "cast", "key": "event.cast", "args": {"player": "Ben", "card": f"Spell {at}"}} for at in range(3)]
    told(page, type="patch", epoch=1, seq=1, events=cast)
    back = {"kind": "taken_back", "key": "event.taken_back", "args": {"player": "Ben", "seat": 1, "lines": 2}}
    told(page, type="patch", epoch=1, seq=2, events=[back])
    told(page, type="patch", epoch=1, seq=3, events=[{**cast[0], "args": {"player": "Ben", "card": "Spell 9"}}])
    page.wait_for_selector(".log >> text=Spell 9")
    undone = page.evaluate(UNDONE)
    assert [line.split()[-1] for line in undone] == ["1.", "2."] and all("Taken back:" in line for line in undone)


def whole(player: Player) -> list[str]:
    """All of the log."""
    if player.page.locator(EARLIER).count():
        player.page.click(EARLIER)
        player.page.wait_for_selector(EARLIER, state="detached")
    return player.page.evaluate(LINES)


def test_the_log_is_whole_after_a_reload(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = ann.page
    ann.visit()
    ann.press("another kind of table")
    page.fill("input[name=seed]", "11")
    ann.press("open it")
    ann.choose_deck("Emberclan")
    ann.press("fill the free seats")
    ann.press("start the game")
    while len(whole(ann)) < ENOUGH:
        assert ann.act() != "over"
    ann.wait_for_question()
    before = whole(ann)
    page.reload()
    ann.wait_for_question()
    page.wait_for_function(f"() => ({LINES})().length > 0")
    after = whole(ann)
    assert after[: len(before)] == before and len(after) == len(before)


def test_on_a_phone_the_card_of_a_name_in_the_log_does_not_cover_the_log(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann", viewport={"width": 390, "height": 844}))
    cast = {"kind": "cast", "key": "event.cast", "args": {"player": "Ben", "card": "Warden of Gate 1"}}
    told(page, type="patch", epoch=1, seq=1, events=[cast])
    page.get_by_role("button", name="Log").or_(page.get_by_role("tab", name="Log")).first.click()
    page.locator(".log .card-name").last.hover()
    zoom = page.wait_for_selector(".zoom").bounding_box()
    assert zoom["y"] + zoom["height"] <= page.locator(".log").bounding_box()["y"]
