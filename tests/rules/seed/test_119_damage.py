"""Damage (119): who deals it to what, its results, its three parts, choosing its source."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.nouns import ThatMuch
from server.rules.model import events
from server.rules.model.events import rule_of
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
    until_end,
    whenever,
)

rule = pytest.mark.rule
DEALT = forms.Pattern(event="damage")
PING = creature("Pinger", 1, 1, abilities=(tapping(damage(1, "target creature or player")),))
WATCHER = enchantment(
    "Watcher",
    whenever(forms.Pattern(event="damage"), forms.GainLife(amount=1)),
)
TO_WALKER = sorcery("Scorn", damage(2, "target planeswalker"))


def kinds(game: Game, since: int = 0) -> list[tuple[str, int]]:
    """The rule numbers and amounts of what happened with damage, in the log's order."""
    shown = (
        events.Damage, events.LoseLife, events.GainLife, events.MarkDamage, events.PutCounters, events.RemoveCounters,
        events.Prevented, events.DamageHappened,
    )  # fmt: skip
    return [(rule_of(e), e.amount) for e in game.happened(*shown, since=since)]


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
    dealt = {(e.subject, e.object): e.amount for e in game.happened(events.Damage) if e.combat}  # type: ignore[attr-defined]
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


# --- 119.3: results -----------------------------------------------------------------------------------------------------------


@rule("119.3a")
def test_damage_without_infect_makes_a_player_lose_life() -> None:
    game = Game()
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    assert game.life("B") == 17 and game.counters("B", "poison") == 0
    assert kinds(game) == [("119.4a", 3), ("119.3a", 3), ("119.4c", 0)]


@rule("119.3b")
def test_damage_with_infect_gives_a_player_poison_and_ten_lose_the_game() -> None:
    game = Game("ABC")
    rat = game.put("A", creature("Rat", 6, 6, "infect"))
    game.begin()
    game.attack({rat: "B"})
    game.fight()
    assert (game.life("B"), game.counters("B", "poison"), game.lost("B")) == (20, 6, "")
    game.pass_until(purpose="attackers")  # B's turn has no creature; the next declaration is A's again
    game.attack({rat: "B"})
    game.fight()
    assert game.lost("B") == "poison" and game.life("B") == 20


@rule("119.3c")
def test_damage_removes_loyalty_whatever_wither_and_infect_say() -> None:
    game = Game()
    rat = game.put("A", creature("Rat", 1, 1, "infect", "wither"))
    other = game.put("A", creature("Ogre", 3, 3))
    walker = game.put("B", ALDRIC)
    game.begin()
    game.attack({rat: walker, other: walker})
    game.fight()
    assert game.zone(walker) == "graveyard"  # 4 loyalty, 4 damage
    assert not game.happened(events.PutCounters)
    assert sum(e.amount for e in game.happened(events.RemoveCounters)) == 4


@rule("119.3c")
def test_a_planeswalker_that_is_also_a_creature_gets_both_results() -> None:
    game = Game()
    wake = instant(
        "Wake",
        until_end("target planeswalker", forms.SetTypes(types=("creature",)), forms.SetPT(power=5, toughness=5)),
    )
    walker, spell, bolt = game.put("B", ALDRIC), game.put("A", wake, "hand"), game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", spell)
    game.resolve()
    game.cast("A", bolt, walker)
    game.resolve()
    assert (game.counters(walker, "loyalty"), game.damage(walker), game.zone(walker)) == (1, 3, "battlefield")


@rule("119.3d")
@pytest.mark.parametrize("keywords", [("wither",), ("infect",), ("wither", "infect")])
def test_wither_and_infect_put_counters_and_mark_nothing(keywords: tuple[str, ...]) -> None:
    game = Game()
    rat, ogre = game.put("A", creature("Rat", 2, 2, *keywords)), game.put("B", creature("Ogre", 1, 5))
    game.begin()
    game.attack({rat: "B"})
    game.block("B", {ogre: rat})
    game.fight()
    assert (game.counters(ogre, "-1/-1"), game.damage(ogre), game.size(ogre)) == (2, 0, (-1, 3))


@rule("119.3e")
def test_other_damage_is_marked() -> None:
    game = Game()
    wall, bolt = game.put("B", WALL), game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, wall)
    game.resolve()
    assert (game.damage(wall), game.counters(wall, "-1/-1"), game.size(wall)) == (3, 0, (0, 8))


