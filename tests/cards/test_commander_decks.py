"""Decks for Commander: who leads, how large they are, and which colours they have; each fault with its line and rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.cards.decks import read_deck
from server.cards.decks.commander import color_identity, may_lead
from server.cards.forms import Card
from server.cards.loading import DeckFault
from server.command.main import main
from server.oracle.house import commander_decks, house_card

LEADER = "Ardith of the Two Fires"
GOOD = f"Commander\n1 {LEADER}\n\nDeck\n60 Forest\n38 Mountain\n1 Thornhide Cub\n"


def faults(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(DeckFault) as caught:
        read_deck(text, house_card, kind="commander")
    return caught.value.faults


@pytest.mark.rule("903.5a")
def test_a_commander_deck_is_a_commander_and_ninety_nine_cards() -> None:
    deck = read_deck(GOOD, house_card, kind="commander")
    assert [card.name for card in deck.commander] == [LEADER] and len(deck.cards) == 99
    assert LEADER not in [card.name for card in deck.cards]


@pytest.mark.parametrize(
    "text",
    [
        f"[Commander]\n1 {LEADER}|M10\n[Main]\n60 Forest\n38 Mountain\n1 Thornhide Cub\n",
        f"60 Forest\n38 Mountain\n1 Thornhide Cub\nSideboard\n1 {LEADER}\n",
        f"60 [ZEN:246] Forest\n38 [M10:1] Mountain\n1 [M10:189] Thornhide Cub\nSB: 1 [M10:2] {LEADER}\n",
    ],
)
def test_programs_name_the_commander_in_their_own_ways(text: str) -> None:
    deck = read_deck(text, house_card, kind="commander")
    assert [card.name for card in deck.commander] == [LEADER] and len(deck.cards) == 99


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param(GOOD.replace("60 Forest", "59 Forest"), 0, "exactly 100", marks=pytest.mark.rule("903.5a")),
        pytest.param(GOOD.replace("60 F", "61 F"), 0, "exactly 100", marks=pytest.mark.rule("903.5a")),
        pytest.param("60 Forest\n40 Mountain\n", 0, "one commander", marks=pytest.mark.rule("903.3")),
        pytest.param(GOOD.replace(LEADER, "Cragback Ogre"), 2, "no legendary", marks=pytest.mark.rule("903.3")),
        pytest.param(
            GOOD.replace("60 Forest", "59 Forest").replace("1 Thorn", "2 Thorn"),
            7,
            "more than 1 of 'Thornhide Cub' (903.5b)",
            marks=pytest.mark.rule("903.5b"),
        ),
        pytest.param(GOOD.replace("60 Forest", "59 Forest\n1 Island"), 6, "not: U", marks=pytest.mark.rule("903.5d")),
        pytest.param(GOOD + "Sideboard\n2 Levy of Moss\n", 9, "without a sideboard", marks=pytest.mark.rule("903.5")),
    ],
)
def test_what_is_no_commander_deck_is_refused_with_its_reason(text: str, line: int, says: str) -> None:
    assert any(at == line and says in sentence for at, sentence in faults(text)), faults(text)


@pytest.mark.rule("903.4")
def test_color_identity_is_of_costs_and_texts_but_not_of_reminders() -> None:
    def card(**parts: object) -> Card:
        return Card(name="X", types="Creature — Bear", **parts)  # type: ignore[arg-type]

    assert color_identity(card(cost="{2}{R}{G/W}")) == "WRG"
    assert color_identity(card(cost="{2}", text="{U}: Draw a card. ({T}: Add {B}.)")) == "U"
    assert color_identity(card(colors="B")) == "B"
    assert color_identity(Card(name="Y", types="Land — Swamp Forest")) == "BG"
    assert color_identity(Card(name="Z", types="Artifact", text="{T}: Add {C}.")) == ""


def test_only_a_legendary_creature_leads() -> None:
    assert may_lead(Card(name="A", types="Legendary Artifact Creature — Golem"))
    assert not may_lead(Card(name="B", types="Creature — Golem"))
    assert not may_lead(Card(name="C", types="Legendary Artifact"))


def test_the_command_checks_by_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(GOOD)
    check = ["deck", "check", str(file), "--data", str(tmp_path)]
    assert main([*check, "--format", "commander"]) == 0
    assert f"100 cards led by {LEADER}" in capsys.readouterr().out
    file.write_text("60 Forest\n")
    assert main([*check, "--format", "commander"]) == 1
    assert "903.5a" in capsys.readouterr().out


def test_the_house_has_commander_decks() -> None:
    assert len(commander_decks()) >= 2
    for deck in commander_decks().values():
        assert len(deck.cards) == 99 and deck.about
