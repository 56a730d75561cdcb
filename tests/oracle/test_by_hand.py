"""A card that is partly read: which paragraphs are by hand, and how much of each is read all the same."""

from __future__ import annotations

import pytest

from server.cards.forms import (
    ActivatedAbility,
    ByHand,
    Card,
    Draw,
    HandAbility,
    KeywordAbility,
    LoyaltyCost,
    SpellAbility,
    TriggeredAbility,
)
from server.cards.loading import Entry, Unread, faults, paragraphs_by_hand
from server.oracle.by_hand import UNTOLD, read_partly
from server.oracle.reading import read_card
from server.oracle.rewording import reworded


def partly(types: str, text: str, **more: str) -> Card:
    entry = Entry("Odd Kin", types=types, text=text, **more)
    assert isinstance(read_card(entry), Unread)
    found = read_partly(entry)
    assert isinstance(found, Card)
    assert not list(faults(found))
    assert found.text == text
    return found


def test_a_card_that_is_read_whole_is_that_card() -> None:
    entry = Entry("Plain Kin", types="Creature — Elf", text="Flying", power="1", toughness="1")
    assert read_partly(entry) == read_card(entry)


def test_what_is_read_is_read_and_the_rest_is_by_hand() -> None:
    card = partly("Creature — Elf", "Flying\nHum while the stars align.", power="2", toughness="1")
    assert card.keywords == ("flying",)
    assert paragraphs_by_hand(card) == ("Hum while the stars align.",)


def test_an_event_that_is_read_triggers_by_itself() -> None:
    card = partly("Artifact", "Whenever a creature dies, hum for target player.")
    (ability,) = card.abilities
    assert isinstance(ability, TriggeredAbility) and ability.when[0].event == "zone change"
    (verb,) = ability.do
    assert isinstance(verb, ByHand) and [noun.text for noun in verb.targets] == ["target player"]


def test_a_cost_that_is_read_is_paid() -> None:
    card = partly("Artifact", "{2}, {T}: Hum at up to two target creatures. Activate only as a sorcery.")
    (ability,) = card.abilities
    assert isinstance(ability, ActivatedAbility) and len(ability.cost) == 2 and ability.timing == "sorcery"
    (verb,) = ability.do
    assert isinstance(verb, ByHand) and [noun.text for noun in verb.targets] == ["up to two target creatures"]


def test_loyalty_abilities_and_chapters_keep_their_frame() -> None:
    walker = partly("Legendary Planeswalker — Kin", "+1: Hum.\n-2: Draw a card.", loyalty="3")
    costs = [a.cost for a in walker.abilities if isinstance(a, ActivatedAbility)]
    assert sorted(c.change for (c,) in costs if isinstance(c, LoyaltyCost)) == [-2, 1]
    saga = partly("Enchantment — Saga", "I — Hum.\nII — Draw a card.")
    assert all(isinstance(a, TriggeredAbility) and a.keyword for a in saga.abilities)


def test_of_modes_each_is_read_by_itself() -> None:
    card = partly("Instant", "Choose one —\n• Draw a card.\n• Hum at target creature.")
    (ability,) = card.abilities
    assert isinstance(ability, SpellAbility) and len(ability.modes) == 2
    assert ability.modes[0].do == (Draw(count=1),)
    assert isinstance(ability.modes[1].do[0], ByHand)


@pytest.mark.rule("107.2")
def test_a_size_that_a_list_leaves_out_is_0_and_by_hand() -> None:
    entry = Entry("Odd Kin", types="Creature — Elf", text="Odd Kin enters with two +1/+1 counters on it.\nHum.")
    card = read_partly(entry)
    assert isinstance(card, Card) and (card.power, card.toughness) == ("0", "0")
    assert paragraphs_by_hand(card) == ("Hum.", UNTOLD)
    again, _ = reworded(
        card, UNTOLD, "Odd Kin's power and toughness are each equal to the number of creatures you control."
    )
    assert paragraphs_by_hand(again) == ("Hum.",) and UNTOLD not in again.text


def test_a_face_without_a_text_has_nothing_by_hand() -> None:
    turns = "At the beginning of your upkeep, transform this creature."
    entry = Entry("Kin // Kith", "{1} // ", "Creature — Elf // Creature — Elf", f"{turns} // ", "1 // 2", "1 // 2")
    assert read_partly(entry, "transform") == Unread("Kin // Kith", "the colors of Kith")


def test_instructions_stay_in_their_order() -> None:
    card = partly("Sorcery", "Hum at target player.\nDraw a card.")
    (ability,) = card.abilities
    assert isinstance(ability, SpellAbility)
    assert [type(verb) for verb in ability.do] == [ByHand, Draw]


def test_what_speaks_of_an_unread_instruction_is_by_hand_with_it() -> None:
    card = partly("Sorcery", "Hum at target creature.\nDestroy that creature.")
    assert len(paragraphs_by_hand(card)) == 2


def test_what_does_not_check_without_the_unread_is_by_hand_with_it() -> None:
    card = partly(
        "Creature — Elf",
        "Kicker by humming\nWhen Odd Kin enters, if it was kicked, draw a card.",
        power="1",
        toughness="1",
    )
    assert len(paragraphs_by_hand(card)) == 2
    assert not any(isinstance(a, KeywordAbility) for a in card.abilities)


def test_a_paragraph_about_casting_is_no_instruction() -> None:
    card = partly("Sorcery", "As an additional cost to cast this spell, hum twice.\nDraw a card.")
    assert any(isinstance(a, HandAbility) and not a.do for a in card.abilities)
    spell = next(a for a in card.abilities if isinstance(a, SpellAbility))
    assert spell.do == (Draw(count=1),)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (
            "Hum at target creature an opponent controls, then at target land.",
            ["target creature an opponent controls", "target land"],
        ),
        ("Hum. When you do, sing for target player.", []),
        ('Create a token with "{T}: Target player hums."', []),
    ],
)
def test_targets_are_what_is_targeted_as_it_is_announced(text: str, targets: list[str]) -> None:
    (ability,) = partly("Sorcery", text).abilities
    assert isinstance(ability, SpellAbility)
    (verb,) = ability.do
    assert isinstance(verb, ByHand)
    assert [noun.text for noun in verb.targets] == targets
