"""Texts that speak of what was done, rolled or chosen before: each comes back as it was."""

from __future__ import annotations

import pytest

from server.cards.entries import Unread
from tests.oracle.kit import creature, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "Roll a d20. You gain life equal to the result.",
        "Choose target creature. You gain 1 life. Put a +1/+1 counter on that creature.",
        "Choose an opponent. That player sacrifices a creature.",
    ),
)
def test_instructions_print_as_they_were(text: str) -> None:
    """Spells in the grammar's own words come back unchanged."""
    assert text_of(spell(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "When you roll one or more dice, put a +1/+1 counter on Testbeast.",
        "When you roll a 4 or higher, put a +1/+1 counter on Testbeast.",
        "{T}: Roll a d6. If the result is 3 or less, you lose that much life.",
    ),
)
def test_abilities_print_as_they_were(text: str) -> None:
    """Abilities in the grammar's own words come back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.rule("706.3b")
def test_the_rows_of_a_table_follow_one_another() -> None:
    """A table of a die's results is read whole or not at all."""
    head = "When Testbeast enters, roll a d20."
    printed = f"{head} \n1 — 9 | Draw a card. \n10 — 20 | Draw two cards."
    assert text_of(creature(head + "\n1—9 | Draw a card.\n10—20 | Draw two cards.")) == printed
    assert isinstance(creature(head + "\n1—9 | Draw a card.\n12—20 | Draw two cards."), Unread)
