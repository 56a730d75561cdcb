"""Text about casting, costs, mana and permissions: it is read, and prints as it was."""

from __future__ import annotations

import pytest

from server.cards.loading import Unread
from tests.oracle.cards import creature, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "Spectacle {R}",
        "Escape — {2}{R}, exile three other cards from your graveyard",
        "Goblin offering",
        "Plot {1}{U}",
        "Bargain\nWhen Testbeast enters, if it was bargained, draw a card.",
        "You may cast creature spells from the top of your library.",
        "Once each turn, you may cast an instant spell from among cards exiled with Testbeast.\n{T}: Exile target card.",
        "You may spend mana as though it were mana of any color.",
        "During your turn, you may play lands and cast spells from your graveyard.",
        "{T}: Add one mana of any color. Spend this mana only to cast creature spells.",
        "{T}: Add {G}. When you spend this mana to cast a Dragon spell, draw a card.",
        "When you tap a land for mana, add one mana of any type that permanent produced.",
        "{T}: Add one mana of any color that a land an opponent controls could produce.",
        "When Testbeast enters, you get {E}{E}.\nPay {E}{E}: Draw a card.",
        "Ward — Collect evidence 3",
        "When you expend 4, draw a card.",
        "Activated abilities of creatures you control cost {1} more to activate.",
        "Each player can't cast more than two spells each turn.",
        "Players can't pay life to cast spells or activate abilities.",
        "Creature spells have convoke.",
    ),
)
def test_permanents_about_casting_print_as_they_were(text: str) -> None:
    """Text in the grammar's own words comes back unchanged."""
    assert text_of(creature(text)) == text


@pytest.mark.parametrize(
    "text",
    (
        "As an additional cost to cast Testbolt, discard a card or pay {2}.\nDraw two cards.",
        "Testbolt costs {1} less to cast for each creature you control.\nDraw a card.",
        "Testbolt costs {2} less to cast if it targets a tapped creature.\nDestroy target creature.",
        "You may sacrifice two creatures rather than pay Testbolt's mana cost.\nDraw a card.",
        "Exile the top card of your library. You may cast that card without paying its mana cost.",
        "Discover 3.",
        "The next spell you cast this turn has convoke.",
        "Counter target spell if its mana value is X.",
        "Draw a card. You can cast only one more spell this turn.",
    ),
)
def test_spells_about_casting_print_as_they_were(text: str) -> None:
    assert text_of(spell(text, "{X}{R}")) == text


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            "Multikicker (You may pay an additional {G} any number of times as you cast this spell.)\nDraw a card.",
            "Multikicker {G}\nDraw a card.",
        ),
        (
            "Exile the top card of your library. Until end of turn, you may play that card.",
            "Exile the top card of your library. You may play that card this turn.",
        ),
    ),
)
def test_other_wordings_of_casting_print_as_the_first(text: str, now: str) -> None:
    assert text_of(spell(text, "{X}{R}")) == now


@pytest.mark.parametrize(
    "text",
    (
        "Spend this mana only to cast creature spells.",  # no mana was spoken of
        "You may cast a spell.",  # from where is not said
        "Evoke",  # what it costs is not said
        "{T}: Add {G}. Spend this mana only on Tuesdays.",
    ),
)
def test_what_says_too_little_is_unread(text: str) -> None:
    assert isinstance(creature(text), Unread)
