"""The house set and its decks: sound, our own, fast to load, and all in use."""

import os
import shutil
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


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Of the house set nothing is read yet, and nothing kept in this folder."""
    monkeypatch.setattr(house, "_read", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


class Reader:
    """Instead of the process that reads: what it would say, which takes it four seconds."""

    returncode = 0
    said = b""

    def communicate(self) -> tuple[bytes, None]:
        return self.said, None


def begin(monkeypatch: pytest.MonkeyPatch) -> int:
    """A server begins with the house set; how many processes read it."""
    if not Reader.said:
        Reader.said = house_reading.written()
    started: list[object] = []
    monkeypatch.setattr(house, "_read", {})
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", lambda *words, **_: started.append(words) or Reader())
        house_reading.HouseReading().finish()
    return len(started)


def test_what_was_read_once_is_kept_for_the_next_server(unread: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert begin(monkeypatch) == 1
    first = house.by_plain_name()
    assert begin(monkeypatch) == 0
    monkeypatch.setattr(house, "read_card", None)  # nothing is read here
    assert house.by_plain_name() == first


def test_a_kept_reading_may_be_another_users_who_only_lets_it_be_read(
    unread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert begin(monkeypatch) == 1

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refused)
    assert begin(monkeypatch) == 0


def test_a_kept_reading_that_is_damaged_is_read_again(unread: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(monkeypatch)
    (kept,) = (unread / "apnap").iterdir()
    whole = kept.read_bytes()
    for damaged in (whole[:-1], whole.replace(b"{", b"[", 9), b"", b"\x92\x01\x02"):
        kept.write_bytes(damaged)
        assert begin(monkeypatch) == 1 and kept.read_bytes() == whole
    assert begin(monkeypatch) == 0


def test_other_sources_are_another_reading_and_few_are_kept(unread: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(monkeypatch)
    (kept,) = (unread / "apnap").iterdir()
    for old in range(6):
        (unread / "apnap" / f"house-{old}").touch()
        os.utime(unread / "apnap" / f"house-{old}", (old, old))
    shutil.copytree(DATA, unread / "data")
    monkeypatch.setattr(house, "DATA", unread / "data")
    with next((unread / "data").glob("*.toml")).open("a") as file:
        file.write("# another line\n")
    assert [begin(monkeypatch), begin(monkeypatch)] == [1, 0]
    monkeypatch.setattr(house_reading, "reader_version", lambda: "another")
    assert begin(monkeypatch) == 1
    left = [path.name for path in (unread / "apnap").iterdir()]
    assert len(left) == house_reading.KEPT and kept.name in left and "house-5" in left


def test_where_nothing_can_be_kept_the_house_set_is_read_each_time(
    unread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unread / "apnap").touch()  # a file is in the way
    assert [begin(monkeypatch), begin(monkeypatch)] == [1, 1]
    assert house.house_card("island") is not None


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
