"""Texts about damage, combat and triggers: what is read prints back, and what would be guessed is unread."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards.forms import Card
from server.cards.loading import Unread
from server.oracle.engine import paragraphs
from server.oracle.engine.paragraph import without_flavor
from tests.oracle.cards import creature, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "When Testbeast becomes tapped or is dealt damage, draw a card.",
        "When one or more Elves you control deal combat damage to a player, that player loses 1 life.",
        "When one or more creature cards are put into your graveyard from your library, draw that many cards.",
        "When you attack with three or more Elves, draw a card.",
        "When Testbeast and at least two other creatures attack, draw a card.",
        "When one or more opponents lose life, draw a card. This ability triggers only once each turn.",
        "When Testbeast enters and when you cast an Elf spell, draw a card.",
        "When one or more +1/+1 counters are put on Testbeast, draw a card.",
        "When you draw your second card each turn, you gain 1 life.",
        "Combat damage that would be dealt by creatures you control can't be prevented.",
        "If damage would be dealt to Testbeast, prevent that damage. Remove a +1/+1 counter from Testbeast.",
    ),
)
def test_creature_texts_print_back(text: str) -> None:
    """Text in the grammar's own words comes back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "Prevent all combat damage that would be dealt to creatures you control this turn.",
        "Prevent all damage that would be dealt to target creature this turn.",
        "Prevent all combat damage that would be dealt by attacking creatures this turn.",
        "Prevent the next 3 damage that would be dealt to any target this turn.",
        "The next 2 damage that would be dealt to you this turn is dealt to target creature instead.",
        "Damage can't be prevented this turn.",
    ),
)
def test_instructions_about_damage_print_back(text: str) -> None:
    """Text in the grammar's own words comes back unchanged."""
    assert text_of(spell(text)) == text


def test_a_group_is_shielded_as_it_is_when_damage_would_be_dealt() -> None:
    """611.2c: a shield about a kind stays open, one for a target is that target's."""
    group = spell("Prevent all damage that would be dealt to creatures you control this turn.")
    one = spell("Prevent all damage that would be dealt to target creature this turn.")
    assert isinstance(group, Card) and isinstance(one, Card)
    shields = [a.do[0] for a in (*group.abilities, *one.abilities) if isinstance(a, f.SpellAbility)]
    assert [isinstance(s, f.Shield) and s.per is None for s in shields] == [True, False]


def test_one_of_several_is_not_guessed() -> None:
    """ "One or more" trigger once, so that "it" would be any of them."""
    assert isinstance(creature("Whenever one or more Elves you control die, return it to its owner's hand."), Unread)


def test_lines_that_a_list_broke_are_one_paragraph() -> None:
    """A line goes on after a comma or in small letters, but keywords stand in lines of their own."""
    assert paragraphs("When this attacks, if you control a Forest,\ndraw a card.") == [
        "When this attacks, if you control a Forest, draw a card."
    ]
    assert paragraphs("Flying\nprotection from red") == ["Flying", "protection from red"]
    assert paragraphs("Choose one - Draw a card;\nor you gain 3 life.") == [
        "Choose one —\n• Draw a card.\n• You gain 3 life."
    ]


@pytest.mark.rule("current 207.2d")
def test_flavor_words_go_and_keywords_stay() -> None:
    """Words before a dash mean nothing unless they are a keyword's."""
    assert without_flavor("Song of Reeds — When this enters, draw a card.") == "When this enters, draw a card."
    assert without_flavor("Boast — {1}: Draw a card.") == "Boast — {1}: Draw a card."
    assert without_flavor("III — Draw a card.") == "III — Draw a card."


@pytest.mark.parametrize(
    "text",
    (
        "If one or more tokens would be created under your control, twice that many of those tokens are created instead.",
        "If one or more +1/+1 counters would be put on a creature you control, that many plus one +1/+1 counters are put on it instead.",
        "If an opponent would gain life, that player loses that much life instead.",
        "As long as two or more artifacts entered under your control this turn, Testbeast gets +1/+1.",
        "When Testbeast enters, if you've cast another spell this turn, draw a card.",
        "At the beginning of your end step, if you gained or lost life this turn, draw a card.",
        "When Testbeast enters, if there are four or more card types among cards in your graveyard, draw a card.",
    ),
)
def test_replacements_and_what_happened_print_back(text: str) -> None:
    """Text in the grammar's own words comes back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    ("text", "read"),
    (
        ("Whenever a creature you control with one or more counters on it dies, draw that many cards.", False),
        (
            "Whenever a creature you control with counters on it dies, exile that many cards from the top of your library.",
            False,
        ),
        (
            "Whenever you cast a spell with mana value 3 or greater, Testbeast deals that much damage to target creature.",
            False,
        ),
        ("Whenever a creature you control is dealt damage, draw that many cards.", True),
        ("Whenever Testbeast attacks, mill two cards. You gain that much life.", True),
    ),
)
def test_that_many_is_unread_where_nothing_came_to_a_number(text: str, read: bool) -> None:
    assert isinstance(creature(text), Unread) is not read


def test_another_after_a_target_is_not_guessed() -> None:
    """Whether the source may be chosen, or only the target may not, is told by no rule."""
    text = "Whenever you attack, tap target creature. Then choose another attacking creature. That creature gains haste until end of turn."
    assert isinstance(creature(text), Unread)
    assert not isinstance(creature(text.replace("another", "an")), Unread)
