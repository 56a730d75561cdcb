"""Companions (current 702.139): what each asks of a deck, and how lists bring one."""

from __future__ import annotations

import pytest

from server.cards.decks import Deck, read_deck
from server.cards.decks.companions import is_fulfilled, mana_value
from server.cards.forms import ActivatedAbility, Card
from server.cards.loading import DeckFault, Unread, whole
from server.oracle.house import house_card
from server.oracle.reading import read_card


def card(name: str, types: str, cost: str = "", **more: object) -> Card:
    return Card(name=name, types=types, cost=cost, **more)  # type: ignore[arg-type]


PLAINS = card("Plains", "Basic Land — Plains")
ONE = card("One", "Instant", "{W}")
TWO = card("Two", "Creature — Cat", "{1}{W}")
THREE = card("Three", "Creature — Bear", "{1}{W}{W}")
FOUR = card("Four", "Sorcery", "{4}")
ONLY = "your starting deck contains only cards with "
EACH = "each permanent card in your starting deck "


@pytest.mark.rule("current 702.139a")
@pytest.mark.parametrize(
    ("asks", "right", "wrong"),
    [
        (f"{ONLY}even mana values", (PLAINS, TWO, FOUR), (ONE,)),
        (f"{ONLY}odd mana values and land cards", (PLAINS, ONE, THREE), (TWO,)),
        (f"{ONLY}odd mana values", (ONE,), (PLAINS,)),
        (f"{ONLY}mana value 3 or greater and land cards", (PLAINS, THREE, FOUR), (TWO,)),
        (f"{EACH}has mana value 2 or less", (PLAINS, TWO, FOUR), (THREE,)),
        ("each nonland card in your starting deck has a different name", (PLAINS, ONE), (TWO, TWO)),
        ("each nonland card in your starting deck shares a card type", (PLAINS, TWO, THREE), (ONE, TWO)),
        ("each creature card in your starting deck is a cat, elemental, or beast card", (TWO, FOUR), (THREE,)),
        ("no card in your starting deck has more than one of the same mana symbol in its mana cost", (TWO,), (THREE,)),
        (f"{EACH}has an activated ability", (PLAINS, ONE), (TWO,)),
    ],
)
def test_a_deck_is_as_its_companion_asks_or_is_not(asks: str, right: tuple[Card, ...], wrong: tuple[Card, ...]) -> None:
    assert is_fulfilled(asks, [(1, one) for one in right], 60) is True
    assert is_fulfilled(asks, [(1, one) for one in (*right, *wrong)], 60) is False


@pytest.mark.rule("current 702.139a")
def test_several_of_one_name_are_not_of_different_names() -> None:
    asks = "each nonland card in your starting deck has a different name"
    assert is_fulfilled(asks, [(9, PLAINS), (1, ONE)], 60) is True
    assert is_fulfilled(asks, [(9, PLAINS), (2, ONE)], 60) is False


@pytest.mark.rule("current 702.139a")
def test_twenty_cards_more_than_the_least_are_counted() -> None:
    asks = "your starting deck contains at least twenty cards more than the minimum deck size"
    assert is_fulfilled(asks, [(80, PLAINS)], 60) is True
    assert is_fulfilled(asks, [(79, PLAINS)], 60) is False


def test_what_taps_for_a_cost_of_its_own_has_an_activated_ability() -> None:
    taps = card("Tap", "Creature — Cat", "{1}", abilities=(ActivatedAbility(cost=(), do=()),))
    assert is_fulfilled(f"{EACH}has an activated ability", [(1, taps)], 60) is True


def test_what_is_not_understood_is_neither() -> None:
    assert is_fulfilled("your starting deck smells of hay", [(60, PLAINS)], 60) is None


@pytest.mark.rule("current 202.3f")
def test_the_mana_value_of_a_cost() -> None:
    assert [mana_value(cost) for cost in ("", "{X}{2}{W}", "{2/W}{W/U}", "{W/P}{10}")] == [0, 3, 3, 11]


