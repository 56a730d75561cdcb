"""The house set and its decks: sound, our own, fast to load, and all in use."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.cards.loading import CardList, card_of, faults, is_entry, names_of, objects_of, to_entry
from server.cards.loading.files import data_of
from server.command import house_reading
from server.oracle import house
from server.oracle.engine import matched
from server.oracle.house import BASIC_NAMES, DATA, house_card, house_cards, house_decks
from server.oracle.reading import printed, read_card


def test_every_card_is_sound_and_has_a_text() -> None:
    cards = house_cards()
    assert len(cards) >= 250
    for card in cards.values():
        assert not list(faults(card))
        _, types, _ = parse_types(card.types)
        plain = "creature" in types and not card.abilities and not card.keywords
        assert card.text or plain or card.name in BASIC_NAMES
        for ability in card.abilities:
            assert ability.text, f"{card.name}: every ability says what it does"
            assert ability.text in card.text


def test_every_card_survives_a_round_trip() -> None:
    for card in house_cards().values():
        assert card_of(msgspec.json.decode(msgspec.json.encode(data_of(card)))) == card


def test_all_colours_and_types_are_there() -> None:
    cards = house_cards().values()
    types = [parse_types(card.types) for card in cards]
    assert sum("planeswalker" in t[1] for t in types) >= 6
    for subtype in ("Aura", "Equipment"):
        assert any(subtype in t[2] for t in types)
    for letter in "WUBRG":
        assert sum(f"{{{letter}}}" in card.cost for card in cards) >= 15


def test_the_names_are_our_own(shared: Path) -> None:
    for path in sorted((shared / "cards").glob("*.jsonl")):
        known = CardList(path)
        names = {name for card in house_cards().values() for name in names_of(card)}
        assert {name for name in names if name in known} <= set(BASIC_NAMES)


def test_a_server_takes_up_the_set_as_another_process_has_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read, data = house.by_plain_name(), house_reading.written()
    monkeypatch.setattr(house, "_read", {})
    monkeypatch.setattr(house, "read_card", None)  # nothing is read here any more
    house_reading.take_up(data)
    assert house.by_plain_name() == read
    assert house.house_card("island") == read["island"]


def test_thirteen_decks_use_nearly_all_cards() -> None:
    decks = house_decks()
    assert len(decks) == 13
    used: set[str] = set()
    for deck in decks.values():
        assert len(deck.cards) == 60
        assert deck.about
        lands = sum("land" in parse_types(card.types)[1] for card in deck.cards)
        assert 22 <= lands <= 25
        used |= {names_of(line.card)[0] for line in (*deck.main, *deck.sideboard)}
    unused = set(house_cards()) - used
    assert len(unused) <= 2, unused


def test_names_are_found_in_any_case() -> None:
    assert house_card("forest") is house_cards()["Forest"]
    assert house_card("nobody") is None


@pytest.mark.slow
def test_loading_is_fast() -> None:
    code = "import time; t = time.process_time(); from server.oracle.house import house_decks; house_decks(); "
    done = subprocess.run(
        [sys.executable, "-c", code + "print(time.process_time() - t)"], capture_output=True, text=True
    )
    assert float(done.stdout) < 0.6


def test_nearly_all_cards_are_printed_text_that_prints_back() -> None:
    told = 0
    for path in sorted(DATA.glob("*.toml")):
        for data in objects_of(path):
            if not is_entry(data):
                continue
            told += 1
            entry = to_entry(data)
            card = house_card(entry.name)
            assert card is not None
            text = printed(card)
            assert text is not None, entry.name
            again = read_card(replace(entry, text=text))
            assert isinstance(again, Card) and matched(again.abilities, card.abilities, {}), text
    assert told >= 200
