"""What single rules of the text grammar mean, where two meanings lie close together."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards.forms import Card
from server.cards.loading import Entry, Unread
from server.oracle.reading import read_card
from tests.oracle.cards import creature, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "Protection from red and from blue",
        "Testbeast gets +1/+1 for each artifact you control.",
        "Other Elves you control get +1/+1 and have trample.",
        "Testbeast can't be blocked except by two or more creatures.",
        "Testbeast can't be blocked by more than one creature.",
        "Testbeast can't attack unless defending player controls an Island.",
        "As long as you control a Forest, Testbeast has first strike.",
        "Testbeast enters with two +1/+1 counters on it.",
        "Prevent all combat damage that would be dealt to Testbeast.",
        "Creature spells you cast cost {1} less to cast.",
        "You have no maximum hand size.",
        "When Testbeast enters, create two 1/1 white Soldier creature tokens with flying.",
        "{1}{G}, {T}, sacrifice Testbeast: Destroy target artifact. Activate only as a sorcery.",
    ),
)
def test_static_abilities_and_tokens_print_as_they_were(text: str) -> None:
    """Text in the grammar's own words comes back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    ("text", "now"),
    (
        ("Testbeast is unblockable.", "Testbeast can't be blocked."),
        ("{T}: Add {2} to your mana pool.", "{T}: Add {C}{C}."),
        (
            "{G}: Put a 1/1 green Elf creature token onto the battlefield.",
            "{G}: Create a 1/1 green Elf creature token.",
        ),
        ("Testbeast enters the battlefield tapped.", "Testbeast enters tapped."),
    ),
)
def test_old_wording_prints_as_the_new(text: str, now: str) -> None:
    """The normalisations."""
    assert text_of(creature(text)) == now


def test_that_player_needs_somebody_spoken_of() -> None:
    """A spell that speaks of a player nobody named is unread."""
    assert isinstance(spell("Destroy target creature. That player loses 2 life."), Unread)
    assert isinstance(spell("Target player draws a card. That player loses 2 life."), Card)


def test_groups_that_rules_are_about_stay_open() -> None:
    """611.2c: "can't block" is about whatever is a creature then, "gets +1/+1" about what was one."""
    rule = spell("Creatures without flying can't block this turn.")
    size = spell("Creatures you control get +1/+1 until end of turn.")
    assert isinstance(rule, Card) and isinstance(size, Card)
    one, other = (a.do[0] for a in (*rule.abilities, *size.abilities) if isinstance(a, f.SpellAbility))
    assert isinstance(one, f.Effect) and one.following
    assert isinstance(other, f.Effect) and not other.following


def test_an_if_right_after_the_event_is_intervening() -> None:
    """603.4; at the end of the sentence it is asked as the ability resolves."""
    first = creature("When Testbeast enters, if you control a Forest, draw a card.")
    last = creature("When Testbeast enters, draw a card if you control a Forest.")
    assert isinstance(first, Card) and isinstance(last, Card)
    one, other = first.abilities[0], last.abilities[0]
    assert isinstance(one, f.TriggeredAbility) and one.condition is not None
    assert isinstance(other, f.TriggeredAbility) and other.condition is None


def test_a_basic_land_without_type_is_colorless() -> None:
    """Lists leave its one symbol out."""
    card = read_card(Entry(name="Waste", types="Basic Land"))
    assert isinstance(card, Card) and len(card.abilities) == 1
    assert isinstance(read_card(Entry(name="Somewhere", types="Land")), Unread)