@rule("119.3f")
def test_lifelink_gains_life_for_every_kind_of_recipient() -> None:
    game = Game("ABC")
    linkers = [game.put("A", creature("Linker", 2, 2, "lifelink")) for _ in range(3)]
    walker, wall = game.put("C", ALDRIC), game.put("B", WALL)
    game.begin()
    game.attack({linkers[0]: "B", linkers[1]: "B", linkers[2]: walker})
    game.block("B", {wall: linkers[1]})
    game.fight()
    assert (game.life("A"), game.life("B"), game.damage(wall), game.counters(walker, "loyalty")) == (26, 18, 2, 2)


@rule("119.3f")
def test_lifelink_of_a_source_that_has_left_pays_its_last_controller_and_without_one_the_owner() -> None:
    # The ability's source is sacrificed to pay: last known information says who controlled it.
    game = Game("AB")
    toss = creature(
        "Tosser",
        1,
        1,
        "lifelink",
        abilities=(
            forms.ActivatedAbility(
                cost=(forms.SacrificeCost(what=noun("{this}")),), do=(damage(3, "target opponent"),)
            ),
        ),
    )
    borrowed = game.put("B", toss, under="A")
    ghost = creature(
        "Ghost",
        1,
        1,
        "lifelink",
        abilities=(forms.ActivatedAbility(cost=(), do=(damage(2, "each opponent"),), zone="graveyard"),),
    )
    dead = game.put("A", ghost, "graveyard")
    game.begin()
    game.activate("A", borrowed)
    game.resolve()
    assert (game.life("A"), game.life("B")) == (23, 17)
    game.activate("A", dead)  # no controller in a graveyard: its owner gains
    game.resolve()
    assert (game.life("A"), game.life("B")) == (25, 15)


# --- 119.4: three parts ---------------------------------------------------------------------------------------------------------


@rule("119.4")
def test_the_log_shows_damage_dealt_its_results_and_that_it_happened() -> None:
    game = Game()
    linker = game.put("A", creature("Linker", 3, 3, "lifelink"))
    game.begin()
    game.attack({linker: "B"})
    mark = len(game.log)
    game.fight()
    assert kinds(game, mark) == [("119.4a", 3), ("119.3a", 3), ("119.3f", 3), ("119.4c", 0)]


@rule("119.4a")
def test_prevention_changes_the_damage_as_it_is_dealt_and_triggers_wait() -> None:
    game = Game()
    shield = enchantment(
        "Aegis",
        forms.Replacement(event=forms.Pattern(event="damage", object=noun("you")), rewrite=(forms.Prevent(amount=1),)),
    )
    alarm = enchantment(
        "Alarm",
        whenever(
            forms.Pattern(event="damage", object=noun("you")),
            forms.GainLife(amount=ThatMuch()),
        ),
    )
    game.put("B", shield)
    game.put("B", alarm)
    game.set_life("B", 3)
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    assert kinds(game) == [("119.4a", 2), ("119.4a", 1), ("119.3a", 2), ("119.4c", 0)]
    assert game.life("B") == 1 and len(game.state.stack) == 1  # the trigger waited until the damage had happened
    game.resolve()
    assert game.life("B") == 3


@rule("119.4b")
def test_effects_on_results_change_the_results_and_not_the_damage() -> None:
    game = Game()
    double = enchantment(
        "Thin Blood",
        forms.Replacement(
            event=forms.Pattern(event="life loss", subject=noun("an opponent")), rewrite=(forms.Scale(times=2),)
        ),
    )
    fester = enchantment(
        "Fester",
        forms.Replacement(event=forms.Pattern(event="counters put", counter="-1/-1"), rewrite=(forms.Scale(times=2),)),
    )
    game.put("A", double)
    game.put("A", fester)
    rat, ogre = game.put("A", creature("Rat", 2, 2, "wither")), game.put("B", creature("Ogre", 0, 9))
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    assert game.life("B") == 14
    game.attack({rat: "B"})
    game.block("B", {ogre: rat})
    game.fight()
    assert game.counters(ogre, "-1/-1") == 4
    assert [e.amount for e in game.happened(events.Damage)] == [3, 2]


