"""Decks for Commander: who leads, how large they are, and which colours they have; each fault with its line and rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.cards.decks import read_deck
from server.cards.decks.commander import may_lead, may_lead_together
from server.cards.forms import Card
from server.cards.loading import DeckFault, Unread, color_identity
from server.command.main import main
from server.oracle.house import commander_decks, house_card

LEADER = "Ardith of the Two Fires"
GOOD = f"Commander\n1 {LEADER}\n\nDeck\n60 Forest\n38 Mountain\n1 Thornhide Cub\n"


def faults(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(DeckFault) as caught:
        read_deck(text, house_card, format_="commander")
    return caught.value.faults


@pytest.mark.rule("903.5a")
def test_a_commander_deck_is_a_commander_and_ninety_nine_cards() -> None:
    deck = read_deck(GOOD, house_card, format_="commander")
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
    deck = read_deck(text, house_card, format_="commander")
    assert [card.name for card in deck.commander] == [LEADER] and len(deck.cards) == 99


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param(GOOD.replace("60 Forest", "59 Forest"), 0, "exactly 100", marks=pytest.mark.rule("903.5a")),
        pytest.param(GOOD.replace("60 F", "61 F"), 0, "exactly 100", marks=pytest.mark.rule("903.5a")),
        pytest.param(
            "60 Forest\n40 Mountain\n", 0, "one commander", marks=[pytest.mark.rule("903.1"), pytest.mark.rule("903.3")]
        ),
        pytest.param(GOOD.replace(LEADER, "Cragback Ogre"), 2, "no legendary", marks=pytest.mark.rule("903.3")),
        pytest.param(
            GOOD.replace("60 Forest", "59 Forest").replace("1 Thorn", "2 Thorn"),
            7,
            "more than 1 of 'Thornhide Cub' (903.5b)",
            marks=pytest.mark.rule("903.5b"),
        ),
        pytest.param(GOOD.replace("60 Forest", "59 Forest\n1 Island"), 6, "not: U", marks=pytest.mark.rule("903.5d")),
        pytest.param(
            GOOD + "Sideboard\n2 Levy of Moss\n", 9, "without a sideboard", marks=pytest.mark.rule("current 903.5e")
        ),
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


@pytest.mark.rule("903.4b")
def test_reminder_text_has_no_color_of_its_card() -> None:
    assert color_identity(Card(name="X", types="Artifact", text="Convert (You may pay {R}.)\n{G}: Draw a card.")) == "G"


@pytest.mark.rule("903.4c")
def test_the_back_face_counts_for_color_identity() -> None:
    back = Card(name="Y", types="Creature — Bear", colors="R", power="2", toughness="2")
    front = Card(
        name="X", types="Creature — Bear", cost="{2}{U}", power="2", toughness="2", layout="transform", faces=(back,)
    )
    assert color_identity(front) == "UR"


@pytest.mark.rule("current 903.4e")
def test_alternative_characteristics_count_for_color_identity() -> None:
    story = Card(name="Y", types="Sorcery — Adventure", cost="{B}")
    assert (
        color_identity(Card(name="X", types="Creature — Bear", cost="{G}", layout="adventure", faces=(story,))) == "BG"
    )


@pytest.mark.rule("903.5c")
def test_a_card_has_no_color_that_its_commander_has_not() -> None:
    mine = {
        "hybrid": leader("Hybrid", "", cost="{4}{R/G}"),
        "red": leader("Red", "", types="Creature — Human", cost="{R}"),
        "both": leader("Both", "", types="Creature — Human", cost="{R}{G}"),
        "none": leader("None", "", types="Artifact Creature — Human", cost="{3}"),
        "blue by text": leader("Blue By Text", "{U}: Draw a card.", types="Creature — Human", cost="{G}"),
        "half blue": leader("Half Blue", "", types="Creature — Human", cost="{G/U}"),
    }

    def find(name: str) -> Card | Unread | None:
        return mine.get(name.lower()) or house_card(name)

    deck = "Commander\n1 Hybrid\n\nDeck\n60 Forest\n36 Mountain\n1 Red\n1 Both\n1 None\n"
    assert len(read_deck(deck, find, format_="commander").cards) == 99
    for strange in ("Blue By Text", "Half Blue"):
        with pytest.raises(DeckFault) as caught:
            read_deck(deck.replace("1 None", f"1 {strange}"), find, format_="commander")
        assert [why for _, why in caught.value.faults] == [
            f"{strange!r} has a colour that its commander has not: U (903.5c)"
        ]


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


def leader(name: str, text: str, types: str = "Legendary Creature — Human", cost: str = "{W}") -> Card:
    return Card(name=name, types=types, text=text, cost=cost, power="2", toughness="2")


PARTNERS = {
    "partner": (leader("A", "Partner (Two may lead.)"), leader("B", "Flying\nPartner"), True),
    "only one is a partner": (leader("A", "Partner"), leader("B", "Flying"), False),
    "not legendary": (leader("A", "Partner"), leader("B", "Partner", types="Creature — Human"), False),
    "each names the other": (leader("Ann", "Partner with Ben"), leader("Ben", "Partner with Ann (Both.)"), True),
    "one names a third": (leader("Ann", "Partner with Ben"), leader("Ben", "Partner with Cid"), False),
    "the kinds do not mix": (leader("Ann", "Partner with Ben"), leader("Ben", "Partner"), False),
    "the same words": (leader("A", "Partner—Survivors"), leader("B", "Partner—Survivors"), True),
    "other words": (leader("A", "Partner—Survivors"), leader("B", "Friends forever"), False),
    "the older form of words": (leader("A", "Partner—Friends forever"), leader("B", "Friends forever"), True),
    "a background": (
        leader("A", "Choose a Background"),
        leader("B", "", types="Legendary Enchantment — Background"),
        True,
    ),
    "no background is chosen": (leader("A", ""), leader("B", "", types="Legendary Enchantment — Background"), False),
    "a doctor": (
        leader("A", "Doctor's companion"),
        leader("B", "", types="Legendary Creature — Time Lord Doctor"),
        True,
    ),
    "a doctor of another type too": (
        leader("A", "Doctor's companion"),
        leader("B", "", types="Legendary Creature — Human Time Lord Doctor"),
        False,
    ),
}


@pytest.mark.rule("current 702.124f")
@pytest.mark.parametrize("case", PARTNERS)
def test_two_lead_a_deck_by_one_partner_ability(case: str) -> None:
    first, second, together = PARTNERS[case]
    assert may_lead_together(first, second) is may_lead_together(second, first) is together


@pytest.mark.rule("current 702.124c")
def test_partners_lead_a_hundred_cards_of_both_their_colors() -> None:
    mine = {
        "red one": leader("Red One", "Partner", cost="{R}"),
        "green one": leader("Green One", "Partner", cost="{G}"),
        "blue one": leader("Blue One", "", cost="{U}"),
    }

    def find(name: str) -> Card | Unread | None:
        return mine.get(name.lower()) or house_card(name)

    pair = "Commanders\n1 Red One\n1 Green One\n\nDeck\n60 Forest\n38 Mountain\n"
    deck = read_deck(pair, find, format_="commander")
    assert [card.name for card in deck.commander] == ["Red One", "Green One"] and len(deck.cards) == 98
    for text, says in (
        (pair.replace("38 M", "39 M"), "903.5a"),
        (pair.replace("Green", "Blue"), "current 702.124a"),
        (pair.replace("60 Forest", "59 Forest\n1 Island"), "not: U"),
    ):
        with pytest.raises(DeckFault) as caught:
            read_deck(text, find, format_="commander")
        assert any(says in why for _, why in caught.value.faults), caught.value.faults


@pytest.mark.rule("current 903.3")
@pytest.mark.rule("current 903.3a")
def test_a_vehicle_leads_and_a_card_that_says_so() -> None:
    assert may_lead(Card(name="A", types="Legendary Artifact — Vehicle", power="3", toughness="3"))
    assert may_lead(Card(name="B", types="Legendary Planeswalker — Ann", text="B can be your commander."))
    assert not may_lead(Card(name="C", types="Legendary Planeswalker — Ann"))
    assert not may_lead(Card(name="D", types="Legendary Artifact — Spacecraft"))


@pytest.mark.parametrize(
    "text",
    [
        f"1 {LEADER} *CMDR*\n60 Forest\n38 Mountain\n1 Thornhide Cub\n",
        f"1x {LEADER} (m10) 7 *F* [Commander{{top}}]\n60x Forest (zen) 246 [Land]\n38x Mountain (zen) 2 [Land]\n"
        "1x Thornhide Cub (m10) 189 [Creature,Ramp] ^Have,#37d67a^\n4x Levy of Moss (m10) 1 [Maybeboard{noDeck}{noPrice}]\n",
        f"// COMMANDER\n1 {LEADER}\n\n// Creature\n1 Thornhide Cub\n\n// Land\n60 Forest\n38 Mountain\n",
        f"#Commander\n1 {LEADER}\n#Lands\n60 Forest\n38 Mountain\n#Creatures\n1 Thornhide Cub\n",
        f"1 {LEADER} #!Commander\n60 Forest #land\n38 Mountain #land #red\n1 Thornhide Cub\n",
        f"Commanders (1)\n1 {LEADER}\nCreatures (1)\n1 Thornhide Cub\nLands (98)\n60 Forest\n38 Mountain\n",
        f"1 {LEADER}\n\n60 Forest\n38 Mountain\n1 Thornhide Cub\n",
        f"1 Thornhide Cub\n60 Forest\n38 Mountain\n\n1 {LEADER}\n",
        f"60 Forest\n38 Mountain\n1 Thornhide Cub\nSB: 1 {LEADER}\n",
        f"Count,Name,Section\n1,{LEADER},commander\n60,Forest,main\n38,Mountain,main\n1,Thornhide Cub,main\n"
        "9,Levy of Moss,maybeboard\n",
    ],
)
@pytest.mark.rule("903.3")
def test_sites_name_the_commander_in_their_own_ways(text: str) -> None:
    deck = read_deck(text, house_card, format_="commander")
    assert [card.name for card in deck.commander] == [LEADER] and len(deck.cards) == 99


@pytest.mark.rule("current 702.139a")
def test_a_companion_is_refused_by_its_name() -> None:
    assert any(at == 9 and "Levy of Moss" in why for at, why in faults(GOOD + "Companion\n1 Levy of Moss\n"))


def brawl_faults(text: str, find: dict[str, Card]) -> list[str]:
    def known(name: str) -> Card | Unread | None:
        return find.get(name.lower()) or house_card(name)

    try:
        read_deck(text, known, format_="brawl")
    except DeckFault as fault:
        return [why for _, why in fault.faults]
    return []


@pytest.mark.rule("current 903.12c")
@pytest.mark.rule("current 903.12d")
def test_sixty_cards_led_by_a_planeswalker_make_a_brawl_deck() -> None:
    mine = {"ann": Card(name="Ann", types="Legendary Planeswalker — Ann", cost="{G}", loyalty="3")}
    deck = "Commander\n1 Ann\n\nDeck\n59 Forest\n"
    assert brawl_faults(deck, mine) == []
    assert any("exactly 60" in why for why in brawl_faults(deck.replace("59", "60"), mine))
    assert any("exactly 60" in why for why in brawl_faults(deck.replace("59", "58"), mine))
    with pytest.raises(DeckFault, match="leads no deck"):
        read_deck(
            deck.replace("59", "99"), lambda name: mine.get(name.lower()) or house_card(name), format_="commander"
        )


@pytest.mark.rule("current 903.12e")
def test_a_brawl_deck_of_no_color_has_basic_lands_of_one_type() -> None:
    mine = {"husk": leader("Husk", "", types="Legendary Artifact Creature — Golem", cost="{3}")}
    deck = "Commander\n1 Husk\n\nDeck\n59 Forest\n"
    assert brawl_faults(deck, mine) == []
    strange = brawl_faults(deck.replace("59 Forest", "58 Forest\n1 Island"), mine)
    assert strange == ["'Island' has a colour that its commander has not: U (903.5c)"]
