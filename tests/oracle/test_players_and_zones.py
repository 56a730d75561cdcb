"""Texts about looking, searching, hands, libraries and players: what they mean, and that they are printed again."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards.entries import Entry, Unread
from server.cards.forms import Card
from server.oracle.reading import printed, read_card


def creature(text: str) -> Card | Unread:
    """A creature with this text."""
    return read_card(Entry(name="Testbeast", types="Creature — Elf", power="1", toughness="1", cost="{G}", text=text))


def spell(text: str, cost: str = "{R}") -> Card | Unread:
    """A sorcery with this text."""
    return read_card(Entry(name="Testbolt", types="Sorcery", cost=cost, text=text))


def tree(card: Card | Unread) -> f.Tree:
    """What the only ability of a card does."""
    assert isinstance(card, Card), card
    (ability,) = card.abilities
    assert isinstance(ability, f.SpellAbility | f.TriggeredAbility | f.ActivatedAbility)
    return ability.do


LOOK = "Look at the top five cards of your library."


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            f"{LOOK} You may reveal a creature card from among them and put it into your hand. Put the rest on the bottom of "
            "your library in a random order.",
            f"{LOOK} Reveal up to one creature card from among them and put it into your hand. Put the rest on the bottom of "
            "your library in a random order.",
        ),
        (
            f"{LOOK} Put two of them into your hand and the rest into your graveyard.",
            f"{LOOK} Put two of them into your hand. Put the rest into your graveyard.",
        ),
        (
            "Look at the top three cards of your library, then put them back in any order.",
            "Look at the top three cards of your library. Put them on top of your library in any order.",
        ),
        (
            "Mill four cards. You may put a land card from among the milled cards into your hand.",
            "Mill four cards. Put up to one land card from among them into your hand.",
        ),
    ),
)
def test_what_is_taken_of_cards_looked_at_is_a_choice_of_up_to_so_many(text: str, now: str) -> None:
    """The normalisations of what is done with such cards."""
    card = spell(text)
    assert isinstance(card, Card), card
    assert printed(card) == now


def test_they_are_the_cards_looked_at_whatever_came_between() -> None:
    """ "Them" is bound by the instruction that looked, and nothing is read where nothing was looked at."""
    card = spell(f"{LOOK} Put one of them into your hand and one of them on the bottom of your library.")
    move = [verb for verb in tree(card) if isinstance(verb, f.Move)]
    assert [verb.what.text for verb in move] == ["one of $looked", "one of $looked"]
    assert isinstance(spell("You may put a creature card from among them into your hand."), Unread)


def test_a_sentence_that_goes_on_in_a_new_line_is_part_of_the_ability() -> None:
    """Lists break lines in the middle of an ability."""
    broken = creature(
        f"When Testbeast enters, {LOOK.lower()}\nPut one of them into your hand and the rest into your graveyard."
    )
    whole = creature(
        f"When Testbeast enters, {LOOK.lower()} Put one of them into your hand and the rest into your graveyard."
    )
    assert tree(broken) == tree(whole)


def test_x_of_a_sacrifice_is_found_out_after_it() -> None:
    """The amount stands inside of "if you do"."""
    (may,) = tree(
        spell("You may sacrifice a creature. If you do, draw X cards, where X is the sacrificed creature's power.")
    )
    assert isinstance(may, f.May) and isinstance(may.then[1], f.If)
    assert isinstance(may.then[1].then[0], f.Bind)
