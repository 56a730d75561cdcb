"""Damage (119.3, 119.4): its results, and its three parts."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.nouns import ThatMuch
from server.rules.model import events
from tests.rules.play import (
    ALDRIC,
    BEAR,
    BOLT,
    WALL,
    Game,
    creature,
    damage,
    enchantment,
    instant,
    noun,
    told_by,
    until_end,
    whenever,
)

rule = pytest.mark.rule


def kinds(game: Game, since: int = 0) -> list[tuple[str, int]]:
    """The rule numbers and amounts of what happened with damage, in the log's order."""
    shown = (
        events.Damage, events.LoseLife, events.GainLife, events.MarkDamage, events.PutCounters, events.RemoveCounters,
        events.Prevented, events.DamageHappened,
    )  # fmt: skip
    return [(told_by(e), e.amount) for e in game.happened(*shown, since=since)]


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
    assert kinds(game) == [("119.4a", 2), ("615.1", 1), ("119.3a", 2), ("119.4c", 0)]
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
