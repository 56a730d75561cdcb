"""The one button: it says what it does, keys press it, a step back is one step, and nothing is answered by what began before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.big import faces
from tests.web.player import Player
from tests.web.test_everyone import attackers
from tests.web.test_measures import at_the_big_table

RECORD = """() => { const send = socket.send; socket.said = [];
  socket.send = (text) => { socket.said.push(JSON.parse(text)); send.call(socket, text); }; }"""
ANSWERS = "() => socket.said.filter((one) => one.type === 'answer').map((one) => one.answer)"
SEEN = """() => {
  window.seen = [];
  const note = () => {
    const arrow = document.querySelector('.arrow.target .line')?.getAttribute('d');
    if (arrow) window.seen.push([document.querySelector('.stage').dataset.beat, arrow]);
  };
  new MutationObserver(note).observe(document.body, {
    subtree: true, childList: true, attributes: true, attributeFilter: ['data-beat', 'd'],
  });
}"""
"""Writes down each arrow to a target, and during which beat it was drawn so."""
TARGET = "() => document.querySelector('.arrow.target .line')?.getAttribute('d')"


def told(page: Any, **message: Any) -> None:
    """As if the server said it."""
    page.evaluate("message => window.socket.tell(message)", message)


def table(player: Player) -> Any:
    """The made-up table, where what the page says is written down."""
    page = at_the_big_table(player)
    page.evaluate(RECORD)
    return page


def priority(number: int) -> dict[str, Any]:
    """A question in which nothing but passing can be done."""
    default = {"kind": "priority", "index": 0}
    head = {"kind": "priority", "id": f"p{number}", "seat": 0, "purpose": "priority", "prompt": {"key": "ask.priority"}}
    return {**head, "default": default, "actions": [{"type": "pass"}]}


def ask(page: Any, question: dict[str, Any]) -> None:
    """Ask, and wait until it is drawn."""
    told(page, type="question", epoch=1, seq=0, question=question)
    page.wait_for_selector(f".dock[data-qid='{question['id']}']")


def sent(page: Any) -> int:
    """How many creatures attack in the draft."""
    return int(page.evaluate("() => document.querySelectorAll('.mat.own .tile.edge.can').length"))


def test_enter_and_space_send_the_draft_that_the_button_promises(arrive: Callable[..., Player]) -> None:
    """What the pointer has pressed last has the focus: Enter there once took the attacker back instead of attacking."""
    page = table(arrive("Ann"))
    for number, key in enumerate(("Enter", "Space")):
        asked = attackers()["question"]
        asked["id"] = f"a{number}"
        ask(page, asked)
        page.click(".defender >> nth=1")
        page.click(".mat.own .tile.can:not(.edge) >> nth=0")
        assert page.inner_text("[data-primary]").lower().startswith("attack with 1")
        page.keyboard.press(key)
        page.wait_for_function(f"() => ({ANSWERS})().length === {number + 1}")
        assert [at for _, at in page.evaluate(ANSWERS)[number]["attacks"]] == [1]


def test_escape_takes_back_one_step(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    ask(page, attackers()["question"])
    for defender in (0, 1):
        page.click(".mat.own .tile.can:not(.edge) >> nth=0")
        page.click(f".defender >> nth={defender}")
    page.click(".mat.own .tile.can:not(.edge) >> nth=0")
    assert page.locator(".mat.own .tile.picked").count() == 1
    left = []
    for _ in range(3):
        page.keyboard.press("Escape")
        assert page.locator(".mat.own .tile.picked").count() == 0
        left.append(page.inner_text("[data-primary]").lower().rstrip("↵ "))
    assert left == ["attack with 2", "attack with 1", "no attack"]


def test_escape_leaves_the_choice_of_a_target_and_with_it_the_casting(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    taken = "() => socket.said.filter((one) => one.type === 'takeback').length"
    asked = priority(1)
    asked["actions"].append({"type": "cast", "object": "119", "text": "Warden of Gate 9"})
    spell = {"zone": "stack", "owner": 0, "controller": 0, "types": ["creature"], "face": list(faces())[12]}
    told(page, type="patch", epoch=1, seq=1, patch={"objects": {"900": spell, "901": {**spell, "kind": "ability"}}})
    ask(page, asked)
    head = {"kind": "choose", "seat": 0, "purpose": "target", "prompt": {"key": "ask.target"}, "least": 1, "most": 2}
    head |= {"options": [{"kind": "player", "seat": 1}, {"kind": "player", "seat": 2}]}
    head |= {"default": {"kind": "choose", "picks": [0]}}
    first = {"type": "question", "epoch": 1, "seq": 0, "question": {**head, "id": "t1", "source": "901"}}
    # The next question may come before the word that the answer was taken.
    page.evaluate("next => { document.querySelector('[data-action=\"1\"]').click(); socket.tell(next); }", first)
    page.wait_for_selector(".dock[data-qid='t1']")
    page.keyboard.press("Escape")
    assert page.evaluate(taken) == 0, "an ability that has triggered is not cast"
    ask(page, {**head, "id": "t2", "source": "900"})
    page.click("[data-option='0']")
    page.keyboard.press("Escape")
    assert page.evaluate(taken) == 0 and not page.locator("[data-option][aria-pressed=true]").count()
    page.keyboard.press("Escape")
    assert page.evaluate(taken) == 1


def test_no_key_answers_a_question_that_was_not_drawn_when_it_went_down(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    ask(page, priority(1))
    page.keyboard.down("p")
    page.wait_for_function(f"() => ({ANSWERS})().length === 1")
    ask(page, priority(2))
    page.keyboard.down("p")  # held down, it repeats itself
    page.keyboard.up("p")
    page.focus("[data-primary]")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.down("Space")
    page.wait_for_timeout(50)
    ask(page, priority(3))
    page.keyboard.up("Space")
    page.wait_for_timeout(50)
    given = page.evaluate("() => socket.said.filter((one) => one.type === 'answer').map((one) => one.question)")
    assert given == ["p1"], "neither the key that was held nor the space bar that came up late is an answer"


def test_the_button_says_what_it_does_and_who_waits_is_told_where_it_goes_on(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann"))
    for seq, (step, words) in enumerate((("precombat_main", "to combat"), ("postcombat_main", "end turn")), 1):
        told(page, type="patch", epoch=1, seq=seq, patch={"step": step})
        ask(page, priority(seq))
        assert page.inner_text("[data-primary]").lower().startswith(words)
    told(page, type="closed", question="p2", reason="answered")
    told(page, type="patch", epoch=1, seq=3, patch={"step": "end", "active": 1, "waiting_for": [1]})
    page.wait_for_selector(".dock >> text=Waiting for Ben.")
    assert "Ben: end step." in page.inner_text(".dock")
    assert page.inner_text(".next-stop") == "You stop next in the declare attackers step of Cleo."
    hand = [{"key": "ask.mulligan"}, {"kind": "confirm", "yes": False}]
    told(page, type="patch", epoch=1, seq=4, patch={"players": {"0": {"hand": ["119", "118", "117"]}}})
    ask(page, {"kind": "confirm", "id": "m", "seat": 0, "purpose": "mulligan", "prompt": hand[0], "default": hand[1]})
    assert page.inner_text("[data-primary]").lower().startswith("keep these 3")


def test_what_is_cast_comes_to_the_middle_with_an_arrow_to_its_target(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann", watches=True))
    line = {"player": "Ben", "seat": 1, "card": "Warden of Gate 9", "card_id": "900", "targets": "Cleo"}
    spell = {"zone": "stack", "owner": 1, "controller": 1, "types": ["instant"], "face": list(faces())[3]}
    page.evaluate(SEEN)
    told(
        page,
        type="patch",
        epoch=1,
        seq=1,
        patch={"objects": {"900": {**spell, "targets": [{"kind": "player", "seat": 2}]}}, "stack": ["900"]},
        events=[{"kind": "cast", "key": "event.cast_at", "args": line}],
    )
    page.wait_for_function("() => seen.some(([beat]) => beat === 'cast') && seen.some(([beat]) => beat === '')")
    seen = page.evaluate("() => seen")
    assert {arrow for beat, arrow in seen if beat == "cast"} - {page.evaluate(TARGET)}


def test_a_life_total_counts_down(arrive: Callable[..., Player]) -> None:
    page = table(arrive("Ann", watches=True))
    page.evaluate("""() => {
      window.lives = [];
      new MutationObserver(() => lives.push(document.querySelector(".who[data-seat='1'] .life-number").innerText))
        .observe(document.querySelector(".who[data-seat='1'] .life"), { subtree: true, characterData: true, childList: true });
    }""")
    told(page, type="patch", epoch=1, seq=1, patch={"players": {"1": {"life": 8}}})
    page.wait_for_function("() => lives.at(-1) === '8'")
    between = [int(one) for one in page.evaluate("() => lives")]
    assert len(set(between)) > 3 and between == sorted(between, reverse=True)