def leading(name: str, text: str, cost: str = "{2}{G}") -> Card:
    entry = {
        "name": name,
        "cost": cost,
        "types": "Legendary Creature — Fox",
        "text": text,
        "power": "3",
        "toughness": "3",
    }
    found = whole(entry, "tests", read_card)
    assert found is not None, text
    return found


FOX = leading(
    "Far Fox",
    "Companion — Your starting deck contains only cards with mana value 3 or greater and land cards.\nVigilance",
)
RED = leading("Red Fox", "Companion — Each nonland card in your starting deck has a different name.", "{2}{R}")
CHIEF = Card(name="Chief", types="Legendary Creature — Elf", cost="{4}{G}", power="4", toughness="4")
OWN = {one.name.lower(): one for one in (FOX, RED, CHIEF, THREE, TWO)}


def known(name: str) -> Card | Unread | None:
    return OWN.get(name.lower()) or house_card(name)


def read(text: str, format_: str = "constructed") -> Deck:
    return read_deck(text, known, format_=format_)


def faults(text: str, format_: str = "constructed") -> list[str]:
    with pytest.raises(DeckFault) as caught:
        read(text, format_)
    return [why for _, why in caught.value.faults]


@pytest.mark.rule("current 103.2b", "current 702.139a")
def test_a_list_brings_a_companion_whose_condition_its_deck_fulfils() -> None:
    deck = read("Companion\n1 Far Fox\n\nDeck\n56 Forest\n4 Three\n")
    assert [one.name for one in deck.companion] == ["Far Fox"] and len(deck.cards) == 60 and deck.outside == ()
    (why,) = faults("Companion\n1 Far Fox\n\nDeck\n56 Forest\n4 Two\n")
    assert "'Far Fox' is no companion of this deck: your starting deck contains only" in why


@pytest.mark.rule("current 103.2b")
def test_a_deck_has_one_companion_and_it_counts_as_a_card_of_the_sideboard() -> None:
    assert "one companion" in faults("Companion\n1 Far Fox\n1 Red Fox\n\nDeck\n60 Forest\n")[0]
    assert "one companion" in faults("Companion\n2 Far Fox\n\nDeck\n60 Forest\n")[0]
    assert "is no companion" in faults("Companion\n1 Three\n\nDeck\n60 Forest\n")[0]
    read("Companion\n1 Far Fox\n\nDeck\n60 Forest\n\nSideboard\n14 Forest\n")
    assert "at most 15" in faults("Companion\n1 Far Fox\n\nDeck\n60 Forest\n\nSideboard\n15 Forest\n")[0]


@pytest.mark.rule("current 702.139b")
def test_the_sideboard_is_no_part_of_the_starting_deck_and_the_commander_is() -> None:
    read("Companion\n1 Far Fox\n\nDeck\n60 Forest\n\nSideboard\n4 Two\n")
    deck = "Commander\n1 Chief\n\nDeck\n99 Forest\n\nCompanion\n1 Far Fox\n"
    assert [one.name for one in read(deck, "commander").companion] == ["Far Fox"]
    OWN["small chief"] = Card(
        name="Small Chief", types="Legendary Creature — Elf", cost="{G}", power="1", toughness="1"
    )
    assert "is no companion of this deck" in faults(deck.replace("1 Chief", "1 Small Chief"), "commander")[0]


@pytest.mark.rule("current 903.11a")
def test_what_comes_into_a_commander_game_from_outside_has_no_name_of_the_deck_and_no_colour_that_the_commander_lacks() -> (
    None
):
    deck = "Commander\n1 Chief\n\nDeck\n98 Forest\n1 Far Fox\n\nCompanion\n1 Far Fox\n"
    said = faults(deck, "commander")
    assert any("more than 1 of 'Far Fox'" in why for why in said), said
    other = faults("Commander\n1 Chief\n\nDeck\n99 Forest\n\nCompanion\n1 Red Fox\n", "commander")
    assert other == ["'Red Fox' has a colour that the commander has not (current 903.11a)"]
