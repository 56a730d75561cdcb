"""Keyword abilities about combat and damage, as played games."""

from __future__ import annotations

import pytest

from server.cards.forms import Card, KeywordAbility
from server.cards.nouns import Zone
from server.rules import Illegal
from server.rules.model import events
from server.rules.model import questions as q
from tests.rules.keywords.cards import ISLAND, SWAMP, beast, word
from tests.rules.play import (
    BEAR,
    BOLT,
    Game,
    enchantment,
    planeswalker,
)

rule = pytest.mark.rule


def blockable(game: Game, attacker: int, blocker: int) -> bool:
    """Whether the open declaration would let this creature block that one."""
    return game.now(attacker) in game.can_block().get(game.now(blocker), [])


def blockers_of(game: Game, who: str) -> None:
    """Goes on to that player's declaration of blockers."""
    while not isinstance(game.question, q.BlockersQuestion):
        game.default()
    assert game.asks == (who, "blockers")


# --- evasion -------------------------------------------------------------------------------------------------------------


@rule("702.9")
@rule("702.16")
@pytest.mark.parametrize(
    ("attacker", "blocker", "can"),
    [
        (beast(2, 2, "flying"), BEAR, False),
        (beast(2, 2, "flying"), beast(2, 2, "flying"), True),
        (beast(2, 2, "flying"), beast(2, 2, "reach"), True),
        (beast(2, 2), beast(2, 2, "flying"), True),
        (beast(2, 2, "shadow"), BEAR, False),  # 702.26b
        (BEAR, beast(2, 2, "shadow"), False),
        (beast(2, 2, "shadow"), beast(2, 2, "shadow"), True),
        (beast(2, 2, "horsemanship"), BEAR, False),  # 702.29b
        (BEAR, beast(2, 2, "horsemanship"), True),
        (beast(2, 2, "fear"), beast(2, 2, colors="R"), False),  # 702.34b
        (beast(2, 2, "fear"), beast(2, 2, colors="B"), True),
        (beast(2, 2, "fear"), beast(2, 2, types="Artifact Creature — Golem"), True),
        (beast(2, 2, "intimidate", colors="R"), beast(2, 2, colors="G"), False),  # 702.12b
        (beast(2, 2, "intimidate", colors="R"), beast(2, 2, colors="RG"), True),
        (beast(2, 2, "intimidate", colors="R"), beast(2, 2, types="Artifact Creature — Golem"), True),
        (beast(2, 2, word("protection", quality="red")), beast(2, 2, colors="R"), False),  # 702.15f
        (beast(2, 2, word("protection", quality="red")), beast(2, 2, colors="G"), True),
        (beast(2, 2, word("protection", quality="artifacts")), beast(2, 2, types="Artifact Creature — Golem"), False),
        (beast(2, 2, word("protection", quality="everything")), BEAR, False),  # 702.15i
    ],
)
def test_who_can_block_whom(attacker: Card, blocker: Card, can: bool) -> None:
    game = Game()
    a, b = game.put("A", attacker), game.put("B", blocker)
    game.put("B", beast(1, 1, "flying", "reach", "horsemanship", "shadow"))
    game.begin()
    game.attack({a: "B"})
    if not can:
        while isinstance(game.question, q.PriorityQuestion) and game.step == "declare_attackers":
            game.default()
        if isinstance(game.question, q.BlockersQuestion):
            assert not blockable(game, a, b)
    else:
        blockers_of(game, "B")
        assert blockable(game, a, b)


@rule("702.13c")
@pytest.mark.parametrize(
    ("keyword", "land", "walks"),
    [
        (word("islandwalk"), ISLAND, True),
        (word("islandwalk"), SWAMP, False),
        (word("landwalk", quality="nonbasic land"), Card(name="Tower", types="Land"), True),
        (word("landwalk", quality="nonbasic land"), ISLAND, False),
        (word("landwalk", quality="legendary land"), Card(name="Keep", types="Legendary Land"), True),
        (word("landwalk", quality="snow Swamp"), Card(name="Mire", types="Basic Snow Land — Swamp"), True),
        (word("landwalk", quality="snow Swamp"), SWAMP, False),
        (word("landwalk", quality="artifact land"), Card(name="Den", types="Artifact Land"), True),
        (word("landwalk", quality="Desert"), Card(name="Dune", types="Land — Desert"), True),
    ],
)
def test_landwalk_of_all_kinds(keyword: KeywordAbility, land: Card, walks: bool) -> None:
    game = Game()
    walker, other = game.put("A", beast(2, 2, keyword)), game.put("A", BEAR)
    blocker = game.put("B", BEAR)
    game.put("B", land)
    game.begin()
    game.attack({walker: "B", other: "B"})
    blockers_of(game, "B")
    assert blockable(game, other, blocker)
    assert blockable(game, walker, blocker) is not walks


