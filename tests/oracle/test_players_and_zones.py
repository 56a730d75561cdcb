"""Texts about looking, searching, hands, libraries and players: what they mean, and that they are printed again."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.forms import Card
from server.cards.loading import Unread
from server.cards.nouns import Noun
from server.oracle.reading import printed
from tests.oracle.cards import creature, spell, text_of


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
    assert text_of(spell(text)) == now


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


@pytest.mark.parametrize(
    ("text", "now"),
    (
        (
            "Search your library for a basic land card and put that card onto the battlefield tapped. Then shuffle your library.",
            "Search your library for a basic land card, put it onto the battlefield tapped, then shuffle.",
        ),
        (
            "Search your library for an instant card, reveal it, then shuffle your library and put that card on top of it.",
            "Search your library for an instant card, reveal it, then shuffle and put it on top.",
        ),
        (
            "Target player searches their library for up to two cards, puts them into their hand, then shuffles.",
            "Target player searches their library for up to two cards, puts them into their hand, then shuffles.",
        ),
        (
            "Search your library for any number of land cards, exile them, then shuffle your library.",
            "Search your library for any number of land cards, exile them, then shuffle.",
        ),
        (
            "Search your library, graveyard, and hand for any number of land cards, exile them, then shuffle your library.",
            "Search your library and graveyard and hand for any number of land cards, exile them, then shuffle.",
        ),
        (
            "Search your library and/or graveyard for a card named Mira, Keen Sage, reveal it, and put it into your hand. "
            "If you search your library this way, shuffle it.",
            "Search your library and/or graveyard for a card named Mira, Keen Sage, reveal it, put it into your hand. "
            "If you search your library this way, shuffle.",
        ),
        (
            "Destroy target land. Its controller may search their library for a basic land card, put it onto the battlefield, "
            "then shuffle.",
            "Destroy target land. Its controller may search their library for a basic land card, put it onto the battlefield, "
            "then shuffle.",
        ),
    ),
)
def test_a_search_is_printed_in_one_way(text: str, now: str) -> None:
    """Whatever order of words a list has for what becomes of the cards."""
    assert text_of(spell(text)) == now


@pytest.mark.parametrize(
    "text",
    (
        "Search your library and/or graveyard for a land card, put it into your hand, then shuffle.",
        "Search your library and/or graveyard for a land card and put it into your hand.",
        "Search your library and/or graveyard for a Forest card and a Plains card and put them into your hand. If you search "
        "your library this way, shuffle.",  # the zones are chosen once, not for each of them
        "Target player searches their library and/or graveyard for a land card and puts it into their hand. If you search "
        "your library this way, shuffle.",
    ),
)
def test_a_library_that_need_not_be_searched_is_not_shuffled_unasked(text: str) -> None:
    """Which zones of "and/or" are searched is a choice; what is said of shuffling must follow it."""
    assert isinstance(spell(text), Unread)


def test_cards_that_go_to_several_places_are_found_first() -> None:
    """The search only finds; the instructions after it move, and the library is shuffled last."""
    do = tree(
        spell(
            "Search your library for up to two basic land cards, reveal those cards, put one onto the battlefield tapped and "
            "the other into your hand, then shuffle your library."
        )
    )
    assert [type(verb) for verb in do] == [f.Search, f.Move, f.Move, f.Shuffle]
    assert isinstance(do[0], f.Search) and do[0].to == "found" and not do[0].shuffle


def test_a_second_article_shares_no_adjective() -> None:
    """ "A basic land card or a Gate card": the Gate need not be basic."""
    kind = n.kind_of(Noun("a basic land card or a Gate card").reading)
    assert kind is not None and isinstance(kind.objects, n.Any)
    basic, gate = kind.objects.parts
    assert isinstance(basic, n.All) and n.HasSupertype(supertype="basic") in basic.parts
    assert isinstance(gate, n.All) and n.HasSupertype(supertype="basic") not in gate.parts
    text = "Search your library for a land card or a Gate card with mana value 2, put it into your hand."
    assert isinstance(spell(text), Unread)


@pytest.mark.parametrize(
    "text",
    (
        "When Testbeast enters, surveil 2.",
        "When Testbeast enters, it explores.",
        "When Testbeast dies, investigate.",
        "When Testbeast attacks, it connives 2.",
        "When Testbeast enters, you become the monarch.",
        "When you surveil, Testbeast gets +1/+1 until end of turn.",
        "{2}{G}: Adapt 2.",
        "{3}, {T}: Proliferate.",
        "When Testbeast enters, amass Orcs 2.",
        "When Testbeast enters, detain target creature an opponent controls.",
        "When Testbeast enters, clash with an opponent. If you win, draw a card.",
    ),
)
def test_keyword_actions_print_as_they_were(text: str) -> None:
    """They are words of their own, for objects and for players."""
    assert text_of(creature(text)) == text


def test_a_vote_speaks_of_its_own_words() -> None:
    """What may be voted for is known to the sentences about the outcome, and to no other text."""
    vote = "Starting with you, each player votes for death or mercy. "
    outcome = "If death gets more votes, each opponent loses 5 life. If mercy gets more votes or the vote is tied, you gain 2 life."
    assert isinstance(spell(vote + outcome), Card)
    assert isinstance(spell(outcome), Unread)


@pytest.mark.parametrize(
    "text",
    (
        "When Testbeast enters, exile target creature an opponent controls until Testbeast leaves the battlefield.",
        "When Testbeast enters, you get {E}{E}.",
        "Pay {E}{E}: Put a +1/+1 counter on Testbeast.",
        "When a player mills a nonland card, you gain 1 life.",
        "At the beginning of your end step, if another Human died under your control this turn, draw a card.",
        "{2}: Until your next turn, whenever a creature becomes tapped, destroy it.",
    ),
)
def test_other_texts_about_players_and_zones_print_as_they_were(text: str) -> None:
    """Forms of their own."""
    assert text_of(creature(text)) == text


def test_a_card_is_chosen_from_a_revealed_hand_and_discarded() -> None:
    """The choice, and what becomes of the card, are instructions of their own."""
    do = tree(
        spell("Target opponent reveals their hand. You choose a nonland card from it. That player discards that card.")
    )
    assert [type(verb) for verb in do] == [f.RevealHand, f.Pick, f.Discard]
    maybe = tree(spell("Target opponent reveals their hand. You may choose a nonland card from it. Exile that card."))
    assert isinstance(maybe[1], f.Pick) and maybe[1].what.text.startswith("up to one")


@pytest.mark.parametrize(
    "text",
    (
        "{T}: Exile up to two target cards from a single graveyard.",
        "{6}, {T}: Two target players exchange life totals.",
        "{X}, {T}: Tap X target creatures.",
        "As long as your devotion to green and blue is less than seven, Testbeast isn't a creature.",
        "You have protection from the chosen card name.",
        "When Testbeast enters, you gain 1 life. If this is the second time this ability has resolved this turn, draw a card.",
    ),
)
def test_targets_and_conditions_print_as_they_were(text: str) -> None:
    """Forms of their own."""
    assert text_of(creature(text)) == text


def test_as_many_targets_as_x_need_an_x() -> None:
    """107.3: the X is announced with the cost; where there is none, nothing says how many."""
    assert isinstance(creature("{T}: Tap X target creatures."), Unread)


def test_a_subtype_that_is_its_own_plural_is_a_group() -> None:
    """ "Other Merfolk you control" are all of them, though the word is singular too."""
    card = creature("Other Merfolk you control get +1/+1.")
    assert isinstance(card, Card), card
    assert printed(card) == "All other Merfolk you control get +1/+1."


def test_who_is_only_asked_about_is_not_that_player() -> None:
    """A condition says whether somebody did it, and nobody who did."""
    asked = "If an opponent cast a red spell this turn, that player discards a card."
    assert isinstance(spell(asked), Unread)
    assert isinstance(spell(f"Target player draws a card. {asked}"), Card)
