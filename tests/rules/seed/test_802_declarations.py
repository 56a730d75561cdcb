"""Games of three to six players around attacking several at once: blocks, attacks and bands."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import events
from server.rules.model import questions as q
from tests.rules.play import (
    ALDRIC,
    BEAR,
    BOLT,
    FOREST,
    Game,
    creature,
    damage,
    enchantment,
    instant,
    noun,
    until_end,
    whenever,
)
from tests.rules.seed.table import ATTACKS, OGRE, forbidden_by, refused, static

rule = pytest.mark.rule


# --- blocks --------------------------------------------------------------------------------------------------------------------------


@rule("802.4b")
def test_limits_on_blocks_count_for_each_defender() -> None:
    bottleneck = enchantment("Bottleneck", forms.PlayerRule(rule="blockers at most", who=noun("each player"), number=1))
    game = Game("ABC")
    game.put("A", bottleneck)
    a = [game.put("A", OGRE) for _ in range(4)]
    b, c = [game.put("B", BEAR) for _ in range(2)], [game.put("C", BEAR) for _ in range(2)]
    game.begin()
    game.attack({a[0]: "B", a[1]: "B", a[2]: "C", a[3]: "C"})
    game.pass_until(purpose="blockers")
    refused(game, game.blockers({b[0]: a[0], b[1]: a[1]}))
    game.block("B", {b[0]: a[0]})
    game.block("C", {c[0]: a[2]})  # B's blocker does not use up C's
    assert len(game.state.combat.blockers) == 2  # type: ignore[union-attr]


@rule("802.4a")
def test_menace_must_be_met_by_one_players_creatures() -> None:
    game = Game("ABC")
    big = game.put("A", creature("Brute", 3, 3, "menace"))
    bear = game.put("A", BEAR)
    b, c = game.put("B", BEAR), game.put("C", BEAR)
    game.begin()
    game.attack({big: "B", bear: "C"})
    game.pass_until(purpose="blockers")
    refused(game, game.blockers({b: big}))
    game.block("B", {})
    assert game.can_block() == {c: [bear]}
    game.block("C", {})


@rule("802.4b")
def test_a_creature_that_may_block_several_blocks_only_what_attacks_its_player() -> None:
    game = Game("ABC")
    a = [game.put("A", BEAR) for _ in range(3)]
    wide = game.put("B", creature("Broad", 1, 9, abilities=(static("can block additional", number=5),)))
    game.begin()
    game.attack({a[0]: "B", a[1]: "B", a[2]: "C"})
    game.pass_until(purpose="blockers")
    assert game.can_block() == {wide: [a[0], a[1]]}
    game.block("B", {wide: [a[0], a[1]]})
    game.fight()
    assert (game.life("B"), game.life("C")) == (20, 18)


@rule("802.4")
def test_a_creature_that_must_block_blocks_only_its_own_attackers() -> None:
    game = Game("ABC")
    bear = game.put("A", BEAR)
    game.put("C", creature("Zealot", 1, 1, abilities=(static("blocks if able"),)))
    zealous = game.put("B", creature("Zealot", 1, 1, abilities=(static("blocks if able"),)))
    game.begin()
    game.attack({bear: "B"})
    game.pass_until(purpose="blockers")
    assert "509.1c" in forbidden_by(game, q.Blockers())
    game.block("B", {zealous: bear})
    assert game.asks == ("A", "priority")  # C's zealot is able to block nothing


@rule("802.4a")
def test_an_attacker_stolen_by_its_target_is_out_of_combat() -> None:
    grab = instant("Grab", forms.Effect(what=noun("target attacking creature"), mods=(forms.GainControl(),)))
    game = Game("ABC")
    one, two, spell = game.put("A", BEAR), game.put("A", BEAR), game.put("B", grab, "hand")
    game.begin()
    game.attack({one: "B", two: "C"})
    game.cast("B", spell, one)
    game.resolve()
    assert game.attacker(one) is None and game.attacker(two) is not None
    game.fight()
    assert (game.life("B"), game.life("C")) == (20, 18)


@rule("802.4")
def test_blocks_trigger_for_each_player_as_declared_and_wait_for_the_step() -> None:
    game = Game("ABC")
    spiky = creature(
        "Urchin",
        0,
        4,
        abilities=(whenever(forms.Pattern(event="blocks", subject=noun("{this}")), forms.GainLife(amount=1)),),
    )
    a = [game.put("A", BEAR) for _ in range(2)]
    b, c = game.put("B", spiky), game.put("C", spiky)
    game.begin()
    game.attack({a[0]: "B", a[1]: "C"})
    game.block("B", {b: a[0]})
    assert not game.state.stack
    game.block("C", {c: a[1]})
    assert [game.state.objects[i].controller for i in game.state.stack] == [1, 2]  # APNAP
    game.resolve_all()
    assert (game.life("B"), game.life("C")) == (21, 21)


# --- attacks --------------------------------------------------------------------------------------------------------------------------


@rule("802.1", "506.5")
def test_attacking_alone_looks_at_the_whole_attack() -> None:
    lone = creature("Duelist", 2, 2, "exalted")
    game = Game("ABC")
    one, two = game.put("A", lone), game.put("A", BEAR)
    game.begin()
    game.attack({one: "B", two: "C"})
    assert not game.state.stack and game.size(one) == (2, 2)
    game = Game("ABC")
    one = game.put("A", lone)
    game.put("A", BEAR)
    game.begin()
    game.attack({one: "C"})
    game.resolve_all()
    assert game.size(one) == (3, 3)


@rule("802.3a")
def test_cannot_attack_alone_is_satisfied_by_an_attacker_elsewhere() -> None:
    game = Game("ABC")
    shy, bear = game.put("A", creature("Shy", 2, 2, abilities=(static("can't attack alone"),))), game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    refused(game, game.attackers({shy: "B"}))
    game.attack({shy: "B", bear: "C"})


@rule("802.3a")
def test_a_creature_that_cannot_attack_one_player_attacks_another() -> None:
    peace = enchantment(
        "Peace",
        forms.Continuous(
            what=noun("creatures your opponents control"), mods=(forms.Flag(rule="can't attack", param=noun("you")),)
        ),
    )
    game = Game("ABC")
    game.put("B", peace)
    walker = game.put("B", ALDRIC)
    bear = game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: [walker, "C"]}


@rule("802.3a")
def test_a_tax_is_paid_only_for_what_attacks_its_player() -> None:
    tax = enchantment("Toll", forms.PlayerRule(rule="attack tax", who=noun("you"), cost=(forms.ManaCost(mana="{2}"),)))
    game = Game("ABC")
    game.put("B", tax)
    game.put("A", FOREST, number=2)
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert forbidden_by(game, game.attackers({one: "B", two: "B"})) == "508.1i"
    game.attack({one: "B", two: "C"})
    assert sum(o.tapped for o in game.state.objects.values() if o.definition.name == "Forest") == 2
    game.fight()
    assert (game.life("B"), game.life("C")) == (18, 18)


@rule("802.3a")
def test_a_requirement_does_not_make_anybody_pay() -> None:
    tax = enchantment(
        "Toll", forms.PlayerRule(rule="attack tax", who=noun("each opponent"), cost=(forms.ManaCost(mana="{1}"),))
    )
    game = Game("ABC")
    game.put("C", tax, under="C")
    game.put("A", FOREST)
    mad = game.put("A", creature("Berserker", 3, 3, abilities=(static("attacks if able"),)))
    game.begin()
    game.pass_until(purpose="attackers")
    # Attacking B costs, attacking C does not: so it must attack, and the free way is there.
    refused(game, q.Attackers())
    game.attack({mad: "C"})


@rule("802.2a", "702.84")
def test_annihilator_asks_the_defending_player_of_each_attacker() -> None:
    eater = creature("Eater", 5, 5, abilities=(forms.KeywordAbility(keyword="annihilator", number=2),))
    game = Game("ABC")
    one, two = game.put("A", eater), game.put("A", eater)
    for p in "BC":
        game.put(p, FOREST, number=3)
    game.begin()
    game.attack({one: "B", two: "C"})
    game.resolve_all()
    lands = {p: sum(game.state.objects[i].controller == game.seat(p) for i in game.state.battlefield) for p in "BC"}
    assert lands == {"B": 1, "C": 1}


@rule("802.1", "500.8")
def test_an_additional_combat_phase_may_go_elsewhere() -> None:
    again = whenever(
        ATTACKS,
        forms.Tap(what=noun("{this}"), untap=True),
        forms.ExtraPhase(main=True),
        condition=forms.Once(),
    )
    game = Game("ABC")
    hero = game.put("A", creature("Champion", 3, 3, abilities=(again,)))
    game.begin()
    game.attack({hero: "B"})
    game.resolve_all()
    game.fight()
    game.pass_until(purpose="attackers")
    assert game.state.turn.active == 0
    game.attack({hero: "C"})
    game.fight()
    assert (game.life("B"), game.life("C")) == (17, 17)


@rule("803.1")
@pytest.mark.parametrize(("side", "victim"), [("left", "B"), ("right", "D")])
def test_attack_left_and_right(side: str, victim: str) -> None:
    game = Game("ABCD", attack=side)
    bear = game.put("A", BEAR)
    walker = game.put(victim, ALDRIC)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: [victim, walker]}


@rule("803.1", "800.4")
def test_attack_left_after_the_neighbour_has_left() -> None:
    game = Game("ABCD", attack="left")
    bear = game.put("A", BEAR)
    game.begin()
    game.concede("B")
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["C"]}


@rule("801.2", "802.2")
def test_only_players_in_range_are_defending_players() -> None:
    game = Game("ABCDEF", range_of_influence=1)
    bear = game.put("A", BEAR)
    game.put("D", ALDRIC)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["B", "F"]}


@rule("808.3", "802.2")
def test_team_mates_are_not_attacked() -> None:
    game = Game("ABCD", teams=(0, 1, 0, 1))
    bear = game.put("A", BEAR)
    game.put("C", ALDRIC)
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["B", "D"]}


@rule("802.2", "802.3")
def test_six_players_all_attacked_at_once() -> None:
    game = Game("ABCDEF")
    bears = {p: game.put("A", BEAR) for p in "BCDEF"}
    game.begin()
    game.attack({bears[p]: p for p in "BCDEF"})
    assert not any(purpose == "blockers" for _, purpose in game.asked)
    game.fight()
    assert [game.life(p) for p in "ABCDEF"] == [20, 18, 18, 18, 18, 18]
    assert len(game.happened(events.DamageHappened)) == 1


@rule("802.6", "510.4")
def test_first_strike_against_one_player_makes_two_steps_for_all() -> None:
    game = Game("ABC")
    quick, twice, slow = (
        game.put("A", creature("Lancer", 2, 2, "first strike")),
        game.put("A", creature("Twin", 1, 1, "double strike")),
        game.put("A", BEAR),
    )
    game.begin()
    game.attack({quick: "B", twice: "C", slow: "C"})
    game.pass_until(step="first_combat_damage")
    assert (game.life("B"), game.life("C")) == (18, 19)
    game.fight()
    assert (game.life("B"), game.life("C")) == (18, 16)


@rule("802.2a")
def test_a_trigger_on_damage_speaks_of_the_player_who_was_dealt_it() -> None:
    game = Game("ABC")
    rogue = creature(
        "Rogue",
        1,
        1,
        abilities=(
            whenever(
                forms.Pattern(event="damage", subject=noun("{this}"), object=noun("a player"), combat=True),
                forms.Discard(count=1, who=noun("that player")),
            ),
        ),
    )
    one, two = game.put("A", rogue), game.put("A", rogue)
    held = {p: game.put(p, BEAR, "hand") for p in "BC"}
    game.begin()
    game.attack({one: "B", two: "C"})
    game.fight()
    game.resolve_all()
    assert [game.zone(held[p]) for p in "BC"] == ["graveyard", "graveyard"]


@rule("802.2a")
def test_a_spell_that_speaks_of_an_attacker_finds_its_defending_player() -> None:
    rage = instant("Rage", until_end("target attacking creature", forms.AddPT(power=1)), damage(2, "defending player"))
    game = Game("ABC")
    one, two, spell = game.put("A", BEAR), game.put("A", BEAR), game.put("A", rage, "hand")
    game.begin()
    game.attack({one: "B", two: "C"})
    game.cast("A", spell, two)
    game.resolve()
    assert (game.life("B"), game.life("C")) == (20, 18) and game.asks == ("A", "priority")


# --- bands ----------------------------------------------------------------------------------------------------------------------------


def banded_attack() -> tuple[Game, int, int, int, int]:
    """A's band of two attacks B, another creature C; B's creature blocks one of the band."""
    game = Game("ABC")
    one, two = game.put("A", creature("Hero", 1, 1, "banding")), game.put("A", creature("Ogre", 3, 3))
    third, guard = game.put("A", BEAR), game.put("B", creature("Guard", 4, 4))
    game.begin()
    game.attack({one: "B", two: "B", third: "C"}, bands=[(one, two)])
    game.block("B", {guard: two})
    return game, one, two, third, guard


@rule("802.3b", "702.20h")
def test_a_band_is_blocked_together_and_its_player_divides_the_blockers_damage() -> None:
    game, one, two, third, guard = banded_attack()
    assert game.attacker(one).blocked and not game.attacker(third).blocked
    game.pass_until(purpose="combat damage")
    assert game.asks == ("A", "combat damage")  # not B, whose creature deals it (702.20k)
    game.answer({guard: {one: 4}})
    assert game.zone(one) == "graveyard" and game.zone(two) == "battlefield" and game.zone(guard) == "graveyard"
    assert (game.life("B"), game.life("C")) == (20, 18)


@rule("702.20j")
def test_a_blocker_with_banding_lets_the_defending_player_divide() -> None:
    game = Game("ABC")
    big = game.put("A", creature("Ogre", 5, 9))
    shield, small = game.put("C", creature("Plain Squire", 1, 6, "banding")), game.put("C", BEAR)
    game.begin()
    game.attack({big: "C"})
    game.block("C", {shield: big, small: big})
    game.pass_until(purpose="combat damage")
    assert game.asks == ("C", "combat damage")
    game.answer({big: {shield: 5}})
    assert game.zone(small) == "battlefield" and game.damage(shield) == 5


@rule("702.20f")
def test_a_removed_creature_leaves_its_band() -> None:
    game = Game("ABC")
    one, two = game.put("A", creature("Hero", 1, 1, "banding")), game.put("A", OGRE)
    bolt, guard = game.put("B", BOLT, "hand"), game.put("B", BEAR)
    game.begin()
    game.attack({one: "B", two: "B"}, bands=[(one, two)])
    game.cast("B", bolt, one)
    game.resolve()
    game.block("B", {guard: two})
    game.fight()
    assert game.zone(guard) == "graveyard" and game.damage(two) == 2
