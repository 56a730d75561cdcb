"""Text about what objects are: copies, types, layers, tokens, counters. Each comes back as its tree prints it."""

from __future__ import annotations

import pytest

from server.cards import forms as f
from server.cards.forms import Card
from server.cards.loading import Unread
from server.oracle.reading import printed
from tests.oracle.cards import permanent, spell, text_of


@pytest.mark.parametrize(
    "text",
    (
        "Create a token that's a copy of target creature you control.",
        "Create two tokens that are copies of target token you control.",
        "Create a tapped token that's a copy of target artifact, except it's an artifact in addition to its other types.",
        "Create a token that's a copy of target creature, except it's a 1/1 green Frog.",
        "Create a token that's a copy of target creature, except it isn't legendary and it has haste.",
        "Create a token that's a copy of target creature. It gains haste. "
        "At the beginning of the next end step, sacrifice it.",
        "Target creature becomes a copy of target artifact until end of turn, except it has this ability.",
        "Populate.",
    ),
)
def test_instructions_that_copy_print_as_they_were(text: str) -> None:
    assert text_of(spell(text)) == text


@pytest.mark.parametrize(
    ("text", "excepting"),
    (
        ("it's 1/1", (f.SetPT(power=1, toughness=1),)),
        ("the token isn't legendary", (f.SetTypes(lose=("legendary",)),)),
        (
            "they're 3/3 Dragon creatures in addition to their other types and they have flying",
            (
                f.SetTypes(types=("creature",), subtypes=("Dragon",)),
                f.SetPT(power=3, toughness=3),
                f.GainAbilities(keywords=("flying",)),
            ),
        ),
        (
            "it's a 1/1 green Squirrel creature in addition to its other colors and types",
            (
                f.SetTypes(types=("creature",), subtypes=("Squirrel",)),
                f.SetColors(colors="G", replace=False),
                f.SetPT(power=1, toughness=1),
            ),
        ),
        ("it's a black Zombie", (f.SetTypes(subtypes=("Zombie",), replace=True), f.SetColors(colors="B"))),
    ),
)
@pytest.mark.rule("706.9d")
def test_exceptions_of_a_copy_are_modifications(text: str, excepting: tuple[object, ...]) -> None:
    card = spell(f"Create a token that's a copy of target creature, except {text}.")
    assert isinstance(card, Card), card
    made = card.abilities[0]
    assert isinstance(made, f.SpellAbility) and isinstance(made.do[0], f.CreateToken)
    assert made.do[0].excepting == excepting


@pytest.mark.parametrize(
    "text",
    (
        "You may have Testbeast enter as a copy of a creature, except it's an artifact in addition to its other types.",
        "You may have Testbeast enter tapped as a copy of a creature card in a graveyard.",
        "You may have Testbeast enter as a copy of a creature you control, except its name is Testbeast.",
    ),
)
def test_what_enters_as_a_copy_prints_as_it_was(text: str) -> None:
    assert text_of(permanent(text)) == text


def test_a_creature_card_with_types_alone_as_exception_is_unread() -> None:
    """Whether the other types stay is not said."""
    assert isinstance(spell("Create a token that's a copy of target creature, except it's a Zombie creature."), Unread)


@pytest.mark.parametrize(
    ("text", "types"),
    (
        ("I, II — Draw a card.\nIII — You gain 3 life.", "Enchantment — Saga"),
        ("When the third charge counter is put on Testbeast, draw a card.", "Artifact"),
        ("When the last time counter is removed from Testbeast, draw a card.", "Artifact"),
        ("When one or more +1/+1 counters are put on a creature you control, draw a card.", "Enchantment"),
        ("Testbeast enters with your choice of a flying counter or a first strike counter on it.", "Creature — Elf"),
        ("Testbeast enters with a +1/+1 counter and a lifelink counter on it.", "Creature — Elf"),
        ("{T}: Put a +1/+1 counter and a flying counter on target creature.", "Creature — Elf"),
        ("{T}: Put your choice of a reach counter or a menace counter on target creature.", "Creature — Elf"),
    ),
)
def test_chapters_and_counters_print_as_they_were(text: str, types: str) -> None:
    assert text_of(permanent(text, types)) == text


@pytest.mark.rule("current 714.2a")
def test_chapters_stand_on_sagas_alone() -> None:
    assert isinstance(permanent("I — Draw a card.", "Enchantment"), Unread)


