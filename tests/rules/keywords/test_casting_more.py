"""More keywords about casting as played games (702): optional costs, copies, other zones, later turns."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import TimesPaid, Zone
from tests.rules.keywords.test_casting import BOLT3, MOUNTAIN, keyword, lands, spell
from tests.rules.play import BEAR, BOLT, Game, creature, instant, noun

rule = pytest.mark.rule
ENTERS = forms.Pattern(event="zone change", subject=noun("{this}"), to="battlefield")
EACH = forms.LoseLife(amount=1, who=noun("each opponent"))


def game_with(card: Card, mountains: int, seats: str = "AB", zone: Zone = "hand") -> tuple[Game, int]:
    """A game in which A has this card and so many Mountains."""
    game = Game(seats)
    handle = game.put("A", card, zone)
    lands(game, mountains)
    return game, handle


@rule("702.31")
@pytest.mark.parametrize("kicked", [True, False])
def test_kicked_or_not(kicked: bool) -> None:
    draw = forms.TriggeredAbility(when=(ENTERS,), condition=forms.Paid("kicker"), do=(forms.GainLife(amount=5),))
    card = Card(
        name="Kicker", types="Creature — Elf", cost="{R}", power="1", toughness="1",
        abilities=(keyword("kicker", "{1}"), draw),
    )  # fmt: skip
    game, handle = game_with(card, 2)
    game.begin()
    game.cast("A", handle, kicked)
    game.resolve_all()
    assert game.life("A") == (25 if kicked else 20)


@rule("702.31c")
def test_multikicker_counts_how_often() -> None:
    card = Card(
        name="Multi", types="Sorcery", cost="{R}",
        abilities=(keyword("multikicker", "{1}"), forms.SpellAbility(do=(forms.GainLife(amount=TimesPaid()),))),
    )  # fmt: skip
    game, handle = game_with(card, 4)
    game.begin()
    game.cast("A", handle, True, True, True)
    game.resolve()
    assert game.life("A") == 23


@rule("702.40")
def test_entwine_does_all_modes() -> None:
    modes = (
        forms.Mode(do=(forms.GainLife(amount=1),), text="one"),
        forms.Mode(do=(forms.GainLife(amount=3),), text="three"),
    )
    card = Card(
        name="Both", types="Instant", cost="{R}",
        abilities=(keyword("entwine", "{1}"), forms.SpellAbility(modes=modes)),
    )  # fmt: skip
    game, handle = game_with(card, 2)
    game.begin()
    game.cast("A", handle, True)
    game.resolve()
    assert game.life("A") == 24


@rule("702.54")
def test_replicate_copies_for_each_time_it_was_paid() -> None:
    card = Card(
        name="Rep", types="Instant", cost="{R}", abilities=(keyword("replicate", "{1}"), forms.SpellAbility(do=(EACH,)))
    )
    game, handle = game_with(card, 3, "ABC")
    game.begin()
    game.cast("A", handle, True, True)
    game.resolve_all()
    assert (game.life("B"), game.life("C")) == (17, 17)


@rule("702.38")
def test_storm_counts_spells_of_all_players_before_it() -> None:
    card = Card(
        name="Storm", types="Instant", cost="{R}", keywords=("storm",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 2)
    other = game.put("A", instant("First", forms.GainLife(amount=1)), "hand")
    game.begin()
    game.cast("A", other)
    game.cast("A", handle)
    game.resolve_all()
    assert game.life("B") == 18


@rule("702.67")
def test_gravestorm_counts_permanents_that_went_to_the_graveyard() -> None:
    card = Card(
        name="Grave", types="Instant", cost="{R}", keywords=("gravestorm",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 3)
    bear = game.put("B", BEAR)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, bear)
    game.resolve_all()
    game.cast("A", handle)
    game.resolve_all()
    assert game.life("B") == 18


@rule("702.39")
def test_affinity_costs_one_less_for_each() -> None:
    card = Card(
        name="Frog", types="Artifact Creature — Frog", cost="{3}{R}", power="2", toughness="2",
        abilities=(keyword("affinity", quality="artifact"),),
    )  # fmt: skip
    game, handle = game_with(card, 1)
    for _ in range(3):
        game.put("A", Card(name="Relic", types="Artifact", cost="{1}"))
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert game.zone(handle) == "battlefield"


@rule("702.64")
def test_delve_exiles_cards_for_generic_mana_only() -> None:
    card = Card(name="Delver", types="Creature — Snake", cost="{3}{R}", power="4", toughness="4", keywords=("delve",))
    game, handle = game_with(card, 1)
    dead = [game.put("A", BEAR, "graveyard") for _ in range(3)]
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert [game.zone(i) for i in dead] == ["exile"] * 3


@rule("702.79")
def test_retrace_discards_a_land_and_goes_back_to_the_graveyard() -> None:
    card = Card(
        name="Trace", types="Instant", cost="{R}", keywords=("retrace",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 1, zone="graveyard")
    land = game.put("A", MOUNTAIN, "hand")
    game.begin()
    game.cast("A", handle, way="retrace")
    game.resolve()
    assert (game.life("B"), game.zone(land), game.zone(handle)) == (19, "graveyard", "graveyard")


@rule("702.33")
@pytest.mark.parametrize("cast", [True, False])
def test_madness_is_cast_from_exile_or_goes_to_the_graveyard(cast: bool) -> None:
    card = Card(
        name="Mad",
        types="Instant",
        cost="{5}{R}",
        abilities=(keyword("madness", "{R}"), forms.SpellAbility(do=(EACH,))),
    )
    game, handle = game_with(card, 2)
    loot = game.put("A", instant("Loot", forms.Discard()), "hand")
    game.begin()
    game.cast("A", loot)
    game.resolve()
    game.answer(True)  # exile it instead
    game.resolve()
    game.answer(cast)
    game.resolve_all() if cast else None
    assert game.life("B") == (19 if cast else 20)
    assert game.zone(handle) == "graveyard"


@rule("702.60")
def test_suspended_card_is_cast_for_nothing_when_the_last_counter_goes() -> None:
    card = Card(
        name="Later", types="Creature — Elf", cost="{6}", power="3", toughness="3",
        abilities=(keyword("suspend", "{R}", number=1),),
    )  # fmt: skip
    game, handle = game_with(card, 1)
    game.begin()
    game.act("A", handle, "suspend")
    assert game.zone(handle) == "exile"
    for _ in range(400):
        if game.zone(handle) == "battlefield" or game.state.result is not None:
            break
        if game.asks[1] == "cast":
            game.answer(True)
        else:
            game.default()
    assert game.zone(handle) == "battlefield"
    assert "haste" in game.chars(handle).keywords


@rule("702.83")
def test_cascade_casts_the_first_cheaper_card_for_nothing() -> None:
    card = Card(
        name="Cas", types="Sorcery", cost="{2}{R}", keywords=("cascade",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 3)
    game.put("A", instant("Cheap", forms.LoseLife(amount=5, who=noun("each opponent"))), "library")
    game.put("A", Card(name="Dear", types="Artifact", cost="{7}"), "library")
    game.begin()
    game.cast("A", handle)
    game.resolve()
    game.answer(True)
    game.resolve_all()
    assert game.life("B") == 14


@rule("702.86")
def test_rebound_casts_it_again_in_the_next_upkeep() -> None:
    card = Card(
        name="Reb", types="Sorcery", cost="{R}", keywords=("rebound",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 1)
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert (game.life("B"), game.zone(handle)) == (19, "exile")
    for _ in range(400):
        if game.life("B") < 19 or game.state.result is not None:
            break
        if game.asks[1] == "cast":
            game.answer(True)
        else:
            game.default()
    assert (game.life("B"), game.zone(handle)) == (18, "graveyard")


@rule("702.48")
def test_epic_forbids_spells_and_copies_itself_each_upkeep() -> None:
    card = Card(
        name="Epi", types="Sorcery", cost="{R}", keywords=("epic",), abilities=(forms.SpellAbility(do=(EACH,)),)
    )
    game, handle = game_with(card, 3)
    other = game.put("A", instant("Other", forms.Draw()), "hand")
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert not game.can("A", other)
    for _ in range(400):
        if game.life("B") < 19 or game.state.result is not None:
            break
        game.default()
    assert game.life("B") == 18


@rule("702.35")
def test_morph_is_cast_face_down_and_turned_up_for_its_cost() -> None:
    card = Card(
        name="Hidden",
        types="Creature — Beast",
        cost="{5}{R}",
        power="5",
        toughness="5",
        abilities=(keyword("morph", "{R}"),),
    )
    game, handle = game_with(card, 4)
    game.begin()
    game.cast("A", handle, way="face down")
    game.resolve()
    assert game.size(handle) == (2, 2)
    assert game.chars(handle).name == ""
    game.act("A", handle, "face up")
    assert game.size(handle) == (5, 5)


@rule("702.74")
def test_prowl_needs_combat_damage_by_a_creature_of_its_type() -> None:
    card = Card(
        name="Prowler",
        types="Creature — Rogue",
        cost="{5}{R}",
        power="1",
        toughness="1",
        abilities=(keyword("prowl", "{R}"),),
    )
    game, handle = game_with(card, 1)
    rogue = game.put("A", Card(name="Thief", types="Creature — Rogue", cost="{R}", power="1", toughness="1"))
    game.put("A", creature("Plain", 1, 1))
    game.begin()
    assert not game.can("A", handle)
    game.attack({rogue: "B"})
    game.pass_until("postcombat_main")
    game.cast("A", handle, way="prowl")
    game.resolve()
    assert game.zone(handle) == "battlefield"


_ = (BOLT3, spell)
