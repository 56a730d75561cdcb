"""Texts that speak of what was done, rolled or chosen before: each comes back as it was."""

from __future__ import annotations

import pytest

from server.cards.loading import Unread
from tests.oracle.cards import creature, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "Roll a d20. You gain life equal to the result.",
        "Choose target creature. You gain 1 life. Put a +1/+1 counter on that creature.",
        "Choose an opponent. That player sacrifices a creature.",
        "Destroy all creatures. You gain 3 life for each creature destroyed this way.",
        "You may sacrifice any number of creatures. Draw a card for each creature sacrificed this way.",
        "Target player discards two cards. If a creature card is discarded this way, you gain 2 life.",
        "Reveal cards from the top of your library until you reveal an artifact card. Put the rest into your graveyard.",
        "Target creature gains protection from the color of your choice until end of turn.",
        "You gain 2 life for each creature that died this turn.",
        "Create three 2/2 white Knight creature tokens under target opponent's control.",
        "Return any number of target creatures with total mana value 4 or less to its owner's hand.",
        "Reveal the top three cards of your library. An opponent separates them into two piles. "
        "Return that pile to its owner's hand. Put the rest into your graveyard.",
        "Each opponent faces a villainous choice — That player loses 3 life, or draw two cards.",
        "Discard any number of cards. Draw that many cards.",
        "Target player shuffles their graveyard into their library.",
        "Return target creature to its owner's hand unless its controller pays {2}.",
        "Target player's life total becomes 20.",
        "Target creature gets +1/+0 for each land you control until end of turn.",
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
        "Testbeast has protection from the chosen color.",
        "When Testbeast attacks and isn't blocked, Testbeast assigns no combat damage this turn.",
        "When a spell or ability an opponent controls causes you to discard Testbeast, draw a card.",
        "At the beginning of your postcombat main phase, you gain 1 life.",
        "When you gain life for the first time each turn, draw a card.",
        "Creature spells you control can't be countered.",
        "The first creature spell you cast each turn costs {1} less to cast.",
        "When you gain life, you may draw a card. Do this only once each turn.",
        "{X}, {T}: Add X mana in any combination of {W} and/or {U}.",
        "When you control no Islands, sacrifice Testbeast.",
        "Testbeast can't be the target of spells or abilities your opponents control.",
        "Testbeast can't be the target of red spells or abilities from red sources.",
        "Testbeast can't be the target of Aura spells.",
        "When Testbeast dies, if it has a +1/+1 counter on it, draw a card.",
        "{T}: Add {U}{U}, {U}{B}, or {B}{B}.",
        "{T}: Roll a d6. If the result is 3 or less, you lose that much life.",
    ),
)
def test_abilities_print_as_they_were(text: str) -> None:
    """Abilities in the grammar's own words come back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.rule("current 706.3b")
def test_the_rows_of_a_table_follow_one_another() -> None:
    """A table of a die's results is read whole or not at all."""
    head = "When Testbeast enters, roll a d20."
    printed = f"{head} \n1 — 9 | Draw a card. \n10 — 20 | Draw two cards."
    assert text_of(creature(head + "\n1—9 | Draw a card.\n10—20 | Draw two cards.")) == printed
    assert isinstance(creature(head + "\n1—9 | Draw a card.\n12—20 | Draw two cards."), Unread)
