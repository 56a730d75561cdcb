"""Decks for Commander as files have them, with what is not read replaced by basics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.bench.drawn import playable
from server.bench.fuzz import Run, listed_game
from server.bench.listed import Listed, drawn, listed
from server.command.main import main

CARDS = [
    {"name": "Old Warden", "cost": "{G}", "types": "Legendary Creature — Human", "power": "2", "toughness": "2"},
    {"name": "Old Bear", "cost": "{1}{R}", "types": "Creature — Bear", "power": "2", "toughness": "2"},
    {"name": "Odd Engine", "cost": "{3}", "types": "Artifact", "text": "Whirr at the table as if it were alive."},
    {
        "name": "Odd Warden",
        "cost": "{U}",
        "types": "Legendary Creature — Human",
        "text": "Hum.",
        "power": "1",
        "toughness": "1",
    },
    {"name": "Forest", "types": "Basic Land — Forest"},
]
MAIN = {"Old Bear": 10, "Odd Engine": 5, "Forest": 84}


def files(folder: Path, *decks: dict[str, object]) -> tuple[Path, Path]:
    """The decks and the cards, as JSON lines."""
    lines = folder / "decks.jsonl", folder / "cards.jsonl"
    for path, rows in zip(lines, (decks, CARDS), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return lines


def one(folder: Path, **said: object) -> Listed:
    decks, cards = files(folder, {"id": "a", "format": "commander", "main": MAIN, **said})
    (deck,) = listed(decks, [cards])
    return deck


def test_what_is_not_read_gives_way_to_a_basic_of_its_commander_s_colour(tmp_path: Path) -> None:
    deck = one(tmp_path, commander=["Old Warden"])
    assert [card.name for card in deck.commander] == ["Old Warden"] and deck.replaced == 5
    names = [card.name for card in deck.cards]
    assert len(names) == 99 and names.count("Forest") == 89 and "Odd Engine" not in names


def test_a_deck_whose_commander_is_not_read_is_led_by_the_first_card_that_may(tmp_path: Path) -> None:
    deck = one(tmp_path, main={**MAIN, "Old Warden": 1}, commander=["Odd Warden"])
    assert [card.name for card in deck.commander] == ["Old Warden"] and deck.replaced == 5
    assert len(deck.cards) == 99 and not any(card.name == "Old Warden" for card in deck.cards)


def test_a_deck_of_another_format_is_led_by_nobody_and_one_for_commander_needs_who_leads(tmp_path: Path) -> None:
    row = {"id": "a", "format": "constructed", "main": {"Old Warden": 4, "Odd Engine": 2, "Forest": 56}}
    decks, cards = files(tmp_path, row, {"id": "b", "format": "commander", "main": MAIN})
    (deck,) = listed(decks, [cards])
    assert deck.id == "a" and not deck.commander and deck.replaced == 2
    assert [card.name for card in deck.cards].count("Forest") == 58
    assert main(["bench", "engine", "--fuzz", "1", "--decks", str(decks), "--cards", str(cards)]) == 2


def test_games_of_both_kinds_of_decks_are_played_in_turn(tmp_path: Path) -> None:
    leading = one(tmp_path, commander=["Old Warden"])
    plain = Listed("b", (), leading.cards[:60])
    quick = Run(every=500, enough=1)
    tables = [listed_game((leading,) * 3 + (plain,) * 3, 3, seed, quick) for seed in range(4)]
    assert not any(table.failures for table in tables)
    assert [table.views for table in tables] == [4, 3, 4, 3], "one view for each seat and one for who watches"


@pytest.mark.rule("903.1")
def test_a_game_of_such_decks_keeps_every_law(tmp_path: Path) -> None:
    deck = one(tmp_path, commander=["Old Warden"])
    played = listed_game((deck,) * 3, 3, 5, Run(every=20))
    assert not played.failures and played.turns > 5
    assert len(drawn((deck,) * 3, 2, 1)) == 2


def test_decks_can_be_drawn_from_the_cards_that_have_a_word(tmp_path: Path) -> None:
    maker = {
        "name": "Old Maker",
        "types": "Sorcery",
        "cost": "{W}",
        "text": "Create a 1/1 white Soldier creature token.",
    }
    path = tmp_path / "cards.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (*CARDS, maker)), encoding="utf-8")
    assert [card.name for card in playable([path], having="token")] == ["Old Maker"]
    assert {card.name for card in playable([path])} == {"Forest", "Old Bear", "Old Maker", "Old Warden"}
    assert main(["bench", "engine", "--fuzz", "1", "--cards", str(path), "--having", "poison"]) == 2
