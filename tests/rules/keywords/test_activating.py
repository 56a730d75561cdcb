"""Keyword abilities that are activated, or that work from the hand, the library and the graveyard, as played games."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import CountersOn
from server.rules.model import events
from tests.rules.keywords.cards import ISLAND, SWAMP, beast, word
from tests.rules.play import BEAR, BOLT, PLAINS, Game, creature, enchantment, instant, noun, sorcery, whenever

rule = pytest.mark.rule
KILL = instant("Kill", forms.Destroy(what=noun("target creature")))
EQUIPMENT = "Artifact — Equipment"


# --- attaching -----------------------------------------------------------------------------------------------------------


@rule("702.6a")
def test_equip_moves_between_own_creatures_as_a_sorcery() -> None:
    sword = Card(name="Sword", types=EQUIPMENT, cost="{0}", abilities=(word("equip", cost="{1}"),))
    game = Game("ABC")
    blade = game.put("A", sword)
    one, two, theirs = game.put("A", BEAR), game.put("A", BEAR), game.put("B", BEAR)
    for _ in range(3):
        game.put("A", ISLAND)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.act("A", blade)
    assert set(game.options()) == {one, two} and theirs
    game.answer(one)
    game.resolve()
    assert game.object(blade).attached_to == one
    game.cast("A", bolt, "B")
    assert not game.can("A", blade)  # not with something on the stack
    game.resolve()
    game.cast("A", blade, two)
    game.resolve()
    assert game.object(blade).attached_to == two and game.object(one).attachments == ()


@rule("702.65a")
def test_fortify_goes_on_a_land() -> None:
    fort = Card(name="Fort", types="Artifact — Fortification", cost="{0}", abilities=(word("fortify", cost="{0}"),))
    game = Game()
    keep, land = game.put("A", fort), game.put("A", ISLAND)
    game.put("A", BEAR)
    game.put("B", SWAMP)
    game.begin()
    game.activate("A", keep, land)
    game.resolve()
    assert game.object(keep).attached_to == land


AURA = Card(name="Halo", types="Enchantment — Aura", cost="{5}", abilities=(word("enchant", quality="creature"),))
LANDED = Card(name="Odd Roots", types="Enchantment — Aura", cost="{5}", abilities=(word("enchant", quality="land"),))
SWAPPER = Card(
    name="Mask",
    types="Enchantment — Aura",
    cost="{0}",
    abilities=(word("enchant", quality="creature"), word("aura swap", cost="{0}")),
)


@rule("702.63a")
def test_aura_swap_exchanges_with_an_aura_that_can_enchant_the_same() -> None:
    game = Game()
    bear, mask = game.put("A", BEAR), game.put("A", SWAPPER)
    game.attach(mask, bear)
    halo, roots = game.put("A", AURA, "hand"), game.put("A", LANDED, "hand")
    game.begin()
    game.activate("A", mask)
    game.resolve()
    game.answer(True)
    assert game.zone(mask) == "hand" and game.zone(roots) == "hand"
    assert game.zone(halo) == "battlefield" and game.object(halo).attached_to == bear


@rule("702.63b")
@pytest.mark.parametrize("stolen", [False, True])
def test_aura_swap_does_nothing_when_a_half_is_impossible(stolen: bool) -> None:
    """The examples of 702.63b."""
    game = Game()
    bear = game.put("A", BEAR)
    mask = game.put("B", SWAPPER, under="A") if stolen else game.put("A", SWAPPER)
    game.attach(mask, bear)
    card = game.put("A", AURA if stolen else LANDED, "hand")
    game.begin()
    game.activate("A", mask)
    game.resolve()
    game.answer(True)
    assert game.zone(mask) == "battlefield" and game.zone(card) == "hand"


# --- from the battlefield --------------------------------------------------------------------------------------------------


@rule("702.85a")
def test_level_up_puts_level_counters_as_a_sorcery() -> None:
    tall = forms.Continuous(
        what=noun("{this}"),
        mods=(forms.SetPT(power=4, toughness=4),),
        condition=forms.Holds(CountersOn("level", noun("{this}")), ">=", 2),
    )
    game = Game()
    page = game.put("A", beast(1, 1, word("level up", cost="{0}"), tall))
    game.begin()
    for expected in ((1, 1), (4, 4)):
        game.activate("A", page)
        game.resolve()
        assert game.size(page) == expected
    game.pass_until(step="begin_combat")
    assert not game.can("A", page)


@rule("702.69a")
def test_transfigure_finds_a_creature_of_the_same_mana_value() -> None:
    game = Game(library=0)
    same = game.put("A", beast(6, 6, cost="{3}"), "library")
    other = game.put("A", beast(6, 6, cost="{2}"), "library")
    noncreature = game.put("A", Card(name="Rock", types="Artifact", cost="{3}"), "library")
    page = game.put("A", beast(1, 1, word("transfigure", cost="{0}"), cost="{2}{B}"))
    game.begin()
    game.activate("A", page)
    assert game.zone(page) == "graveyard"
    game.resolve()
    assert game.options() == [same] and other and noncreature
    game.answer(same)
    assert sum(game.state.objects[i].definition.name == "Beast" for i in game.state.battlefield) == 1


# --- from the hand -----------------------------------------------------------------------------------------------------------


@rule("702.27a")
@rule("702.27c")
@rule("702.27d")
def test_cycling_and_typecycling_are_cycling() -> None:
    cycled = whenever(
        forms.Pattern(event="cycled", subject=noun("you"), object=noun("a card")), forms.GainLife(amount=1)
    )
    game = Game(library=0)
    island = game.put("A", ISLAND, "library")
    game.put("A", enchantment("Rift", cycled))
    plain = game.put("A", beast(1, 1, word("cycling", cost="{0}"), cost="{9}"), "hand")
    kind = game.put("A", beast(1, 1, word("typecycling", cost="{0}", quality="basic land card"), cost="{9}"), "hand")
    boost = game.put("A", beast(1, 1, word("reinforce", cost="{0}", number=2), cost="{9}"), "hand")
    bear = game.put("A", BEAR)
    game.put("A", BEAR, "library")
    game.begin()
    game.activate("A", plain)
    assert game.zone(plain) == "graveyard"
    game.resolve_all()
    assert game.life("A") == 21 and len(game.state.players[0].hand) == 3
    game.activate("A", kind)
    game.resolve()
    game.resolve()
    assert game.options() == [island]
    game.answer(island)
    assert game.life("A") == 22 and len(game.state.players[0].library) == 0
    game.activate("A", boost, bear)
    game.resolve_all()
    assert game.life("A") == 22 and game.size(bear) == (4, 4)  # discarding is not cycling


@rule("702.51a")
def test_transmute_finds_a_card_of_the_discarded_cards_mana_value() -> None:
    game = Game(library=0)
    two = game.put("A", Card(name="Rock", types="Artifact", cost="{1}{U}"), "library")
    game.put("A", Card(name="Hill", types="Artifact", cost="{3}"), "library")
    card = game.put("A", MUDDLE, "hand")
    game.begin(step="begin_combat")
    assert not game.can("A", card)  # only as a sorcery
    game.pass_until(step="postcombat_main")
    game.activate("A", card)
    game.resolve()
    assert game.options() == [two]
    game.answer(two)
    hand = [game.state.objects[i].definition.name for i in game.state.players[0].hand]
    assert hand == ["Rock"] and game.zone(card) == "graveyard"


MUDDLE = Card(
    name="Muddle",
    types="Instant",
    cost="{U}{U}",
    abilities=(forms.SpellAbility(do=(forms.Draw(),)), word("transmute", cost="{0}")),
)


@rule("702.75a")
def test_reinforce_at_instant_speed() -> None:
    game = Game("ABC")
    card = game.put("C", creature("Recruit", 1, 1, abilities=(word("reinforce", number=1, cost="{0}"),)), "hand")
    bear = game.put("B", BEAR)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, bear)
    game.activate("C", card, bear)
    game.resolve()
    assert game.size(bear) == (3, 3) and game.zone(card) == "graveyard"


@rule("702.55a")
@rule("702.55b")
def test_forecast_in_ones_own_upkeep_once_a_turn_revealed() -> None:
    sky = beast(1, 1, word("forecast", cost="{0}", do=(forms.GainLife(amount=2),)), cost="{9}")
    game = Game("AB")
    card = game.put("A", sky, "hand")
    game.begin(active="A", step="upkeep")
    game.activate("A", card)
    assert game.zone(card) == "hand" and game.object(card).known == 3
    game.resolve()
    assert game.life("A") == 22 and not game.can("A", card)
    game.pass_until(step="precombat_main")
    assert not game.can("A", card)
    while game.state.turn.active != 1 or game.step != "upkeep":
        game.default()
    game.pass_to("A")
    assert not game.can("A", card)  # another player's upkeep


# --- from the graveyard and the library ----------------------------------------------------------------------------------------


@rule("702.50a")
@rule("702.50b")
@rule("120.2")
def test_dredge_replaces_single_draws_while_enough_cards_are_left() -> None:
    game = Game(library=0)
    game.put("A", BEAR, "library", number=4)
    imp = game.put("A", beast(1, 1, word("dredge", number=3)), "graveyard")
    card = game.put("A", sorcery("Odd Divination", forms.Draw(count=2)), "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    assert game.asks == ("A", "replace")
    game.answer(False)
    assert game.asks == ("A", "replace")  # the second draw; the first was not asked about twice
    game.answer(True)
    assert game.zone(imp) == "hand"
    p = game.state.players[0]
    assert (len(p.library), len(p.hand), len(p.graveyard)) == (0, 2, 4)


@rule("702.50b")
def test_dredge_needs_as_many_cards_as_it_says() -> None:
    game = Game(library=2)
    imp = game.put("A", beast(1, 1, word("dredge", number=3)), "graveyard")
    card = game.put("A", sorcery("Plain Study", forms.Draw(count=1)), "hand")
    game.begin()
    game.cast("A", card)
    game.resolve_all()
    assert game.zone(imp) == "graveyard" and ("A", "replace") not in game.asked


@rule("702.57a")
def test_recover_for_a_creature_that_went_to_its_owners_graveyard() -> None:
    game = Game("ABC")
    paid = game.put(
        "A", Card(name="Vow", types="Instant", cost="{9}", abilities=(word("recover", cost="{1}"),)), "graveyard"
    )
    theirs, mine = game.put("B", BEAR), game.put("A", BEAR, under="B")
    game.put("A", SWAMP)
    kills = [game.put("A", KILL, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", kills[0], theirs)
    game.resolve()
    assert not game.state.stack
    game.cast("A", kills[1], mine)
    game.resolve()
    game.resolve()
    assert game.asks == ("A", "pay")
    game.answer(True)
    assert game.zone(paid) == "hand"


@rule("702.57a")
def test_recover_unpaid_exiles_and_does_not_see_what_died_with_it() -> None:
    wrath = sorcery("Wrath", forms.Destroy(what=noun("all creatures")))
    game = Game("AB")
    own = game.put("A", beast(2, 2, word("recover", cost="{9}")))
    there = game.put("A", beast(2, 2, word("recover", cost="{9}")), "graveyard")
    game.put("A", BEAR)
    card = game.put("A", wrath, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve_all()
    assert game.zone(there) == "exile" and game.zone(own) == "graveyard"


@rule("702.82a")
def test_unearth_with_haste_until_the_next_end_step() -> None:
    game = Game("ABC")
    ghoul = game.put("A", beast(3, 1, word("unearth", cost="{0}")), "graveyard")
    bounced = game.put("A", beast(3, 1, word("unearth", cost="{0}")), "graveyard")
    bounce = game.put("B", instant("Bounce", forms.Move(what=noun("target creature"), to="hand")), "hand")
    game.begin()
    for card in (ghoul, bounced):
        game.activate("A", card)
        game.resolve()
    game.cast("B", bounce, bounced)
    game.resolve()
    assert game.zone(bounced) == "exile"
    game.attack({ghoul: "C"})
    game.fight()
    assert game.life("C") == 17
    game.pass_until(step="end_turn")
    game.resolve_all()
    assert game.zone(ghoul) == "exile"


@rule("702.58a")
def test_ripple_casts_cards_of_the_same_name_and_puts_the_rest_below() -> None:
    surge = Card(
        name="Surge",
        types="Sorcery",
        cost="{0}",
        abilities=(forms.SpellAbility(do=(forms.GainLife(amount=1),)), word("ripple", number=3)),
    )
    game = Game(library=0)
    deep = game.put("A", BEAR, "library")
    game.put("A", PLAINS, "library")
    second = game.put("A", surge, "library")
    other = game.put("A", BEAR, "library")
    first = game.put("A", surge, "hand")
    game.begin()
    game.cast("A", first)
    game.resolve()
    assert game.asks == ("A", "may")
    game.answer(True)
    shown = [e for e in game.happened(events.Reveal) if len(e.objects) == 3]
    assert shown
    assert game.asks == ("A", "cast")
    game.answer(True)
    assert game.zone(second) == "stack"
    while game.asks[1] != "priority" and game.asks[1] != "may":
        game.default()
    library = game.state.players[0].library
    assert library[-1] == deep and set(library[:2]) >= {other}
    while game.state.stack:
        if game.asks[1] == "may":
            game.answer(False)
        else:
            game.default()
    assert game.life("A") == 22
