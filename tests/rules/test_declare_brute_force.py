"""Declarations of both sides against brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.combat.attackers import (
    AtLeast,
    AtMost,
    AttackRequirement,
    AttackRestriction,
    AttackRules,
    NotAlone,
    OnlyAlone,
    OnlyWith,
    default_attack,
    repair,
    required,
)
from server.rules.combat.blockers import (
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
    default_blocks,
    repair_blocks,
    required_blocks,
)
from server.rules.combat.search import UNLIMITED, Pair, distance
from tests.rules.test_declare import ALICE, BOB, WALKER, attack_refusal, block_refusal, first_pass

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


IDS = (10, 11, 12)


@st.composite
def block_rules(draw: st.DrawFn) -> BlockRules:
    count = draw(st.integers(1, 4))
    options = tuple(tuple(draw(st.lists(st.sampled_from(IDS), unique=True, max_size=3))) for _ in range(count))
    most = draw(st.one_of(st.just(()), st.tuples(*[st.sampled_from((1, 1, 2, UNLIMITED)) for _ in range(count)])))
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
