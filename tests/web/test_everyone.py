"""The page for everyone: nothing that axe-core finds, play by keyboard alone, spoken events, French, large type, own colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.player import Player
from tests.web.test_measures import at_the_big_table

SEED = "3"
AXE = Path(__file__).resolve().parents[2] / "client_web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (tags) => {
  const result = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
  return result.violations.map((one) => `${one.id}: ${one.nodes.map((n) => n.target.join(' ')).slice(0, 4).join(' | ')}`);
}"""


def violations(page: Any) -> list[str]:
    """What axe-core finds on the page as it is now."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(RUN, RULES)


@pytest.fixture(params=["dark", "light"])
def scheme(request: pytest.FixtureRequest) -> str:
    return request.param


def test_axe_finds_nothing_in_the_lobby_and_at_a_table_before_its_game(
    arrive: Callable[..., Player], scheme: str
) -> None:
    ann = arrive("Ann", color_scheme=scheme)
    ann.visit()
    ann.press("another kind of table")
    assert violations(ann.page) == []
    ann.press("open it")
    ann.press("own list")
    ann.page.fill(".editor textarea", "4 No Such Card")
    ann.page.wait_for_selector(".verdict .refusal")
    assert violations(ann.page) == []


def test_axe_finds_nothing_at_a_table_in_combat(arrive: Callable[..., Player], scheme: str) -> None:
    page = at_the_big_table(arrive("Ann", color_scheme=scheme))
    page.evaluate("message => window.socket.tell(message)", attackers())
    page.wait_for_selector(".defender")
    page.click(".mat.own .tile.can >> nth=0")
    page.click(".defender >> nth=1")
    page.wait_for_selector(".arrow.draft")
    assert violations(page) == []
    page.click(".main-menu > summary")
    assert violations(page) == []


def attackers() -> dict[str, Any]:
    """A question for attackers at the big table."""
    defenders = [{"kind": "player", "seat": seat} for seat in (1, 2, 3)]
    own = [{"object": str(110 + at), "defenders": defenders} for at in range(9, 15)]
    question = {
        "kind": "attackers",
        "id": "q1",
        "seat": 0,
        "purpose": "attackers",
        "prompt": {"key": "ask.attackers"},
        "default": {"kind": "attackers", "attacks": []},
        "attackers": own,
    }
    return {"type": "question", "epoch": 1, "seq": 0, "question": question}


def test_a_game_is_played_with_the_keyboard_alone(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = ann.page
    ann.visit()
    by_keyboard(page, "another kind of table")
    page.fill("input[name=seed]", SEED)
    by_keyboard(page, "open it")
    by_keyboard(page, "Emberclan")
    by_keyboard(page, "fill the free seats")
    page.wait_for_selector("button.primary:not([disabled]) >> text=start the game")
    by_keyboard(page, "start the game")
    page.wait_for_selector(".table")
    played: set[str] = set()
    for _ in range(200):
        dock = ann.wait_for_question()
        if dock["over"] or played >= {"play", "cast", "attackers"}:
            break
        played.add(one_by_keyboard(page, dock))
        ann.answered(dock["id"])
    assert played >= {"play", "cast", "attackers"}
    page.wait_for_function("() => document.querySelector('[data-live]').innerText.includes('Ann')")


def by_keyboard(page: Any, words: str) -> None:
    """Go by Tab to the button with these words, and press it."""
    page.wait_for_selector(f"button:not([disabled]) >> text={words}")
    for _ in range(80):
        page.keyboard.press("Tab")
        if words.lower() in page.evaluate(
            "() => document.activeElement.closest('button')?.innerText.toLowerCase() ?? ''"
        ):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{words} is not reached by Tab")


PRESSED = """id => document.querySelector('.dock')?.dataset.qid !== id
  || document.querySelector('.hand .tile.picked')"""
"""A card that was pressed is played, or shows the several things that can be done with it."""
AT_A_CARD = "() => document.activeElement.matches('.hand .can')"


def press_in_hand(page: Any, question: str) -> bool:
    """Go by arrows to a card in hand that can be played, and press it; of several things that it can do, the first. False where
    the arrows come to no such card.
    """
    for _ in range(40):
        outside = page.evaluate("() => !document.activeElement.closest('.hand')")
        page.keyboard.press("ArrowDown" if outside else "ArrowLeft")
        if page.evaluate(AT_A_CARD):
            break
    else:
        return False
    page.keyboard.press("Enter")
    page.wait_for_function(PRESSED, arg=question)
    if page.locator(".hand .tile.picked").count():
        page.locator(".actions [data-action]").first.focus()
        page.keyboard.press("Enter")
    return True


def one_by_keyboard(page: Any, dock: dict[str, Any]) -> str:
    """Answer a question without the pointer; what was done."""
    if dock["kind"] == "attackers":
        page.keyboard.press("a")
        page.keyboard.press("1")
        page.keyboard.press("f")
        return "attackers"
    if dock["kind"] == "priority" and dock["actions"]:
        index, words = dock["actions"][0]
        if not press_in_hand(page, dock["id"]):
            page.locator(f".actions [data-action='{index}']").focus()
            page.keyboard.press("Enter")
        return words.split()[0]
    if dock["kind"] == "choose" and dock["immediate"]:
        page.locator("[data-option='0']").focus()
        page.keyboard.press("Enter")
        return "choose"
    if dock["kind"] == "choose":
        page.locator("[data-option='0']").focus()
        page.keyboard.press("Enter")
    page.keyboard.press("f")
    return str(dock["kind"])


def test_the_page_speaks_french(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann", locale="fr-FR")
    ann.page.goto(ann.url)
    ann.page.wait_for_selector("text=Votre nom")
    assert ann.page.get_attribute("html", "lang") == "fr"
    page = at_the_big_table(arrive("Ben", locale="fr-FR"))
    page.evaluate("message => window.socket.tell(message)", attackers())
    page.wait_for_selector("text=pas d'attaque")


def test_at_two_hundred_per_cent_nothing_is_cut_off(arrive: Callable[..., Player]) -> None:
    """1280 by 800 at 200 % is a page of 640 by 400."""
    page = at_the_big_table(arrive("Ann", viewport={"width": 640, "height": 400}))
    page.evaluate("message => window.socket.tell(message)", attackers())
    page.wait_for_selector(".defender")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    primary = page.locator("[data-primary]")
    primary.scroll_into_view_if_needed()
    box = primary.bounding_box()
    assert box and box["y"] + box["height"] <= 400 and box["x"] + box["width"] <= 640


def test_those_who_want_no_motion_see_none(arrive: Callable[..., Player]) -> None:
    moving = "() => [...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s').length"
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page = at_the_big_table(arrive("Ann", reduced_motion=motion))
        page.evaluate("message => window.socket.tell(message)", attackers())
        page.wait_for_selector(".mat.own .tile.can")
        assert (page.evaluate(moving) > 0) == moves


def test_own_colours_keep_marks_and_arrows(arrive: Callable[..., Player]) -> None:
    """Forced colours: what may be pressed is still outlined, and arrows still differ by their dashes."""
    page = at_the_big_table(arrive("Ann", forced_colors="active"))
    page.evaluate("message => window.socket.tell(message)", attackers())
    page.wait_for_selector(".mat.own .tile.can")
    assert page.evaluate("() => getComputedStyle(document.querySelector('.tile.can')).outlineStyle") == "solid"
    dashes = "() => [...document.querySelectorAll('.arrow .line')].map((e) => getComputedStyle(e).strokeDasharray)"
    assert len(set(page.evaluate(dashes))) == 3


def test_a_card_says_all_of_itself_to_a_screen_reader(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = at_the_big_table(ann)
    label = page.locator(".mat.own .tile.attacking").first.locator(".sr").inner_text()
    assert label and "Warden of Gate" in label and "2/4" in label and "attacks Ben" in label and "reach" in label