@pytest.mark.parametrize(
    ("text", "mods"),
    (
        (
            "becomes a 3/3 Elemental creature that's still a land",
            (f.SetTypes(("creature",), ("Elemental",)), f.SetPT(3, 3)),
        ),
        ("becomes a 3/3 Elemental creature", (f.SetTypes(("creature",), ("Elemental",), (), True), f.SetPT(3, 3))),
        ("becomes a 3/3 Golem artifact creature", (f.SetTypes(("artifact", "creature"), ("Golem",)), f.SetPT(3, 3))),
        (
            "becomes a blue Frog with base power and toughness 1/1",
            (f.SetTypes((), ("Frog",), (), True), f.SetColors("U"), f.SetPT(1, 1)),
        ),
        (
            "becomes a black Zombie in addition to its other colors and types",
            (f.SetTypes((), ("Zombie",)), f.SetColors("B", False)),
        ),
        (
            'becomes a 2/2 Bird creature with flying and "{T}: Add {G}." in addition to its other types',
            (
                f.SetTypes(("creature",), ("Bird",)),
                f.SetPT(2, 2),
                f.GainAbilities(
                    ("flying",), (f.ActivatedAbility((f.TapCost(),), (f.AddMana(mana="{G}"),), text="{T}: Add {G}."),)
                ),
            ),
        ),
    ),
)
@pytest.mark.rule("205.1a", "205.1b")
def test_what_something_becomes_says_whether_other_types_stay(text: str, mods: tuple[object, ...]) -> None:
    card = spell(f"Target permanent {text} until end of turn.")
    assert isinstance(card, Card), card
    made = card.abilities[0]
    assert isinstance(made, f.SpellAbility) and isinstance(made.do[0], f.Effect)
    assert made.do[0].mods == mods


def test_still_a_land_in_a_sentence_of_its_own_is_the_same() -> None:
    one = permanent("{2}: Testbeast becomes a 2/2 Elf creature until end of turn. It's still a land.", "Land")
    other = permanent("{2}: Until end of turn, Testbeast becomes a 2/2 Elf creature that's still a land.", "Land")
    assert isinstance(one, Card) and isinstance(other, Card)
    assert printed(one) == printed(other)


@pytest.mark.rule("current 611.2e")
def test_what_comes_back_as_something_else_is_unread() -> None:
    """It would have to be that as it enters, which an effect made afterwards is too late for."""
    text = (
        "Return target creature card from your graveyard to the battlefield. It's a Treasure artifact and it loses all "
    )
    assert isinstance(spell(f"{text}other card types."), Unread)


def test_a_quotation_that_was_never_closed_ends_with_its_line() -> None:
    card = spell('Create a 1/1 red Devil creature token with "When this token dies, it deals 1 damage to any target.')
    assert isinstance(card, Card), card


@pytest.mark.rule("603.2c")
def test_what_was_the_first_time_before_the_ability_was_given_is_none() -> None:
    first = "Whenever one or more counters are put on this creature for the first time each turn, draw a card."
    assert text_of(permanent(first)) is not None
    assert isinstance(permanent(f'Creatures you control have "{first}"', "Enchantment"), Unread)
    often = first.replace(" for the first time each turn", "")
    assert text_of(permanent(f'Creatures you control have "{often}"', "Enchantment")) is not None


@pytest.mark.rule("608.2c")
def test_it_that_is_sacrificed_is_not_what_was_dealt_damage() -> None:
    shot = "Target creature you control deals damage equal to its power to any other target."
    assert text_of(spell(shot)) is not None
    assert isinstance(spell(f"{shot} Then sacrifice it."), Unread)


@pytest.mark.rule("608.2h")
def test_a_permanent_does_not_know_what_was_sacrificed_for_its_spell() -> None:
    text = "Emerge {5}{W}\nWhen Testbeast enters, you gain life equal to the sacrificed creature's toughness."
    assert isinstance(permanent(text), Unread)
    told = "When Testbeast enters, you may sacrifice a creature. If you do, you gain life equal to the sacrificed creature's toughness."
    assert text_of(permanent(told)) is not None


@pytest.mark.rule("614.15")
def test_all_of_a_sentence_is_done_instead() -> None:
    toll = "Counter target spell unless its controller pays {2}. If you control a Wall, instead counter that spell"
    assert text_of(spell(f"{toll}.")) is not None
    assert isinstance(spell(f"{toll}, then scry 2."), Unread)
