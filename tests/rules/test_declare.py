"""Declarations: examples from the rules, and both sides against brute force."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.combat import attackers, search
from server.rules.combat import blockers as declare_blocks
from server.rules.combat.attackers import (
    AtLeast,
    AtMost,
    AttackRequirement,
    AttackRestriction,
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
    ANY_NUMBER,
    AllMustBlock,
    AtMostBlockers,
    BlockedAttacker,
    BlockRequirement,
    BlockRestriction,
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
from server.rules.combat.search import Pair, distance
from server.rules.model import Illegal

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
    attackers._best_attack.cache_clear()  # pyright: ignore[reportPrivateUsage]
    declare_blocks._best_blocks.cache_clear()  # pyright: ignore[reportPrivateUsage]


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
    assert error is not None and (error.code, error.rule) == ("attack_restriction", "508.1c")


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
    assert error is not None and error.code == "attack_requirement" and error.rule == "508.1d"
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


def test_defenders_of_a_player():
    rules = AttackRules(options=((ALICE, BOB, WALKER),), players=((ALICE, ALICE), (BOB, BOB), (WALKER, BOB)))
    assert rules.defenders_of(BOB) == (BOB, WALKER)


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
    assert error is not None and (error.code, error.rule) == ("block_requirement", "509.1c")
    assert "Blocks each turn if able" in str(error)
    assert code(block_refusal(rules, (0, 10))) == "block_restriction"
    assert code(block_refusal(rules, (0, 10), (1, 11))) == "block_restriction"


def test_lure_takes_every_able_blocker_and_two_lures_share_them():
    rules = BlockRules(options=((10, 11), (11,), (10,)), requirements=(AllMustBlock(10), AllMustBlock(11)))
    assert required_blocks(rules) == 3
    assert block_refusal(rules, (0, 10), (1, 11), (2, 10)) is None
    assert block_refusal(rules, (0, 11), (1, 11), (2, 10)) is None
    assert code(block_refusal(rules, (1, 11), (2, 10))) == "block_requirement"
    wide = BlockRules(options=((10, 11),), most=(ANY_NUMBER,), requirements=(AllMustBlock(10), AllMustBlock(11)))
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


# --- Attackers: against brute force ---

REFS = (ALICE, BOB, WALKER)


@st.composite
def attack_rules(draw: st.DrawFn) -> AttackRules:
    count = draw(st.integers(1, 5))
    options = tuple(tuple(draw(st.lists(st.sampled_from(REFS), unique=True, max_size=3))) for _ in range(count))
    who = st.integers(0, count - 1)
    some = st.lists(who, unique=True, max_size=3).map(tuple)
    targets = st.lists(st.sampled_from(REFS), unique=True, max_size=2).map(tuple)
    small = st.integers(0, 3)
    requirement = st.builds(AttackRequirement, who, targets, st.one_of(st.just(()), st.just(()), some))
    restriction: st.SearchStrategy[AttackRestriction] = st.one_of(
        st.builds(AtMost, small, targets),
        st.builds(AtLeast, small, targets),
        st.builds(NotAlone, who, st.integers(1, 3)),
        st.builds(OnlyAlone, who),
        st.builds(OnlyWith, who, some, st.integers(1, 2)),
    )
    pairs = [(i, ref) for i, own in enumerate(options) for ref in own]
    costs = tuple(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3))) if pairs else ()
    return AttackRules(
        options=options,
        requirements=tuple(draw(st.lists(requirement, max_size=5))),
        restrictions=tuple(draw(st.lists(restriction, max_size=4))),
        costs=costs,
    )


def every_attack(rules: AttackRules) -> Iterator[tuple[Pair, ...]]:
    for row in itertools.product(*[(None, *own) for own in rules.options]):
        yield tuple((i, ref) for i, ref in enumerate(row) if ref is not None)


def attack_is_fine(rules: AttackRules, attack: tuple[Pair, ...]) -> bool:
    """Restrictions, written again and differently."""
    by = [dict(attack).get(i) for i in range(len(rules.options))]
    there = [ref is not None for ref in by]
    for r in rules.restrictions:
        match r:
            case AtMost():
                ok = sum(1 for ref in by if ref is not None and (ref in r.defenders or not r.defenders)) <= r.number
            case AtLeast():
                n = sum(1 for ref in by if ref is not None and (ref in r.defenders or not r.defenders))
                ok = n == 0 or n >= r.number
            case NotAlone():
                ok = not there[r.attacker] or sum(there) > r.number
            case OnlyAlone():
                ok = not there[r.attacker] or sum(there) == 1
            case OnlyWith():
                ok = not there[r.attacker] or len([i for i in r.others if there[i] and i != r.attacker]) >= r.number
        if not ok:
            return False
    return True


def attack_score(rules: AttackRules, attack: tuple[Pair, ...]) -> int:
    by = dict(attack)
    score = 0
    for r in rules.requirements:
        direct = r.attacker in by and (by[r.attacker] in r.defenders or not r.defenders)
        score += direct or (bool(r.when) and not any(i in by for i in r.when))
    return score


@pytest.mark.parametrize("glance", [64, 1])
@settings(max_examples=300, deadline=None)
@given(attack_rules(), st.data())
def test_attacks_against_brute_force(glance: int, rules: AttackRules, data: st.DataObject):
    with first_pass(glance):
        compare_attacks(rules, data)


def compare_attacks(rules: AttackRules, data: st.DataObject) -> None:
    fine = [attack for attack in every_attack(rules) if attack_is_fine(rules, attack)]
    free = [attack for attack in fine if not any(pair in rules.costs for pair in attack)]
    most = max(attack_score(rules, attack) for attack in free)
    assert required(rules) == most
    legal = [attack for attack in fine if attack_score(rules, attack) >= most]
    for attack in every_attack(rules):
        assert (attack_refusal(rules, *attack) is None) == (attack in legal)
    best = default_attack(rules)
    assert best in legal and best in free
    assert len(best) == min(len(attack) for attack in free if attack_score(rules, attack) == most)
    wanted = data.draw(st.sampled_from(list(every_attack(rules))))
    repaired = repair(rules, wanted)
    assert repaired in legal
    paid = [pair for pair in rules.costs if pair not in wanted]
    assert distance(wanted, repaired) == min(
        distance(wanted, attack) for attack in legal if not any(pair in paid for pair in attack)
    )


# --- Blockers: against brute force ---

IDS = (10, 11, 12)


@st.composite
def block_rules(draw: st.DrawFn) -> BlockRules:
    count = draw(st.integers(1, 4))
    options = tuple(tuple(draw(st.lists(st.sampled_from(IDS), unique=True, max_size=3))) for _ in range(count))
    most = draw(st.one_of(st.just(()), st.tuples(*[st.sampled_from((1, 1, 2, ANY_NUMBER)) for _ in range(count)])))
    who = st.integers(0, count - 1)
    attacker = st.sampled_from(IDS)
    limits = [
        BlockedAttacker(ref, draw(st.sampled_from((1, 1, 2, 3))), draw(st.sampled_from((None, None, 1, 2))))
        for ref in IDS
    ]
    requirement: st.SearchStrategy[BlockRequirement] = st.one_of(
        st.builds(MustBlock, who, st.lists(attacker, unique=True, max_size=2).map(tuple)),
        st.builds(MustBeBlocked, attacker),
        st.builds(AllMustBlock, attacker),
    )
    restriction: st.SearchStrategy[BlockRestriction] = st.one_of(
        st.builds(NotAloneBlocker, who, st.integers(1, 2)),
        st.builds(AtMostBlockers, st.integers(0, 3)),
        st.builds(OnlyWithBlocker, who, st.lists(who, unique=True, max_size=2).map(tuple)),
    )
    pairs = [(i, ref) for i, own in enumerate(options) for ref in own]
    return BlockRules(
        options=options,
        most=most,
        attackers=tuple(limits[: draw(st.integers(0, 3))]),
        requirements=tuple(draw(st.lists(requirement, max_size=4))),
        restrictions=tuple(draw(st.lists(restriction, max_size=2))),
        costs=tuple(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3))) if pairs else (),
    )


def every_block(rules: BlockRules) -> Iterator[tuple[Pair, ...]]:
    rows: list[list[tuple[Pair, ...]]] = []
    for i, own in enumerate(rules.options):
        limit = min(rules.most[i] if rules.most else 1, len(own))
        rows.append([tuple((i, a) for a in some) for n in range(limit + 1) for some in itertools.combinations(own, n)])
    for row in itertools.product(*rows):
        yield tuple(pair for own in row for pair in own)


def block_is_fine(rules: BlockRules, blocks: tuple[Pair, ...]) -> bool:
    for limits in rules.attackers:
        n = len([1 for _, a in blocks if a == limits.id])
        if n and not limits.least <= n <= (99 if limits.most is None else limits.most):
            return False
    there = [any(i == blocker for blocker, _ in blocks) for i in range(len(rules.options))]
    for r in rules.restrictions:
        match r:
            case NotAloneBlocker():
                ok = not there[r.blocker] or sum(there) > r.number
            case AtMostBlockers():
                ok = sum(there) <= r.number
            case OnlyWithBlocker():
                ok = not there[r.blocker] or len([i for i in r.others if there[i] and i != r.blocker]) >= r.number
        if not ok:
            return False
    return True


def block_score(rules: BlockRules, blocks: tuple[Pair, ...]) -> int:
    score = 0
    for r in rules.requirements:
        match r:
            case MustBlock():
                score += any(i == r.blocker and (a in r.attackers or not r.attackers) for i, a in blocks)
            case MustBeBlocked():
                score += r.attacker in [a for _, a in blocks]
            case AllMustBlock():
                score += [a for _, a in blocks].count(r.attacker)
    return score


@pytest.mark.parametrize("glance", [64, 1])
@settings(max_examples=300, deadline=None)
@given(block_rules(), st.data())
def test_blocks_against_brute_force(glance: int, rules: BlockRules, data: st.DataObject):
    with first_pass(glance):
        compare_blocks(rules, data)


def compare_blocks(rules: BlockRules, data: st.DataObject) -> None:
    fine = [blocks for blocks in every_block(rules) if block_is_fine(rules, blocks)]
    free = [blocks for blocks in fine if not any(pair in rules.costs for pair in blocks)]
    most = max(block_score(rules, blocks) for blocks in free)
    assert required_blocks(rules) == most
    legal = [blocks for blocks in fine if block_score(rules, blocks) >= most]
    for blocks in every_block(rules):
        assert (block_refusal(rules, *blocks) is None) == (blocks in legal)
    best = default_blocks(rules)
    assert best in legal and best in free
    blockers = len(dict(best))
    assert blockers == min(len(dict(blocks)) for blocks in free if block_score(rules, blocks) == most)
    wanted = data.draw(st.sampled_from(list(every_block(rules))))
    repaired = repair_blocks(rules, wanted)
    assert repaired in legal
    paid = [pair for pair in rules.costs if pair not in wanted]
    assert distance(wanted, repaired) == min(
        distance(wanted, blocks) for blocks in legal if not any(pair in paid for pair in blocks)
    )


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


def fastest(work: Callable[[], object], times: int) -> float:
    """Seconds for one call, the best of several rounds."""
    best = 1e9
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, (time.perf_counter() - start) / times)
    return best


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
    start = time.perf_counter()
    assert required(rules) == 3
    assert time.perf_counter() - start < 1
    herd = BlockRules(
        options=(tuple(range(10, 22)),) * 20,
        attackers=tuple(BlockedAttacker(ref, 2) for ref in range(10, 22)),
        requirements=tuple(MustBlock(i) for i in range(7)),
    )
    start = time.perf_counter()
    assert required_blocks(herd) == 7
    assert time.perf_counter() - start < 2
