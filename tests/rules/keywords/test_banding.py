"""Banding (702.20), as played games."""

from __future__ import annotations

import pytest

from server.rules import Illegal
from server.rules.model import events
from tests.rules.keywords.cards import SWAMP, beast, word
from tests.rules.keywords.test_fighting import blockable, blockers_of
from tests.rules.play import (
    BEAR,
    BOLT,
    Game,
)

rule = pytest.mark.rule


@rule("702.20h")
def test_who_blocks_one_of_a_band_blocks_all_of_it() -> None:
    """The example of 702.20h: a flier and a swampwalker in a band."""
    game = Game()
    flier, walker = game.put("A", beast(1, 1, "flying", "banding")), game.put("A", beast(2, 2, "swampwalk"))
    bird = game.put("B", beast(3, 3, "flying"))
    game.put("B", SWAMP)
    game.begin()
    game.attack({flier: "B", walker: "B"}, bands=[[flier, walker]])
    blockers_of(game, "B")
    assert not blockable(game, walker, bird)
    game.submit(game.blockers({bird: flier}))
    assert game.attacker(walker).blocked and game.attacker(walker).blockers == (bird,)
    game.pass_until(step="declare_blockers")
    assert {e.subject for e in game.happened(events.BecomesBlocked)} == {flier, walker}


@rule("702.20k")
def test_the_active_player_divides_what_a_blocker_of_a_band_deals() -> None:
    game = Game("ABC")
    flag, bear = game.put("A", beast(1, 1, "banding")), game.put("A", BEAR)
    ogre = game.put("B", beast(3, 3))
    game.begin()
    game.attack({flag: "B", bear: "B"}, bands=[[flag, bear]])
    game.block("B", {ogre: flag})
    game.pass_until(purpose="combat damage")
    assert game.asks == ("A", "combat damage")
    game.answer({ogre: {flag: 3, bear: 0}})  # in any way, lethal or not, in any order
    game.fight()
    assert game.zone(flag) == "graveyard" and game.zone(bear) == "battlefield" and game.zone(ogre) == "graveyard"


@rule("702.20j")
def test_the_defending_player_divides_the_damage_of_an_attacker_blocked_by_banding() -> None:
    game = Game("ABC")
    rhino, other = game.put("A", beast(5, 5, "trample")), game.put("A", beast(1, 1))
    flag, wall = game.put("C", beast(1, 1, "banding")), game.put("C", beast(0, 6))
    game.begin()
    game.attack({rhino: "C", other: "B"})
    game.block("C", {flag: rhino, wall: rhino})
    game.pass_until(purpose="combat damage")
    assert game.asks == ("C", "combat damage")
    game.answer({rhino: {flag: 0, wall: 5}})
    game.fight()
    assert game.life("C") == 20 and game.zone(flag) == "battlefield" and game.damage(wall) == 5


@rule("702.20c")
@rule("702.20d")
def test_what_a_band_may_be() -> None:
    legend = {"types": "Legendary Creature — Beast"}
    game = Game("ABC")
    flag, one, two = game.put("A", beast(1, 1, "banding")), game.put("A", BEAR), game.put("A", BEAR)
    king = game.put("A", beast(2, 2, word("bands with other", quality="legendary creatures"), name="King", **legend))
    queen, page = game.put("A", beast(2, 2, name="Queen", **legend)), game.put("A", beast(2, 2, name="Duke", **legend))
    game.begin()
    game.pass_until(purpose="attackers")
    everyone = {flag: "B", one: "B", two: "B", king: "B", queen: "B", page: "B"}
    for band in ([flag, one, two], [one, two], [king, one]):
        with pytest.raises(Illegal):
            game.submit(game.attackers(everyone, bands=[band]))
    with pytest.raises(Illegal):
        game.submit(game.attackers({**everyone, one: "C"}, bands=[[flag, one]]))
    game.submit(game.attackers(everyone, bands=[[flag, one], [king, queen, page]]))


@rule("702.20e")
@rule("702.20f")
def test_a_band_lasts_without_banding_and_without_its_dead() -> None:
    game = Game()
    flag, bear = game.put("A", beast(1, 1, "banding")), game.put("A", BEAR)
    other = game.put("A", BEAR)
    bolt = game.put("B", BOLT, "hand")
    wall = game.put("B", beast(0, 9))
    game.begin()
    game.attack({flag: "B", bear: "B", other: "B"}, bands=[[flag, bear]])
    game.cast("B", bolt, flag)
    game.resolve()
    blockers_of(game, "B")
    game.submit(game.blockers({wall: bear}))
    assert game.attacker(bear).blocked and not game.attacker(other).blocked and game.attacker(flag) is None
