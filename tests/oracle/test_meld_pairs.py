"""Meld cards in card lists (current 712.4): a pair and what it melds into are linked where a list has all three."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from apnap import CardLibrary
from server.cards.forms import ActivatedAbility, Card, TriggeredAbility
from server.cards.loading import (
    CardList,
    Entry,
    Imported,
    Unread,
    color_identity,
    names_of,
    objects_of,
    read_definition,
)
from server.oracle.importing import CardFile, read
from server.oracle.reading import printed, read_card

MELDS = (
    "At the beginning of your end step, if you both own and control Gala and a creature named Bruno, the Pale, "
    "exile them, then meld them into Gala, Voice of Two."
)
FRONT = {"name": "Gala, the Broken", "cost": "{1}{W}", "types": "Creature — Angel", "power": "2", "toughness": "2"}
OTHER = {"name": "Bruno, the Pale", "cost": "{3}{B}", "types": "Creature — Angel", "power": "4", "toughness": "4"}
BACK = {"name": "Gala, Voice of Two", "types": "Creature — Angel", "power": "9", "toughness": "9", "text": "Flying"}
TRIO = [FRONT | {"text": MELDS}, OTHER | {"text": "Trample\n(Melds with Gala, the Broken.)"}, BACK]


def scryfall(card: dict[str, str], **more: Any) -> dict[str, Any]:
    return {
        "object": "card",
        "lang": "en",
        "layout": "meld",
        "name": card["name"],
        "mana_cost": card.get("cost", ""),
        "type_line": card["types"],
        "oracle_text": card["text"],
        "power": card["power"],
        "toughness": card["toughness"],
        "all_parts": [{"component": "meld_result", "name": BACK["name"]}],
        **more,
    }


def atomic(card: dict[str, str], side: str, whole: str, **more: Any) -> dict[str, Any]:
    return {
        "layout": "meld",
        "name": whole,
        "faceName": card["name"],
        "side": side,
        "manaCost": card.get("cost", ""),
        "type": card["types"],
        "text": card["text"],
        "power": card["power"],
        "toughness": card["toughness"],
        **more,
    }


def mtgjson() -> dict[str, Any]:
    """Each front with what it melds into, as MTGJSON has them."""
    back = TRIO[2] | {}
    found: dict[str, Any] = {}
    for front in TRIO[:2]:
        whole = f"{front['name']} // {back['name']}"
        found[whole] = [atomic(front, "a", whole), atomic(back, "b", whole, colorIndicator=["W"])]
    return {"data": found}


LISTS = {
    "own": "\n".join(json.dumps(card) for card in [*TRIO[:2], TRIO[2] | {"colors": "W"}]),
    "Scryfall": json.dumps([*map(scryfall, TRIO[:2]), scryfall(TRIO[2], color_indicator=["W"])]),
    "Scryfall, the other way round": json.dumps(
        [scryfall(TRIO[2], color_indicator=["W"]), *map(scryfall, TRIO[1::-1])]
    ),
    "MTGJSON": json.dumps(mtgjson()),
}


def found_in(folder: Path, text: str) -> dict[str, Imported]:
    path = folder / "list.json"
    path.write_text(text)
    found = list(CardFile(path).items())
    assert all(isinstance(one, Imported) for one in found), found
    return {one.title: one for one in found if isinstance(one, Imported)}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.rule("current 712.4", "current 712.4b")
def test_a_pair_is_linked_where_the_list_has_all_three(tmp_path: Path, name: str) -> None:
    found = found_in(tmp_path, LISTS[name])
    assert {title: one.kind for title, one in found.items()} == {
        FRONT["name"]: "card",
        OTHER["name"]: "card",
        BACK["name"]: "other",
    }
    made = [read(found[title["name"]]) for title in (FRONT, OTHER)]
    for card, own, other in zip(made, (FRONT, OTHER), (OTHER, FRONT), strict=True):
        assert isinstance(card, Card), card
        assert (card.name, card.layout) == (own["name"], "meld")
        assert [face.name for face in card.faces] == [BACK["name"], other["name"]]
        assert card.faces[0].colors == "W"
        assert names_of(card) == (own["name"], f"{own['name']} // {BACK['name']}")
    assert isinstance(made[0], Card) and isinstance(made[1], Card)
    assert made[0].faces[0] == made[1].faces[0]
    assert [color_identity(card) for card in made if isinstance(card, Card)] == [
        "W",
        "B",
    ]  # not that of what they become


@pytest.mark.rule("current 712.4b")
def test_without_what_they_meld_into_the_ability_is_unread_and_the_other_card_is_a_card(tmp_path: Path) -> None:
    for text in (json.dumps([*map(scryfall, TRIO[:2])]), "\n".join(map(json.dumps, TRIO[:2]))):
        found = found_in(tmp_path, text)
        assert isinstance(read(found[FRONT["name"]]), Unread)
        other = read(found[OTHER["name"]])
        assert isinstance(other, Card) and not other.layout


def test_without_the_other_card_nothing_is_linked(tmp_path: Path) -> None:
    found = found_in(tmp_path, json.dumps([scryfall(TRIO[0]), scryfall(TRIO[2])]))
    assert isinstance(read(found[FRONT["name"]]), Unread)
    assert read(found[BACK["name"]]) == Unread(BACK["name"], "layout meld")  # no card that could be in a deck


def test_a_list_that_tells_no_colors_leaves_the_pair_unread(tmp_path: Path) -> None:
    found = found_in(tmp_path, "\n".join(map(json.dumps, TRIO)))
    unread = read(found[FRONT["name"]])
    assert isinstance(unread, Unread) and unread.word == f"the colors of {BACK['name']}"


def test_a_list_that_is_read_as_its_cards_are_asked_for_links_them(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(LISTS["own"])
    cards = CardList(path, read_card)
    card = cards.get("Bruno, the Pale")
    assert isinstance(card, Card) and card.layout == "meld"


def test_a_file_of_cards_has_the_pair_and_not_what_it_melds_into(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(LISTS["own"])
    made = [read_definition(data, "own", read_card) for data in objects_of(path)]
    assert [card.name for card in made] == [FRONT["name"], OTHER["name"]]
    assert all(isinstance(card, Card) and card.layout == "meld" for card in made)


#: The wordings that there are, with the kind of the counterpart.
WORDINGS = {
    "at the end step": (MELDS, "Creature — Angel"),
    "at combat": (
        "At the beginning of combat on your turn, if you both own and control this creature and a creature named "
        "Bruno, the Pale, exile them, then meld them into Gala, Voice of Two.",
        "Creature — Angel",
    ),
    "at the upkeep": (
        "At the beginning of your upkeep, if there are four or more land cards in your graveyard and you both own and "
        "control Gala, the Broken and a land named Bruno, the Pale, exile them, then meld them into Gala, Voice of Two.",
        "Land",
    ),
    "for a payment": (
        "At the beginning of your first main phase, if you both own and control Gala and a creature named Bruno, the "
        "Pale, you may pay {3}{B}. If you do, exile them, then meld them into Gala, Voice of Two.",
        "Creature — Angel",
    ),
    "activated": (
        "{7}: If you both own and control Gala, the Broken and an artifact named Bruno, the Pale, exile them, then "
        "meld them into Gala, Voice of Two. Activate only as a sorcery.",
        "Artifact",
    ),
    "attacking": (
        "Whenever you attack, draw a card. If Gala, the Broken and a creature named Bruno, the Pale are attacking, and "
        "you both own and control them, exile them, then meld them into Gala, Voice of Two. It enters tapped and "
        "attacking.",
        "Creature — Angel",
    ),
}


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.rule("current 701.42a")
def test_each_wording_is_read_and_prints_the_same_card(wording: str) -> None:
    text, types = WORDINGS[wording]
    sides = f"{text}\n//\nFlying\n//\n(Melds with Gala, the Broken.)"
    named = " // ".join((FRONT["name"], BACK["name"], OTHER["name"]))
    entry = Entry(
        named,
        f"{{1}}{{W}} //  // {'' if types == 'Land' else '{3}{B}'}",
        f"Creature — Angel // Creature — Angel // {types}",
        sides,
        "2 // 9 // 4",
        "2 // 9 // 4",
    )
    card = read_card(entry, colors=" // W // ")
    assert isinstance(card, Card), card
    said = printed(card)
    assert said is not None
    again = read_card(replace(entry, text=f"{said}\n//\n(Melds with Gala, the Broken.)"), colors=" // W // ")
    assert isinstance(again, Card), again
    assert printed(again) == said
    melds = [one.do or one.condition for one in card.abilities if isinstance(one, TriggeredAbility | ActivatedAbility)]
    assert melds == [
        one.do or one.condition for one in again.abilities if isinstance(one, TriggeredAbility | ActivatedAbility)
    ]


def test_what_says_nothing_of_melding_is_no_meld_card() -> None:
    named = " // ".join((FRONT["name"], BACK["name"], OTHER["name"]))
    entry = Entry(
        named, types="Creature // Creature // Creature", text="Trample // Flying // Trample", power="1 // 1 // 1"
    )
    assert isinstance(read_card(entry, colors=" //  // "), Unread)


def test_only_into_what_is_on_its_back_a_card_melds() -> None:
    entry = Entry("Gala, the Broken", cost="{1}{W}", types="Creature — Angel", text=MELDS, power="2", toughness="2")
    assert isinstance(read_card(entry), Unread)


@pytest.mark.rule("current 712.4b")
@pytest.mark.parametrize("name", LISTS)
def test_a_library_of_who_writes_a_bot_has_each_of_a_pair_by_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(LISTS[name])
    library = CardLibrary(path)
    assert [library[title["name"]].faces[0].name for title in (FRONT, OTHER)] == [BACK["name"]] * 2
