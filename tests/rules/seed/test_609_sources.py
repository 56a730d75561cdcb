"""Effects (609.6, 609.7): prevention and replacement, and sources of damage that are chosen."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import events
from tests.rules.play import (
    BOLT,
    Game,
    creature,
    damage,
    enchantment,
    instant,
    noun,
    until_end,
)

rule = pytest.mark.rule

AGAINST_YOU = forms.Replacement(event=forms.Pattern(event="damage", object=noun("you")), rewrite=(forms.Prevent(),))
RED_WARD = instant("Plain Red Ward", forms.Shield(effect=AGAINST_YOU, uses=1, source_choice=noun("a red source")))
ANY_WARD = instant("Ward", forms.Shield(effect=AGAINST_YOU, uses=1, source_choice=noun("a source")))
SPIT = creature(
    "Spitter", 2, 2, abilities=(forms.ActivatedAbility(cost=(), do=(damage(1, "target player"),)),), colors="R"
)


@rule("609.6")
def test_prevention_and_replacement_effects_last_as_long_as_they_say() -> None:
    game = Game()
    veil = instant("Veil", forms.Shield(effect=AGAINST_YOU))
    spell, spit = game.put("B", veil, "hand"), game.put("A", SPIT)
    rest = enchantment(
        "Rest",
        forms.Replacement(event=forms.Pattern(event="life gain", subject=noun("you")), rewrite=(forms.Scale(times=2),)),
    )
    boon = game.put("B", rest)
    drinks = [game.put("B", instant("Drink", forms.GainLife(amount=1)), "hand") for _ in range(2)]
    shatter = game.put("A", instant("Plain Shatter", forms.Destroy(what=noun("target enchantment"))), "hand")
    game.begin()
    game.cast("B", spell)
    game.resolve()
    for _ in range(2):  # any number of times this turn
        game.activate("A", spit, "B")
        game.resolve()
    assert game.life("B") == 20
    game.cast("B", drinks[0])
    game.resolve()
    assert game.life("B") == 22
    game.cast("A", shatter, boon)
    game.resolve()
    game.cast("B", drinks[1])
    game.resolve()
    assert game.life("B") == 23  # the static one ended with its source
    game.pass_until(step="upkeep")
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 22  # the other with the turn


@rule("609.7")
def test_the_next_time_a_red_source_of_your_choice() -> None:
    game = Game()
    red, green = game.put("A", SPIT), game.put("A", creature("Thorn", 1, 1, abilities=SPIT.abilities, colors="G"))
    other = game.put("A", SPIT)
    ward = game.put("B", RED_WARD, "hand")
    game.begin()
    game.cast("B", ward)
    game.resolve()
    assert game.asks == ("B", "source") and game.options() == [red, other]
    game.answer(red)
    for source in (green, other):
        game.activate("A", source, "B")
        game.resolve()
    assert game.life("B") == 18  # other sources are not covered
    game.activate("A", red, "A")
    game.resolve()
    assert game.life("A") == 19  # nor damage to others
    game.activate("A", red, "B")
    game.resolve()
    assert game.life("B") == 18
    game.activate("A", red, "B")
    game.resolve()
    assert game.life("B") == 17  # the next time only


@rule("609.7a")
def test_a_chosen_permanent_is_covered_in_combat_too_and_chosen_as_the_effect_is_made() -> None:
    game = Game()
    spit = game.put("A", SPIT)
    wards = [game.put("B", ANY_WARD, "hand") for _ in range(2)]
    game.begin()
    game.cast("B", wards[0])
    assert game.asks[1] == "priority"  # not chosen as it is cast
    game.resolve()
    game.answer(spit)
    game.attack({spit: "B"})
    game.fight()
    assert game.life("B") == 20
    game.cast("B", wards[1])
    game.resolve()
    game.answer(spit)
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 20
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 19


@rule("609.7a")
def test_a_chosen_permanent_spell_is_followed_onto_the_battlefield() -> None:
    game = Game()
    card = game.put("A", creature("Runner", 3, 3, "haste"), "hand")
    ward = game.put("B", ANY_WARD, "hand")
    bounce = instant("Bounce", forms.Move(what=noun("target creature"), to="hand"))
    game.put("A", bounce, "hand")
    game.begin()
    game.cast("A", card)
    game.cast("B", ward)
    game.resolve()
    assert game.asks == ("B", "source")
    game.answer(game.now(card))
    game.resolve()
    assert game.zone(card) == "battlefield"
    game.attack({card: "B"})
    game.fight()
    assert game.life("B") == 20
    assert [e.amount for e in game.happened(events.Prevented)] == [3]


@rule("609.7a")
def test_a_chosen_permanent_that_becomes_a_new_object_is_not_followed() -> None:
    game = Game()
    card = game.put("A", creature("Runner", 3, 3, "haste"))
    ward = game.put("B", ANY_WARD, "hand")
    bounce = game.put("A", instant("Bounce", forms.Move(what=noun("target creature"), to="hand")), "hand")
    game.begin()
    game.cast("B", ward)
    game.resolve()
    game.answer(card)
    game.cast("A", bounce)
    game.resolve()
    game.cast("A", card)
    game.resolve()
    game.attack({card: "B"})
    game.fight()
    assert game.life("B") == 17


@rule("609.7b")
def test_the_shield_looks_at_the_source_again_and_stays_unused() -> None:
    game = Game()
    spit = game.put("A", SPIT)
    paints = [
        game.put("A", instant("Paint", until_end("target creature", forms.SetColors(colors=letter))), "hand")
        for letter in "GR"
    ]
    ward = game.put("B", RED_WARD, "hand")
    game.begin()
    game.cast("B", ward)
    game.resolve()
    assert game.state.effects[0].uses == 1  # the spitter was the only red source
    game.cast("A", paints[0])
    game.resolve()
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 19  # no longer red: nothing is prevented
    game.cast("A", paints[1])
    game.resolve()
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 19  # the shield was still there
    game.activate("A", spit, "B")
    game.resolve()
    assert game.life("B") == 18


@rule("609.7c")
def test_a_static_effect_covers_permanents_and_other_sources_that_match() -> None:
    game = Game()
    absolute = enchantment(
        "Law",
        forms.Replacement(
            event=forms.Pattern(event="damage", subject=noun("a red source"), object=noun("you")),
            rewrite=(forms.Prevent(),),
        ),
    )
    game.put("B", absolute)
    red, ghost = (
        game.put("A", SPIT),
        creature(
            "Ghost",
            1,
            1,
            abilities=(forms.ActivatedAbility(cost=(), do=(damage(1, "each opponent"),), zone="graveyard"),),
            colors="R",
        ),
    )
    dead, bolt = game.put("A", ghost, "graveyard"), game.put("A", BOLT, "hand")
    green = game.put("A", creature("Thorn", 1, 1, abilities=SPIT.abilities, colors="G"))
    game.begin()
    game.activate("A", red, "B")
    game.resolve()
    game.activate("A", dead)
    game.resolve()
    game.cast("A", bolt, "B")
    game.resolve()
    assert game.life("B") == 20
    game.attack({red: "B"})
    game.fight()
    assert game.life("B") == 20
    game.activate("A", green, "B")
    game.resolve()
    assert game.life("B") == 19
