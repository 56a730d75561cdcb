"""Attacking several players at once (802), rule by rule."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.rules.model import events
from server.rules.model import questions as q
from tests.rules.play import (
    ALDRIC,
    BEAR,
    MOUNTAIN,
    Game,
    creature,
    enchantment,
    instant,
    noun,
    sorcery,
    whenever,
)
from tests.rules.seed.table import ATTACKS, forbidden_by, refused

rule = pytest.mark.rule


def limit(number: int, who: str) -> forms.Card:
    """ "No more than so many creatures can attack ..." """
    return enchantment("Limit", forms.PlayerRule(rule="attackers at most", who=noun(who), number=number))


# --- 802.1 to 802.2a: defending players -----------------------------------------------------------------------------------------


@rule("802.1")
@pytest.mark.parametrize("whom", ["BC", "BB"])
def test_several_opponents_or_only_one_may_be_attacked(whom: str) -> None:
    game = Game("ABC")
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.begin()
    game.attack({one: whom[0], two: whom[1]})
    game.fight()
    assert (game.life("B"), game.life("C")) == ((18, 18) if whom == "BC" else (16, 20))


@rule("802.2")
def test_all_opponents_are_defending_players_and_none_is_chosen() -> None:
    game = Game("ABCD")
    bear = game.put("A", BEAR)
    game.begin()
    game.pass_until(step="begin_combat")
    assert game.asked[0] == ("A", "priority") and all(purpose == "priority" for _, purpose in game.asked)
    assert game.state.combat is not None and game.state.combat.defenders == (1, 2, 3)
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["B", "C", "D"]}


@rule("802.2")
def test_without_the_option_one_defending_player_is_chosen_at_the_beginning() -> None:
    game = Game("ABC", attack="single")
    bear = game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="defending player")
    game.answer("C")
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["C"]}


DRAIN = whenever(ATTACKS, forms.LoseLife(amount=1, who=noun("defending player")))


@rule("802.2a")
def test_defending_player_means_the_one_this_creature_attacked() -> None:
    game = Game("ABCD")
    walker = game.put("D", ALDRIC)
    drainers = [game.put("A", creature("Drainer", 0, 2, abilities=(DRAIN,))) for _ in range(3)]
    game.begin()
    game.attack({drainers[0]: "B", drainers[1]: "C", drainers[2]: walker})
    game.resolve_all()
    assert [game.life(p) for p in "ABCD"] == [20, 19, 19, 19]


@rule("802.2a")
def test_it_is_remembered_when_the_planeswalker_is_gone() -> None:
    game = Game("ABC")
    walker = game.put("C", ALDRIC)
    drainer = game.put("A", creature("Drainer", 0, 2, abilities=(DRAIN,)))
    kill = game.put("B", instant("Kill", forms.Destroy(what=noun("target planeswalker"))), "hand")
    game.begin()
    game.attack({drainer: walker})
    game.cast("B", kill)
    game.resolve()
    assert game.zone(walker) == "graveyard" and len(game.state.stack) == 1
    game.resolve()
    assert game.life("C") == 19 and game.attacker(drainer).player == 2


@rule("802.2a")
def test_a_creature_put_onto_the_battlefield_attacking_has_a_defending_player_too() -> None:
    # 508.4: its controller chooses whom it attacks; it never "attacked", but it has a defending player.
    token = creature(
        "Cub",
        1,
        1,
        abilities=(
            whenever(
                forms.Pattern(event="damage", subject=noun("{this}"), combat=True),
                forms.LoseLife(amount=5, who=noun("defending player")),
            ),
        ),
    )
    mother = creature(
        "Mother", 2, 2, abilities=(whenever(ATTACKS, forms.CreateToken(token=token, tapped=True, attacking=True)),)
    )
    game = Game("ABC")
    walker = game.put("C", ALDRIC)
    attacker = game.put("A", mother)
    game.begin()
    game.attack({attacker: "B"})
    game.resolve()
    assert game.asks[0] == "A" and game.options() == ["B", "C", walker]
    game.answer(walker)
    cub = game.state.battlefield[-1]
    assert game.attacker(cub).player == 2 and game.attacker(cub).defender == walker
    assert not any(e.subject == cub for e in game.happened(events.Attacks))
    game.fight()
    game.resolve_all()
    assert game.counters(walker, "loyalty") == 3 and (game.life("B"), game.life("C")) == (18, 15)


@rule("802.2a")
def test_where_several_defending_players_fit_the_controller_chooses() -> None:
    game = Game("ABC")
    bears = [game.put("A", BEAR) for _ in range(2)]
    tax = sorcery("Tribute", forms.LoseLife(amount=3, who=noun("defending player")), types="Instant")
    spell = game.put("A", tax, "hand")
    game.begin()
    game.attack({bears[0]: "B", bears[1]: "C"})
    game.cast("A", spell)
    game.resolve()
    assert game.asks == ("A", "defending player") and game.options() == ["B", "C"]
    game.answer("C")
    assert (game.life("B"), game.life("C")) == (20, 17)


@rule("802.2a")
def test_an_effect_on_several_attackers_finds_the_player_for_each() -> None:
    from server.cards.nouns import Count

    game = Game("ABC")
    game.put("B", MOUNTAIN, number=3)
    game.put("C", MOUNTAIN, number=1)
    horde = enchantment(
        "Horde",
        forms.Continuous(
            what=noun("attacking creatures"),
            mods=(forms.AddPT(power=Count(of=noun("lands defending player controls"))),),
        ),
    )
    game.put("A", horde)
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.begin()
    game.attack({one: "B", two: "C"})
    assert (game.size(one), game.size(two)) == ((5, 2), (3, 2))


@rule("802.2a")
def test_it_is_remembered_when_the_player_has_left() -> None:
    game = Game("ABCD")
    drainer = game.put("A", creature("Drainer", 1, 2, abilities=(DRAIN,)))
    game.begin()
    game.attack({drainer: "C"})
    game.concede("C")
    assert game.attacker(drainer).player == 2 and game.attacker(drainer).defender == 0
    game.resolve_all()
    game.fight()
    assert (game.life("B"), game.life("D")) == (20, 20)


@rule("802.2a.example")
@pytest.mark.parametrize("mountains", ["B", "C"])
def test_runeclaw_bear_and_a_mountainwalker(mountains: str) -> None:
    game = Game("ABC")
    game.put(mountains, MOUNTAIN)
    bear = game.put("A", creature("Odd Bear", 2, 2))
    walker = game.put("A", creature("Mountaineer", 2, 2, "mountainwalk"))
    guards = {p: game.put(p, BEAR) for p in "BC"}
    game.begin()
    game.attack({bear: "B", walker: "C"})
    game.block("B", {guards["B"]: bear})
    if mountains == "C":
        assert game.asks == ("A", "priority")  # nothing that C's creature could block
        game.fight()
        assert game.life("C") == 18
    else:
        game.block("C", {guards["C"]: walker})
        game.fight()
        assert game.life("C") == 20


# --- 802.3: declaring attackers ---------------------------------------------------------------------------------------------------


@rule("802.3")
def test_each_attacker_has_its_own_player_or_planeswalker() -> None:
    game = Game("ABC")
    walker = game.put("B", ALDRIC)
    three = [game.put("A", BEAR) for _ in range(3)]
    game.begin()
    game.attack({three[0]: "B", three[1]: walker, three[2]: "C"})
    assert [(game.who(game.attacker(i).defender), game.attacker(i).player) for i in three] == [
        ("B", 1), (walker, 1), ("C", 2),
    ]  # fmt: skip
    game.fight()
    assert (game.life("B"), game.counters(walker, "loyalty"), game.life("C")) == (18, 2, 18)


@rule("802.3")
def test_a_creature_cannot_attack_a_player_and_a_planeswalker_at_once() -> None:
    game = Game("ABC")
    game.put("B", ALDRIC)
    game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert forbidden_by(game, q.Attackers(((0, 0), (0, 1)))) == "508.1b"
    assert forbidden_by(game, q.Attackers(((0, 0), (0, 2)))) == "508.1b"


@rule("802.3a")
def test_a_restriction_without_a_player_binds_the_whole_attack() -> None:
    game = Game("ABC")
    game.put("B", limit(1, "each player"))
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert forbidden_by(game, game.attackers({one: "B", two: "C"})).startswith("508.1")
    game.attack({one: "C"})
    assert game.attacker(two) is None


@rule("802.3a")
def test_a_restriction_about_a_player_binds_only_what_attacks_that_player() -> None:
    game = Game("ABC")
    game.put("B", limit(1, "you"))
    three = [game.put("A", BEAR) for _ in range(3)]
    game.begin()
    game.pass_until(purpose="attackers")
    refused(game, game.attackers({three[0]: "B", three[1]: "B"}))
    game.attack({three[0]: "B", three[1]: "C", three[2]: "C"})
    game.fight()
    assert (game.life("B"), game.life("C")) == (18, 16)


@rule("802.3a")
def test_as_many_requirements_as_possible_of_the_whole_set() -> None:
    lure = enchantment(
        "Plain Taunt",
        forms.Continuous(
            what=noun("creatures your opponents control"), mods=(forms.Flag(rule="attacks if able", param=noun("you")),)
        ),
    )
    game = Game("ABC")
    game.put("B", lure)
    game.put("B", limit(1, "you"))
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    refused(game, q.Attackers())  # one of them can attack B, so one must
    refused(game, game.attackers({one: "C"}))
    game.attack({one: "B", two: "C"})  # the other is free: the limit about B leaves no more room there
    game.fight()
    assert (game.life("B"), game.life("C")) == (18, 18)


@rule("802.3a")
def test_a_requirement_without_a_player_may_be_met_anywhere() -> None:
    game = Game("ABC")
    mad = game.put(
        "A",
        creature(
            "Berserker",
            3,
            3,
            abilities=(forms.Continuous(what=noun("{this}"), mods=(forms.Flag(rule="attacks if able"),)),),
        ),
    )
    game.begin()
    game.pass_until(purpose="attackers")
    assert "508.1d" in forbidden_by(game, q.Attackers())
    game.attack({mad: "C"})
    game.fight()
    assert game.life("C") == 17


@rule("802.3b")
def test_all_of_a_band_attack_the_same_player_or_planeswalker() -> None:
    game = Game("ABC")
    walker = game.put("B", ALDRIC)
    one, two = game.put("A", creature("Hero", 2, 2, "banding")), game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    assert forbidden_by(game, game.attackers({one: "B", two: "C"}, bands=[(one, two)])) == "802.3b"
    assert forbidden_by(game, game.attackers({one: "B", two: walker}, bands=[(one, two)])) == "802.3b"
    game.attack({one: walker, two: walker}, bands=[(one, two)])
    assert game.attacker(one).band == game.attacker(two).band != 0
