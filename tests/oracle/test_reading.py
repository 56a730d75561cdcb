"""Cards from printed text: what is read is printed again and read again as the same tree; nonsense is unread, never guessed."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.cards import forms as f
from server.cards.loading import Entry, Unread
from server.cards.nouns import Noun
from server.command.main import main
from server.oracle.coverage import coverage, frontier, stops
from server.oracle.deck_coverage import DeckCoverage, DeckFrontier
from server.oracle.engine import third
from server.oracle.importing import CardFile
from server.oracle.reading import printed, read_card
from tests.oracle.cards import permanent

LISTS = Path(os.environ.get("APNAP_SHARED", "../shared")) / "cards"
SAMPLE = 400


def card(text: str, types: str = "Creature — Bear", name: str = "Grove Bear") -> f.Card | Unread:
    return permanent(text, types, name, "{1}{G}")


def bare(value: Any) -> Any:
    """A tree without the texts for people."""
    if isinstance(value, msgspec.Struct):
        return (
            type(value).__name__,
            *(bare(getattr(value, n)) for n in value.__struct_fields__ if n not in ("text", "name")),
        )
    return tuple(bare(part) for part in value) if isinstance(value, tuple) else value


READ = (
    ("Flying, trample", "Creature — Bear"),
    ("Draw two cards.", "Sorcery"),
    ("Grove Bear deals 3 damage to any target.", "Instant"),
    ("Destroy target creature. It can't be regenerated.", "Instant"),
    ("Target creature gets +3/+3 until end of turn.", "Instant"),
    ("Counter target spell unless its controller pays {3}.", "Instant"),
    ("Search your library for a basic land card, put it onto the battlefield tapped, then shuffle.", "Sorcery"),
    ("Choose one —\n• Draw a card.\n• Target player loses 2 life.", "Instant"),
    ("{T}: Add {G}.", "Creature — Bear"),
    ("{2}{G}, {T}: Put a +1/+1 counter on target creature.", "Creature — Bear"),
    ("When Grove Bear enters, you gain 3 life.", "Creature — Bear"),
    ("Whenever another creature you control dies, draw a card.", "Creature — Bear"),
    ("At the beginning of your upkeep, you lose 1 life.", "Creature — Bear"),
    ("Whenever Grove Bear deals combat damage to a player, that player discards a card.", "Creature — Bear"),
    ("Creatures you control get +1/+1 and have vigilance.", "Enchantment"),
    ("Grove Bear enters tapped.", "Creature — Bear"),
    ("Grove Bear can't block.", "Creature — Bear"),
    ("Enchant creature\nEnchanted creature gets +2/+2 and has flying.", "Enchantment — Aura"),
    ("Equipped creature gets +1/+0.\nEquip {1}", "Artifact — Equipment"),
    ("Prevent the next 2 damage that would be dealt to any target this turn.", "Instant"),
    ("If you controlled a Bear as you cast Grove Bear, draw a card.", "Sorcery"),
    (
        "As an additional cost to cast Grove Bear, you may reveal an Elf card from your hand.\nWhen Grove Bear enters, if you revealed "
        "an Elf card or controlled an Elf as you cast Grove Bear, draw a card.",
        "Creature — Bear",
    ),
    ("Whenever two or more creatures attack, draw a card.", "Enchantment"),
    ("When Grove Bear dies during combat, draw a card.", "Creature — Bear"),
    ("When Grove Bear dies or when you discard it, draw a card.", "Creature — Bear"),
    ("Whenever an opponent is dealt damage, draw a card.", "Enchantment"),
    (
        "Whenever another creature you control enters, if its power is greater than Grove Bear's, draw a card.",
        "Creature — Bear",
    ),
    ("As long as Grove Bear has two or more +1/+1 counters on it, it has trample.", "Creature — Bear"),
    ("Whenever you attack, create a tapped and attacking 1/1 red Bear creature token.", "Enchantment"),
    ("Whenever Grove Bear attacks, if defending player controls no artifacts, draw a card.", "Creature — Bear"),
    ("Modular—Sunburst", "Artifact Creature — Golem"),
    ("Whenever a creature attacks you, it gets -1/-0 until end of turn.", "Enchantment"),
    (
        "When Grove Bear enters, exile target creature.\nWhen Grove Bear leaves the battlefield, return the exiled card to the "
        "battlefield under its owner's control.",
        "Enchantment",
    ),
)


@pytest.mark.parametrize(("text", "types"), READ)
def test_read_and_printed(text: str, types: str) -> None:
    found = card(text, types)
    assert isinstance(found, f.Card), found
    again = printed(found)
    assert again is not None
    assert bare(card(again, types)) == bare(found)


STATION = (
    "Station\nSTATION 3+\nWhenever you cast an artifact spell, draw a card. Put a charge counter on this Spacecraft.\n"
    "STATION 9+\nFlying\nThis Spacecraft gets +1/+0 for each artifact you control.\n0/5",
    "Station\nSTATION 2+\nWhenever you cast an artifact spell, draw a card.\nSTATION 4+\n{1}, {T}: Draw a card.\n2/2",
    "As long as Orrery Skiff has two or more charge counters on it, Orrery Skiff has flying.\nStation\nSTATION 5+\n"
    "Whenever you cast an artifact spell, you gain 1 life.",
)  # fmt: skip


@pytest.mark.rule("current 721.2")
@pytest.mark.parametrize("text", STATION)
def test_what_stands_below_a_station_symbol_is_printed_below_it(text: str) -> None:
    found = card(text, "Artifact — Spacecraft", "Orrery Skiff")
    assert isinstance(found, f.Card), found
    again = printed(found)
    assert again is not None and again.count("Station ") == text.count("STATION ")
    same = card(again, "Artifact — Spacecraft", "Orrery Skiff")
    assert isinstance(same, f.Card) and printed(same) == again
    assert bare(same) == bare(found)


ALONE = (
    ("Gift a card\nWhen Grove Bear enters, if the gift was promised, you gain 3 life.", "Creature — Bear"),
    ("{T}: Add {G}.\nMayhem", "Land"),
    ("Trample\nDuring each of your turns, you may play a land and cast a spell from among cards in graveyards that were put there "
     "from libraries this turn.\nWhenever Grove Bear attacks, each player mills a card.", "Creature — Bear"),
    ("At the beginning of your upkeep, if there are no bark counters on Grove Bear, sacrifice it.", "Creature — Bear"),
    ("Kicker {2}\nWhen Grove Bear enters, if it was kicked, it deals 2 damage to any target.", "Creature — Bear"),
    ("Kicker {2}\n{G}: Regenerate Grove Bear.\nIf Grove Bear was kicked, it enters with a +1/+1 counter on it.", "Creature — Bear"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "types"), ALONE)
def test_a_paragraph_prints_what_it_says_whatever_stands_around_it(text: str, types: str) -> None:
    """Two abilities of one sentence, keywords with more than a name, a sentence that might go on with the one above."""
    found = card(text, types)
    assert isinstance(found, f.Card), found
    again = printed(found)
    assert again is not None
    assert bare(card(again, types)) == bare(found)


SAME = (
    ("When Grove Bear enters the battlefield, draw a card.", "When this creature enters, draw a card."),
    ("Whenever Grove Bear attacks, you gain 1 life (because it may).", "Whenever this creature attacks, you gain 1 life."),
    ("{1}: Regenerate Grove Bear.", "{1}: Regenerate this creature."),
    ("Landfall — Whenever a land enters the battlefield under your control, you gain 1 life.",
     "Whenever a land you control enters, you gain 1 life."),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SAME)
def test_old_and_new_wording_are_one_tree(old: str, new: str) -> None:
    assert bare(card(old)) == bare(card(new))


@pytest.mark.parametrize(
    "text",
    [
        "Draw two carts.",
        "Destroy target creature and frobnicate it.",
        "{T}: Grove Bear wins the bet.",
        "Whenever, draw a card.",
        "When Grove Bear leaves the battlefield, return the exiled card to the battlefield under its owner's control.",
        "Flying unless it rains",
        "When Grove Bear enters, that creature's twin gains flying until end of turn.",
        "When Grove Bear enters, destroy all other creatures with that name.",
        "{1}: Add {G}. If this ability has been activated four or more times this turn, draw a card.",
        "For each Spirit, return it to its owner's hand unless that player pays {3}.",
        "{1}: Target player reveals their hand and discards all cards with the same name as another card in their hand.",
        "At the beginning of your upkeep, if an opponent has more life than you, that player loses 2 life.",
        "{1}: If an opponent has more life than you, that player loses 2 life.",
        "When Grove Bear enters, target player loses 6 life.\nWhen Grove Bear leaves the battlefield, that player gains 6 life.",
        "When Grove Bear enters, you may exile up to one creature card from each graveyard.",
        "At the beginning of your upkeep, if you control a creature named Hill Bear, exile it.",
        "{1}: If you control an artifact, destroy it.",
        "(" * 200,
        "{T}" * 500,
        "Draw a card" + " and draw a card" * 200 + ".",
    ],
)
def test_what_is_not_english_of_the_rules_is_unread(text: str) -> None:
    assert isinstance(card(text), Unread)


def test_a_sentence_left_over_makes_the_whole_card_unread() -> None:
    found = card("Flying\nWhen Grove Bear enters, draw a card. Sing a song.")
    assert isinstance(found, Unread) and found.word


def test_permanents_have_no_instructions() -> None:
    assert isinstance(card("Draw a card."), Unread)


@pytest.mark.parametrize(
    ("verb", "form"), [("draw", "draws"), ("do", "does"), ("search", "searches"), ("copy", "copies")]
)
def test_verbs_agree(verb: str, form: str) -> None:
    assert third(verb) == form


def test_stops_names_the_place() -> None:
    entry = Entry(name="Grove Bear", types="Creature — Bear", text="When Grove Bear enters, draw three cakes.")
    assert stops(entry) and "cakes" in stops(entry)[0]


# --- the lists ----------------------------------------------------------------------------------------------------------------


def _entries(name: str, count: int, seed: int) -> list[Entry]:
    path = LISTS / name
    if not path.exists():
        pytest.skip("the card lists are not here")
    lines = path.read_bytes().splitlines()
    decoder = msgspec.json.Decoder(Entry)
    chosen = lines if count >= len(lines) else random.Random(seed).sample(lines, count)
    return [decoder.decode(line) for line in chosen]


def _round_trip(entries: list[Entry]) -> list[str]:
    wrong: list[str] = []
    for entry in entries:
        found = read_card(entry)
        if isinstance(found, Unread) or not entry.text.strip():
            continue
        text = printed(found)
        again = read_card(msgspec.structs.replace(entry, text=text)) if text is not None else None
        if not isinstance(again, f.Card) or bare(again) != bare(found):
            wrong.append(f"{entry.name}: {entry.text!r} printed {text!r}")
    return wrong


@pytest.mark.parametrize("name", ["classic.jsonl", "modern.jsonl"])
def test_a_sample_of_the_lists_prints_back(name: str) -> None:
    assert not _round_trip(_entries(name, SAMPLE, 7))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic.jsonl", "modern.jsonl"])
def test_every_playable_card_prints_back(name: str) -> None:
    assert not _round_trip(_entries(name, 10**9, 0))


# --- the commands -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    rows = [
        {"name": "Grove Bear", "cost": "{1}{G}", "types": "Creature — Bear", "text": "Trample", "power": "2", "toughness": "2"},
        {"name": "Cake Bear", "cost": "{G}", "types": "Creature — Bear", "text": "When Cake Bear enters, bake a cake.",
         "power": "1", "toughness": "1"},
    ]  # fmt: skip
    path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    return path


def test_coverage_and_frontier(cards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = coverage(CardFile(cards).items())
    assert (found.total, found.playable, found.unread) == (2, 1, 1)
    assert sum(reason.cards for reason in found.reasons) == 1
    ranked = frontier(CardFile(cards).items())
    assert "bake" in ranked[0].what and ranked[0].example == "Cake Bear"
    assert main(["cards", "coverage", str(cards), "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out)
    assert told["total"] == 2 and told["reasons"][0]["cards"] == 1
    assert main(["cards", "frontier", str(cards)]) == 0
    assert "bake" in capsys.readouterr().out
    assert main(["cards", "coverage", str(cards) + "x"]) == 2


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    path = tmp_path / "decks.jsonl"
    rows = [
        {"id": "bears", "format": "constructed", "main": {"Grove Bear": 4, "Forest": 20}},
        {"id": "cakes", "format": "constructed", "main": {"grove bear": 2, "Cake Bear": 3}},
        {"id": "led", "format": "commander", "main": {"Nobody's Bear": 1}, "commander": ["Cake Bear"]},
    ]
    path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    return path


def test_decks_are_counted_whole_by_copies_and_by_names(
    cards: Path, decks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with cards.open("ab") as file:
        file.write(b'\n{"name": "Forest", "types": "Basic Land \xe2\x80\x94 Forest"}')
    assert main(["cards", "coverage", "--decks", str(decks), "--cards", str(cards), "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out, type=DeckCoverage)
    every, commander, constructed = told.shares
    assert (every.decks, every.listed, every.whole, every.copies, every.listed_copies) == (3, 2, 1, 31, 30)
    assert (constructed.copies_read, constructed.copies, constructed.names_read, constructed.names) == (26, 29, 2, 3)
    assert (commander.decks, commander.listed, commander.whole, commander.copies, commander.copies_read) == (
        1,
        0,
        0,
        2,
        0,
    )
    assert told.missing == ("Nobody's Bear",)


def test_the_frontier_of_decks_counts_a_phrase_by_the_decks_that_it_stops(
    cards: Path, decks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", "frontier", "--decks", str(decks), "--cards", str(cards), "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out, type=DeckFrontier)
    assert [(one.what, one.decks, one.last, one.copies) for one in told.names] == [("Cake Bear", 2, 2, 4)]
    assert "bake" in told.phrases[0].what and (told.phrases[0].decks, told.phrases[0].examples) == (2, ("Cake Bear",))


@pytest.mark.parametrize("given", [[], ["x.jsonl", "--decks", "x.jsonl", "--cards", "x.jsonl"], ["--decks", "x.jsonl"]])
def test_decks_are_asked_for_with_a_list_of_cards(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "coverage", *given]) == 2
    assert "--decks DECKS and --cards LIST" in capsys.readouterr().err


def test_a_line_that_is_no_deck_is_told(cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "bears", "format": "constructed", "main": {}}\n{"id": "cakes"}\n', "utf-8")
    assert main(["cards", "coverage", "--decks", str(path), "--cards", str(cards)]) == 1
    assert "bad.jsonl:2: is no deck" in capsys.readouterr().err


def test_show(cards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "show", "Grove Bear", "--cards", str(cards)]) == 0
    assert "printed back:\nTrample" in capsys.readouterr().out
    assert main(["cards", "show", "Cake Bear", "--cards", str(cards)]) == 1
    assert "unread" in capsys.readouterr().out
    assert main(["cards", "show", "No Bear", "--cards", str(cards)]) == 1


def test_a_type_of_the_older_name_is_that_of_the_type_line() -> None:
    older = card("When Grove Bear enters, create a 1/1 green Hound creature token.", "Creature — Dog")
    newer = card("When Grove Bear enters, create a 1/1 green Dog creature token.", "Creature — Dog")
    assert isinstance(older, f.Card)
    assert bare(older) == bare(newer)
    kept = card("When Grove Bear enters, create a 1/1 green Hound creature token.", "Creature — Bear")
    assert isinstance(kept, f.Card) and bare(kept) != bare(newer)


def test_a_name_is_known_with_accents_and_without() -> None:
    plain = read_card(Entry("Ilun's Hound", "{G}", "Creature — Bear", "{0}: Untap Ilun's Hound.", "2", "2"))
    accented = read_card(Entry("Ilun's Hound", "{G}", "Creature — Bear", "{0}: Untap Ilûn's Hound.", "2", "2"))
    other = read_card(Entry("Ilun's Hound", "{G}", "Creature — Bear", "{0}: Untap Ilân's Hound.", "2", "2"))
    assert isinstance(plain, f.Card) and isinstance(accented, f.Card)
    assert bare(plain) == bare(accented)
    assert isinstance(other, Unread)


def test_a_type_before_of_is_no_name() -> None:
    wall = read_card(Entry("Wall of Reeds", "{G}", "Creature — Wall", "{0}, Sacrifice a Wall: Draw a card.", "0", "4"))
    assert isinstance(wall, f.Card)
    (ability,) = wall.abilities
    assert isinstance(ability, f.ActivatedAbility)
    assert any(isinstance(part, f.SacrificeCost) and part.what == Noun("a Wall") for part in ability.cost)


@pytest.mark.rule("201.4c")
def test_a_legend_may_have_the_first_name_of_a_planeswalker() -> None:
    legend = "Legendary Creature — Human"
    short = read_card(Entry("Chandra the Miller", "{R}", legend, "{0}: Untap Chandra.", "2", "2"))
    whole = read_card(Entry("Chandra the Miller", "{R}", legend, "{0}: Untap Chandra the Miller.", "2", "2"))
    assert isinstance(short, f.Card) and isinstance(whole, f.Card)
    assert bare(short) == bare(whole)


def test_a_hyphen_between_a_number_and_a_cost_is_a_dash() -> None:
    older, newer = card("Suspend 10-{R}"), card("Suspend 10 — {R}")
    assert isinstance(older, f.Card) and isinstance(newer, f.Card)
    assert bare(older) == bare(newer)


def test_no_target_is_told_by_what_is_tapped_to_pay_for_it() -> None:
    target = "Target creature other than the creature tapped this way"
    text = f"{{0}}, Tap an untapped creature you control: {target} gets +1/+1 until end of turn."
    assert isinstance(card(text, "Artifact"), Unread)
