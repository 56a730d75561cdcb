"""Card lists: what is read without the text grammar, and the word that stops the rest."""

import json
from pathlib import Path

import pytest

from server.cards.forms import Card, KeywordAbility, ManaCost
from server.cards.loading import READ_KEYWORDS, CardFault, CardList, Entry, Unread, read_definition, read_entry
from server.cards.nouns import Noun
from tests.pace import fastest


def bear(text: str, **more: str) -> Card | Unread:
    fields = {"name": "Test Bear", "cost": "{1}{G}", "types": "Creature — Bear", "power": "2", "toughness": "2", **more}
    return read_entry(Entry(text=text, **fields))


def test_vanilla() -> None:
    card = bear("")
    assert isinstance(card, Card)
    assert (card.power, card.toughness, card.abilities, card.keywords) == ("2", "2", (), ())


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("Flying", ("flying",)),
        ("First strike, trample", ("first strike", "trample")),
        ("Flying\nVigilance (Attacking doesn't cause this creature to tap.)", ("flying", "vigilance")),
        ("Flying; islandwalk", ("flying", "islandwalk")),
    ],
)
def test_plain_keywords(text: str, keywords: tuple[str, ...]) -> None:
    card = bear(text)
    assert isinstance(card, Card)
    assert card.keywords == keywords


@pytest.mark.parametrize(
    ("text", "abilities"),
    [
        ("Bushido 2", [KeywordAbility(keyword="bushido", number=2, text="Bushido 2")]),
        ("Cycling {2}", [KeywordAbility(keyword="cycling", cost=(ManaCost(mana="{2}"),), text="Cycling {2}")]),
        (
            "Suspend 4—{1}{U}",
            [KeywordAbility(keyword="suspend", number=4, cost=(ManaCost(mana="{1}{U}"),), text="Suspend 4—{1}{U}")],
        ),
        (
            "Affinity for artifacts",
            [KeywordAbility(keyword="affinity", quality=Noun("artifacts"), text="Affinity for artifacts")],
        ),
        (
            "Protection from black and from red",
            [
                KeywordAbility(keyword="protection", quality=Noun("black"), text="Protection from black"),
                KeywordAbility(keyword="protection", quality=Noun("red"), text="Protection from red"),
            ],
        ),
    ],
)
def test_keywords_with_parameters(text: str, abilities: list[KeywordAbility]) -> None:
    card = bear(text)
    assert isinstance(card, Card)
    assert list(card.abilities) == abilities


@pytest.mark.rule("702.13")
@pytest.mark.parametrize(
    ("text", "quality"),
    [("Nonbasic landwalk", "nonbasic land"), ("Snow swampwalk", "snow Swamp"), ("Desertwalk", "Desert")],
)
def test_landwalks_of_a_kind(text: str, quality: str) -> None:
    card = bear(text)
    assert isinstance(card, Card)
    assert card.abilities == (KeywordAbility(keyword="landwalk", quality=Noun(quality), text=text),)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("When this creature enters, draw a card.", "When"),
        ("Flying\nWhenever it attacks, win.", "Whenever"),
        ("Flying as long as it's Tuesday", "as"),
        ("Bushido two", "two"),
        ("Cycling {Q}", "{Q}"),
        ("Protection from blorgs", "blorgs"),
        ("Demonstrate", "Demonstrate"),
    ],
)
def test_the_first_unread_word_is_named(text: str, word: str) -> None:
    assert bear(text) == Unread("Test Bear", word)


def test_other_things_are_unread() -> None:
    assert isinstance(bear("", types="Instant"), Unread)
    assert isinstance(bear("", types="Creature — Bear // Creature — Bear"), Unread)
    assert isinstance(bear("", power="*"), Unread)
    assert isinstance(bear("", types="Planeswalker — Bear"), Unread)


def test_hybrid_symbols_without_a_stroke() -> None:
    card = bear("", cost="{RG}{2W}")
    assert isinstance(card, Card)
    assert card.cost == "{R/G}{2/W}"


@pytest.mark.rule("305.6")
@pytest.mark.parametrize("text", ["", "G", "({T}: Add {G}.)", "{T}: Add {G}."])
def test_basic_lands(text: str) -> None:
    card = read_entry(Entry(name="Forest", types="Basic Land — Forest", text=text))
    assert isinstance(card, Card)
    assert card.abilities == ()


def test_either_form() -> None:
    entry = {"name": "A", "cost": "{1}", "types": "Artifact", "text": ""}
    assert isinstance(read_definition(entry), Card)
    assert isinstance(read_definition({"name": "A", "types": "Artifact", "keywords": ["flash"]}), Card)
    with pytest.raises(CardFault):
        read_definition({"name": "A", "types": "Artifact", "keywords": ["flush"]})


def test_a_list_is_read_card_by_card(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    lines = [
        {"name": "Æther Bear", "cost": "{G}", "types": "Creature — Bear", "power": "1", "toughness": "1", "text": ""},
        {"name": "Left // Right", "cost": "{1}", "types": "Instant // Instant", "text": "A // B"},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    cards = CardList(path)
    assert len(cards) == 2
    assert isinstance(cards.get("æther bear"), Card)
    assert cards.get("Right") == Unread("Left // Right", "//")
    assert cards.get("Nobody") is None
    assert "left // right" in cards


def test_a_line_that_is_no_entry_is_named(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text('{"name": "A", "types": "Artifact"}\n{"nam": 1}\n')
    with pytest.raises(CardFault, match="line 2"):
        CardList(path)


def test_a_long_list_opens_fast_and_reads_some_cards(shared: Path) -> None:
    path = shared / "cards" / "modern.jsonl"
    assert fastest(lambda: CardList(path), rounds=1) < 1
    cards = CardList(path)
    found = [cards.get(name) for name in cards.names()]
    assert sum(isinstance(card, Card) for card in found) > 1000


def test_every_keyword_that_is_read_is_handled() -> None:
    from server.cards.keywords import CASTING_FLAGS, DECK_KEYWORDS, EXPANSIONS, FLAG_KEYWORDS

    assert set(READ_KEYWORDS) <= {*EXPANSIONS, *FLAG_KEYWORDS, *DECK_KEYWORDS, *CASTING_FLAGS}


def test_what_is_called_unbuilt_is_named_nowhere_in_the_rules() -> None:
    """The other direction too: what the tree names and the rules never read must be called unbuilt."""
    from typing import get_args, get_type_hints

    from server import rules
    from server.cards import forms
    from server.cards.loading.built import UNBUILT_EVENTS, UNBUILT_RULES

    source = "".join(path.read_text() for path in Path(rules.__file__).parent.rglob("*.py"))
    named = {*get_args(get_type_hints(forms.Flag)["rule"]), *get_args(get_type_hints(forms.PlayerRule)["rule"])}
    of_decks = {"can lead a deck", "any number in a deck"}  # which no rule of a game reads
    assert {rule for rule in named if f'"{rule}"' not in source} - of_decks == UNBUILT_RULES
    events = set(get_args(get_type_hints(forms.Pattern)["event"]))
    assert {event for event in events if f'"{event}"' not in source} == UNBUILT_EVENTS
