"""Keywords about casting as played games (702)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card, KeywordAbility, ManaCost
from server.cards.nouns import Noun
from tests.rules.play import BEAR, Game, creature, instant, noun

rule = pytest.mark.rule
MOUNTAIN = Card(name="Mountain", types="Basic Land — Mountain")
BOLT3 = forms.Damage(amount=3, to=noun("target player"))


def keyword(name: str, cost: str = "", quality: str = "", number: int = 0) -> KeywordAbility:
    """A keyword ability with a mana cost or a quality."""
    return KeywordAbility(
        keyword=name,
        cost=(ManaCost(mana=cost),) if cost else (),
        quality=Noun(quality) if quality else None,
        number=number,
        text=name,
    )


def spell(name: str, cost: str, *abilities: forms.Ability, types: str = "Instant") -> Card:
    """A spell with these abilities besides three damage to a player."""
    return Card(name=name, types=types, cost=cost, abilities=(*abilities, forms.SpellAbility(do=(BOLT3,))))


def lands(game: Game, n: int) -> None:
    """So many Mountains for the first player."""
    for _ in range(n):
        game.put("A", MOUNTAIN)


def ways(game: Game) -> list[str]:
    """The ways to cast that are offered now."""
    return [a.way for a in game.state.pending.actions if a.type == "cast"]  # type: ignore[union-attr]


@rule("702.46")
def test_offering_sacrifices_and_pays_the_rest_at_instant_speed() -> None:
    patron = Card(
        name="Patron", types="Creature — Spirit", cost="{4}{R}{R}", power="5", toughness="5",
        abilities=(keyword("offering", quality="Goblin"),),
    )  # fmt: skip
    game = Game("ABC")
    card = game.put("A", patron, "hand")
    goblin = game.put("A", Card(name="Gob", types="Creature — Goblin", cost="{1}{R}", power="1", toughness="1"))
    lands(game, 4)
    game.begin()
    assert ways(game) == ["offering"]
    game.cast("A", card, way="offering")
    game.resolve()
    assert game.zone(card) == "battlefield"
    assert game.zone(goblin) == "graveyard"


@rule("702.45")
def test_splice_adds_the_text_and_the_cost_and_stays_in_hand() -> None:
    arcane = spell("Whisper", "{R}", types="Instant — Arcane")
    spliced = Card(
        name="Echoing", types="Instant — Arcane", cost="{3}{R}",
        abilities=(keyword("splice", "{1}", "Arcane"), forms.SpellAbility(do=(forms.GainLife(amount=2),))),
    )  # fmt: skip
    game = Game("ABC")
    first, second = game.put("A", arcane, "hand"), game.put("A", spliced, "hand")
    lands(game, 2)
    game.begin()
    game.cast("A", first, True, "B")
    game.resolve()
    assert (game.life("A"), game.life("B")) == (22, 17)
    assert game.zone(second) == "hand"
    assert all(game.state.objects[i].tapped for i in game.state.battlefield)


@rule("702.76")
def test_conspire_taps_two_creatures_of_its_colour_and_copies_the_spell() -> None:
    card = Card(
        name="Plot", types="Instant", cost="{R}", keywords=("conspire",),
        abilities=(forms.SpellAbility(do=(forms.LoseLife(amount=2, who=noun("each opponent")),)),),
    )  # fmt: skip
    red = Card(name="Red", types="Creature — Goblin", cost="{R}", power="1", toughness="1")
    game = Game("AB")
    plot = game.put("A", card, "hand")
    reds = [game.put("A", red) for _ in range(2)]
    green = game.put("A", BEAR)
    lands(game, 1)
    game.begin()
    game.cast("A", plot, True)
    game.resolve()
    game.resolve()
    game.resolve()
    assert game.life("B") == 16
    assert all(game.object(i).tapped for i in reds)
    assert not game.object(green).tapped


@rule("702.32")
def test_flashback_is_exiled_wherever_it_would_go() -> None:
    game = Game("AB")
    card = game.put("A", spell("Again", "{5}", keyword("flashback", "{R}")), "graveyard")
    lands(game, 1)
    game.begin()
    game.cast("A", card, "B", way="flashback")
    game.resolve()
    assert game.life("B") == 17
    assert game.zone(card) == "exile"


@rule("702.25")
def test_buyback_returns_to_the_hand_only_if_paid() -> None:
    game = Game("AB")
    card = game.put("A", spell("Back", "{R}", keyword("buyback", "{1}")), "hand")
    lands(game, 3)
    game.begin()
    game.cast("A", card, True, "B")
    game.resolve()
    assert game.zone(card) == "hand"
    game.cast("A", card, "B")
    game.resolve()
    assert game.zone(card) == "graveyard"


@rule("702.72")
def test_evoked_creatures_are_sacrificed_when_they_enter() -> None:
    card = Card(
        name="Odd Drifter", types="Creature — Elemental", cost="{4}{R}", power="2", toughness="2",
        abilities=(keyword("evoke", "{R}"),),
    )  # fmt: skip
    game = Game("AB")
    evoked = game.put("A", card, "hand")
    lands(game, 1)
    game.begin()
    game.cast("A", evoked, way="evoke")
    game.resolve()
    game.resolve()
    assert game.zone(evoked) == "graveyard"


@rule("702.49")
def test_convoke_taps_creatures_for_their_colour_or_for_generic_mana() -> None:
    card = Card(name="Chord", types="Creature — Elf", cost="{2}{G}", power="3", toughness="3", keywords=("convoke",))
    game = Game("AB")
    chord = game.put("A", card, "hand")
    green = game.put("A", Card(name="Elf", types="Creature — Elf", cost="{G}", power="1", toughness="1"))
    red = game.put("A", creature("Red", 1, 1))
    lands(game, 1)
    game.begin()
    game.cast("A", chord)
    game.resolve()
    assert game.zone(chord) == "battlefield"
    assert game.object(green).tapped
    assert game.object(red).tapped


@rule("702.59")
def test_nothing_is_cast_while_a_spell_with_split_second_is_on_the_stack() -> None:
    quick = Card(
        name="Quick", types="Instant", cost="{R}", keywords=("split second",),
        abilities=(forms.SpellAbility(do=(BOLT3,)),),
    )  # fmt: skip
    game = Game("AB")
    card = game.put("A", quick, "hand")
    other = game.put("A", instant("Other", forms.Draw()), "hand")
    lands(game, 3)
    game.begin()
    game.cast("A", card, "B")
    offered = [a.object for a in game.state.pending.actions if a.type == "cast"]  # type: ignore[union-attr]
    assert game.now(other) not in offered