@rule("702.13c")
def test_landwalk_asks_for_lands_of_the_player_whom_this_creature_attacks() -> None:
    game = Game("ABC")
    first, second = game.put("A", beast(2, 2, "islandwalk")), game.put("A", beast(2, 2, "islandwalk"))
    b, c = game.put("B", BEAR), game.put("C", BEAR)
    game.put("B", ISLAND)
    game.begin()
    game.attack({first: "B", second: "C"})
    blockers_of(game, "C")
    assert blockable(game, second, c)
    assert all(game.now(b) not in row for row in [game.can_block()])


# --- abilities that trigger on attacks and blocks ------------------------------------------------------------------------


@rule("702.43a")
def test_bushido_once_for_two_blockers_and_as_a_blocker() -> None:
    game = Game()
    samurai = game.put("A", beast(2, 2, word("bushido", number=2)))
    one, two = game.put("B", BEAR), game.put("B", BEAR)
    game.begin()
    game.attack({samurai: "B"})
    game.block("B", {one: samurai, two: samurai})
    game.pass_until(step="declare_blockers")
    game.resolve_all()
    assert game.size(samurai) == (4, 4)
    other = Game()
    bear, blocker = other.put("A", BEAR), other.put("B", beast(2, 2, word("bushido", number=1)))
    other.begin()
    other.attack({bear: "B"})
    other.block("B", {blocker: bear})
    other.pass_until(step="declare_blockers")
    other.resolve_all()
    assert other.size(blocker) == (3, 3) and other.size(bear) == (2, 2)


@rule("702.23a")
def test_flanking_weakens_every_blocker_without_it() -> None:
    game = Game()
    knight = game.put("A", beast(2, 2, "flanking"))
    plain, other, equal = game.put("B", BEAR), game.put("B", BEAR), game.put("B", beast(2, 2, "flanking"))
    game.begin()
    game.attack({knight: "B"})
    game.block("B", {plain: knight, other: knight, equal: knight})
    game.pass_until(step="declare_blockers")
    game.resolve_all()
    assert game.size(plain) == game.size(other) == (1, 1) and game.size(equal) == (2, 2)


@rule("702.21a")
@rule("702.21b")
def test_rampage_counts_blockers_beyond_the_first_as_it_resolves() -> None:
    game = Game()
    beasts = game.put("A", beast(3, 3, word("rampage", number=2)))
    blockers = [game.put("B", BEAR) for _ in range(3)]
    bolt = game.put("B", BOLT, "hand")
    game.begin()
    game.attack({beasts: "B"})
    game.block("B", dict.fromkeys(blockers, beasts))
    game.pass_until(step="declare_blockers")
    game.cast("B", bolt, blockers[2])
    game.resolve_all()
    assert game.size(beasts) == (5, 5)  # one beyond the first is left


@rule("702.81a")
@rule("702.81b")
def test_exalted_for_a_creature_that_attacks_alone() -> None:
    game = Game("ABC")
    lone, squire = game.put("A", BEAR), game.put("A", beast(1, 1, "exalted"))
    game.put("A", enchantment("Standard", word("exalted")))
    game.begin()
    game.attack({lone: "C"})
    game.resolve_all()
    assert game.size(lone) == (4, 4) and game.size(squire) == (1, 1)
    two = Game("ABC")
    first, second = two.put("A", BEAR), two.put("A", beast(1, 1, "exalted"))
    two.begin()
    two.attack({first: "B", second: "C"})  # two attackers, each alone against its player
    assert not two.state.stack


@rule("702.89a")
def test_battle_cry_for_each_other_attacker_whomever_it_attacks() -> None:
    game = Game("ABC")
    crier, one, two, home = (game.put("A", c) for c in (beast(1, 1, "battle cry"), BEAR, BEAR, BEAR))
    game.begin()
    game.attack({crier: "B", one: "B", two: "C"})
    game.resolve_all()
    assert [game.size(i)[0] for i in (crier, one, two, home)] == [1, 3, 3, 2]


