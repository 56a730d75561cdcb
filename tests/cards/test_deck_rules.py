"""Deck rules as data: those of a draft, and such as clubs have; none is built in."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.cards.decks import BadRules, DeckRules, read_deck, read_rules
from server.cards.forms import Card
from server.cards.loading import DeckFault, Unread
from server.command.main import main
from server.oracle.house import house_card

DRAFT = """
name = "commander-draft"
format = "commander"
least = 60
copies = 0
single_colors_partner = true
"""
ELDERS = {
    card.name.lower(): card
    for card in (
        Card(name="Elm", types="Legendary Creature — Elf", cost="{G}", power="1", toughness="1"),
        Card(name="Ash", types="Legendary Creature — Elf", cost="{R}", power="1", toughness="1"),
        Card(name="Yew", types="Legendary Creature — Elf", cost="{G}{R}", power="1", toughness="1"),
        Card(name="Rowan", types="Legendary Planeswalker — Rowan", cost="{G}", loyalty="3"),
        Card(name="Leaf Fall", types="Instant", cost="{G}"),
        Card(name="Ember Fall", types="Instant", cost="{R}"),
    )
}


def known(name: str) -> Card | Unread | None:
    return ELDERS.get(name.lower()) or house_card(name)


def faults(text: str, rules: DeckRules) -> list[str]:
    try:
        read_deck(text, known, own=rules)
    except DeckFault as fault:
        return [why for _, why in fault.faults]
    return []


@pytest.mark.rule("current 903.13", "current 903.13f")
def test_a_drafted_commander_deck_has_sixty_cards_or_more_and_any_number_of_a_name() -> None:
    rules = read_rules(DRAFT.encode())
    deck = "Commander\n1 Elm\n\nDeck\n30 Leaf Fall\n29 Forest\n"
    assert faults(deck, rules) == []
    assert faults(deck.replace("29 F", "129 F"), rules) == []
    assert faults(deck.replace("29 F", "28 F"), rules) == [
        "a deck has at least 60 cards by commander-draft, this one has 59"
    ]
    assert faults(deck.replace("30 Leaf", "30 Ember"), rules) == [
        "'Ember Fall' has a colour that its commander has not: R (903.5c)"
    ]


@pytest.mark.rule("current 903.13f")
def test_cards_of_one_colour_lead_a_drafted_deck_together_and_those_of_two_do_not() -> None:
    rules = read_rules(DRAFT.encode())
    deck = "Commander\n1 Elm\n1 Ash\n\nDeck\n30 Leaf Fall\n28 Mountain\n"
    assert faults(deck, rules) == []
    assert any("no partners" in why for why in faults(deck.replace("Ash", "Yew"), rules))
    alone = read_rules(DRAFT.replace("single_colors_partner = true", "").encode())
    assert any("no partners" in why for why in faults(deck, alone))


@pytest.mark.rule("current 903.13g")
def test_a_drafted_deck_is_led_as_any_commander_deck() -> None:
    rules = read_rules(DRAFT.encode())
    found = read_deck("Commander\n1 Elm\n\nDeck\n59 Forest\n", known, own=rules)
    assert [card.name for card in found.commander] == ["Elm"] and len(found.cards) == 59
    assert any("no legendary creature" in why for why in faults("Commander\n1 Rowan\n\nDeck\n59 Forest\n", rules))


def test_a_club_says_who_leads() -> None:
    rules = DeckRules(
        name="oath", format="commander", least=60, most=60, copies=1, leads=(("planeswalker",), ("instant", "sorcery"))
    )
    deck = "Commander\n1 Rowan\n1 Leaf Fall\n\nDeck\n58 Forest\n"
    assert faults(deck, rules) == []
    assert faults(deck.replace("1 Rowan\n1 Leaf Fall", "1 Leaf Fall\n1 Rowan"), rules) == []
    assert faults(deck.replace("1 Rowan", "1 Elm"), rules) == [
        "a deck is led by planeswalker and instant or sorcery by oath, not by 'Elm'"
    ]
    assert faults(deck.replace("1 Leaf Fall\n", "").replace("58", "59"), rules) == [
        "2 cards lead a deck by oath, this one names 1"
    ]
    assert faults(deck.replace("58", "59"), rules) == ["a deck has at most 60 cards by oath, this one has 61"]


def test_a_card_may_be_banned_from_decks_or_only_from_leading_them() -> None:
    rules = DeckRules(name="duel", format="commander", least=100, most=100, copies=1, banned_leaders=("elm",))
    leads = "Commander\n1 Elm\n\nDeck\n99 Forest\n"
    assert faults(leads, rules) == ["'Elm' may not lead a deck by duel"]
    assert faults(leads.replace("1 Elm", "1 Yew").replace("99 Forest", "98 Forest\n1 Elm"), rules) == []
    out = DeckRules(name="duel", format="commander", least=100, most=100, copies=1, banned=("Elm",))
    assert faults(leads, out) == ["'Elm' is banned by duel"]


def test_what_lists_call_legal_somewhere_can_be_asked_for() -> None:
    class Listed:
        find = staticmethod(known)

        def near(self, name: str) -> tuple[str, ...]:
            return ()

        def legality(self, name: str) -> dict[str, str]:
            return {"pauper": "legal"} if name != "Ember Fall" else {"modern": "legal"}

    rules = DeckRules(name="commons", legal="pauper", sideboard=1)
    deck = "56 Forest\n4 Leaf Fall\nSideboard\n1 Leaf Fall\n"
    listed = Listed()
    for text, said in (
        (deck.replace("1 Leaf", "1 Ember"), ["'Ember Fall' is not legal in pauper"]),
        (deck, ["more than 4 of 'Leaf Fall' (commons)"]),
        (deck.replace("1 Leaf Fall", "2 Forest"), ["a sideboard has at most 1 cards (commons)"]),
    ):
        with pytest.raises(DeckFault) as caught:
            read_deck(text, listed, own=rules)  # type: ignore[arg-type]
        assert [why for _, why in caught.value.faults] == said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "x"\nmost = 10\n', "has not 60"),
        ('name = "x"\nleads = [["instant"]]\n', "nobody leads"),
        ('name = "x"\nsize = 60\n', "unknown field"),
        ('name = "Two Words"\n', "name"),
        ("name = ", "nvalid"),
    ],
)
def test_a_file_that_holds_no_rules_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadRules, match=says):
        read_rules(text.encode())


def test_the_command_judges_by_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, deck = tmp_path / "mine.toml", tmp_path / "deck.txt"
    rules.write_text('name = "mine"\nleast = 40\n', "utf-8")
    deck.write_text("40 Forest\n", "utf-8")
    command = ["deck", "check", "--data", str(tmp_path), str(deck)]
    assert main(command) == 1
    assert main([*command, "--rules", str(rules)]) == 0
    rules.write_text("least = 40\n", "utf-8")
    assert main([*command, "--rules", str(rules)]) == 1
    assert "mine.toml" in capsys.readouterr().err
