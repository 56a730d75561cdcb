"""Games of three to six players around attacking several at once: what people met elsewhere as bugs, and what lies beside it."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.nouns import StatOf
from server.rules.model import events
from tests.rules.play import (
    ALDRIC,
    BEAR,
    BOLT,
    Game,
    creature,
    instant,
    noun,
    planeswalker,
    sorcery,
    until_end,
    whenever,
)
from tests.rules.seed.table import ATTACKS, KILL, OGRE, static

rule = pytest.mark.rule


# --- players who leave in combat --------------------------------------------------------------------------------------------------


@rule("802.4", "800.4")
def test_an_attacked_player_leaves_while_asked_for_blocks() -> None:
    game = Game("ABCD")
    a = [game.put("A", BEAR) for _ in range(3)]
    for p in "BCD":
        game.put(p, BEAR)
    game.begin()
    game.attack({a[0]: "B", a[1]: "C", a[2]: "D"})
    game.block("B", {})
    assert game.asks == ("C", "blockers")
    game.concede("C")
    assert game.asks == ("D", "blockers")  # the step goes on with the next
    game.block("D", {})
    assert game.attacker(a[1]) is not None and game.attacker(a[1]).defender == 0  # it goes on attacking nobody
    game.fight()
    assert (game.life("B"), game.life("C"), game.life("D")) == (18, 20, 18)
    assert [e.subject for e in game.happened(events.Damage)] == [a[0], a[2]]


@rule("802.4", "800.4")
def test_a_player_who_has_blocked_leaves_and_the_blocked_stay_blocked() -> None:
    game = Game("ABC")
    a = [game.put("A", creature("Ram", 3, 3, "trample")), game.put("A", BEAR)]
    guard = game.put("B", BEAR)
    game.put("C", BEAR)
    game.begin()
    game.attack({a[0]: "B", a[1]: "C"})
    game.block("B", {guard: a[0]})
    assert game.asks == ("C", "blockers")
    game.concede("B")
    assert game.zone(guard) == "" and game.attacker(a[0]).blocked and game.attacker(a[0]).blockers == ()
    game.block("C", {})
    game.fight()
    assert game.life("C") == 18 and game.damage(a[0]) == 0


@pytest.mark.parametrize(
    "step", ["begin_combat", "declare_attackers", "declare_blockers", "combat_damage", "end_combat"]
)
@rule("802.2", "800.4")
def test_a_defending_player_leaves_in_any_step(step: str) -> None:
    game = Game("ABCD")
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.put("B", BEAR)
    game.begin()
    if step == "begin_combat":
        game.pass_until(step=step)
        game.concede("B")
        game.pass_until(purpose="attackers")
        assert game.can_attack()[one] == ["C", "D"]
        game.attack({one: "C", two: "D"})
        game.fight()
        assert (game.life("C"), game.life("D")) == (18, 18)
        return
    game.attack({one: "B", two: "C"})
    game.pass_until(step=step)
    game.concede("B")
    game.pass_until(step="postcombat_main")
    assert game.life("C") == 18 and game.state.combat is None
    assert game.asks == ("A", "priority") and game.zone(one) == "battlefield"


@pytest.mark.parametrize(
    "step", ["begin_combat", "declare_attackers", "declare_blockers", "combat_damage", "end_combat"]
)
@rule("800.4")
def test_the_active_player_leaves_in_any_step_of_combat(step: str) -> None:
    game = Game("ABC")
    bear = game.put("A", BEAR)
    guard = game.put("B", BEAR)
    game.begin()
    if step != "begin_combat":
        game.attack({bear: "B"})
    game.pass_until(step=step)
    game.concede("A")
    assert game.zone(bear) == "" and game.question.seat != 0
    game.pass_until(step="upkeep")
    assert game.state.turn.active == 1 and game.zone(guard) == "battlefield"


@rule("802.3", "800.4")
def test_an_opponent_leaves_while_attackers_are_declared() -> None:
    game = Game("ABC")
    bear = game.put("A", BEAR)
    walker = game.put("B", ALDRIC)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack()[bear] == ["B", walker, "C"]
    game.concede("B")
    assert game.asks == ("A", "attackers") and game.can_attack()[bear] == ["C"]


@rule("802.5")
def test_blockers_orders_are_announced_in_turn_order_by_who_controls_the_blocker() -> None:
    wide = creature("Broad", 5, 9, abilities=(static("can block additional"),))
    game = Game("ABC")
    a = [game.put("B", OGRE) for _ in range(4)]
    first, second = game.put("A", wide, under="C"), game.put("C", wide, under="A")
    game.begin("B")
    game.attack({a[0]: "C", a[1]: "C", a[2]: "A", a[3]: "A"})
    game.block("C", {first: [a[0], a[1]]})
    game.block("A", {second: [a[2], a[3]]})
    assert game.asks == ("C", "damage order") and game.options() == [a[0], a[1]]
    game.answer([a[1], a[0]])
    assert game.asks == ("A", "damage order") and game.options() == [a[2], a[3]]


@rule("802.6", "800.4")
def test_a_player_leaves_while_damage_is_assigned() -> None:
    wide = creature("Broad", 5, 9, abilities=(static("can block additional"),))
    game = Game("ABC")
    a = [game.put("A", creature("Ogre", 3, 3)) for _ in range(4)]
    first, second = game.put("B", wide), game.put("C", wide)
    game.begin()
    game.attack({a[0]: "B", a[1]: "B", a[2]: "C", a[3]: "C"})
    game.block("B", {first: [a[0], a[1]]})
    game.block("C", {second: [a[2], a[3]]})
    game.pass_until(purpose="combat damage")
    assert game.asks[0] == "B"
    game.default()
    assert game.asks == ("C", "combat damage")
    game.concede("B")
    assert game.asks == ("C", "combat damage")
    game.default()
    # What B's creature had assigned is not dealt, and nothing is dealt to it.
    assert game.zone(a[0]) == game.zone(a[1]) == "battlefield" and not game.damage(a[0])
    assert game.damage(second) == 6 and game.zone(a[2]) == "graveyard"


@rule("800.4")
def test_a_player_killed_in_the_first_strike_step_assigns_nothing_in_the_second() -> None:
    game = Game("ABC")
    quick, slow = game.put("A", creature("Lancer", 2, 2, "first strike")), game.put("A", BEAR)
    guard = game.put("B", creature("Guard", 5, 5))
    game.set_life("B", 2)
    game.begin()
    game.attack({quick: "B", slow: "B"})
    game.block("B", {guard: slow})
    game.pass_until(step="combat_damage")
    assert game.lost("B") == "life" and game.zone(slow) == "battlefield" and game.damage(slow) == 0
    assert len(game.happened(events.Damage)) == 1


@rule("802.6")
def test_two_players_die_of_the_same_combat() -> None:
    game = Game("ABCD")
    one, two = game.put("A", OGRE), game.put("A", OGRE)
    game.set_life("B", 4)
    game.set_life("D", 3)
    game.begin()
    game.attack({one: "B", two: "D"})
    game.fight()
    assert game.lost("B") == game.lost("D") == "life" and game.state.result is None
    losses = [game.log.index(e) for e in game.happened(events.Loses)]
    assert losses[1] - losses[0] == 1  # at once


@rule("802.6")
def test_the_last_opponents_die_and_the_attacker_wins() -> None:
    game = Game("ABC")
    one, two = game.put("A", OGRE), game.put("A", OGRE)
    for p in "BC":
        game.set_life(p, 4)
    game.begin()
    game.attack({one: "B", two: "C"})
    for _ in range(30):
        if game.state.result is None:
            game.default()
    assert game.state.result is not None and game.state.result.winners == (0,)


# --- what a player leaves behind ----------------------------------------------------------------------------------------------------


@rule("800.4")
def test_a_dead_players_spell_leaves_the_stack() -> None:
    game = Game("ABC")
    bolt, shot = game.put("B", BOLT, "hand"), game.put("A", BOLT, "hand")
    game.set_life("B", 3)
    game.begin()
    game.cast("B", bolt, "C")
    game.cast("A", shot, "B")
    game.resolve()
    assert game.lost("B") == "life"
    assert not game.state.stack and game.zone(bolt) == "" and game.life("C") == 20
    assert game.asks == ("A", "priority")


@rule("800.4")
def test_a_departed_players_ability_and_triggers_are_gone_but_others_about_their_creature_resolve() -> None:
    bite = creature(
        "Biter",
        3,
        3,
        abilities=(
            forms.ActivatedAbility(
                cost=(), do=(forms.Damage(amount=StatOf(stat="power", of=noun("{this}")), to=noun("target player")),)
            ),
        ),
    )
    game = Game("ABC")
    borrowed, own = game.put("B", bite, under="A"), game.put("B", bite)
    game.begin()
    game.activate("A", borrowed, "C")
    game.activate("B", own, "C")
    game.concede("B")
    assert len(game.state.stack) == 1  # A's ability of B's creature stays
    game.resolve()
    assert game.life("C") == 17  # its power by last known information


@rule("800.4")
def test_a_departed_players_permanents_leave_whoever_controls_them() -> None:
    game = Game("ABC")
    mine, lent = game.put("B", BEAR), game.put("B", BEAR, under="C")
    stolen = game.put("A", BEAR)
    threaten = sorcery("Plain Threat", forms.Effect(what=noun("target creature"), mods=(forms.GainControl(),)))
    spell = game.put("B", threaten, "hand")
    game.begin("B")
    game.cast("B", spell, stolen)
    game.resolve()
    assert game.object(stolen).controller == 1
    game.concede("B")
    assert game.zone(mine) == game.zone(lent) == ""
    assert game.zone(stolen) == "battlefield" and game.object(stolen).controller == 0


@rule("800.4")
def test_what_entered_under_a_departed_players_control_is_exiled() -> None:
    game = Game("ABC")
    dead = game.put("A", BEAR, "graveyard")
    raise_ = sorcery(
        "Raise", forms.Move(what=noun("target creature card in a graveyard"), to="battlefield", under=noun("you"))
    )
    spell = game.put("B", raise_, "hand")
    game.begin("B")
    game.cast("B", spell)
    game.resolve()
    assert game.object(dead).controller == 1
    game.concede("B")
    exiled = [game.state.objects[i] for i in game.state.exile]
    assert [(o.definition.name, o.owner) for o in exiled] == [("Bear", 0)]


MAGIC = forms.Card(
    name="Control Magic",
    types="Enchantment — Aura",
    cost="{0}",
    abilities=(
        forms.KeywordAbility(keyword="enchant", quality=noun("creature")),
        forms.Continuous(what=noun("enchanted creature"), mods=(forms.GainControl(),)),
    ),
)


@rule("800.4")
@pytest.mark.parametrize("leaver", ["A", "B"])
def test_control_magic_on_a_creature(leaver: str) -> None:
    game = Game("CAB")
    wall, aura = game.put("B", BEAR), game.put("A", MAGIC, "hand")
    game.begin("A")
    game.cast("A", aura)
    game.resolve()
    assert game.object(wall).controller == game.seat("A")
    game.concede(leaver)
    if leaver == "A":
        assert game.zone(aura) == "" and game.object(wall).controller == game.seat("B")
        assert game.object(wall).attachments == ()
    else:
        game.pass_until(step="end_turn")
        assert game.zone(wall) == "" and game.zone(aura) == "graveyard"


@rule("800.4")
def test_an_attacker_under_a_leavers_control_goes_home_and_out_of_combat() -> None:
    game = Game("ABC")
    threaten = sorcery(
        "Plain Threat",
        forms.Effect(
            what=noun("target creature"), mods=(forms.GainControl(), forms.GainAbilities(keywords=("haste",)))
        ),
    )
    bear, spell = game.put("C", BEAR), game.put("A", threaten, "hand")
    game.begin()
    game.cast("A", spell)
    game.resolve()
    game.attack({bear: "B"})
    game.concede("A")
    assert game.zone(bear) == "battlefield" and game.object(bear).controller == 2
    assert game.attacker(bear) is None
    game.pass_until(step="upkeep")
    assert game.life("B") == 20


@rule("800.4")
def test_an_ability_that_speaks_of_a_departed_defending_player_does_what_it_can() -> None:
    take = whenever(
        ATTACKS,
        forms.Discard(count=1, who=noun("defending player")),
        forms.Sacrifice(what=noun("a permanent"), who=noun("defending player")),
        forms.GainLife(amount=3),
    )
    game = Game("ABC")
    thief = game.put("A", creature("Thief", 1, 1, abilities=(take,)))
    game.put("B", BEAR)
    game.begin()
    game.attack({thief: "B"})
    game.concede("B")
    game.resolve_all()
    assert game.life("A") == 23 and game.state.result is None


# --- planeswalkers -----------------------------------------------------------------------------------------------------------------


@rule("802.4")
def test_a_planeswalkers_attackers_do_not_skip_the_block_step() -> None:
    game = Game("ABC")
    walker = game.put("C", ALDRIC)
    bear, guard = game.put("A", BEAR), game.put("C", BEAR)
    game.begin()
    game.attack({bear: walker})
    game.block("C", {guard: bear})
    game.fight()
    assert game.counters(walker, "loyalty") == 4 and game.zone(bear) == "graveyard"


@rule("802.4a")
def test_the_attacked_planeswalker_dies_before_damage() -> None:
    game = Game("ABC")
    walker, kill = game.put("B", ALDRIC), game.put("C", KILL, "hand")
    bear, ram = game.put("A", BEAR), game.put("A", creature("Ram", 5, 5, "trample"))
    guard = game.put("B", BEAR)
    game.begin()
    game.attack({bear: walker, ram: walker})
    game.block("B", {guard: ram})
    game.cast("C", kill)
    game.resolve()
    game.fight()
    assert game.life("B") == 20  # neither falls through to the player
    assert game.zone(guard) == "graveyard"
    assert [e.object for e in game.happened(events.Damage)] == [guard, ram]


@rule("306.6", "802.3")
def test_hexproof_and_shroud_on_an_attacked_planeswalker_change_nothing() -> None:
    shade = instant("Veil", until_end("each planeswalker", forms.GainAbilities(keywords=("hexproof", "shroud"))))
    game = Game("ABC")
    walker, veil = game.put("B", ALDRIC), game.put("B", shade, "hand")
    one, bolt = game.put("A", BEAR), game.put("A", BOLT, "hand")
    game.begin()
    game.attack({one: walker})
    game.cast("B", veil)
    game.resolve()
    game.fight()
    assert game.counters(walker, "loyalty") == 2
    game.cast("A", bolt, "B")
    game.resolve()
    game.answer(True)  # 306.7 does not target either
    assert game.zone(walker) == "graveyard" and game.life("B") == 20


@rule("802.3")
def test_a_hexproof_planeswalker_can_be_attacked() -> None:
    game = Game("ABC")
    walker = game.put("B", planeswalker("Dora", 5, keywords=("hexproof", "shroud")))
    bear = game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert walker in game.can_attack()[bear]


@rule("802.2a", "506.4")
def test_an_attacked_planeswalker_that_changes_control_is_attacked_no_more() -> None:
    steal = instant("Steal", forms.Effect(what=noun("target planeswalker"), mods=(forms.GainControl(),)))
    game = Game("ABC")
    walker, spell = game.put("B", ALDRIC), game.put("C", steal, "hand")
    bear, guard, other = game.put("A", BEAR), game.put("B", BEAR), game.put("C", BEAR)
    game.begin()
    game.attack({bear: walker})
    game.cast("C", spell)
    game.resolve()
    assert game.attacker(bear).defender == 0 and game.attacker(bear).player == 1
    game.pass_until(purpose="blockers")
    assert game.asks == ("B", "blockers") and list(game.can_block()) == [guard] and other
    game.block("B", {})
    game.fight()
    assert game.counters(walker, "loyalty") == 4 and (game.life("B"), game.life("C")) == (20, 20)


@rule("506.4")
def test_a_planeswalker_that_stops_being_one_is_attacked_no_more() -> None:
    turn = instant("Plain Stone", until_end("target planeswalker", forms.SetTypes(types=("artifact",), replace=True)))
    game = Game("ABC")
    walker, spell = game.put("B", ALDRIC), game.put("B", turn, "hand")
    bear = game.put("A", BEAR)
    game.begin()
    game.attack({bear: walker})
    game.cast("B", spell)
    game.resolve()
    assert game.attacker(bear).defender == 0
    game.fight()
    assert game.counters(walker, "loyalty") == 4 and game.life("B") == 20


@rule("802.3")
def test_trample_over_a_planeswalker_ends_at_the_planeswalker() -> None:
    game = Game("ABC")
    walker = game.put("B", planeswalker("Dora", 2))
    ram, guard = game.put("A", creature("Ram", 9, 9, "trample")), game.put("B", BEAR)
    game.begin()
    game.attack({ram: walker})
    game.block("B", {guard: ram})
    game.pass_until(purpose="combat damage")
    game.answer({ram: {guard: 2, walker: 7}})
    assert game.zone(walker) == "graveyard" and game.life("B") == 20


@rule("802.3", "802.4a")
def test_planeswalkers_of_several_players_at_once() -> None:
    game = Game("ABCDE")
    walkers = {p: game.put(p, planeswalker(f"Dora{p}", 3, types=f"Planeswalker — Dora{p.lower()}")) for p in "BCDE"}
    bears = {p: game.put("A", BEAR) for p in "BCDE"}
    guards = {p: game.put(p, BEAR) for p in "BCDE"}
    game.begin()
    game.attack({bears[p]: walkers[p] for p in "BCDE"})
    for p in "BCDE":
        assert game.asks[1] == "priority" or game.asks == (p, "blockers")
        game.block(p, {guards[p]: bears[p]} if p in "BD" else {})
    game.fight()
    assert [game.counters(walkers[p], "loyalty") for p in "BCDE"] == [3, 1, 3, 1]