@rule("702.66a")
def test_frenzy_only_when_unblocked() -> None:
    game = Game("ABC")
    free, blocked = (game.put("A", beast(1, 1, word("frenzy", number=2))) for _ in "ab")
    wall = game.put("C", BEAR)
    game.begin()
    game.attack({free: "B", blocked: "C"})
    game.block("C", {wall: blocked})
    game.pass_until(step="declare_blockers")
    game.resolve_all()
    assert game.size(free) == (3, 1) and game.size(blocked) == (1, 1)


@rule("702.37a")
def test_provoke_untaps_a_creature_of_the_attacked_player_and_makes_it_block() -> None:
    game = Game("ABC")
    goader = game.put("A", beast(2, 2, "provoke"))
    tapped = game.put("C", BEAR, tapped=True)
    elsewhere = game.put("B", BEAR)
    free = game.put("C", BEAR)
    game.begin()
    game.attack({goader: "C"})
    assert game.asks == ("A", "target")
    assert elsewhere not in game.options()  # 802.2a: only creatures of this attacker's defending player
    game.answer(tapped)
    game.resolve()
    game.answer(True)
    assert not game.object(tapped).tapped
    blockers_of(game, "C")
    with pytest.raises(Illegal):
        game.submit(game.blockers({free: goader}))
    game.submit(game.blockers({tapped: goader}))


@rule("702.84a")
def test_annihilator_hits_the_defending_player_of_that_attacker() -> None:
    game = Game("ABCD")
    giant, other = game.put("A", beast(9, 9, word("annihilator", number=2))), game.put("A", BEAR)
    kept = [game.put("B", BEAR) for _ in range(3)]
    lost = [game.put("C", BEAR) for _ in range(3)]
    game.begin()
    game.attack({giant: "C", other: "B"})
    game.resolve()
    assert game.asks == ("C", "sacrifice")
    game.answer([lost[0], lost[2]])
    assert [game.zone(i) for i in lost] == ["graveyard", "battlefield", "graveyard"]
    assert all(game.zone(i) == "battlefield" for i in kept)
    moves = [e for e in game.happened(events.Move) if e.cause == "sacrifice"]
    assert len(moves) == 2


@rule("702.84a")
def test_annihilator_against_a_planeswalker_means_its_controller() -> None:
    game = Game("ABC")
    giant = game.put("A", beast(9, 9, word("annihilator", number=1)))
    walker = game.put("C", planeswalker("Aldric", 4))
    game.put("B", BEAR)
    game.begin()
    game.attack({giant: walker})
    game.resolve_all()
    assert game.zone(walker) == "graveyard"


@rule("702.47a")
@rule("702.47c")
@pytest.mark.parametrize("planeswalker_too", [False, True])
def test_ninjutsu_attacks_what_the_returned_creature_attacked(planeswalker_too: bool) -> None:
    game = Game("ABC")
    sneak, blocked = game.put("A", BEAR), game.put("A", BEAR)
    ninja = game.put("A", beast(4, 4, word("ninjutsu", cost="{0}")), "hand")
    walker = game.put("C", planeswalker("Aldric", 5))
    guard = game.put("B", BEAR)
    game.begin()
    game.attack({sneak: walker if planeswalker_too else "C", blocked: "B"})
    assert not game.can("A", ninja)  # nothing is unblocked before blocks (509.1h)
    game.block("B", {guard: blocked})
    game.pass_until(step="declare_blockers")
    game.activate("A", ninja)
    assert game.zone(sneak) == "hand"
    game.resolve()
    assert game.object(ninja).tapped and game.attacker(ninja).defender == game.ref(walker if planeswalker_too else "C")
    game.fight()
    assert game.life("B") == 20
    assert (game.life("C"), game.counters(walker, "loyalty")) == ((20, 1) if planeswalker_too else (16, 5))


@rule("current 702.49d")
@pytest.mark.parametrize("zone", ["command", "hand"])
def test_commander_ninjutsu_is_of_a_commander_in_the_command_zone_too(zone: Zone) -> None:
    game = Game("AB", edition="current", format="commander")
    sneak = game.put("A", BEAR)
    ninja = game.put("A", beast(4, 4, word("commander ninjutsu", cost="{0}")), zone, commander=1)
    other = game.put("A", beast(4, 4, word("ninjutsu", cost="{0}")), "command", commander=3)
    game.begin()
    game.attack({sneak: "B"})
    game.pass_until(step="declare_blockers")
    assert not game.can("A", other)  # plain ninjutsu is of a card in hand
    game.activate("A", ninja)
    assert game.zone(sneak) == "hand"
    game.resolve()
    assert game.object(ninja).tapped and game.object(ninja).commander == 1
    game.fight()
    assert game.life("B") == 16
    assert not game.state.players[0].commander_casts  # no cast, no tax (903.10)


