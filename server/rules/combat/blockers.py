"""Judging one defending player's declaration of blockers (509.1, 802.4b).

As abstract as `server.rules.combat.attackers`: blockers are indices, attackers are object ids. Each defending
player is judged alone, so only the creatures that attack that player or his or her planeswalkers are handed in (802.4a).

The rule (509.1b, c): no restriction may be broken, and the blocks must obey as many requirements as can be obeyed at most
without breaking a restriction and without paying a cost to block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from server.rules.combat.attackers import shortfall
from server.rules.combat.search import UNLIMITED, Group, Pair, Problem, distance, search
from server.rules.model import Illegal, Rule

# --- What the rules floor hands over -----------------------------------------------------------------------------------


class BlockedAttacker(msgspec.Struct, frozen=True, gc=False):
    """An attacker that may be blocked: by none, or by `least` to `most` creatures (None: no upper limit)."""

    id: int
    least: int = 1
    most: int | None = None
    text: str = ""
    rule: Rule = Rule.BLOCK_RESTRICTION


class MustBlock(msgspec.Struct, frozen=True, gc=False, tag="must_block"):
    """`blocker` blocks (one of) `attackers` if able; empty: any attacker."""

    blocker: int
    attackers: tuple[int, ...] = ()
    text: str = ""
    rule: Rule = Rule.BLOCK_REQUIREMENT


class MustBeBlocked(msgspec.Struct, frozen=True, gc=False, tag="must_be_blocked"):
    """`attacker` is blocked if able, by whichever creature: one requirement."""

    attacker: int
    text: str = ""
    rule: Rule = Rule.BLOCK_REQUIREMENT


class AllMustBlock(msgspec.Struct, frozen=True, gc=False, tag="all_must_block"):
    """Every creature able to block `attacker` does so: one requirement for each such blocker."""

    attacker: int
    text: str = ""
    rule: Rule = Rule.BLOCK_REQUIREMENT


BlockRequirement = MustBlock | MustBeBlocked | AllMustBlock


class NotAloneBlocker(msgspec.Struct, frozen=True, gc=False, tag="not_alone_blocker"):
    """`blocker` blocks only if at least `number` other creatures (of this player) block."""

    blocker: int
    number: int = 1
    text: str = ""
    rule: Rule = Rule.BLOCK_RESTRICTION


class AtMostBlockers(msgspec.Struct, frozen=True, gc=False, tag="at_most_blockers"):
    """No more than `number` creatures (of this player) block."""

    number: int
    text: str = ""
    rule: Rule = Rule.BLOCK_RESTRICTION


class OnlyWithBlocker(msgspec.Struct, frozen=True, gc=False, tag="only_with_blocker"):
    """`blocker` blocks only if at least `number` of `others` block; with no others it cannot block at all."""

    blocker: int
    others: tuple[int, ...]
    number: int = 1
    text: str = ""
    rule: Rule = Rule.BLOCK_RESTRICTION


BlockRestriction = NotAloneBlocker | AtMostBlockers | OnlyWithBlocker


class BlockRules(msgspec.Struct, frozen=True, gc=False):
    """One player's declaration of blockers to be judged.

    `options`: for each candidate the attackers that it may block at all (evasion and "can't block" are left out here).
    `most`: how many each may block; empty: one each. `attackers`: those with or without limits; one that is not listed
    has none. `costs`: the (blocker, attacker) choices that cost something: never required (509.1c).
    """

    options: tuple[tuple[int, ...], ...]
    most: tuple[int, ...] = ()
    attackers: tuple[BlockedAttacker, ...] = ()
    requirements: tuple[BlockRequirement, ...] = ()
    restrictions: tuple[BlockRestriction, ...] = ()
    costs: tuple[Pair, ...] = ()


# --- The faces ---------------------------------------------------------------------------------------------------------


def required_blocks(rules: BlockRules) -> int:
    """The greatest number of requirements that can be obeyed without breaking a restriction or paying (509.1c)."""
    return sum(_obeyed(rules, default_blocks(rules))) if rules.requirements else 0


def default_blocks(rules: BlockRules) -> tuple[Pair, ...]:
    """The legal declaration with the fewest blockers: it obeys the maximum, costs nothing, and is empty if nothing is
    required."""
    return _best_blocks(rules) if rules.requirements else ()


def check_blocks(rules: BlockRules, blocks: Sequence[Pair]) -> None:
    """Raise Illegal unless `blocks` is a legal declaration (509.1a to c)."""
    options, most = rules.options, rules.most
    count = len(options)
    used = [0] * count
    seen: dict[Pair, bool] = {}
    for pair in blocks:
        blocker, attacker = pair
        if not 0 <= blocker < count:
            raise Illegal("no_such_blocker", f"There is no candidate blocker {blocker}.", Rule.CHOSEN_BLOCKERS)
        if attacker not in options[blocker]:
            raise Illegal("cannot_block_that", f"Blocker {blocker} can't block {attacker}.", Rule.BLOCK_RESTRICTION)
        if pair in seen:
            raise Illegal(
                "blocks_twice", f"Blocker {blocker} is declared to block {attacker} twice.", Rule.CHOSEN_BLOCKERS
            )
        seen[pair] = True
        used[blocker] += 1
        limit = most[blocker] if most else 1
        if used[blocker] > limit:
            sentence = f"Blocker {blocker} can block no more than {limit} creature{'s' * (limit != 1)}."
            raise Illegal("blocks_too_many", sentence, Rule.CHOSEN_BLOCKERS)
    broken = _broken(rules, blocks)
    if broken is not None:
        raise Illegal("block_restriction", _restriction_text(broken), broken.rule)
    if rules.requirements:
        _check_requirements(rules, blocks)


def repair_blocks(rules: BlockRules, blocks: Sequence[Pair]) -> tuple[Pair, ...]:
    """The legal declaration nearest to `blocks`: the fewest choices taken away and added, and no cost added.

    What is not an option, comes twice or is one too many is dropped first. Takes anything, always returns a legal
    declaration.
    """
    wanted = _possible(rules, blocks)
    unbroken = _broken(rules, wanted) is None
    if unbroken and not rules.requirements:
        return wanted
    target = required_blocks(rules)
    if unbroken and sum(_obeyed(rules, wanted)) >= target:
        return wanted
    found = search(_problem(rules, wanted), wanted, target)
    fallback = default_blocks(rules)
    if found is None or distance(wanted, found) > distance(wanted, fallback):
        return fallback
    return found


# --- Checking ----------------------------------------------------------------------------------------------------------


def _possible(rules: BlockRules, blocks: Sequence[Pair]) -> tuple[Pair, ...]:
    """The blocks that are options, each once, no more for a blocker than it may block."""
    kept: dict[Pair, bool] = {}
    used = [0] * len(rules.options)
    for blocker, attacker in blocks:
        if not 0 <= blocker < len(rules.options) or attacker not in rules.options[blocker]:
            continue
        if (blocker, attacker) in kept or used[blocker] >= (rules.most[blocker] if rules.most else 1):
            continue
        kept[blocker, attacker] = True
        used[blocker] += 1
    return tuple(sorted(kept, key=lambda pair: (pair[0], rules.options[pair[0]].index(pair[1]))))


def _check_requirements(rules: BlockRules, blocks: Sequence[Pair]) -> None:
    """Raise Illegal if more requirements could be obeyed; it names the first that the best declaration obeys better."""
    done = _obeyed(rules, blocks)
    if done == _all_requirements(rules):
        return
    possible = _obeyed(rules, default_blocks(rules))
    if sum(done) >= sum(possible):
        return
    for requirement, obeyed, could in zip(rules.requirements, done, possible, strict=True):
        if could > obeyed:
            sentence = shortfall("block", sum(done), sum(possible), _requirement_text(requirement))
            raise Illegal("block_requirement", sentence, requirement.rule)


def _requirement_text(requirement: BlockRequirement) -> str:
    if requirement.text:
        return requirement.text
    match requirement:
        case MustBlock(blocker=blocker):
            return f"blocker {blocker} blocks if able"
        case MustBeBlocked(attacker=attacker):
            return f"attacker {attacker} must be blocked if able"
        case AllMustBlock(attacker=attacker):
            return f"all creatures able to block attacker {attacker} do so"


def _obeyed(rules: BlockRules, blocks: Sequence[Pair]) -> list[int]:
    """For each requirement how often it is obeyed: 0 or 1, for AllMustBlock by how many blockers."""
    counts: list[int] = []
    for requirement in rules.requirements:
        match requirement:
            case MustBlock(blocker=blocker, attackers=attackers):
                counts.append(int(any(i == blocker and (not attackers or a in attackers) for i, a in blocks)))
            case MustBeBlocked(attacker=attacker):
                counts.append(int(any(a == attacker for _, a in blocks)))
            case AllMustBlock(attacker=attacker):
                counts.append(sum(1 for _, a in blocks if a == attacker))
    return counts


def _all_requirements(rules: BlockRules) -> list[int]:
    """For each requirement how often it could be obeyed if nothing stood in its way."""
    return [
        sum(1 for own in rules.options if requirement.attacker in own) if isinstance(requirement, AllMustBlock) else 1
        for requirement in rules.requirements
    ]


def _broken(rules: BlockRules, blocks: Sequence[Pair]) -> BlockRestriction | BlockedAttacker | None:
    """The first limit or restriction that this declaration breaks."""
    if not blocks:
        return None
    by: dict[int, int] = {}
    for _, attacker in blocks:
        by[attacker] = by.get(attacker, 0) + 1
    for limits in rules.attackers:
        count = by.get(limits.id, 0)
        if count and (count < limits.least or (limits.most is not None and count > limits.most)):
            return limits
    blocking = dict.fromkeys(blocker for blocker, _ in blocks)
    for restriction in rules.restrictions:
        match restriction:
            case AtMostBlockers(number=number):
                bad = len(blocking) > number
            case NotAloneBlocker(blocker=blocker, number=number):
                bad = blocker in blocking and len(blocking) - 1 < number
            case OnlyWithBlocker(blocker=blocker, others=others, number=number):
                bad = blocker in blocking and sum(i in blocking for i in others if i != blocker) < number
        if bad:
            return restriction
    return None


def _restriction_text(restriction: BlockRestriction | BlockedAttacker) -> str:
    """What the refused declaration breaks, in the card's words if they were given."""
    if restriction.text:
        return restriction.text
    match restriction:
        case BlockedAttacker(id=attacker, least=least, most=most):
            limits = f"at least {least}" + (f" and at most {most}" if most is not None else "")
            return f"Attacker {attacker} can be blocked only by {limits} creatures."
        case AtMostBlockers(number=number):
            return f"No more than {number} creatures can block."
        case NotAloneBlocker(blocker=blocker, number=number):
            return f"Blocker {blocker} can't block unless at least {number} other creatures block."
        case OnlyWithBlocker(blocker=blocker, others=others, number=number):
            return f"Blocker {blocker} can't block unless at least {number} of {list(others)} block too."


