"""Declarations: examples from the rules, and both sides against brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from server.rules.combat import attackers, blockers, search
from server.rules.combat.attackers import (
    AtLeast,
    AtMost,
    AttackRequirement,
    AttackRules,
    NotAlone,
    OnlyAlone,
    OnlyWith,
    check_attack,
    default_attack,
    repair,
    required,
)
from server.rules.combat.blockers import (
    AllMustBlock,
    AtMostBlockers,
    BlockedAttacker,
    BlockRules,
    MustBeBlocked,
    MustBlock,
    NotAloneBlocker,
    OnlyWithBlocker,
    check_blocks,
    default_blocks,
    repair_blocks,
    required_blocks,
)
from server.rules.combat.search import UNLIMITED, Pair
from server.rules.model import Illegal, Rule
from tests.pace import fastest

ALICE, BOB = -1, -2
WALKER = 7


def refusal(check: Callable[[], None]) -> Illegal | None:
    try:
        check()
    except Illegal as error:
        return error
    return None


def attack_refusal(rules: AttackRules, *attacks: Pair) -> Illegal | None:
    return refusal(lambda: check_attack(rules, attacks))


def block_refusal(rules: BlockRules, *blocks: Pair) -> Illegal | None:
    return refusal(lambda: check_blocks(rules, blocks))


@contextmanager
def first_pass(width: int) -> Iterator[None]:
    """The search with a first pass this narrow: 1 makes nearly everything go through the second pass as well."""
    before = search.GLANCE
    search.GLANCE = width
    forget()
    try:
        yield
    finally:
        search.GLANCE = before


def forget() -> None:
    attackers._best_attack.cache_clear()
    blockers._best_blocks.cache_clear()


def code(error: Illegal | None) -> str:
    return error.code if error else ""


# --- Attackers: examples ---


def test_what_is_not_an_option_is_refused():
    rules = AttackRules(options=((ALICE, BOB), (BOB,)))
    assert attack_refusal(rules) is None
    assert attack_refusal(rules, (0, ALICE), (1, BOB)) is None
    assert code(attack_refusal(rules, (2, ALICE))) == "no_such_attacker"
    assert code(attack_refusal(rules, (-1, ALICE))) == "no_such_attacker"
    assert code(attack_refusal(rules, (1, ALICE))) == "cannot_attack_that"
    assert code(attack_refusal(rules, (0, ALICE), (0, BOB))) == "attacks_twice"


def test_508_1c_two_creatures_that_cannot_attack_alone():
    rules = AttackRules(options=((ALICE,), (ALICE,)), restrictions=(NotAlone(0), NotAlone(1)))
    assert attack_refusal(rules, (0, ALICE), (1, ALICE)) is None
    error = attack_refusal(rules, (1, ALICE))
    assert error is not None and (error.code, error.rule and error.rule.in_2011) == ("attack_restriction", "508.1c")


def test_508_1d_one_attacks_if_able_and_no_more_than_one_can_attack():
    rules = AttackRules(
        options=((ALICE,), (ALICE,)),
        requirements=(AttackRequirement(0, text="Juggernaut attacks each turn if able."),),
        restrictions=(AtMost(1),),
    )
    assert required(rules) == 1
    assert default_attack(rules) == ((0, ALICE),)
    assert attack_refusal(rules, (0, ALICE)) is None
    error = attack_refusal(rules, (1, ALICE))
    assert error is not None and error.code == "attack_requirement" and error.rule is Rule.ATTACK_REQUIREMENT
    assert "Juggernaut attacks each turn if able." in str(error)
    assert code(attack_refusal(rules)) == "attack_requirement"
    assert code(attack_refusal(rules, (0, ALICE), (1, ALICE))) == "attack_restriction"


def test_nobody_must_pay_but_who_pays_obeys():
    rules = AttackRules(
        options=((ALICE, BOB),),
        requirements=(AttackRequirement(0, (ALICE,)), AttackRequirement(0)),
        costs=((0, ALICE),),
    )
    assert required(rules) == 1
    assert default_attack(rules) == ((0, BOB),)
    assert attack_refusal(rules, (0, ALICE)) is None
    assert code(attack_refusal(rules)) == "attack_requirement"


def test_802_3a_a_limit_on_one_player_is_not_a_limit_on_the_attack():
    rules = AttackRules(
        options=((ALICE, BOB),) * 5,
        requirements=tuple(AttackRequirement(i, (ALICE,)) for i in range(5)),
        restrictions=(AtMost(2, (ALICE,)),),
    )
    assert required(rules) == 2
    assert default_attack(rules) == ((0, ALICE), (1, ALICE))
    assert attack_refusal(rules, (3, ALICE), (4, ALICE), (0, BOB)) is None
    assert code(attack_refusal(rules, (0, ALICE), (1, ALICE), (2, ALICE))) == "attack_restriction"


def test_helpers_attack_when_the_required_one_cannot_attack_without_them():
    rules = AttackRules(
        options=((ALICE,),) * 4, requirements=(AttackRequirement(3),), restrictions=(NotAlone(3, 2), AtMost(3))
    )
    assert default_attack(rules) == ((0, ALICE), (1, ALICE), (3, ALICE))
    strong = AttackRules(
        options=((ALICE,),) * 3, requirements=(AttackRequirement(0),), restrictions=(OnlyWith(0, (2,)),)
    )
    assert default_attack(strong) == ((0, ALICE), (2, ALICE))
    hopeless = AttackRules(options=((ALICE,),), requirements=(AttackRequirement(0),), restrictions=(OnlyWith(0, ()),))
    assert required(hopeless) == 0 and attack_refusal(hopeless) is None


def test_only_alone_yields_to_two_requirements():
    rules = AttackRules(
        options=((ALICE,),) * 3,
        requirements=(AttackRequirement(0), AttackRequirement(1), AttackRequirement(2)),
        restrictions=(OnlyAlone(0),),
    )
    assert default_attack(rules) == ((1, ALICE), (2, ALICE))


def test_attacks_if_another_attacks():
    rules = AttackRules(options=((ALICE,),) * 3, requirements=(AttackRequirement(0, when=(1, 2)),))
    assert required(rules) == 1 and default_attack(rules) == ()
    assert attack_refusal(rules) is None
    assert code(attack_refusal(rules, (1, ALICE))) == "attack_requirement"
    assert attack_refusal(rules, (0, ALICE), (1, ALICE)) is None


def test_repair_takes_anything():
    rules = AttackRules(options=((ALICE, BOB),) * 3, restrictions=(AtMost(1, (ALICE,)),))
    assert repair(rules, ((0, ALICE), (0, BOB), (9, BOB), (1, WALKER), (2, BOB))) == ((0, ALICE), (2, BOB))
    assert len(repair(rules, ((0, ALICE), (1, ALICE), (2, BOB)))) == 2


# --- Blockers: examples ---


def test_blocks_that_are_not_options_are_refused():
    rules = BlockRules(options=((10, 11), (10,), (10, 11)), most=(1, 1, 2))
    assert block_refusal(rules, (0, 10), (1, 10), (2, 10), (2, 11)) is None
    assert code(block_refusal(rules, (3, 10))) == "no_such_blocker"
    assert code(block_refusal(rules, (1, 11))) == "cannot_block_that"
    assert code(block_refusal(rules, (2, 10), (2, 10))) == "blocks_twice"
    assert code(block_refusal(rules, (0, 10), (0, 11))) == "blocks_too_many"


def test_509_1c_blocks_if_able_where_two_must_block_together():
    rules = BlockRules(
        options=((10, 11), (10, 11)),
        attackers=(BlockedAttacker(10, least=2), BlockedAttacker(11, least=2)),
        requirements=(MustBlock(0, text="Blocks each turn if able."),),
    )
    assert required_blocks(rules) == 1
    assert default_blocks(rules) == ((0, 10), (1, 10))
    assert block_refusal(rules, (0, 11), (1, 11)) is None
    error = block_refusal(rules)
    assert error is not None and (error.code, error.rule and error.rule.in_2011) == ("block_requirement", "509.1c")
    assert "Blocks each turn if able" in str(error)
    assert code(block_refusal(rules, (0, 10))) == "block_restriction"
    assert code(block_refusal(rules, (0, 10), (1, 11))) == "block_restriction"


def test_lure_takes_every_able_blocker_and_two_lures_share_them():
    rules = BlockRules(options=((10, 11), (11,), (10,)), requirements=(AllMustBlock(10), AllMustBlock(11)))
    assert required_blocks(rules) == 3
    assert block_refusal(rules, (0, 10), (1, 11), (2, 10)) is None
    assert block_refusal(rules, (0, 11), (1, 11), (2, 10)) is None
    assert code(block_refusal(rules, (1, 11), (2, 10))) == "block_requirement"
    wide = BlockRules(options=((10, 11),), most=(UNLIMITED,), requirements=(AllMustBlock(10), AllMustBlock(11)))
    assert default_blocks(wide) == ((0, 10), (0, 11))


def test_must_be_blocked_is_content_with_one():
    rules = BlockRules(options=((10, 11), (10,)), requirements=(MustBeBlocked(10), MustBeBlocked(11)))
    assert default_blocks(rules) == ((0, 11), (1, 10))
    menace = BlockRules(options=((10,),), attackers=(BlockedAttacker(10, 2),), requirements=(MustBeBlocked(10),))
    assert required_blocks(menace) == 0


def test_blockers_need_not_be_paid_for():
    rules = BlockRules(options=((10,), (10,)), requirements=(AllMustBlock(10),), costs=((1, 10),))
    assert default_blocks(rules) == ((0, 10),)
    assert block_refusal(rules, (0, 10), (1, 10)) is None
    assert block_refusal(rules, (1, 10)) is None  # one requirement is obeyed: that is the maximum without paying


def test_blockers_that_need_company():
    rules = BlockRules(
        options=((10,), (10,), ()),
        requirements=(MustBlock(0),),
        restrictions=(NotAloneBlocker(0), AtMostBlockers(2)),
    )
    assert default_blocks(rules) == ((0, 10), (1, 10))
    lonely = BlockRules(options=((10,), (10,)), restrictions=(OnlyWithBlocker(0, (1,)),))
    assert code(block_refusal(lonely, (0, 10))) == "block_restriction"
    assert repair_blocks(lonely, ((0, 10),)) in ((), ((0, 10), (1, 10)))


# --- Beyond the bound, and speed ---


def test_past_the_width_the_answer_is_still_legal_and_the_same(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "WIDTH", 2)
    monkeypatch.setattr(search, "NEAR", 2)
    monkeypatch.setattr(search, "GLANCE", 1)
    attack = AttackRules(
        options=((ALICE, BOB, WALKER),) * 7,
        requirements=tuple(AttackRequirement(i, (ALICE,)) for i in range(7)),
        restrictions=(AtMost(2, (ALICE,)), NotAlone(1), OnlyWith(2, (0, 5)), OnlyWith(3, (6,)), AtLeast(3)),
    )
    forget()
    first = default_attack(attack)
    forget()
    assert default_attack(attack) == first
    check_attack(attack, first)
    check_attack(attack, repair(attack, tuple((i, BOB) for i in range(7))))
    block = BlockRules(
        options=((10, 11, 12),) * 6,
        attackers=(BlockedAttacker(10, 2), BlockedAttacker(11, 3), BlockedAttacker(12, 2, 2)),
        requirements=(*(MustBlock(i) for i in range(6)), MustBeBlocked(12)),
    )
    forget()
    check_blocks(block, default_blocks(block))
    check_blocks(block, repair_blocks(block, ((0, 10), (1, 11), (2, 12))))
    forget()


def test_an_unrestricted_check_is_fast():
    rules = AttackRules(options=((ALICE, BOB, -3),) * 12)
    attacks = tuple((i, (ALICE, BOB, -3)[i % 3]) for i in range(12))
    assert fastest(lambda: check_attack(rules, attacks), 1000) < 20e-6
    blocks = BlockRules(options=((10, 11, 12),) * 12)
    chosen = tuple((i, 10 + i % 3) for i in range(12))
    assert fastest(lambda: check_blocks(blocks, chosen), 1000) < 20e-6


def test_many_unconstrained_creatures_do_not_multiply_the_search():
    rules = AttackRules(
        options=((ALICE, BOB, -3, WALKER),) * 60,
        requirements=tuple(AttackRequirement(i, (ALICE,)) for i in range(16)),
        restrictions=(AtMost(3, (ALICE,)), *(NotAlone(i) for i in range(16)), AtLeast(2)),
    )
    assert fastest(lambda: required(rules), rounds=1) < 0.25
    assert required(rules) == 3
    herd = BlockRules(
        options=(tuple(range(10, 22)),) * 20,
        attackers=tuple(BlockedAttacker(ref, 2) for ref in range(10, 22)),
        requirements=tuple(MustBlock(i) for i in range(7)),
    )
    assert fastest(lambda: required_blocks(herd), rounds=1) < 0.5
    assert required_blocks(herd) == 7
