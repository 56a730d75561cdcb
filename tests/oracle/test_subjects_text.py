"""Texts in which it matters who does or did something: each prints with the player or object that it means."""

from __future__ import annotations

import pytest

from server.cards.loading import Unread
from tests.oracle.cards import creature, spell, text_of

ATTACKS = "When Testbeast attacks, you may"


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            "Target player sacrifices a creature. If the player can't, you draw a card.",
            "Target player sacrifices a creature. If they can't, draw a card.",
        ),
        (
            "Target player discards a card at random. If that player can't, they lose 3 life.",
            "Target player discards a card at random. If they can't, that player loses 3 life.",
        ),
        ("Sacrifice a creature. If you can't, draw a card.", "Sacrifice a creature. If you don't, draw a card."),
    ),
)
def test_who_could_not_is_who_was_told_to(text: str, now: str) -> None:
    """Another player's attempt that fails is not what you have not done."""
    assert text_of(spell(text)) == now
    assert text_of(spell(now)) == now


@pytest.mark.parametrize(
    "text",
    (
        "Target player sacrifices a creature. If you don't, draw a card.",
        "Target player sacrifices a creature. If you can't, draw a card.",
        "Sacrifice a creature. If they can't, draw a card.",
    ),
)
def test_what_another_was_told_to_do_is_nothing_that_you_do(text: str) -> None:
    """Who is said not to have done it was not told to."""
    assert isinstance(spell(text), Unread)


@pytest.mark.parametrize(
    "text",
    (
        f"{ATTACKS} have target creature gain flying until end of turn.",
        f"{ATTACKS} have target creature you control get +1/+1 and gain trample until end of turn. If you do, draw a card.",
        f"{ATTACKS} have target player lose 1 life.",
        f"{ATTACKS} have target opponent gain control of target creature you control.",
        f"{ATTACKS} have two target players exchange life totals.",
        f"{ATTACKS} exchange control of target creature you control and target creature an opponent controls.",
        f"{ATTACKS} have Testbeast fight target creature.",
        f"{ATTACKS} have other creatures you control have base power and toughness 4/4 until end of turn.",
        f"{ATTACKS} have Testbeast have base power equal to the number of cards in your hand until end of turn.",
        f"{ATTACKS} destroy target artifact.",
        f"{ATTACKS} draw a card.",
    ),
)
def test_what_one_may_have_happen_is_printed_so(text: str) -> None:
    """ "You may" stands before what you do, "you may have" before what something else does."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            "change the base power and toughness of target Elf you control to Testbeast's power and toughness until end of turn.",
            "have target Elf you control have base power and toughness equal to Testbeast's power and toughness until end of turn.",
        ),
        (
            "have the base power and toughness of other creatures you control become equal to Testbeast's power and toughness until "
            "end of turn.",
            "have other creatures you control have base power and toughness equal to Testbeast's power and toughness until end of turn.",
        ),
        (
            "change Testbeast's base power to the number of cards in your hand until end of turn.",
            "have Testbeast have base power equal to the number of cards in your hand until end of turn.",
        ),
    ),
)
def test_base_sizes_that_one_may_change_are_what_something_has(text: str, now: str) -> None:
    """All the ways of saying that base power or toughness becomes another print as one."""
    assert text_of(creature(f"{ATTACKS} {text}")) == f"{ATTACKS} {now}"


@pytest.mark.parametrize(
    "text",
    (
        "Target creature can't be blocked this turn and has base power 3.",
        "As long as you control an Elf, target creature has base power and toughness 3/3.",
        "For as long as you control an Elf, target creature has base power and toughness 3/3.",
    ),
)
def test_a_size_is_for_good_only_where_nothing_says_for_how_long(text: str) -> None:
    """A duration that begins the sentence, or stands in it, would be that of the size too."""
    assert isinstance(spell(text), Unread)


@pytest.mark.parametrize("theirs", ("That player", "He or she"))
def test_who_copies_a_spell_chooses_its_targets(theirs: str) -> None:
    """ "He or she may copy this spell and may choose a new target" is no choice of yours."""
    text = f"Target player discards a card. {theirs} may copy this spell and may choose a new target for the copy."
    assert text_of(spell(text)) == (
        "Target player discards a card. That player may copy Testbolt and may choose a new target for that copy."
    )
    yours = "You may copy this spell and may choose a new target for the copy."
    assert text_of(spell(yours)) == "You may copy Testbolt. You may choose new targets for the copy."


@pytest.mark.parametrize(
    "text",
    (
        "Testbolt deals 3 damage to each creature. If a creature dealt damage this way would die this turn, exile it instead.",
        "Testbolt deals 3 damage to target creature. If that creature would die this turn, exile it instead.",
        "Testbolt deals 3 damage to each creature. If a creature would die this turn, exile it instead.",
    ),
)
def test_which_creature_would_die_is_printed(text: str) -> None:
    """One of those that were dealt damage, the one that was spoken of, and any creature are three things."""
    assert text_of(spell(text)) == text