# --- Searching ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _best_blocks(rules: BlockRules) -> tuple[Pair, ...]:
    """See default_blocks. Remembered, because a question, its check and its default all ask."""
    return search(_problem(rules, ()), None, 0) or ()


def _problem(rules: BlockRules, wanted: tuple[Pair, ...]) -> Problem:
    """The blocks as the search sees them, without choices that cost something, except where the player wants to pay."""
    paid = [pair for pair in rules.costs if pair not in wanted]
    options = tuple(
        tuple(ref for ref in own if (i, ref) not in paid) if paid else own for i, own in enumerate(rules.options)
    )
    goals: list[list[tuple[int, ...]]] = [[] for _ in options]
    bonus: dict[int, int] = {}
    for requirement in rules.requirements:
        match requirement:
            case MustBlock(blocker=blocker, attackers=attackers):
                goals[blocker].append(attackers)
            case MustBeBlocked(attacker=attacker):
                bonus[attacker] = bonus.get(attacker, 0) + 1
            case AllMustBlock(attacker=attacker):
                for i, own in enumerate(options):
                    if attacker in own:
                        goals[i].append((attacker,))
    limits = {attacker.id: attacker for attacker in rules.attackers}
    groups: list[Group] = []
    for ref in dict.fromkeys((*limits, *bonus)):
        known = limits.get(ref, BlockedAttacker(ref))
        groups.append(Group((ref,), known.least, UNLIMITED if known.most is None else known.most, bonus.get(ref, 0)))
    company = [0] * len(options)
    escorts: list[tuple[int, tuple[int, ...], int]] = []
    crowd = UNLIMITED
    for restriction in rules.restrictions:
        match restriction:
            case AtMostBlockers(number=number):
                crowd = min(crowd, number)
            case NotAloneBlocker(blocker=blocker, number=number):
                company[blocker] = max(company[blocker], number)
            case OnlyWithBlocker(blocker=blocker, others=others, number=number):
                escorts.append((blocker, tuple(sorted(i for i in others if i != blocker)), number))
    return Problem(
        options=options,
        most=rules.most or (1,) * len(options),
        goals=tuple(map(tuple, goals)),
        groups=tuple(groups),
        company=tuple(company),
        escorts=tuple(escorts),
        crowd=crowd,
    )
