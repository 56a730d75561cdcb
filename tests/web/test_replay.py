"""A finished game seen again at the page: timeline, single steps, other eyes, a link to a moment."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.player import Player
from tests.web.test_everyone import violations

STEP = "() => Number(document.querySelector('.timeline input').value)"


def test_a_finished_game_is_seen_again_and_shown_to_all(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = ann.page
    ann.visit()
    ann.press("another kind of table")
    page.fill("input[name=seed]", "5")
    page.get_by_label("Two to ten players").fill("2")
    page.get_by_role("button", name="open it").click()
    ann.choose_deck("Rootmoot")
    ann.press("fill the free seats")
    ann.press("start the game")
    while ann.act() != "over":
        pass
    ann.press("see it again")
    page.wait_for_selector(".timeline")
    last = int(page.get_attribute(".timeline input", "max") or 0)
    assert last > 20 and page.evaluate(STEP) == 0

    ann.press("one step on")
    page.wait_for_function(f"() => ({STEP})() === 1")
    ann.press("to the next turn")
    page.wait_for_function("() => document.querySelector('.topbar .turn').innerText.includes('Turn 1')")
    page.fill(".timeline input", str(last))
    page.wait_for_function(f"() => location.hash.endsWith('/{last}/0')")
    assert violations(page) == []

    page.select_option(".eyes select", "")
    page.wait_for_function("() => !location.hash.endsWith('/0')")
    page.fill(".timeline input", "15")
    page.wait_for_function("() => location.hash.endsWith('/15')")
    moment = page.url

    page.goto("about:blank")
    page.goto(moment)
    page.wait_for_selector(".timeline")
    assert page.evaluate(STEP) == 15
    assert page.locator(".mat").count() == 2 and not page.locator(".hand").count()

    zoe = arrive("Zoe")
    zoe.visit()
    zoe.page.goto(zoe.url + "#/replays")
    zoe.page.wait_for_selector("text=Finished games")
    assert not zoe.page.locator(".rooms li", has_text="Ann").count()
    page.goto(ann.url + "#/replays")
    page.locator(".rooms li", has_text="Ann").get_by_role("button", name="let everyone see it").click()
    page.wait_for_selector(".rooms >> text=everyone may see it")
    assert violations(page) == []
    zoe.page.reload()
    zoe.page.locator(".rooms li", has_text="Ann").get_by_role("link", name="see it").click()
    zoe.page.wait_for_selector(".timeline")
