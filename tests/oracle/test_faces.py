"""Cards of several faces: read from entries, from Scryfall and MTGJSON, printed, and what they are called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.cards.forms import Card, Layout
from server.cards.loading import CardList, Entry, Unread, faces_of, faults, names_of, paragraphs_by_hand
from server.oracle.by_hand import read_partly
from server.oracle.importing import CardFile, read
from server.oracle.reading import printed, read_card
from server.rules.model import define

SPLIT = Entry("Fog // Gale", "{R} // {1}{U}", "Instant // Sorcery", "Fog deals 2 damage to any target. // Draw a card.")
FLIP = Entry(
    "Runner // Old Tor",
    "{3}{R} // {3}{R}",
    "Creature — Goblin // Legendary Creature — Goblin",
    "Haste\nWhenever Runner deals damage to an opponent, flip it. // Trample",
    "1 // 2",
    "1 // 2",
)
TRANSFORM = Entry(
    "Miller // Howler",
    "{1}{R} // ",
    "Creature — Human Werewolf // Creature — Werewolf",
    "At the beginning of each upkeep, if no spells were cast last turn, transform Miller."
    " // Trample\nAt the beginning of each upkeep, if a player cast two or more spells last turn, transform Howler.",
    "2 // 3",
    "2 // 3",
    colors=" // R",
)
MODAL = Entry("Keeper // Path", "{1}{G} // ", "Creature — Elf // Land", "Vigilance // {T}: Add {G}.", "2 // ", "1 // ")
ADVENTURE = Entry(
    "Giant // Thump",
    "{2}{R} // {R}",
    "Creature — Giant // Instant — Adventure",
    "Trample // Thump deals 2 damage to any target.",
    "4 // ",
    "3 // ",
)
OMEN = Entry(
    "Drake // Gift", "{3}{U} // {U}", "Creature — Drake // Sorcery — Omen", "Flying // Draw a card.", "3 // ", "3 // "
)
ALL = {"split": SPLIT, "flip": FLIP, "transform": TRANSFORM, "modal": MODAL, "adventure": ADVENTURE, "omen": OMEN}


def whole(entry: Entry) -> Card:
    card = read_card(entry)
    assert isinstance(card, Card), card
    return card


@pytest.mark.parametrize("layout", ALL)
def test_both_faces_are_read_and_printed(layout: Layout) -> None:
    card = whole(ALL[layout])
    assert card.layout == layout
    assert names_of(card) == (ALL[layout].name, *ALL[layout].name.split(" // "))
    text = printed(card)
    assert text is not None
    again = Entry(
        ALL[layout].name,
        ALL[layout].cost,
        ALL[layout].types,
        text,
        ALL[layout].power,
        ALL[layout].toughness,
        colors=ALL[layout].colors,
    )
    assert printed(whole(again)) == text
    assert [face.keywords for face in faces_of(whole(again))] == [face.keywords for face in faces_of(card)]
    assert not list(faults(card))


def test_an_unread_face_leaves_the_card_unread() -> None:
    assert read_card(Entry("Fog // Gale", "{R} // {U}", "Instant // Instant", "Draw a card. // Xyzzy.")) == Unread(
        "Fog // Gale", "Xyzzy"
    )


def test_what_turns_over_needs_another_face() -> None:
    front = FLIP.text.split(" // ")[0]
    found = read_card(Entry("Runner", "{3}{R}", "Creature — Goblin", front, "1", "1"))
    assert found == Unread("Runner", "the face to which it would flip is not known")


def test_a_back_face_of_unknown_colors_is_unread() -> None:
    """711: the colours of a back face are a colour indicator's, which some lists leave out."""
    entry = Entry(TRANSFORM.name, TRANSFORM.cost, TRANSFORM.types, TRANSFORM.text, "2 // 3", "2 // 3")
    assert read_card(entry) == Unread("Miller // Howler", "the colors of Howler")


@pytest.mark.rule("709.1c")
def test_a_flipped_side_keeps_cost_and_colors() -> None:
    side = define(whole(FLIP)).sides[0].base
    assert (side.name, side.mana_value, side.colors, side.power) == ("Old Tor", 4, 8, 2)


@pytest.mark.rule("709.1c")
def test_a_flip_card_may_be_listed_with_the_one_cost_that_it_has() -> None:
    one = Entry(FLIP.name, "{3}{R}", FLIP.types, FLIP.text, FLIP.power, FLIP.toughness)
    assert read_card(one) == read_card(FLIP)
    unread = one.text.replace("Whenever Runner deals", "Whenever Runner gladly deals")
    partly = read_partly(Entry(one.name, one.cost, one.types, unread, one.power, one.toughness))
    assert isinstance(partly, Card) and partly.layout == "flip" and paragraphs_by_hand(partly)


@pytest.mark.rule("708.2")
def test_a_split_card_has_both_halves_characteristics() -> None:
    base = define(whole(SPLIT)).base
    assert (base.mana_value, base.types, base.colors) == (3, {"instant", "sorcery"}, 8 | 2)
    assert [half.mana_value for half in base.halves] == [1, 2]


def listed(tmp_path: Path, data: Any) -> Card | Unread:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(data))
    (card,) = [read(one) for one in CardFile(path).items()]  # type: ignore[arg-type]
    return card


@pytest.mark.parametrize("layout", ALL)
def test_scryfall_and_mtgjson_have_the_same_cards(tmp_path: Path, layout: Layout) -> None:
    entry = ALL[layout]
    called = {"modal": "modal_dfc"}.get(layout, layout)
    names, costs, types, texts = (getattr(entry, k).split(" // ") for k in ("name", "cost", "types", "text"))
    sizes = [((entry.power or " // ").split(" // ")[i], (entry.toughness or " // ").split(" // ")[i]) for i in (0, 1)]
    red = [[], ["R"] if layout == "transform" else []]
    faces = [
        {
            "name": names[i],
            "mana_cost": costs[i],
            "type_line": types[i],
            "oracle_text": texts[i],
            "color_indicator": red[i],
        }
        | ({"power": sizes[i][0], "toughness": sizes[i][1]} if sizes[i][0] else {})
        for i in (0, 1)
    ]
    scryfall = {
        "object": "card",
        "lang": "en",
        "name": entry.name,
        "layout": called,
        "type_line": entry.types,
        "card_faces": faces,
    }
    one = listed(tmp_path, [scryfall])
    atomic = [
        {
            "layout": called,
            "side": "ab"[i],
            "faceName": names[i],
            "name": entry.name,
            "manaCost": costs[i],
            "type": types[i],
            "text": texts[i],
            "colorIndicator": red[i],
        }
        | ({"power": sizes[i][0], "toughness": sizes[i][1]} if sizes[i][0] else {})
        for i in (0, 1)
    ]
    two = listed(tmp_path, {"data": {entry.name: atomic}})
    assert one == two == whole(entry)


def test_a_list_that_has_each_half_alone_has_the_whole_too(tmp_path: Path) -> None:
    path = tmp_path / "halves.jsonl"
    rows = [
        dict(zip(("name", "cost", "types", "text"), row, strict=True))
        for row in zip(*(getattr(SPLIT, k).split(" // ") for k in ("name", "cost", "types", "text")), strict=True)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    cards = CardList(path, read_card)
    assert cards.get("Fog // Gale") == whole(SPLIT)
    assert "Fog // Gale" in cards and "Fog // Storm" not in cards
    assert isinstance(half := cards.get("Gale"), Card) and not half.faces
