"""Planeswalkers (306): casting, types, uniqueness, loyalty, attacks, redirection of damage."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import events
from tests.rules.play import (
    ALDRIC,
    BEAR,
    BOLT,
    Game,
    creature,
    damage,
    enchantment,
    instant,
    noun,
    planeswalker,
    sorcery,
    tapping,
    told_by,
    until_end,
)

rule = pytest.mark.rule


def loyalty(change: int, *do: forms.Verb, **more: object) -> forms.ActivatedAbility:
    """A loyalty ability."""
    return forms.ActivatedAbility(cost=(forms.LoyaltyCost(change=change),), do=do, **more)  # type: ignore[arg-type]


UP = loyalty(1, forms.GainLife(amount=1))
DOWN = loyalty(-3, forms.Draw(count=2))
BERTA = planeswalker("Berta", 2, UP, DOWN)
DOUBLE = enchantment(
    "Doubling",
    forms.Replacement(
        event=forms.Pattern(event="counters put", subject=noun("a permanent you control")),
        rewrite=(forms.Scale(times=2),),
    ),
)


@rule("306.1")
def test_a_planeswalker_is_cast_as_a_sorcery_is_and_uses_the_stack() -> None:
    game = Game("ABC")
    card, bolt = game.put("A", BERTA, "hand"), game.put("A", BOLT, "hand")
    other = game.put("B", BERTA, "hand")
    game.begin()
    assert game.can("A", card)
    game.cast("A", bolt, "B")
    assert not game.can("A", card)  # the stack is not empty
    game.pass_to("B")
    assert not game.can("B", other)  # not B's turn
    game.resolve_all()
    game.cast("A", card)
    assert game.zone(card) == "stack"
    game.pass_to("C")
    game.resolve()
    assert game.zone(card) == "battlefield"


@rule("306.1")
def test_a_planeswalker_is_not_cast_outside_a_main_phase() -> None:
    game = Game()
    card = game.put("A", BERTA, "hand")
    game.put("A", BEAR)
    game.begin()
    game.pass_until(step="begin_combat")
    assert game.asks == ("A", "priority") and not game.can("A", card)
    game.pass_until(step="postcombat_main")
    assert game.can("A", card)


@rule("306.2")
def test_it_resolves_onto_the_battlefield_under_its_controllers_control() -> None:
    game = Game("ABC")
    card = game.put("C", BERTA, "hand")
    game.begin("C")
    game.cast("C", card)
    assert game.object(card).controller == 2 and game.state.stack
    game.resolve()
    assert game.zone(card) == "battlefield" and game.object(card).controller == 2
    assert not game.happened(events.Countered)


@rule("306.3")
def test_every_word_after_the_dash_is_a_planeswalker_type() -> None:
    game = Game()
    one = game.put("A", planeswalker("Aldric", 3, types="Planeswalker — Aldric Berta"))
    game.begin()
    assert game.chars(one).subtypes == {"Aldric", "Berta"} and game.chars(one).types == {"planeswalker"}
    # Each of them is one, so uniqueness asks for any that is shared.
    game = Game()
    one = game.put("A", planeswalker("Aldric", 3, types="Planeswalker — Aldric Berta"))
    two = game.put("A", planeswalker("Conrad", 3, types="Planeswalker — Conrad Aldric"))
    three = game.put("A", planeswalker("Dora", 3))
    game.begin()
    assert (game.zone(one), game.zone(two), game.zone(three)) == ("graveyard", "graveyard", "battlefield")


@rule("306.4")
def test_all_that_share_a_type_go_whoever_controls_them() -> None:
    game = Game("ABC")
    first, second = (
        game.put("A", ALDRIC),
        game.put("B", planeswalker("Aldric the Old", 5, types="Planeswalker — Aldric")),
    )
    rest = game.put("C", BERTA)
    third = game.put("C", ALDRIC, "hand")
    lonely = game.put("A", planeswalker("Dora", 3, types="Planeswalker — Dora"), under="B")
    game.begin()
    assert game.zone(first) == game.zone(second) == "graveyard"
    assert game.zone(rest) == game.zone(lonely) == "battlefield"
    moved = game.happened(events.Move)
    assert {(e.cause, told_by(e)) for e in moved} == {("planeswalker uniqueness", "704.5j")}
    assert not game.happened(events.Destroy)  # not destruction: indestructible and regeneration do not help
    assert game.object(second).owner == 1 and game.zone(third) == "hand"


@rule("306.4")
def test_uniqueness_is_no_destruction_and_creature_types_are_no_planeswalker_types() -> None:
    game = Game()
    first = game.put("A", planeswalker("Aldric", 3, keywords=("indestructible",)))
    second = game.put("B", planeswalker("Aldric", 3, keywords=("indestructible",)))
    wake = until_end(
        "each planeswalker",
        forms.SetTypes(types=("creature",), subtypes=("Soldier",)),
        forms.SetPT(power=4, toughness=4),
    )
    game.begin()
    assert game.zone(first) == game.zone(second) == "graveyard"
    game = Game()
    one, two = game.put("A", ALDRIC), game.put("B", BERTA)
    spell = game.put("A", instant("Wake", wake), "hand")
    game.begin()
    game.cast("A", spell)
    game.resolve()
    assert game.chars(one).subtypes & game.chars(two).subtypes == {"Soldier"}
    assert game.zone(one) == game.zone(two) == "battlefield"


@rule("306.5")
def test_only_planeswalkers_have_loyalty() -> None:
    game = Game()
    give = sorcery("Gift", forms.PutCounters(counter="loyalty", what=noun("target creature"), count=3))
    turn = sorcery(
        "Plain Turn",
        until_end(
            "target planeswalker", forms.SetTypes(types=("creature",), replace=True), forms.SetPT(power=1, toughness=1)
        ),
    )
    bear, walker = game.put("A", BEAR), game.put("A", ALDRIC)
    one, two = game.put("A", give, "hand"), game.put("A", turn, "hand")
    game.begin()
    game.cast("A", one)
    game.resolve()
    assert game.counters(bear, "loyalty") == 3 and game.chars(bear).loyalty is None
    assert game.chars(walker).loyalty == 4
    game.cast("A", two)
    game.resolve()
    assert game.counters(walker, "loyalty") == 4 and game.chars(walker).loyalty is None
    assert game.zone(walker) == "battlefield"


@rule("306.5a")
def test_off_the_battlefield_loyalty_is_the_printed_number() -> None:
    game = Game()
    places = [game.put("A", ALDRIC, zone) for zone in ("hand", "graveyard", "library", "exile")]
    game.begin()
    assert [game.chars(p).loyalty for p in places] == [4, 4, 4, 4]
    game.cast("A", places[0])
    assert game.zone(places[0]) == "stack" and game.chars(places[0]).loyalty == 4


@rule("306.5b")
def test_it_enters_with_loyalty_counters_as_a_replacement_effect() -> None:
    game = Game()
    card = game.put("A", BERTA, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    entered = next(e for e in game.happened(events.Move) if e.to == "battlefield")
    assert entered.counters == (("loyalty", 2),)  # it enters with them: none are put on it afterwards
    assert not game.happened(events.PutCounters) and game.counters(card, "loyalty") == 2


@rule("306.5b")
def test_effects_that_double_counters_see_it() -> None:
    game = Game()
    game.put("A", DOUBLE)
    mine, raise_ = (
        game.put("A", BERTA, "hand"),
        game.put(
            "A",
            sorcery("Raise", forms.Move(what=noun("target planeswalker card in your graveyard"), to="battlefield")),
            "hand",
        ),
    )
    theirs, dead = game.put("B", ALDRIC, "hand"), game.put("A", planeswalker("Dora", 3), "graveyard")
    game.begin()
    game.cast("A", mine)
    game.resolve()
    assert game.counters(mine, "loyalty") == 4
    game.cast("A", raise_)
    game.resolve()
    assert game.counters(dead, "loyalty") == 6
    game.activate("A", mine, ability=0)  # two counters are put on instead of one, too
    assert game.counters(mine, "loyalty") == 6
    game.resolve_all()
    game = Game()
    game.put("A", DOUBLE)
    theirs = game.put("B", ALDRIC, "hand")
    game.begin("B")
    game.cast("B", theirs)
    game.resolve()
    assert game.counters(theirs, "loyalty") == 4  # "a permanent you control" is not B's


@rule("306.5c")
def test_on_the_battlefield_loyalty_is_its_counters() -> None:
    game = Game()
    walker, spent = game.put("A", BERTA, counters={"loyalty": 5}), game.put("B", ALDRIC, counters={"loyalty": 1})
    game.begin()
    assert (game.chars(walker).loyalty, game.chars(spent).loyalty) == (5, 1)  # more than is printed, or fewer
    game.activate("A", walker, ability=0)
    assert game.chars(walker).loyalty == 6
    game.resolve()
    big = enchantment("Count", forms.Continuous(what=noun("creatures"), mods=(forms.AddPT(power=1),)))
    assert big and game.chars(walker).loyalty == 6


@rule("306.5d")
def test_one_loyalty_ability_a_permanent_a_turn_by_whichever_player() -> None:
    game = Game()
    one, two = game.put("A", planeswalker("Aldric", 3, UP, DOWN)), game.put("A", BERTA)
    take = sorcery(
        "Seize", forms.Effect(what=noun("target planeswalker"), mods=(forms.GainControl(),), duration="forever")
    )
    seize = game.put("A", take, "hand")
    theirs = game.put("B", planeswalker("Dora", 4, UP))
    game.begin()
    game.activate("A", one, ability=0)
    assert not game.can("A", two)  # the stack is not empty
    game.resolve()
    assert not game.can("A", one)  # not again this turn
    assert game.can("A", two, ability=0)  # another permanent may
    assert not game.can("A", theirs)
    game.cast("A", seize, theirs)
    game.resolve()
    assert game.can("A", theirs)
    game.activate("A", theirs)
    game.resolve()
    assert not game.can("A", theirs)


@rule("306.5d")
def test_the_one_activation_counts_for_the_next_controller_too() -> None:
    game = Game()
    back = instant(
        "Plain Return", forms.Effect(what=noun("target planeswalker"), mods=(forms.GainControl(),), duration="forever")
    )
    walker = game.put("A", planeswalker("Aldric", 3, UP))
    give = sorcery(
        "Plain Give",
        forms.Effect(
            what=noun("target planeswalker"), mods=(forms.GainControl(by=noun("target opponent")),), duration="forever"
        ),
    )
    first, second = game.put("A", give, "hand"), game.put("A", back, "hand")
    game.begin()
    game.activate("A", walker)
    game.resolve()
    game.act("A", first)
    while game.asks[1] != "priority":
        game.default()
    game.resolve()
    assert game.object(walker).controller == 1
    game.cast("A", second, walker)
    game.resolve()
    assert game.object(walker).controller == 0 and not game.can("A", walker)


@rule("306.5d")
def test_when_and_at_what_cost_a_loyalty_ability_may_be_activated() -> None:
    game = Game()
    walker, theirs = game.put("A", BERTA), game.put("B", planeswalker("Dora", 9, UP))
    game.put("A", BEAR)
    game.begin()
    assert game.can("A", walker, ability=0) and not game.can("A", walker, ability=1)  # -3 with two counters
    game.pass_to("B")
    assert not game.can("B", theirs)  # not B's turn
    game.pass_until(step="begin_combat")
    assert game.asks == ("A", "priority") and not game.can("A", walker)


@rule("306.6")
def test_planeswalkers_can_be_attacked() -> None:
    game = Game("ABC")
    walker, mine = game.put("B", ALDRIC), game.put("A", BERTA)
    bear = game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["B", walker, "C"]}
    game.attack({bear: walker})
    game.fight()
    assert game.counters(walker, "loyalty") == 2 and game.life("B") == 20 and game.counters(mine, "loyalty") == 2


# --- 306.7: redirection ---------------------------------------------------------------------------------------------------------


@rule("306.7")
def test_the_opponent_decides_and_picks_one_planeswalker_for_all_of_it() -> None:
    game = Game("ABC")
    first, second = game.put("B", ALDRIC), game.put("B", planeswalker("Dora", 5))
    game.put("C", BERTA)
    bolts = [game.put("A", BOLT, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", bolts[0], "B")
    game.resolve()
    assert game.asks == ("A", "redirect to planeswalker")
    game.answer(True)
    assert game.asks == ("A", "redirect to planeswalker") and game.options() == [first, second]
    game.answer(second)
    assert (game.life("B"), game.counters(second, "loyalty"), game.counters(first, "loyalty")) == (20, 2, 4)
    game.cast("A", bolts[1], "B")
    game.resolve()
    game.answer(False)
    assert game.life("B") == 17 and game.asks == ("A", "priority")  # asked once an event


@rule("306.7")
def test_own_sources_and_combat_damage_are_not_redirected() -> None:
    game = Game("ABC")
    game.put("A", ALDRIC)
    game.put("B", BERTA)
    hurt = game.put("A", sorcery("Plain Pain", damage(2, "you")), "hand")
    bear = game.put("A", BEAR)
    game.begin()
    game.cast("A", hurt)
    game.resolve()
    assert game.life("A") == 18 and game.asks == ("A", "priority")
    game.attack({bear: "B"})
    game.fight()
    assert game.life("B") == 18
    assert not any(purpose == "redirect to planeswalker" for _, purpose in game.asked)


@rule("306.7")
def test_the_affected_player_puts_the_effects_in_order() -> None:
    game = Game("AB")
    ward = enchantment(
        "Half",
        forms.Replacement(event=forms.Pattern(event="damage", object=noun("you")), rewrite=(forms.Prevent(amount=1),)),
    )
    walker, half = game.put("B", ALDRIC), game.put("B", ward)
    bolts = [game.put("A", BOLT, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", bolts[0], "B")
    game.resolve()
    assert game.asks == ("B", "replacement") and set(game.options()) == {half, game.now(bolts[0])}
    game.answer(half)  # first the prevention: only 2 are left to redirect
    assert game.asks == ("A", "redirect to planeswalker")
    game.answer(True)
    assert (game.life("B"), game.counters(walker, "loyalty")) == (20, 2)
    game.cast("A", bolts[1], "B")
    game.resolve()
    game.answer(game.now(bolts[1]))  # first 306.7: what is dealt to the planeswalker is not dealt to "you"
    game.answer(True)
    assert game.zone(walker) == "graveyard" and game.life("B") == 20


@rule("306.7")
def test_redirected_damage_is_redirected_by_it_once_an_event() -> None:
    # B's planeswalker passes damage on to B: the rule has been applied to that event already (614.5).
    back = enchantment(
        "Bond",
        forms.Replacement(
            event=forms.Pattern(event="damage", object=noun("a planeswalker you control")),
            rewrite=(forms.Redirect(to=noun("you")),),
        ),
    )
    game = Game("AB")
    walker = game.put("B", ALDRIC)
    game.put("B", back)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    game.answer(True)
    assert game.asks == ("A", "priority")
    assert (game.life("B"), game.counters(walker, "loyalty")) == (17, 4)


@rule("306.7")
def test_abilities_of_permanents_are_redirected_too_and_targets_stay_players() -> None:
    game = Game("ABC")
    pinger = game.put("A", creature("Pinger", 1, 1, abilities=(tapping(damage(1, "any target")),)))
    walker = game.put("C", ALDRIC)
    game.begin()
    game.act("A", pinger)
    assert game.options() == [pinger, "A", "B", "C"]  # in 2011 "any target" is creature or player
    game.answer("C")
    game.resolve()
    game.answer(True)
    assert game.counters(walker, "loyalty") == 3 and game.life("C") == 20


@rule("306.8")
def test_damage_removes_as_many_counters() -> None:
    game = Game()
    walker = game.put("B", ALDRIC)
    scorn = game.put("A", sorcery("Scorn", damage(3, "target planeswalker")), "hand")
    game.begin()
    game.cast("A", scorn)
    game.resolve()
    assert game.counters(walker, "loyalty") == 1 and game.damage(walker) == 0
    removed = game.happened(events.RemoveCounters)
    assert [(e.subject, e.amount, told_by(e)) for e in removed] == [(walker, 3, "119.3c")]


@rule("306.9")
def test_a_planeswalker_with_loyalty_0_goes_to_its_owners_graveyard() -> None:
    game = Game()
    walker = game.put("B", planeswalker("Berta", 3, DOWN), under="A")
    shielded = game.put("A", planeswalker("Dora", 2, loyalty(-2), keywords=("indestructible",)))
    game.begin()
    game.activate("A", walker)
    assert game.zone(walker) == "graveyard" and game.object(walker).owner == 1  # before the ability resolves
    assert len(game.state.stack) == 1
    game.resolve()
    assert len(game.state.players[0].hand) == 2
    game.activate("A", shielded)
    assert game.zone(shielded) == "graveyard"  # no destruction either
    assert {e.cause for e in game.happened(events.Move) if e.from_ == "battlefield"} == {"no loyalty"}
    assert not game.happened(events.Destroy)
