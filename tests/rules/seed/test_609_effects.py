"""Effects (609): what they reach, as much as they can, as though, ties, sources of damage."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from server.cards.loading import CardFault, card_of
from server.rules.model import events
from tests.rules.play import (
    BEAR,
    BOLT,
    FOREST,
    MOUNTAIN,
    Game,
    creature,
    damage,
    enchantment,
    instant,
    noun,
    sorcery,
    tapping,
    until_end,
    whenever,
)

rule = pytest.mark.rule


@rule("609.1")
def test_resolving_spells_and_abilities_make_one_shot_and_continuous_effects() -> None:
    pump = until_end("target creature", forms.AddPT(power=2))
    game = Game()
    bear = game.put("A", BEAR)
    spell = game.put("A", instant("Surge", pump, forms.GainLife(amount=2)), "hand")
    engine = game.put(
        "A", creature("Drummer", 1, 1, abilities=(tapping(until_end("each creature", forms.AddPT(power=1))),))
    )
    enters = creature(
        "Herald",
        1,
        1,
        abilities=(
            whenever(
                forms.Pattern(event="zone change", subject=noun("{this}"), to="battlefield"),
                until_end("each creature", forms.AddPT(power=3)),
                forms.GainLife(amount=4),
            ),
        ),
    )
    herald = game.put("A", enters, "hand")
    game.begin()
    game.cast("A", spell, bear)
    game.resolve()
    assert (game.life("A"), game.size(bear)) == (22, (4, 2))  # once, and for as long as it says
    game.activate("A", engine)
    game.resolve()
    game.cast("A", herald)
    game.resolve_all()
    assert (game.life("A"), game.size(bear)) == (26, (8, 2))
    game.pass_until(step="upkeep")
    assert (game.life("A"), game.size(bear)) == (26, (2, 2))


@rule("609.1")
def test_static_abilities_make_continuous_effects_only() -> None:
    game = Game()
    anthem = enchantment("Anthem", forms.Continuous(what=noun("creatures you control"), mods=(forms.AddPT(power=1),)))
    shatter = sorcery("Plain Shatter", forms.Destroy(what=noun("target enchantment")))
    bear = game.put("A", BEAR)
    card, gone = game.put("A", anthem, "hand"), game.put("A", shatter, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    assert game.size(bear) == (3, 2) and not game.state.stack  # nothing went on the stack, nothing happened once
    assert not game.happened(events.MakeEffect)
    late = game.put("A", BEAR)
    assert game.size(late) == (3, 2)
    game.cast("A", gone)
    game.resolve()
    assert game.size(bear) == (2, 2)


@rule("609.2")
def test_effects_reach_only_permanents_unless_they_say_otherwise() -> None:
    game = Game()
    bear, theirs = game.put("A", BEAR), game.put("B", BEAR)
    cards = [game.put("B", BEAR, zone) for zone in ("hand", "graveyard", "library", "exile")]
    spell = game.put("A", instant("Sweep", forms.Destroy(what=noun("each creature"))), "hand")
    on_stack = game.put("A", BEAR, "hand")
    exhume = game.put(
        "A", instant("Plain Purge", forms.Move(what=noun("each creature card in a graveyard"), to="exile")), "hand"
    )
    game.begin()
    game.cast("A", on_stack)
    game.cast("A", spell)
    game.resolve()
    assert game.zone(bear) == game.zone(theirs) == "graveyard" and game.zone(on_stack) == "stack"
    assert [game.zone(c) for c in cards] == ["hand", "graveyard", "library", "exile"]
    assert [game.now(c) for c in cards] == cards and len(game.happened(events.Destroy)) == 2
    game.cast("A", exhume)  # this one says another zone
    game.resolve()
    assert game.zone(cards[1]) == game.zone(bear) == "exile" and game.zone(cards[0]) == "hand"


@rule("609.2.example")
def test_all_lands_are_creatures_and_spells_cost_more() -> None:
    game = Game()
    living = enchantment(
        "Odd Lands",
        forms.Continuous(
            what=noun("lands"), mods=(forms.SetTypes(types=("creature",)), forms.SetPT(power=1, toughness=1))
        ),
    )
    dear = enchantment("Sphere", forms.CostChange(what=noun("spells"), generic=1))
    game.put("A", living)
    game.put("A", dear)
    land, dead, held = game.put("B", FOREST), game.put("B", FOREST, "graveyard"), game.put("B", FOREST, "hand")
    bolt, more = game.put("A", BOLT, "hand"), game.put("A", BOLT, "hand")
    pinger = game.put("A", creature("Pinger", 1, 1, abilities=(tapping(damage(1, "target opponent")),)))
    game.put("A", MOUNTAIN)
    game.begin()
    assert "creature" in game.chars(land).types and game.size(land) == (1, 1)
    assert game.chars(dead).types == game.chars(held).types == {"land"}
    assert game.chars(bolt).mana_value == 0  # the card in hand is as printed: only casting costs more
    assert game.can("A", bolt)
    game.cast("A", bolt, "B")
    assert not game.can("A", more)  # the only land is tapped for it
    game.resolve()
    assert game.can("A", pinger)  # abilities are no spells


@rule("609.3")
def test_an_effect_does_as_much_as_it_can() -> None:
    game = Game()
    edict = sorcery(
        "Edict",
        forms.Sacrifice(what=noun("two creatures"), who=noun("target opponent")),
        forms.RemoveCounters(counter="charge", what=noun("each artifact"), count=3),
        forms.GainLife(amount=1),
    )
    bear, urn = game.put("B", BEAR), game.put("B", enchantment("Urn", types="Artifact"), counters={"charge": 1})
    spell = game.put("A", edict, "hand")
    game.begin()
    game.cast("A", spell)
    game.resolve()
    assert game.zone(bear) == "graveyard" and game.counters(urn, "charge") == 0 and game.life("A") == 21


@rule("609.3.example")
def test_discard_two_with_one_card_and_mill_ten_from_six() -> None:
    game = Game(library=6)
    mind = sorcery("Odd Rot", forms.Discard(count=2, who=noun("target opponent")))
    grind = sorcery("Plain Grind", forms.Mill(count=10, who=noun("target opponent")))
    only = game.put("B", BEAR, "hand")
    one, two = game.put("A", mind, "hand"), game.put("A", grind, "hand")
    game.begin()
    game.cast("A", one)
    game.resolve()
    assert game.zone(only) == "graveyard" and not game.state.players[1].hand
    game.cast("A", two)
    game.resolve()
    assert not game.state.players[1].library and len(game.state.players[1].graveyard) == 7
    assert game.asks == ("A", "priority") and not game.lost("B")


@rule("609.4")
def test_as_though_counts_for_the_stated_effect_only() -> None:
    game = Game()
    drums = enchantment(
        "Drums",
        forms.Continuous(
            what=noun("creatures you control"), mods=(forms.Flag(rule="can attack as though no defender"),)
        ),
        forms.PlayerRule(rule="cast as though flash", what=noun("creature card")),
    )
    game.put("A", drums)
    wall, plain = game.put("A", creature("Rampart", 3, 3, "defender")), game.put("A", BEAR, "hand")
    purge = instant("Plain Purge", forms.Destroy(what=noun("each creature with defender")))
    hunt = instant("Hunt", forms.Destroy(what=noun("each creature with flash")))
    one, two = game.put("B", purge, "hand"), game.put("B", hunt, "hand")
    game.begin()
    game.attack({wall: "B"})
    game.cast("A", plain)  # as though it had flash: in combat
    game.resolve()
    game.cast("B", two)
    game.resolve()
    assert game.zone(plain) == "battlefield"  # it has no flash
    game.cast("B", one)
    game.resolve()
    assert game.zone(wall) == "graveyard"  # for everything else it has defender


@rule("609.4a")
def test_two_as_though_effects_for_the_same_thing_combine() -> None:
    game = Game()
    haste = enchantment(
        "Odd Fervor", forms.Continuous(what=noun("creatures you control"), mods=(forms.Flag(rule="as though haste"),))
    )
    march = enchantment(
        "March",
        forms.Continuous(
            what=noun("creatures you control"), mods=(forms.Flag(rule="can attack as though no defender"),)
        ),
    )
    both = game.put("A", creature("Rampart", 3, 3, "defender"), sick=True)
    game.put("A", haste)
    game.put("A", march)
    game.begin()
    game.attack({both: "B"})
    game.fight()
    assert game.life("B") == 17
    game = Game()
    alone = game.put("A", creature("Rampart", 3, 3, "defender"), sick=True)
    game.put("A", haste)
    game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert alone not in game.can_attack()


FLASHBACK = sorcery("Echoes", forms.Draw(count=1))
FLASHBACK = forms.Card(
    name="Echoes",
    types="Sorcery",
    cost="{0}",
    abilities=(
        *FLASHBACK.abilities,
        forms.KeywordAbility(keyword="flashback", cost=(forms.ManaCost(mana="{0}"),)),
    ),
)
ORRERY = enchantment(
    "Odd Orrery", forms.PlayerRule(rule="cast as though flash", what=noun("nonland card")), types="Artifact"
)
TRANCE = instant(
    "Odd Trance",
    forms.RuleEffect(
        rule=forms.PlayerRule(rule="can't cast", who=noun("each other player"), what=noun("card in a graveyard"))
    ),
    forms.RuleEffect(
        rule=forms.PlayerRule(rule="play as though in own zone", what=noun("card in another player's graveyard"))
    ),
)


@rule("609.4a.example")
@pytest.mark.parametrize("orrery", [True, False])
def test_vedalken_orrery_and_shamans_trance(orrery: bool) -> None:
    game = Game("ABC")
    if orrery:
        game.put("A", ORRERY)
    trance = game.put("A", TRANCE, "hand")
    card = game.put("B", FLASHBACK, "graveyard")
    without = game.put("C", sorcery("Mute", forms.Draw()), "graveyard")
    game.begin("C")  # somebody else's turn
    game.pass_to("A")
    assert not game.can("A", card)
    game.cast("A", trance)
    game.resolve()
    game.pass_to("A")
    assert game.can("A", card, way="flashback") == orrery
    assert not game.can("A", without)  # it has no flashback, and only that lets it be cast from there
    if orrery:
        game.cast("A", card, way="flashback")
        game.resolve()
        assert len(game.state.players[0].hand) == 1
        assert game.zone(card) == "exile" and game.object(card).owner == 1


# --- 609.5: ties ----------------------------------------------------------------------------------------------------------------


def spell_of(what: str) -> dict[str, Any]:
    """A card as data that destroys what a noun selects."""
    return {
        "name": "Hunt",
        "types": "Sorcery",
        "cost": "{B}",
        "abilities": [{"ability": "spell", "do": [{"do": "destroy", "what": what}]}],
    }


@rule("609.5")
def test_a_card_that_leaves_a_tie_open_is_rejected_when_loaded() -> None:
    with pytest.raises(CardFault, match="609.5"):
        card_of(spell_of("the creature with the greatest power"))
    for what in ("a creature with the greatest power", "each creature with the greatest power"):
        assert card_of(spell_of(what)).name == "Hunt"


@rule("609.5")
def test_a_tie_is_settled_as_the_text_says() -> None:
    game = Game()
    bears = [game.put("B", BEAR) for _ in range(2)]
    mouse = game.put("B", creature("Mouse", 1, 1))
    one = game.put("A", card_of({**spell_of("a creature with the greatest power"), "cost": "{0}"}), "hand")
    game.begin()
    game.cast("A", one)
    game.resolve()
    assert game.asks == ("A", "destroy") and game.options() == bears  # no default: the player says
    game.answer(bears[1])
    assert [game.zone(b) for b in bears] == ["battlefield", "graveyard"] and game.zone(mouse) == "battlefield"
    game = Game()
    bears = [game.put("B", BEAR) for _ in range(2)]
    every = game.put("A", card_of({**spell_of("each creature with the greatest power"), "cost": "{0}"}), "hand")
    game.begin()
    game.cast("A", every)
    game.resolve()
    assert [game.zone(b) for b in bears] == ["graveyard", "graveyard"]
