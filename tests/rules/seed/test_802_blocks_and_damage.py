"""Attacking several players at once (802.4 to 802.6): blocks, orders and damage."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from server.rules.model import events
from server.rules.model import questions as q
from tests.rules.play import (
    ALDRIC,
    BEAR,
    Game,
    creature,
    instant,
    noun,
)
from tests.rules.seed.table import forbidden_by, refused

rule = pytest.mark.rule


@rule("802.4")
def test_attacked_players_block_in_apnap_order_and_see_what_came_before() -> None:
    game = Game("ABCD")
    walker = game.put("D", ALDRIC)
    attackers = [game.put("B", BEAR) for _ in range(3)]
    guards = {p: game.put(p, BEAR) for p in "ACD"}
    game.begin("B")
    game.attack({attackers[0]: "A", attackers[1]: "C", attackers[2]: walker})
    game.block("C", {guards["C"]: attackers[1]})  # C, D, A: turn order from the active player B
    assert game.asks == ("D", "blockers")
    assert game.attacker(attackers[1]).blocked  # C's blocks are there to be seen
    assert not game.attacker(attackers[2]).blocked
    game.block("D", {guards["D"]: attackers[2]})
    assert game.asks == ("A", "blockers")
    game.block("A", {})
    assert [q_ for q_ in game.asked if q_[1] == "blockers"] == [("C", "blockers"), ("D", "blockers"), ("A", "blockers")]
    game.fight()
    assert (game.life("A"), game.life("C"), game.counters(walker, "loyalty")) == (18, 20, 4)


@rule("802.4")
def test_a_player_declares_all_blocks_at_once() -> None:
    game = Game("ABC")
    attackers = [game.put("A", BEAR) for _ in range(2)]
    guards = [game.put("B", BEAR) for _ in range(2)]
    game.put("C", BEAR)
    game.begin()
    game.attack({attackers[0]: "B", attackers[1]: "B"})
    game.block("B", {guards[0]: attackers[0], guards[1]: attackers[1]})
    assert game.asks == ("A", "priority")  # C is not attacked and not asked
    assert len(game.happened(events.BlockersDeclared)) == 1


@rule("802.4a")
def test_only_own_creatures_block_only_what_attacks_oneself_or_own_planeswalkers() -> None:
    game = Game("ABC")
    walker = game.put("B", ALDRIC)
    three = [game.put("A", BEAR) for _ in range(3)]
    mine, other = game.put("B", BEAR), game.put("C", BEAR)
    game.begin()
    game.attack({three[0]: "B", three[1]: walker, three[2]: "C"})
    game.pass_until(purpose="blockers")
    assert game.asks[0] == "B" and game.can_block() == {mine: [three[0], three[1]]}
    assert forbidden_by(game, q.Blockers(((0, three[2]),))) == "509.1b"
    game.block("B", {mine: three[1]})
    assert game.can_block() == {other: [three[2]]}
    game.block("C", {})
    game.fight()
    assert game.counters(walker, "loyalty") == 4


@rule("802.4a")
def test_an_attacker_whose_planeswalker_has_left_may_be_blocked_by_the_remembered_player() -> None:
    game = Game("ABC")
    walker = game.put("C", ALDRIC)
    bear, guard = game.put("A", BEAR), game.put("C", BEAR)
    game.put("B", BEAR)
    kill = game.put("B", instant("Kill", forms.Destroy(what=noun("target planeswalker"))), "hand")
    game.begin()
    game.attack({bear: walker})
    game.cast("B", kill)
    game.resolve()
    game.block("C", {guard: bear})
    assert ("B", "blockers") not in game.asked
    game.fight()
    assert game.zone(bear) == game.zone(guard) == "graveyard" and game.life("C") == 20


@rule("802.4b")
def test_others_attackers_and_blockers_do_not_count() -> None:
    alone = creature(
        "Loner", 3, 3, abilities=(forms.Continuous(what=noun("{this}"), mods=(forms.Flag(rule="can't block alone"),)),)
    )
    game = Game("ABC")
    three = [game.put("A", BEAR) for _ in range(2)]
    big = game.put("A", creature("Ogre", 4, 4, "menace"))
    loner, helper = game.put("C", alone), game.put("B", BEAR)
    game.begin()
    game.attack({three[0]: "B", three[1]: "C", big: "B"})
    game.block("B", {helper: three[0]})
    # B's blocker is no company for C's creature.
    assert game.asks == ("C", "blockers")
    refused(game, game.blockers({loner: three[1]}))
    game.block("C", {})


@rule("802.4b")
def test_a_requirement_does_not_leak_to_another_defender() -> None:
    lure = creature(
        "Plain Lure",
        2,
        9,
        abilities=(forms.Continuous(what=noun("{this}"), mods=(forms.Flag(rule="must be blocked by all"),)),),
    )
    game = Game("ABC")
    magnet, bear = game.put("A", lure), game.put("A", BEAR)
    mine, theirs = game.put("B", BEAR), game.put("C", BEAR)
    game.begin()
    game.attack({magnet: "B", bear: "C"})
    game.pass_until(purpose="blockers")
    assert "509.1c" in forbidden_by(game, q.Blockers())
    game.block("B", {mine: magnet})
    game.block("C", {})  # C owes nothing to what attacks B
    assert game.life("C") == 20 and theirs
    game.fight()
    assert game.life("C") == 18


def crossed() -> tuple[Game, dict[str, Any]]:
    """A attacks B and C; each blocks one attacker with two creatures, and one creature blocks two attackers."""
    wide = creature(
        "Broad",
        3,
        9,
        abilities=(forms.Continuous(what=noun("{this}"), mods=(forms.Flag(rule="can block additional"),)),),
    )
    game = Game("ABC")
    a = [game.put("A", creature("Ogre", 3, 3)) for _ in range(4)]
    who = {
        "a": a,
        "b": [game.put("B", creature("Guard", 1, 2)), game.put("B", wide)],
        "c": [game.put("C", creature("Guard", 1, 2)), game.put("C", wide)],
    }
    game.begin()
    game.attack({a[0]: "B", a[1]: "B", a[2]: "C", a[3]: "C"})
    game.block("B", {who["b"][0]: a[0], who["b"][1]: [a[0], a[1]]})
    game.block("C", {who["c"][0]: a[2], who["c"][1]: [a[2], a[3]]})
    return game, who


@rule("802.5")
def test_orders_are_announced_by_the_active_player_first_then_in_apnap_order() -> None:
    game, who = crossed()
    a, b, c = who["a"], who["b"], who["c"]
    assert game.asks == ("A", "damage order")
    game.answer([b[1], b[0]])
    game.answer([c[0], c[1]])
    assert game.asks == ("B", "damage order")
    game.answer([a[1], a[0]])
    assert game.asks == ("C", "damage order")
    game.answer([a[2], a[3]])
    told = [(e.subject, e.order) for e in game.happened(events.DamageOrder)]
    assert told == [(a[0], (b[1], b[0])), (a[2], (c[0], c[1])), (b[1], (a[1], a[0])), (c[1], (a[2], a[3]))]


@rule("802.6")
def test_damage_is_assigned_in_apnap_order_and_dealt_at_once() -> None:
    game, who = crossed()
    a, b, c = who["a"], who["b"], who["c"]
    game.answer([b[0], b[1]])
    game.answer([c[0], c[1]])
    game.answer([a[0], a[1]])
    game.answer([a[3], a[2]])
    game.pass_until(purpose="combat damage")
    assert game.asks[0] == "A" and not game.happened(events.Damage)
    game.answer({a[0]: {b[0]: 2, b[1]: 1}, a[2]: {c[0]: 3}})
    mark = len(game.log)
    # Beside a guard that assigns 1 to the same attacker two more are lethal, so B has a choice; C's blocker has exactly enough for its
    # first attacker, which nobody else blocks.
    assert game.asks == ("B", "combat damage") and not game.happened(events.Damage)
    game.answer({b[1]: {a[0]: 3}})
    assert game.asks == ("A", "priority")
    assert [e[0] for e in game.asked if e[1] == "combat damage"] == ["A", "B"]
    happened = game.happened(events.DamageHappened)
    assert len(happened) == 1 and mark
    assert game.zone(a[0]) == "graveyard" and game.zone(b[0]) == "graveyard" and game.zone(c[0]) == "graveyard"
    assert game.zone(a[3]) == "graveyard" and game.zone(a[2]) == "battlefield"


@rule("802.6")
def test_every_player_with_a_choice_assigns_in_turn_order() -> None:
    wide = creature(
        "Broad",
        5,
        9,
        abilities=(forms.Continuous(what=noun("{this}"), mods=(forms.Flag(rule="can block additional"),)),),
    )
    game = Game("ABC")
    a = [game.put("B", creature("Ogre", 3, 3, "trample")) for _ in range(4)]
    first, second = game.put("C", wide), game.put("A", wide)
    game.begin("B")
    game.attack({a[0]: "C", a[1]: "C", a[2]: "A", a[3]: "A"})
    game.block("C", {first: [a[0], a[1]]})
    game.block("A", {second: [a[2], a[3]]})
    game.pass_until(purpose="combat damage")
    order: list[str] = []
    while game.asks[1] == "combat damage":
        order.append(game.asks[0])
        assert not game.happened(events.Damage)
        game.default()
    assert order == ["C", "A"]  # B's trample over 9 toughness leaves no choice
    assert len(game.happened(events.DamageHappened)) == 1


@rule("802.6")
def test_lethal_damage_skipped_is_refused_and_says_how_much_is_missing() -> None:
    game, who = crossed()
    a, b, c = who["a"], who["b"], who["c"]
    for order in ([b[0], b[1]], [c[0], c[1]], [a[0], a[1]], [a[3], a[2]]):
        game.answer(order)
    game.pass_until(purpose="combat damage")
    question = game.question
    assert isinstance(question, q.DamageQuestion)
    short = game._damage_answer(question, {a[0]: {b[0]: 1, b[1]: 2}, a[2]: {c[0]: 3}})
    assert "1 more" in str(refused(game, short))
    less = game._damage_answer(question, {a[0]: {b[0]: 2}, a[2]: {c[0]: 3}})
    assert "1 missing" in str(refused(game, less))
