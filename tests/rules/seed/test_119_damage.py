"""Damage (119): who deals it to what, its results, its three parts, choosing its source."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import events
from tests.rules.play import (
    ALDRIC,
    BEAR,
    BOLT,
    FOREST,
    WALL,
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
    whenever,
)
from tests.rules.seed.test_119_results import AWE_STRIKE

rule = pytest.mark.rule
DEALT = forms.Pattern(event="damage")
PING = creature("Pinger", 1, 1, abilities=(tapping(damage(1, "target creature or player")),))
WATCHER = enchantment(
    "Watcher",
    whenever(forms.Pattern(event="damage"), forms.GainLife(amount=1)),
)
TO_WALKER = sorcery("Scorn", damage(2, "target planeswalker"))


# --- 119.1, 119.2: who deals damage to what -----------------------------------------------------------------------------------


@rule("119.1")
def test_an_object_deals_damage_to_creature_planeswalker_and_player_and_is_the_source() -> None:
    game = Game()
    pinger, bear, walker = game.put("A", PING), game.put("B", WALL), game.put("B", ALDRIC)
    one, two = game.put("A", TO_WALKER, "hand"), game.put("A", BOLT, "hand")
    game.begin()
    game.activate("A", pinger, bear)
    game.resolve()
    game.cast("A", one, walker)
    game.resolve()
    game.cast("A", two, "B")
    game.resolve()
    game.answer(False)  # 306.7: not redirected
    dealt = list(game.happened(events.Damage))
    assert [(e.subject, e.object, e.amount) for e in dealt] == [
        (pinger, bear, 1),
        (game.became[one], walker, 2),
        (game.became[two], game.ref("B"), 3),
    ]
    assert game.damage(bear) == 1 and game.counters(walker, "loyalty") == 2 and game.life("B") == 17


@rule("119.1a")
def test_a_permanent_that_is_neither_creature_nor_planeswalker_is_dealt_no_damage() -> None:
    game = Game()
    land, bear = game.put("B", FOREST), game.put("B", BEAR)
    game.put("A", WATCHER)
    both = game.put("A", sorcery("Quake", damage(1, "each permanent an opponent controls")), "hand")
    game.begin()
    game.cast("A", both)
    game.resolve_all()
    dealt = game.happened(events.Damage)
    assert [e.object for e in dealt] == [bear]
    assert game.object(land).damage == 0
    assert game.life("A") == 21  # one trigger, for the creature alone


@rule("119.2")
def test_any_object_can_be_a_source() -> None:
    game = Game()
    burn = (damage(1, "each opponent"),)
    sources = [
        game.put("A", enchantment("Shrine", tapping(*burn))),
        game.put("A", enchantment("Engine", tapping(*burn), types="Artifact")),
        game.put("A", enchantment("Volcano", tapping(*burn), types="Land")),
    ]
    spell = game.put("A", instant("Jolt", *burn), "hand")
    ghost = game.put(
        "A",
        creature("Ghost", 1, 1, abilities=(forms.ActivatedAbility(cost=(), do=burn, zone="graveyard"),)),
        "graveyard",
    )
    game.begin()
    for source in [*sources, ghost]:
        game.activate("A", source)
        game.resolve()
    game.cast("A", spell)
    game.resolve()
    dealt = game.happened(events.Damage)
    assert [e.subject for e in dealt] == [*sources, ghost, game.became[spell]]
    assert game.life("B") == 15


@rule("119.2a")
def test_attackers_and_blockers_deal_combat_damage_equal_to_their_power() -> None:
    game = Game()
    four, free = game.put("A", creature("Ogre", 4, 9)), game.put("A", creature("Hawk", 2, 2, "flying"))
    wall = game.put("B", creature("Guard", 3, 9))
    game.begin()
    game.attack({four: "B", free: "B"})
    game.block("B", {wall: four})
    assert not game.happened(events.Damage)
    game.fight()
    dealt = {(e.subject, e.object): e.amount for e in game.happened(events.Damage) if e.combat}
    assert dealt == {(four, wall): 4, (wall, four): 3, (free, game.ref("B")): 2}
    assert (game.damage(four), game.damage(wall), game.life("B")) == (3, 4, 18)


@rule("119.2b")
def test_the_text_of_a_spell_or_ability_names_the_dealer() -> None:
    game = Game()
    lifelinker = game.put("A", creature("Healer", 4, 4, "lifelink"))
    bite = instant(
        "Bite", forms.Damage(amount=2, to=noun("target opponent"), source=noun("target creature you control"))
    )
    spell, plain = game.put("A", bite, "hand"), game.put("A", BOLT, "hand")
    game.begin()
    game.act("A", spell)
    while game.asks[1] == "target":
        game.default()
    game.resolve()
    game.cast("A", plain, "B")
    game.resolve()
    assert [e.subject for e in game.happened(events.Damage)] == [lifelinker, game.became[plain]]
    assert game.life("A") == 22  # only what the creature dealt links life


# --- 119.5 to 119.8 -------------------------------------------------------------------------------------------------------------


@rule("119.5")
def test_neither_damage_nor_source_destroys() -> None:
    game = Game()
    # "Whenever a permanent is destroyed by ..." has no cause to name: the action has no source.
    bear, walker = game.put("B", BEAR), game.put("B", planeswalker("Berta", 3))
    one, two = game.put("A", BOLT, "hand"), game.put("A", sorcery("Scorn", damage(3, "target planeswalker")), "hand")
    game.begin()
    game.cast("A", one, bear)
    game.resolve()
    game.cast("A", two)
    game.resolve()
    assert game.zone(bear) == game.zone(walker) == "graveyard"
    destroyed = game.happened(events.Destroy)
    assert [(e.subject, e.by, e.cause) for e in destroyed] == [(bear, 0, "lethal damage")]
    put = [e for e in game.happened(events.Move) if e.subject == walker]
    assert [(e.by, e.cause) for e in put] == [(0, "no loyalty")]


@rule("119.5.example")
def test_lightning_bolt_on_a_2_2() -> None:
    game = Game()
    bear, bolt = game.put("B", BEAR), game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, bear)
    game.resolve()
    assert game.zone(bear) == "graveyard"
    told = [told_by(e) for e in game.happened(events.Damage, events.MarkDamage, events.DamageHappened, events.Destroy)]
    assert told == ["119.4a", "119.3e", "119.4c", "704.5g"]


@rule("119.6")
def test_marked_damage_stays_on_what_stops_being_a_creature() -> None:
    game = Game()
    life = instant(
        "Animate",
        until_end(
            "target artifact",
            forms.SetTypes(types=("creature",)),
            forms.SetPT(power=3, toughness=4),
            duration="end of combat",
        ),
    )
    statue = game.put("B", enchantment("Statue", types="Artifact"))
    first, again = game.put("B", life, "hand"), game.put("B", life, "hand")
    bolt, ping = game.put("A", BOLT, "hand"), game.put("A", PING)
    game.begin()
    game.pass_until(step="begin_combat")
    game.cast("B", first)
    game.resolve()
    game.cast("A", bolt, statue)
    game.resolve()
    game.pass_until(step="postcombat_main")
    assert "creature" not in game.chars(statue).types and game.damage(statue) == 3
    game.cast("B", again)
    game.resolve()
    assert game.zone(statue) == "battlefield"  # 3 of 4
    game.activate("A", ping, statue)
    game.resolve()
    assert game.zone(statue) == "graveyard"  # total damage 4 is lethal


@rule("119.6")
def test_cleanup_and_regeneration_remove_marked_damage() -> None:
    game = Game()
    troll = creature(
        "Troll", 2, 4, abilities=(forms.ActivatedAbility(cost=(), do=(forms.Regenerate(what=noun("{this}")),)),)
    )
    wall, beast = game.put("B", WALL), game.put("B", troll)
    bolts = [game.put("A", BOLT, "hand") for _ in range(3)]
    game.begin()
    game.activate("B", beast)
    game.resolve()
    for bolt, target in zip(bolts, (wall, beast, beast), strict=True):
        game.cast("A", bolt, target)
        game.resolve()
    assert game.zone(beast) == "battlefield" and game.damage(beast) == 0 and game.object(beast).tapped
    assert game.damage(wall) == 3
    game.pass_until(step="upkeep")
    assert game.damage(wall) == 0


CHOSEN = forms.Replacement(event=forms.Pattern(event="damage", object=noun("you")), rewrite=(forms.Prevent(),))


@rule("119.7")
def test_what_can_be_chosen_as_a_source() -> None:
    game = Game()
    ward = instant("Ward", forms.Shield(effect=CHOSEN, uses=1, source_choice=noun("a source")))
    land, bear = game.put("A", FOREST), game.put("B", BEAR)
    tosser = game.put(
        "A",
        creature(
            "Tosser",
            1,
            1,
            abilities=(
                forms.ActivatedAbility(
                    cost=(forms.SacrificeCost(what=noun("{this}")),), do=(damage(3, "target creature or player"),)
                ),
            ),
        ),
    )
    delayed = instant(
        "Plot",
        forms.Delayed(
            when=(forms.Pattern(event="step", step="end_turn"),),
            then=(damage(1, "each player"),),
            duration="end of turn",
        ),
    )
    plot = game.put("A", delayed, "hand")
    bolt, dead = game.put("A", BOLT, "hand"), game.put("A", creature("Corpse", 1, 1), "graveyard")
    spell = game.put("B", ward, "hand")
    game.begin()
    game.cast("A", plot)
    game.resolve()
    game.activate("A", tosser, "B")
    game.cast("A", bolt, bear)
    game.cast("B", spell)
    game.resolve()
    assert game.asks == ("B", "source")
    offered = game.options()
    assert land in offered and bear in offered  # permanents, be they able to deal damage or not
    assert game.now(bolt) in offered  # a spell on the stack
    assert (
        tosser in offered and game.zone(tosser) == "graveyard"
    )  # what an ability on the stack speaks of, though it left
    assert game.became[plot] in offered  # what a waiting delayed trigger speaks of
    assert game.now(dead) not in offered
    game.answer(tosser)
    game.resolve_all()
    assert game.life("B") == 20


@rule("119.8")
def test_zero_damage_is_no_damage() -> None:
    game = Game()
    more = enchantment("Torch", forms.Replacement(event=forms.Pattern(event="damage"), rewrite=(forms.Scale(plus=1),)))
    sink = creature("Sink", 0, 9)
    away = enchantment(
        "Mirror",
        forms.Replacement(
            event=forms.Pattern(event="damage", object=noun("you")),
            rewrite=(forms.Redirect(to=noun("each creature you control")),),
        ),
    )
    game.put("A", more)
    game.put("A", WATCHER)
    game.put("B", away)
    game.put("B", sink)
    nothing = game.put("A", sorcery("Puff", damage(0, "target opponent"), damage(0, "each creature")), "hand")
    zero = game.put("A", creature("Zero", 0, 3))
    game.begin()
    game.cast("A", nothing)
    game.resolve_all()
    game.attack({zero: "B"})
    game.fight()
    assert not game.happened(events.Damage)
    assert (game.life("A"), game.life("B")) == (20, 20)


@rule("119.8")
def test_damage_that_has_become_zero_is_not_increased() -> None:
    game = Game()
    half = enchantment("Damper", forms.Replacement(event=DEALT, rewrite=(forms.Scale(half="down"),)))
    more = enchantment("Torch", forms.Replacement(event=DEALT, rewrite=(forms.Scale(plus=1),)))
    damper = game.put("B", half)
    game.put("B", more)
    pinger = game.put("A", PING)
    game.begin()
    game.activate("A", pinger, "B")
    game.resolve()
    assert game.asks == ("B", "replacement")
    game.answer(damper)
    assert game.life("B") == 20


# --- prevention shields of a number (615.7) -------------------------------------------------------------------------------------


def test_a_shield_of_a_number_is_divided_among_simultaneous_sources_by_the_affected_player() -> None:
    game = Game()
    stave = instant(
        "Stave",
        forms.Shield(
            effect=forms.Replacement(
                event=forms.Pattern(event="damage", object=noun("you")), rewrite=(forms.Prevent(shield=True),)
            ),
            amount=3,
        ),
    )
    linker, poison = game.put("A", creature("Linker", 2, 2, "lifelink")), game.put("A", creature("Rat", 2, 2, "infect"))
    spell = game.put("B", stave, "hand")
    game.begin()
    game.attack({linker: "B", poison: "B"})
    game.cast("B", spell)
    game.resolve()
    game.pass_until(purpose="prevent")
    assert game.asks == ("B", "prevent")
    game.answer(1)  # of the linker's
    if game.asks == ("B", "prevent"):
        game.answer(2)
    game.fight()
    assert (game.life("A"), game.life("B"), game.counters("B", "poison")) == (21, 19, 0)


def test_the_next_time_covers_all_that_the_source_deals_at_once() -> None:
    game = Game()
    big = game.put("A", creature("Colossus", 6, 6))
    walls = [game.put("B", creature("Guard", 1, 3)) for _ in range(2)]
    strike = game.put("B", AWE_STRIKE, "hand")
    game.begin()
    game.attack({big: "B"})
    game.block("B", {walls[0]: big, walls[1]: big})
    game.pass_until(step="declare_blockers")
    game.cast("B", strike, big)
    game.resolve()
    game.fight()
    assert game.life("B") == 26 and not any(game.damage(w) for w in walls)


@rule("119.2b")
def test_a_dealer_that_is_an_illegal_target_deals_nothing_and_nobody_does_in_its_place() -> None:
    game = Game("ABC")
    bite = instant(
        "Bite", forms.Damage(amount=2, to=noun("target opponent"), source=noun("target creature you control"))
    )
    bear, spell, shot = game.put("A", BEAR), game.put("A", bite, "hand"), game.put("B", BOLT, "hand")
    game.begin()
    game.act("A", spell)
    while game.asks[1] == "target":
        game.default()
    game.cast("B", shot, bear)
    game.resolve_all()
    assert len(game.happened(events.Damage)) == 1  # the bolt alone
    assert (game.life("B"), game.life("C")) == (20, 20)


@rule("119.7")
def test_what_a_waiting_prevention_effect_speaks_of_can_be_chosen_too() -> None:
    game = Game()
    cover = instant(
        "Cover",
        forms.Shield(
            effect=forms.Replacement(
                event=forms.Pattern(event="damage", object=noun("it")), rewrite=(forms.Prevent(),)
            ),
            per=noun("target creature"),
        ),
    )
    ward = instant("Ward", forms.Shield(effect=CHOSEN, uses=1, source_choice=noun("a source")))
    bear, guard = game.put("A", BEAR), game.put("B", cover, "hand")
    bounce = game.put("A", instant("Bounce", forms.Move(what=noun("target creature"), to="hand")), "hand")
    spell = game.put("B", ward, "hand")
    game.begin()
    game.cast("B", guard, bear)
    game.resolve()
    game.cast("A", bounce)
    game.resolve()
    assert game.zone(bear) == "hand"
    game.cast("B", spell)
    game.resolve()
    assert bear in game.options()


@rule("306.7")
def test_damage_to_several_players_is_redirected_for_each_of_them() -> None:
    game = Game("ABC")
    first, second = game.put("B", ALDRIC), game.put("C", planeswalker("Dora", 5))
    rain = game.put("A", sorcery("Rain", damage(2, "each opponent")), "hand")
    game.begin()
    game.cast("A", rain)
    game.resolve()
    game.answer(True)
    game.answer(False)
    assert (game.life("B"), game.life("C")) == (20, 18)
    assert (game.counters(first, "loyalty"), game.counters(second, "loyalty")) == (2, 5)
