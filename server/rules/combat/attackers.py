"""Judging declarations of attackers (508.1, 802.3); `server.rules.combat.blockers` judges those of blockers.

Everything here is abstract: candidates are indices, defenders are references (players negative, planeswalkers positive),
and what the cards say has already become options, requirements, restrictions and costs. So this module imports nothing
of the game, and a declaration can be judged without a state.

The rule (508.1c, d): no restriction may be broken, and a declaration must obey as many requirements as can be obeyed at
most without breaking a restriction and without paying a cost to attack. Requirements met by paying do count.

How the maximum is found: `server.rules.combat.search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from server.rules.combat.search import Group, Pair, Problem, Ref, distance, search
from server.rules.model import Illegal, Rule

# --- What the rules floor hands over -----------------------------------------------------------------------------------


class AttackRequirement(msgspec.Struct, frozen=True, gc=False):
    """`attacker` attacks (one of) `defenders` if able; empty: any defender.

    `when`: only required if one of these attackers attacks too ("if a creature you control attacks, this also attacks
    if able"); if none does, the requirement is obeyed. Empty: always required. `text` is shown to the player.
    """

    attacker: int
    defenders: tuple[Ref, ...] = ()
    when: tuple[int, ...] = ()
    text: str = ""
    rule: Rule = Rule.ATTACK_REQUIREMENT


class AtMost(msgspec.Struct, frozen=True, gc=False, tag="at_most"):
    """No more than `number` creatures attack (one of) `defenders`; empty: the whole attack (802.3a)."""

    number: int
    defenders: tuple[Ref, ...] = ()
    text: str = ""
    rule: Rule = Rule.ATTACK_RESTRICTION


class AtLeast(msgspec.Struct, frozen=True, gc=False, tag="at_least"):
    """If any creature attacks (one of) `defenders`, at least `number` do; empty: the whole attack."""

    number: int
    defenders: tuple[Ref, ...] = ()
    text: str = ""
    rule: Rule = Rule.ATTACK_RESTRICTION


class NotAlone(msgspec.Struct, frozen=True, gc=False, tag="not_alone"):
    """`attacker` attacks only if at least `number` other creatures attack, whichever they are."""

    attacker: int
    number: int = 1
    text: str = ""
    rule: Rule = Rule.ATTACK_RESTRICTION


class OnlyAlone(msgspec.Struct, frozen=True, gc=False, tag="only_alone"):
    """`attacker` attacks only alone (506.5)."""

    attacker: int
    text: str = ""
    rule: Rule = Rule.ATTACK_RESTRICTION


class OnlyWith(msgspec.Struct, frozen=True, gc=False, tag="only_with"):
    """`attacker` attacks only if at least `number` of `others` attack; with no others it cannot attack at all."""

    attacker: int
    others: tuple[int, ...]
    number: int = 1
    text: str = ""
    rule: Rule = Rule.ATTACK_RESTRICTION


AttackRestriction = AtMost | AtLeast | NotAlone | OnlyAlone | OnlyWith


class AttackRules(msgspec.Struct, frozen=True, gc=False):
    """One declaration of attackers to be judged.

    `options`: for each candidate the defenders that it may attack at all ("can't attack" effects are left out here).
    `costs`: the (attacker, defender) choices that cost something: never required (508.1d).
    """

    options: tuple[tuple[Ref, ...], ...]
    requirements: tuple[AttackRequirement, ...] = ()
    restrictions: tuple[AttackRestriction, ...] = ()
    costs: tuple[Pair, ...] = ()


# --- The faces of the attack side --------------------------------------------------------------------------------------


def required(rules: AttackRules) -> int:
    """The greatest number of requirements that can be obeyed without breaking a restriction or paying (508.1d)."""
    return _obeyed(rules, default_attack(rules)) if rules.requirements else 0


def default_attack(rules: AttackRules) -> tuple[Pair, ...]:
    """The legal declaration with the fewest attackers: it obeys the maximum, costs nothing, and is empty if nothing is
    required."""
    return _best_attack(rules) if rules.requirements else ()


def check_attack(rules: AttackRules, attacks: Sequence[Pair]) -> None:
    """Raise Illegal unless `attacks` is a legal declaration (508.1a to d)."""
    options = rules.options
    count = len(options)
    taken = [False] * count
    for attacker, defender in attacks:
        if not 0 <= attacker < count:
            raise Illegal("no_such_attacker", f"There is no candidate attacker {attacker}.", Rule.CHOSEN_ATTACKERS)
        if taken[attacker]:
            raise Illegal("attacks_twice", f"Attacker {attacker} is declared twice.", Rule.ATTACKED_PLAYER)
        if defender not in options[attacker]:
            raise Illegal("cannot_attack_that", f"Attacker {attacker} can't attack {defender}.", Rule.ATTACKED_PLAYER)
        taken[attacker] = True
    if rules.restrictions:
        broken = _broken(rules, attacks)
        if broken is not None:
            raise Illegal("attack_restriction", _restriction_text(broken), broken.rule)
    if rules.requirements:
        _check_requirements(rules, attacks)


def repair(rules: AttackRules, attacks: Sequence[Pair]) -> tuple[Pair, ...]:
    """The legal declaration nearest to `attacks`: the fewest choices taken away and added, and no cost added.

    What is not an option or comes twice is dropped first. Takes anything, always returns a legal declaration.
    """
    kept: dict[int, Ref] = {}
    for attacker, defender in attacks:
        if 0 <= attacker < len(rules.options) and attacker not in kept and defender in rules.options[attacker]:
            kept[attacker] = defender
    wanted = tuple(sorted(kept.items()))
    if not rules.restrictions and not rules.requirements:
        return wanted
    target = required(rules)
    if _broken(rules, wanted) is None and _obeyed(rules, wanted) >= target:
        return wanted
    best = default_attack(rules)
    best_distance = distance(wanted, best)
    for found in _candidates(rules, wanted, target):
        if distance(wanted, found) < best_distance and _obeyed(rules, found) >= target:
            best, best_distance = found, distance(wanted, found)
    return best


# --- Attack side: checking ---------------------------------------------------------------------------------------------


def _check_requirements(rules: AttackRules, attacks: Sequence[Pair]) -> None:
    """Raise Illegal if more requirements could be obeyed; it names the first one that the best declaration obeys."""
    chosen = dict(attacks)
    done = [_obeys(requirement, chosen) for requirement in rules.requirements]
    if all(done):
        return
    best = dict(default_attack(rules))
    possible = [_obeys(requirement, best) for requirement in rules.requirements]
    if sum(done) >= sum(possible):
        return
    for requirement, obeyed, could in zip(rules.requirements, done, possible, strict=True):
        if could and not obeyed:
            text = requirement.text or f"attacker {requirement.attacker} attacks if able"
            raise Illegal("attack_requirement", shortfall("attack", sum(done), sum(possible), text), requirement.rule)


def shortfall(what: str, done: int, possible: int, text: str) -> str:
    """The sentence for a declaration that obeys too few requirements."""
    return f"This {what} obeys {done} of the {possible} requirements that it could obey: {text.rstrip('.')}."


def _obeys(requirement: AttackRequirement, chosen: dict[int, Ref]) -> bool:
    defender = chosen.get(requirement.attacker)
    if defender is not None and (not requirement.defenders or defender in requirement.defenders):
        return True
    return bool(requirement.when) and not any(attacker in chosen for attacker in requirement.when)


def _obeyed(rules: AttackRules, attacks: Sequence[Pair]) -> int:
    """How many requirements this declaration obeys."""
    chosen = dict(attacks)
    return sum(_obeys(requirement, chosen) for requirement in rules.requirements)


def _broken(rules: AttackRules, attacks: Sequence[Pair]) -> AttackRestriction | None:
    """The first restriction that this declaration breaks."""
    chosen = dict(attacks)
    for restriction in rules.restrictions:
        match restriction:
            case AtMost(number=number, defenders=defenders):
                bad = _attacking(attacks, defenders) > number
            case AtLeast(number=number, defenders=defenders):
                bad = 0 < _attacking(attacks, defenders) < number
            case NotAlone(attacker=attacker, number=number):
                bad = attacker in chosen and len(chosen) - 1 < number
            case OnlyAlone(attacker=attacker):
                bad = attacker in chosen and len(chosen) > 1
            case OnlyWith(attacker=attacker, others=others, number=number):
                bad = attacker in chosen and sum(i in chosen for i in others if i != attacker) < number
        if bad:
            return restriction
    return None


def _attacking(attacks: Sequence[Pair], defenders: tuple[Ref, ...]) -> int:
    return sum(1 for _, defender in attacks if defender in defenders) if defenders else len(attacks)


def _restriction_text(restriction: AttackRestriction) -> str:
    """What the refused declaration breaks, in the card's words if they were given."""
    if restriction.text:
        return restriction.text
    match restriction:
        case AtMost(number=number, defenders=defenders):
            return f"No more than {number} creatures can attack{_at(defenders)}."
        case AtLeast(number=number, defenders=defenders):
            return f"No creature can attack{_at(defenders)} unless at least {number} do."
        case NotAlone(attacker=attacker, number=number):
            return f"Attacker {attacker} can't attack unless at least {number} other creatures attack."
        case OnlyAlone(attacker=attacker):
            return f"Attacker {attacker} can attack only alone."
        case OnlyWith(attacker=attacker, others=others, number=number):
            return f"Attacker {attacker} can't attack unless at least {number} of {list(others)} attack too."


def _at(defenders: tuple[Ref, ...]) -> str:
    return f" {' or '.join(map(str, defenders))}" if defenders else ""


# --- Attack side: searching --------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _best_attack(rules: AttackRules) -> tuple[Pair, ...]:
    """See default_attack. Remembered, because a question, its check and its default all ask."""
    best: tuple[Pair, ...] = ()
    best_value = (_obeyed(rules, ()), 0)
    for found in _candidates(rules, None, 0):
        value = (_obeyed(rules, found), -len(found))
        if value > best_value:
            best, best_value = found, value
    return best


def _candidates(rules: AttackRules, wanted: tuple[Pair, ...] | None, target: int) -> list[tuple[Pair, ...]]:
    """Declarations that break no restriction, the best one among them: without `wanted` by requirements obeyed and
    fewest attackers, with it by nearness among those that obey `target`.

    Two things that look at the attack as a whole are guessed instead of searched: whether a creature that attacks only
    alone does, and for each condition (`when`) whether none of its creatures attacks.
    """
    free = _free_options(rules, wanted)
    loners = _loners(rules)
    alone: list[tuple[Pair, ...]] = [((i, defender),) for i in loners for defender in free[i]]
    found = [attack for attack in alone if _broken(rules, attack) is None]
    whens: list[tuple[int, ...]] = []
    for requirement in rules.requirements:
        if requirement.when and requirement.when not in whens:
            whens.append(requirement.when)
    for quiet in _guesses(len(whens)):
        silent = [whens[index] for index in quiet]
        barred = [*loners, *(attacker for when in silent for attacker in when)]
        options = tuple(() if i in barred else own for i, own in enumerate(free))
        live = [requirement for requirement in rules.requirements if requirement.when not in silent]
        credit = len(rules.requirements) - len(live)
        pairs = search(_attack_problem(rules, options, live), wanted, max(0, target - credit))
        if pairs is not None:
            found.append(pairs)
    return found


def _guesses(count: int) -> list[tuple[int, ...]]:
    """Which conditions are guessed to be quiet: every subset of up to six, beyond that none, each one, and all."""
    if count <= 6:
        return [tuple(i for i in range(count) if bits >> i & 1) for bits in range(1 << count)]
    return [(), *((i,) for i in range(count)), tuple(range(count))]


def _loners(rules: AttackRules) -> list[int]:
    return sorted({r.attacker: None for r in rules.restrictions if isinstance(r, OnlyAlone)})


def _free_options(rules: AttackRules, wanted: tuple[Pair, ...] | None) -> tuple[tuple[Ref, ...], ...]:
    """The options without those that cost something, except where the player wants to pay."""
    if not rules.costs:
        return rules.options
    paid = [pair for pair in rules.costs if not wanted or pair not in wanted]
    return tuple(tuple(ref for ref in own if (i, ref) not in paid) for i, own in enumerate(rules.options))


def _attack_problem(
    rules: AttackRules, options: tuple[tuple[Ref, ...], ...], requirements: Sequence[AttackRequirement]
) -> Problem:
    goals: list[list[tuple[Ref, ...]]] = [[] for _ in options]
    for requirement in requirements:
        goals[requirement.attacker].append(requirement.defenders)
    groups: list[Group] = []
    company = [0] * len(options)
    escorts: list[tuple[int, tuple[int, ...], int]] = []
    for restriction in rules.restrictions:
        match restriction:
            case AtMost(number=number, defenders=defenders):
                groups.append(Group(defenders, most=number))
            case AtLeast(number=number, defenders=defenders):
                groups.append(Group(defenders, least=number))
            case NotAlone(attacker=attacker, number=number):
                company[attacker] = max(company[attacker], number)
            case OnlyWith(attacker=attacker, others=others, number=number):
                escorts.append((attacker, tuple(sorted(i for i in others if i != attacker)), number))
            case OnlyAlone():
                pass  # guessed, see _candidates
    return Problem(
        options=options,
        most=(1,) * len(options),
        goals=tuple(map(tuple, goals)),
        groups=tuple(groups),
        company=tuple(company),
        escorts=tuple(escorts),
    )
