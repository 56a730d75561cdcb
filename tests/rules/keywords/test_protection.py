"""Keyword abilities that protect: hexproof, shroud, protection, ward, prowess, as played games."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card, KeywordAbility
from server.rules import Illegal
from server.rules.model import with_rare
from tests.rules.keywords.cards import ISLAND, beast, word
from tests.rules.keywords.test_fighting import blockers_of
from tests.rules.play import (
    BEAR,
    BOLT,
    Game,
    damage,
    enchantment,
    instant,
    noun,
    tapping,
    until_end,
)

rule = pytest.mark.rule


@rule("702.11")
@rule("702.17")
@rule("702.15b")
@rule("702.15e")
def test_hexproof_shroud_and_protection() -> None:
    game = Game("ABC")
    own, theirs, shy, safe = (
        game.put("A", beast(2, 2, "hexproof")),
        game.put("B", beast(2, 2, "hexproof")),
        game.put("A", beast(2, 2, "shroud")),
        game.put("B", beast(2, 2, word("protection", quality="red"))),
    )
    bolt = game.put("A", BOLT, "hand")
    storm = game.put("A", instant("Storm", damage(1, "each creature"), colors="R"), "hand")
    game.begin()
    game.act("A", bolt)
    assert own in game.options() and "B" in game.options()
    assert not {theirs, shy, safe} & set(game.options())
    game.answer("C")
    game.resolve_all()
    game.cast("A", storm)
    game.resolve()
    assert [game.damage(i) for i in (own, theirs, shy, safe)] == [1, 1, 1, 0]


@rule("702.15a")
def test_protection_from_a_chosen_colour_and_from_a_player() -> None:
    chosen = word("protection", quality="source of the chosen color")
    player = word("protection", quality="source the chosen player controls")
    game = Game("ABC")
    by_color = game.put("B", beast(2, 2, chosen), chosen=(("color", "red"),))
    by_player = game.put("B", beast(2, 2, player), chosen=(("player", "-1"),))
    red = game.put("A", instant("Flame", damage(1, "each creature"), colors="R"), "hand")
    blue = game.put("C", instant("Wave", damage(1, "each creature"), colors="U"), "hand")
    game.begin()
    game.cast("A", red)
    game.resolve_all()
    assert (game.damage(by_color), game.damage(by_player)) == (0, 0)
    game.cast("C", blue)
    game.resolve_all()
    assert (game.damage(by_color), game.damage(by_player)) == (1, 1)


@rule("702.15c")
@rule("702.15d")
def test_protection_lets_attachments_fall() -> None:
    grants = until_end("target creature", forms.GainAbilities(abilities=(word("protection", quality="white"),)))
    ward = instant("Ward", grants)
    aura = Card(
        name="Halo",
        types="Enchantment — Aura",
        cost="{0}",
        colors="W",
        abilities=(word("enchant", quality="creature"),),
    )
    sword = Card(
        name="Sword", types="Artifact — Equipment", cost="{0}", colors="W", abilities=(word("equip", cost="{1}"),)
    )
    game = Game()
    bear, halo, blade = game.put("A", BEAR), game.put("B", aura), game.put("A", sword)
    game.attach(halo, bear)
    game.attach(blade, bear)
    card = game.put("A", ward, "hand")
    game.begin()
    game.cast("A", card, bear)
    game.resolve()
    assert game.zone(halo) == "graveyard"
    assert game.zone(blade) == "battlefield" and game.object(blade).attached_to == 0


def test_ward_counters_what_an_opponent_aims_at_it_unless_that_player_pays() -> None:
    warded = beast(2, 2, word("ward", cost="{2}"))
    game = Game("ABC")
    bear = game.put("A", warded)
    own, theirs = game.put("A", BOLT, "hand"), game.put("B", BOLT, "hand")
    game.begin()
    game.cast("A", own, "C")
    game.resolve()
    game.cast("B", theirs, bear)
    assert len(game.state.stack) == 2
    game.resolve()  # B cannot pay
    assert game.zone(theirs) == "graveyard" and game.zone(bear) == "battlefield" and not game.state.stack


def test_ward_is_paid_by_the_player_who_cast_and_stops_abilities_too() -> None:
    warded = beast(2, 2, word("ward", cost="{1}"))
    game = Game("ABC")
    bear = game.put("A", warded)
    pinger = game.put("C", beast(1, 1, tapping(damage(2, "target creature"))))
    theirs = game.put("B", BOLT, "hand")
    game.put("B", ISLAND)
    game.begin()
    game.cast("C", pinger, bear)
    game.resolve_all()
    assert game.zone(bear) == "battlefield" and game.damage(bear) == 0
    game.cast("B", theirs, bear)
    game.resolve()
    assert game.asks == ("B", "pay")
    game.answer(True)
    game.resolve_all()
    assert game.zone(bear) == "graveyard"


def test_prowess_menace_and_indestructible() -> None:
    game = Game()
    monk = game.put("A", beast(1, 1, "prowess", "menace"))
    rock = game.put("B", beast(2, 2, "indestructible"))
    other = game.put("B", BEAR)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, rock)
    game.resolve_all()
    assert game.size(monk) == (2, 2)
    assert game.zone(rock) == "battlefield" and game.damage(rock) == 3
    game.attack({monk: "B"})
    blockers_of(game, "B")
    with pytest.raises(Illegal):
        game.submit(game.blockers({rock: monk}))
    game.submit(game.blockers({rock: monk, other: monk}))


@rule("702.15b")
@rule("702.15c")
@rule("702.15e")
def test_a_player_with_protection() -> None:
    veil = enchantment("Veil", forms.PlayerRule(rule="protection", what=noun("red")))
    curse = Card(
        name="Curse", types="Enchantment — Aura", cost="{0}", colors="R", abilities=(word("enchant", quality="player"),)
    )
    rain = instant("Rain", damage(2, "each player"), colors="R")
    drops = instant("Drops", damage(1, "each player"), colors="U")
    game = Game("ABC")
    game.put("B", veil)
    bolt, red, blue = game.put("A", BOLT, "hand"), game.put("A", rain, "hand"), game.put("A", drops, "hand")
    attacker = game.put("A", beast(3, 3, colors="R"))
    card = game.put("A", curse)
    game.state = replace(game.state, objects={**game.state.objects, card: with_rare(game.object(card), attached_to=-2)})
    game.begin()
    assert game.zone(card) == "graveyard"
    game.act("A", bolt)
    assert "B" not in game.options()
    game.answer("C")
    game.resolve()
    for spell in (red, blue):
        game.cast("A", spell)
        game.resolve()
    assert [game.life(who) for who in "ABC"] == [17, 19, 14]
    game.attack({attacker: "B"})
    game.fight()
    assert game.life("B") == 19


@pytest.mark.parametrize("ability", [word("protection", quality="red"), word("absorb", number=2)])
def test_a_lost_keyword_takes_its_replacement_effect_along(ability: KeywordAbility) -> None:
    strip = instant("Strip", until_end("target creature", forms.LoseAbilities(keywords=(ability.keyword,))))
    storm = instant("Storm", damage(2, "each creature"), colors="R")
    game = Game()
    bear = game.put("A", beast(2, 9, ability))
    cards = [game.put("A", c, "hand") for c in (storm, strip, storm)]
    game.begin()
    game.cast("A", cards[0])
    game.resolve()
    assert game.damage(bear) == 0
    game.cast("A", cards[1], bear)
    game.resolve()
    game.cast("A", cards[2])
    game.resolve()
    assert game.damage(bear) == 2
