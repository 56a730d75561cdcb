"""Phasing (702.24), as played games."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.rules.model import events
from tests.rules.keywords.cards import beast, word
from tests.rules.keywords.test_permanents import AURA, KILL, SWORD, upkeep
from tests.rules.play import (
    BEAR,
    Game,
    damage,
    enchantment,
    instant,
    noun,
    sorcery,
    until_end,
)

rule = pytest.mark.rule


@rule("702.24a")
@rule("702.24d")
@rule("502.1")
def test_phasing_goes_in_and_out_in_its_controllers_untap_steps() -> None:
    game = Game("ABC")
    wisp = game.put("A", beast(2, 2, "phasing"), tapped=True, counters={"+1/+1": 1})
    game.put(
        "B",
        enchantment(
            "Bell",
            forms.TriggeredAbility(
                when=(forms.Pattern(event="zone change", subject=noun("a creature")),), do=(forms.GainLife(amount=1),)
            ),
        ),
    )
    game.begin()
    upkeep(game, "B")
    assert not game.object(wisp).phased_out  # only in its controller's untap steps
    upkeep(game, "A")
    assert game.object(wisp).phased_out and game.object(wisp).tapped
    upkeep(game, "A")
    back = game.object(wisp)
    assert not back.phased_out and not back.tapped and not back.sick and game.size(wisp) == (3, 3)
    assert game.life("B") == 20  # no zone was changed


@rule("702.24b")
def test_what_is_phased_out_does_not_exist() -> None:
    count = sorcery("Count", forms.Draw(count=1), damage(1, "each creature"))
    game = Game()
    wisp = game.put("A", beast(2, 2, "phasing"))
    lord = game.put(
        "A",
        enchantment(
            "Banner",
            "phasing"
            and forms.Continuous(what=noun("creatures you control"), mods=(forms.AddPT(power=1, toughness=1),)),
            keywords=("phasing",),
        ),
    )
    bear = game.put("A", BEAR)
    card, kill = game.put("A", count, "hand"), game.put("A", KILL, "hand")
    game.begin(step="end_turn")
    assert game.size(bear) == (3, 3)
    upkeep(game, "A")
    assert game.object(lord).phased_out and game.size(bear) == (2, 2)
    game.pass_until(step="precombat_main")
    game.cast("A", card)
    game.resolve()
    assert game.damage(wisp) == 0 and game.damage(bear) == 1
    game.cast("A", kill, bear)  # the only creature that there is
    game.resolve()
    game.pass_until(step="end_turn")
    assert game.zone(wisp) == "battlefield" and ("A", "attackers") not in game.asked[-10:]


@rule("702.24f")
@rule("702.24g")
@rule("702.24i")
def test_attachments_phase_indirectly_and_come_back_attached() -> None:
    game = Game("AB")
    wisp = game.put("A", beast(2, 2, "phasing"))
    sword, aura = game.put("A", SWORD), game.put("B", AURA)
    game.attach(sword, wisp)
    game.attach(aura, wisp)
    game.begin(step="end_turn")
    assert game.size(wisp) == (4, 2)
    upkeep(game, "A")
    assert game.object(sword).phased_out and game.object(aura).phased_out
    upkeep(game, "B")
    assert game.object(aura).phased_out  # not by itself, though its controller untaps
    upkeep(game, "A")
    for thing in (sword, aura):
        assert not game.object(thing).phased_out and game.object(thing).attached_to == wisp
    assert game.size(wisp) == (4, 2) and not game.happened(events.Attach)


@rule("702.24h")
def test_a_directly_phased_equipment_comes_back_unattached_if_its_creature_is_gone() -> None:
    blade = Card(
        name="Blade", types="Artifact — Equipment", keywords=("phasing",), abilities=(word("equip", cost="{0}"),)
    )
    game = Game()
    bear, sword, kill = game.put("A", BEAR), game.put("A", blade), game.put("A", KILL, "hand")
    game.attach(sword, bear)
    game.begin(step="end_turn")
    upkeep(game, "A")
    assert game.object(sword).phased_out and game.object(bear).attachments == ()
    game.cast("A", kill, bear)
    game.resolve()
    upkeep(game, "A")
    assert not game.object(sword).phased_out and game.object(sword).attached_to == 0


@rule("702.24k")
def test_a_phased_out_token_ceases_to_exist() -> None:
    vanish = instant("Vanish", forms.PhaseOut(what=noun("target creature")))
    game = Game()
    token = game.put("A", BEAR, token=True)
    card = game.put("A", vanish, "hand")
    game.begin()
    game.cast("A", card, token)
    game.resolve()
    assert game.zone(token) == ""


@rule("702.24e")
@rule("506.4")
def test_phasing_out_in_combat_and_what_lasts_as_long_as_it_is_there() -> None:
    vanish = instant("Vanish", forms.PhaseOut(what=noun("target creature")))
    grow = until_end("target creature", forms.AddPT(power=3, toughness=3), duration="while source")
    game = Game("ABC")
    attacker = game.put("A", BEAR)
    keeper = game.put("A", beast(1, 1, forms.ActivatedAbility(cost=(), do=(grow,))))
    cards = [game.put("B", vanish, "hand") for _ in range(2)]
    game.begin()
    game.activate("A", keeper, attacker)
    game.resolve()
    assert game.size(attacker) == (5, 5)
    game.attack({attacker: "C"})
    game.cast("B", cards[0], keeper)
    game.resolve()
    assert game.size(attacker) == (2, 2)
    game.cast("B", cards[1], attacker)
    game.resolve()
    assert game.attacker(attacker) is None
