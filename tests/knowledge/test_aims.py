"""Whether what is asked for targets helps or harms them: told with the question where the text tells it, and else not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from protocol import questions as wire
from server.cards.forms import Card
from server.knowledge.questions import Asker, QuestionIds
from server.rooms import RULES
from server.rules.model import questions as q
from tests.oracle import cards
from tests.rules.play import BEAR, Game

BOON = "Target creature gets +2/+2 until end of turn."
HARMFUL = [
    "Testbolt deals 2 damage to target creature or player.",
    "Destroy target creature.",
    "Exile target creature.",
    "Return target creature to its owner's hand.",
    "Tap target creature.",
    "Target creature gets -1/-1 until end of turn.",
    "Target creature can't block this turn.",
    "Gain control of target creature until end of turn.",
    "Put a -1/-1 counter on target creature.",
    "Target player discards a card.",
    "Target player loses 2 life.",
    "Destroy up to two target creatures.",
]
HELPFUL = [
    BOON,
    "Target creature gains flying until end of turn.",
    "Untap target creature.",
    "Put a +1/+1 counter on target creature.",
    "Regenerate target creature.",
    "Target player draws two cards.",
    "Target player gains 3 life.",
    "Target creature can't be blocked this turn.",
]
UNTOLD = [
    "Target creature gets +2/-2 until end of turn.",
    "Tap or untap target creature.",
    "Target creature becomes blue until end of turn.",
]


def asked(card: Card | Any, *more: Card) -> wire.ChooseQuestion:
    """What is asked as the card is cast at a table of bears."""
    assert isinstance(card, Card), card
    game = Game("AB")
    for who in "AB":
        game.put(who, BEAR, number=2)
    for one in more:
        game.put("A", one, "graveyard", number=2)
    spell = game.put("A", card, "hand")
    game.begin()
    game.act("A", spell)
    assert game.question.purpose == "target"
    question = Asker(RULES, game.state, QuestionIds("s")).write(game.question)
    assert isinstance(question, wire.ChooseQuestion)
    return question


@pytest.mark.rule("601.2c")
@pytest.mark.parametrize(
    ("text", "aim"),
    [*((text, "harm") for text in HARMFUL), *((text, "help") for text in HELPFUL), *((text, UNSET) for text in UNTOLD)],
)
def test_a_target_question_says_whether_the_text_helps_or_harms(text: str, aim: str) -> None:
    assert asked(cards.spell(text, cost="{0}")).aim == aim


@pytest.mark.rule("601.2c")
def test_what_comes_back_from_a_graveyard_is_helped() -> None:
    text = "Return target creature card from your graveyard to your hand."
    assert asked(cards.spell(text, cost="{0}"), BEAR).aim == "help"


@pytest.mark.rule("303.4a")
@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("Enchanted creature gets +1/+1.", "help"),
        ("Enchanted creature can't attack or block.", "harm"),
        ("You control enchanted creature.", "harm"),
    ],
)
def test_an_aura_says_it_by_what_it_does_to_its_bearer(text: str, aim: str) -> None:
    aura = cards.permanent(f"Enchant creature\n{text}", types="Enchantment — Aura", cost="{0}")
    assert asked(aura).aim == aim


@pytest.mark.rule("700.2a")
@pytest.mark.parametrize(("mode", "aim"), [(0, "harm"), (1, "help")])
def test_a_mode_that_was_chosen_says_it_for_itself(mode: int, aim: str) -> None:
    text = f"Choose one —\n• Destroy target creature.\n• {BOON}"
    card = cards.spell(text, cost="{0}")
    assert isinstance(card, Card), card
    game = Game("AB")
    game.put("B", BEAR, number=2)
    spell = game.put("A", card, "hand")
    game.begin()
    game.act("A", spell)
    game.submit(q.Pick((mode,)))
    question: Any = Asker(RULES, game.state, QuestionIds("s")).write(game.question)
    assert question.aim == aim


@pytest.mark.rule("601.2c")
def test_each_slot_is_told_by_itself() -> None:
    card = cards.spell(
        "Testbolt deals 1 damage to target creature. Target creature gets +1/+1 until end of turn.", cost="{0}"
    )
    assert isinstance(card, Card), card
    game = Game("AB")
    game.put("B", BEAR, number=3)
    spell = game.put("A", card, "hand")
    game.begin()
    game.act("A", spell)
    aims: list[Any] = []
    for _ in range(2):
        question: Any = Asker(RULES, game.state, QuestionIds("s")).write(game.question)
        aims.append(question.aim)
        game.submit(q.Pick((0,)))
    assert aims == ["harm", "help"]