# --- damage ----------------------------------------------------------------------------------------------------------------


@rule("702.68a")
def test_poisonous_and_toxic_give_poison_besides_the_damage() -> None:
    game = Game("ABC")
    snake, spider = (
        game.put("A", beast(2, 2, word("poisonous", number=3))),
        game.put("A", beast(1, 1, word("toxic", number=2))),
    )
    game.begin()
    game.attack({snake: "B", spider: "C"})
    game.fight()
    game.resolve_all()
    assert (game.life("B"), game.counters("B", "poison")) == (18, 3)
    assert (game.life("C"), game.counters("C", "poison")) == (19, 2)
    assert sum(isinstance(e, events.AbilityOnStack) for e in game.log) == 1  # toxic is no trigger


@rule("702.88b")
@rule("702.88c")
@rule("702.78a")
@rule("702.14b")
def test_infect_wither_and_lifelink_are_results_of_damage() -> None:
    game = Game("ABC")
    plague, rot = game.put("A", beast(2, 2, "infect", "lifelink")), game.put("A", beast(3, 3, "wither"))
    wall = game.put("C", beast(0, 8))
    game.begin()
    game.attack({plague: "B", rot: "C"})
    game.block("C", {wall: rot})
    game.fight()
    assert (game.life("B"), game.counters("B", "poison"), game.life("A")) == (20, 2, 22)
    assert game.size(wall) == (-3, 5) and game.damage(wall) == 0


@rule("702.62a")
@rule("702.62b")
def test_absorb_prevents_so_much_of_each_source() -> None:
    game = Game()
    troll = game.put("A", beast(1, 9, word("absorb", number=2)))
    one, two = game.put("B", beast(3, 3)), game.put("B", beast(1, 1))
    game.begin()
    game.attack({troll: "B"})
    game.block("B", {one: troll, two: troll})
    game.fight()
    assert game.damage(troll) == 1


@rule("702.2")
@rule("702.7")
@rule("702.4")
@rule("702.18b")
def test_deathtouch_first_strike_double_strike_and_trample() -> None:
    game = Game("ABC")
    asp = game.put("A", beast(5, 1, "deathtouch", "trample", "first strike"))
    twice = game.put("A", beast(2, 2, "double strike"))
    wall = game.put("B", beast(4, 6))
    game.begin()
    game.attack({asp: "B", twice: "C"})
    game.block("B", {wall: asp})
    game.pass_until(purpose="combat damage")
    game.answer({asp: {wall: 1, "B": 4}})  # one is lethal with deathtouch
    game.fight()
    assert game.zone(wall) == "graveyard" and game.zone(asp) == "battlefield"
    assert game.life("B") == 16 and game.life("C") == 16


@rule("702.18d")
def test_trample_over_a_planeswalkers_blocker_never_reaches_its_controller() -> None:
    game = Game("ABC")
    rhino = game.put("A", beast(8, 8, "trample"))
    walker, chump = game.put("B", planeswalker("Aldric", 3)), game.put("B", beast(1, 1))
    game.begin()
    game.attack({rhino: walker})
    game.block("B", {chump: rhino})
    game.pass_until(purpose="combat damage")
    game.answer({rhino: {chump: 1, walker: 7}})
    game.fight()
    assert game.zone(walker) == "graveyard" and game.life("B") == 20


@rule("702.3")
@rule("702.19b")
@rule("702.10")
def test_defender_vigilance_and_haste() -> None:
    game = Game()
    wall, guard, fresh, sick = (
        game.put("A", c, sick=True) if s else game.put("A", c)
        for c, s in ((beast(2, 2, "defender"), 0), (beast(2, 2, "vigilance"), 0), (beast(2, 2, "haste"), 1), (BEAR, 1))
    )
    game.begin()
    game.pass_until(purpose="attackers")
    assert set(game.can_attack()) == {guard, fresh} and wall and sick
    game.attack({guard: "B", fresh: "B"})
    assert not game.object(guard).tapped and game.object(fresh).tapped