@rule("119.4c")
def test_all_results_happen_at_once_and_state_based_actions_look_afterwards() -> None:
    game = Game()
    linker = game.put("A", creature("Linker", 4, 4, "lifelink"))
    ogre = game.put("B", creature("Ogre", 4, 9))
    game.set_life("A", 3)
    charge = game.put("B", creature("Charger", 3, 3))
    game.begin("B")
    # B attacks with both: A would be at 0 by the unblocked one, but the blocker's lifelink counts at the same time.
    game.attack({ogre: "A", charge: "A"})
    game.block("A", {linker: ogre})
    game.fight()
    assert game.life("A") == 4 and not game.lost("A")
    assert game.zone(linker) == "graveyard"
    whole = [type(e).__name__ for e in game.happened(events.DamageHappened, events.Destroy)]
    assert whole == ["DamageHappened", "Destroy"]


@rule("119.4.example1")
def test_boon_reflection() -> None:
    game = Game()
    boon = enchantment(
        "Odd Reflection",
        forms.Replacement(event=forms.Pattern(event="life gain", subject=noun("you")), rewrite=(forms.Scale(times=2),)),
    )
    stave = instant(
        "Stave",
        forms.Shield(
            effect=forms.Replacement(
                event=forms.Pattern(event="damage", object=noun("it")), rewrite=(forms.Prevent(shield=True),)
            ),
            amount=2,
            per=noun("target creature"),
        ),
    )
    game.put("A", boon)
    attacker, blocker = game.put("A", creature("Raider", 3, 3, "wither", "lifelink")), game.put("B", BEAR)
    spell = game.put("B", stave, "hand")
    game.begin()
    game.attack({attacker: "B"})
    game.block("B", {blocker: attacker})
    game.cast("B", spell, blocker)
    game.resolve()
    mark = len(game.log)
    game.fight()
    assert game.counters(blocker, "-1/-1") == 1 and game.damage(blocker) == 0
    assert game.life("A") == 22
    assert game.damage(attacker) == 2
    assert [(e.amount, e.object) for e in game.happened(events.Damage, since=mark)] == [(1, blocker), (2, attacker)]


WORSHIP = enchantment(
    "Odd Vigil",
    forms.Replacement(
        event=forms.Pattern(event="life loss", subject=noun("you"), cause="damage"),
        rewrite=(forms.AtMost(life_floor=1),),
        condition=forms.Exists(of=noun("creatures you control")),
    ),
)
AWE_STRIKE = instant(
    "Odd Awe",
    forms.Shield(
        effect=forms.Replacement(
            event=forms.Pattern(event="damage", subject=noun("it")),
            rewrite=(forms.Prevent(then=(forms.GainLife(amount=ThatMuch()),), at_once=True),),
        ),
        uses=1,
        per=noun("target creature"),
    ),
)


def worship_game() -> tuple[Game, int, int]:
    """B at 2 life with the vigil and a creature; A attacks with two unblockable 5/5 creatures."""
    game = Game()
    game.put("B", WORSHIP)
    game.put("B", BEAR, tapped=True)
    game.set_life("B", 2)
    big = [game.put("A", creature("Colossus", 5, 5)) for _ in range(2)]
    strike = game.put("B", AWE_STRIKE, "hand")
    game.begin()
    game.attack({big[0]: "B", big[1]: "B"})
    return game, big[0], strike


@rule("119.4.example2")
def test_worship_and_awe_strike() -> None:
    game, big, strike = worship_game()
    game.cast("B", strike, big)
    game.resolve()
    mark = len(game.log)
    game.fight()
    assert game.life("B") == 2
    assert [e.amount for e in game.happened(events.GainLife, since=mark)] == [5]
    assert [e.amount for e in game.happened(events.LoseLife, since=mark)] == [5]  # the vigil was not applied
    # The gain belongs to the very event: it is there before the event has happened.
    order = [type(e).__name__ for e in game.happened(events.GainLife, events.DamageHappened, since=mark)]
    assert order == ["GainLife", "DamageHappened"]


@rule("119.4.example2")
def test_worship_without_awe_strike() -> None:
    game, _, _ = worship_game()
    game.fight()
    assert game.life("B") == 1
    assert not game.lost("B")


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
    told = [rule_of(e) for e in game.happened(events.Damage, events.MarkDamage, events.DamageHappened, events.Destroy)]
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
