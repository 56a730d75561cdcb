"""Instructions that other words of their paragraph replace, repeat or limit."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards.loading import Unread
from tests.oracle.cards import creature, spell, text_of

AGAIN = "If you control a Wall, "


@pytest.mark.rule("614.15")
@pytest.mark.parametrize(
    "text",
    (
        f"Draw a card. {AGAIN}draw two cards instead.",
        f"Target creature gets +1/+1 until end of turn. {AGAIN}it gets +3/+3 until end of turn instead.",
        f"Testbolt deals 2 damage to any target. {AGAIN}Testbolt deals 4 damage instead.",
        f"Create a 1/1 red Goblin creature token. {AGAIN}create three of those tokens instead.",
        f"Destroy target creature. {AGAIN}exile it instead.",
    ),
)
def test_a_condition_replaces_an_instruction_by_one_of_its_kind(text: str) -> None:
    """What is done instead is told apart from what follows."""
    assert text_of(spell(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        f"Draw a card. {AGAIN}destroy target creature instead.",
        f"Testbolt deals 2 damage to any target. {AGAIN}Testbolt deals 4 damage to target player instead.",
    ),
)
def test_what_replaces_has_no_targets_of_its_own_and_is_of_the_same_kind(text: str) -> None:
    """Which instruction is replaced would be a guess, and its targets would be announced in vain."""
    assert isinstance(spell(text), Unread)


def test_what_the_instruction_itself_finds_is_not_asked_about_before() -> None:
    """Who is "the chosen creature" is known once that has been chosen."""
    text = (
        "Kicker {2}\nChoose target creature with power 3 or less. If this spell was kicked, instead choose target creature. "
        "Exile the chosen creature, then its controller gains life equal to its mana value."
    )
    assert isinstance(spell(text), Unread)


@pytest.mark.rule("700.2")
@pytest.mark.parametrize(
    "head",
    (
        f"Choose one. {AGAIN}choose both.",
        f"Choose one. {AGAIN}you may choose both.",
        "Choose three. You may choose the same mode more than once.",
    ),
)
def test_how_many_modes_are_chosen_may_hang_on_something(head: str) -> None:
    """The head of a modal text says how many, and of what it depends."""
    text = f"{head}\n• You gain 3 life.\n• Draw a card."
    assert text_of(spell(text)) == text


@pytest.mark.rule("current 207.2d")
def test_what_a_mode_is_called_means_nothing() -> None:
    """Names of modes go, as other flavor words do."""
    text = "When Testbeast enters, choose one —\n• {}You gain 3 life.\n• {}Draw a card."
    assert text_of(creature(text.format("Mend the Wound — ", "Read — "))) == text.format("", "")


@pytest.mark.parametrize(
    "text",
    (
        "{T}: Target creature gains your choice of flying, reach, or haste until end of turn.",
        "As Testbeast enters, choose a color.\nTestbeast has protection from the chosen color.",
        "As long as it's your turn, Testbeast has first strike.",
        "{2}: Testbeast can attack as though it didn't have defender this turn.",
        "At the beginning of your upkeep, if Testbeast is in your graveyard, you may pay {2}. If you do, return Testbeast to its owner's hand.",
        "{T}, remove X charge counters from Testbeast: Add X {U}.",
    ),
)
def test_texts_of_creatures_come_back(text: str) -> None:
    """Each is read and printed in the grammar's own words."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "Goad target creature.",
        "You gain 1 life for each creature in your party.",
        "If you control three or more creatures with different powers, draw a card.",
        "You may pay {X}{R}. If you do, Testbolt deals X damage to any target.",
    ),
)
def test_texts_of_spells_come_back(text: str) -> None:
    """Each is read and printed in the grammar's own words."""
    assert text_of(spell(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "When you commit a crime, you gain 1 life.",
        "{T}: Move a +1/+1 counter from target creature onto another target creature.",
        "{1}, remove a counter from Testbeast: Draw a card.",
        "{1}, remove a +1/+1 counter from a creature you control: Draw a card.",
        "When you control no Islands, sacrifice Testbeast.",
        "If Testbeast is in your opening hand, you may begin the game with it on the battlefield.",
    ),
)
def test_other_texts_of_creatures_come_back(text: str) -> None:
    """Each is read and printed in the grammar's own words."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "Manifest the top card of your library.",
        "Manifest dread.",
        "Cloak the top card of your library.",
        "Double the number of +1/+1 counters on target creature.",
        "Return a creature card from your graveyard at random to your hand.",
    ),
)
def test_later_actions_come_back(text: str) -> None:
    """Each is read and printed in the grammar's own words."""
    assert text_of(spell(text)) == text


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            "When Testbeast enters, she deals 1 damage to you.",
            "When Testbeast enters, Testbeast deals 1 damage to you.",
        ),
        ("Put a +1/+1 counter on him.", "Put a +1/+1 counter on Testbeast."),
        ("You gain life equal to her power.", "You gain life equal to Testbeast's power."),
    ),
)
def test_a_card_that_is_somebody_is_spoken_of_as_such(text: str, now: str) -> None:
    """He, she and her are the card itself."""
    head = "" if text.startswith("When") else "{T}: "
    assert text_of(creature(head + text)) == head + now


@pytest.mark.parametrize(
    "text",
    (
        "Target creature becomes black and gains fear until end of turn.",
        "Tap target creature. It doesn't untap during its controller's untap step for as long as you control Testbolt.",
        "Destroy target creature. If that creature has flying, draw a card.",
        "If that creature is white or blue, draw a card.",
    ),
)
def test_what_something_becomes_has_and_is_comes_back(text: str) -> None:
    """Each is read and printed in the grammar's own words."""
    head = "Destroy target creature. " if text.startswith("If") else ""
    assert text_of(spell(head + text)) == head + text


@pytest.mark.rule("current 702.124i")
@pytest.mark.parametrize("whose", ("character select", "father & son", "friends forever", "Survivors"))
def test_partners_of_one_kind_are_read(whose: str) -> None:
    """What counts as decks are put together is nothing in play; and no other words are a kind of partners."""
    assert not isinstance(
        creature(f"Partner—{whose[0].upper()}{whose[1:]} (You can have two of a kind.)\nFlying"), Unread
    )
    assert isinstance(creature(f"Partner—{whose} or so"), Unread)


@pytest.mark.rule("current 111.4")
@pytest.mark.parametrize("name", ("Kobolds of Testbolt", "Testbolt's Coil", "Warden's Coil"))
def test_a_token_is_called_as_the_text_says_also_after_its_maker(name: str) -> None:
    """A name holds no word for the card itself, and a possessive is one word of it."""
    card = spell(f"Create a 3/3 blue Serpent creature token named {name}.")
    assert not isinstance(card, Unread)
    (ability,) = card.abilities
    assert isinstance(ability, f.SpellAbility)
    (made,) = ability.do
    assert isinstance(made, f.CreateToken)
    assert made.token is not None
    assert made.token.name == name
