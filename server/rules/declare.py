"""Judging declarations of attackers (508.1, 802.3), and the search that judging blockers (declare_blocks) shares.

Everything here is abstract: candidates are indices, defenders are references (players negative, planeswalkers positive),
and what the cards say has already become options, requirements, restrictions and costs. So this module imports nothing
of the game, and a declaration can be judged without a state.

The rule (508.1c, d): no restriction may be broken, and a declaration must obey as many requirements as can be obeyed at
most without breaking a restriction and without paying a cost to attack. Requirements met by paying do count.

How the maximum is found: creatures are decided one after another, and partial declarations that can no longer be told
apart (same counts where a limit counts, same needs, interchangeable defenders sorted) are merged, the best one kept.
A creature that nothing constrains therefore adds work but never multiplies it. With only independent requirements one
partial declaration is left at each point, which is the greedy choice. This is exact as long as at most `WIDTH` different
partial declarations are alive at once (sixteen creatures in a knot of their own restrictions fit); past that the best
`WIDTH` are kept by value, in a fixed order: a deterministic greedy choice that may ask for too little, never too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from server.rules.errors import Illegal

Ref = int
Pair = tuple[int, int]
"""(creature index, reference of what it attacks or blocks)."""

WIDTH = 4096
"""How many different partial declarations the search keeps at once; beyond that it is greedy."""

UNLIMITED = 1 << 30
_WEIGHT = 1 << 20


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
    rule: str = "508.1d"


class AtMost(msgspec.Struct, frozen=True, gc=False, tag="at_most"):
    """No more than `number` creatures attack (one of) `defenders`; empty: the whole attack (802.3a)."""

    number: int
    defenders: tuple[Ref, ...] = ()
    text: str = ""
    rule: str = "508.1c"


class AtLeast(msgspec.Struct, frozen=True, gc=False, tag="at_least"):
    """If any creature attacks (one of) `defenders`, at least `number` do; empty: the whole attack."""

    number: int
    defenders: tuple[Ref, ...] = ()
    text: str = ""
    rule: str = "508.1c"


class NotAlone(msgspec.Struct, frozen=True, gc=False, tag="not_alone"):
    """`attacker` attacks only if at least `number` other creatures attack, whichever they are."""

    attacker: int
    number: int = 1
    text: str = ""
    rule: str = "508.1c"


class OnlyAlone(msgspec.Struct, frozen=True, gc=False, tag="only_alone"):
    """`attacker` attacks only alone (506.5)."""

    attacker: int
    text: str = ""
    rule: str = "508.1c"


class OnlyWith(msgspec.Struct, frozen=True, gc=False, tag="only_with"):
    """`attacker` attacks only if at least `number` of `others` attack; with no others it cannot attack at all."""

    attacker: int
    others: tuple[int, ...]
    number: int = 1
    text: str = ""
    rule: str = "508.1c"


AttackRestriction = AtMost | AtLeast | NotAlone | OnlyAlone | OnlyWith


class AttackRules(msgspec.Struct, frozen=True, gc=False):
    """One declaration of attackers to be judged.

    `options`: for each candidate the defenders that it may attack at all ("can't attack" effects are left out here).
    `players`: (defender, its defending player) for every defender; a player is its own.
    `costs`: the (attacker, defender) choices that cost something: never required (508.1d).
    """

    options: tuple[tuple[Ref, ...], ...]
    players: tuple[tuple[Ref, Ref], ...] = ()
    requirements: tuple[AttackRequirement, ...] = ()
    restrictions: tuple[AttackRestriction, ...] = ()
    costs: tuple[Pair, ...] = ()

    def defenders_of(self, player: Ref) -> tuple[Ref, ...]:
        """`player` and the planeswalkers of that player, as "attacks you or a planeswalker you control" needs them."""
        return tuple(defender for defender, owner in self.players if owner == player)


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
            raise Illegal("no_such_attacker", f"There is no candidate attacker {attacker}.", "508.1a")
        if taken[attacker]:
            raise Illegal("attacks_twice", f"Attacker {attacker} is declared twice.", "508.1b")
        if defender not in options[attacker]:
            raise Illegal("cannot_attack_that", f"Attacker {attacker} can't attack {defender}.", "508.1b")
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


# --- The search that attackers and blockers share ----------------------------------------------------------------------


class Group(msgspec.Struct, frozen=True, gc=False):
    """A limit on how many choices fall on `targets` (empty: all): none at all, or `least` to `most`. `bonus`
    requirements are obeyed as soon as there is one."""

    targets: tuple[Ref, ...]
    least: int = 0
    most: int = UNLIMITED
    bonus: int = 0


class Problem(msgspec.Struct, frozen=True, gc=False):
    """What both sides become: each creature picks up to `most` of its `options`.

    `goals`: for each creature its requirements, each the targets of which it must pick one (empty: any).
    `company`: for each creature how many other creatures must take part if it does.
    `escorts`: (creature, others, number): it takes part only if `number` of the others do.
    `crowd`: how many creatures may take part at most.
    """

    options: tuple[tuple[Ref, ...], ...]
    most: tuple[int, ...]
    goals: tuple[tuple[tuple[Ref, ...], ...], ...]
    groups: tuple[Group, ...] = ()
    company: tuple[int, ...] = ()
    escorts: tuple[tuple[int, tuple[int, ...], int], ...] = ()
    crowd: int = UNLIMITED


class _Pick(msgspec.Struct, frozen=True, gc=False):
    """One choice of a step: the target, its own group (or -1), its shared groups, the goals it meets as bits."""

    target: Ref
    own: int
    shared: tuple[int, ...]
    goals: int
    wanted: bool


class _Step(msgspec.Struct, gc=False):
    """Take one of `picks` or none. A creature that picks one target is one step; another is a step for each target."""

    creature: int
    picks: tuple[_Pick, ...]
    last: bool
    # The creature may take all its picks, so how many it took does not matter.
    ample: bool = False
    # Of the own and the shared groups that this step touches: (index, least, steps still to come that touch it).
    own_left: tuple[tuple[int, int, int], ...] = ()
    shared_left: tuple[tuple[int, int, int], ...] = ()
    # Own groups by what can still happen to them, before this step; and the interchangeable ones after it.
    signs: tuple[int, ...] = ()
    classes: tuple[tuple[int, ...], ...] = ()
    # Escort sets which no later step touches.
    closing: tuple[int, ...] = ()


class _State(msgspec.Struct, frozen=True, gc=False):
    """A partial declaration, as far as the future can tell.

    `total` creatures take part (counted up to what matters), `need` must; `escorts`: (needed, counted) for each set;
    `shared`, `own`: counts of the groups; `used`, `goals`: picks and goals met of the creature under way; `obeyed`:
    requirements obeyed so far, only when a target is set.
    """

    total: int
    need: int
    escorts: tuple[tuple[int, int], ...]
    shared: tuple[int, ...]
    own: tuple[int, ...]
    used: int
    goals: int
    obeyed: int


_Path = tuple["_Path", int, Ref] | None


class _Plan(msgspec.Struct, gc=False):
    """A problem made ready: the steps in order and the tables that they index."""

    problem: Problem
    steps: list[_Step]
    own: list[tuple[Group, int]]
    shared: list[tuple[Group, int]]
    sets: list[tuple[tuple[int, ...], int]]
    ceiling: int
    target: int
    nearest: bool


def distance(wanted: Sequence[Pair], found: Sequence[Pair]) -> int:
    """How many choices have to be taken away and added to get from one declaration to the other."""
    shared = sum(1 for pair in found if pair in wanted)
    return len(wanted) + len(found) - 2 * shared


def search(problem: Problem, wanted: tuple[Pair, ...] | None, target: int) -> tuple[Pair, ...] | None:
    """The best declaration within all limits, sorted by creature.

    Without `wanted`: most requirements obeyed, then fewest creatures, then fewest choices. With `wanted`: fewest changes
    among those that obey at least `target` requirements; None if there is none (or, past WIDTH, none was found).
    """
    plan = _plan(problem, wanted, target)
    start = _State(0, 0, tuple((0, 0) for _ in plan.sets), (0,) * len(plan.shared), (0,) * len(plan.own), 0, 0, 0)
    # Keys are states with interchangeable groups sorted; values keep the true one: (value, state, path).
    layer: dict[tuple[object, ...], tuple[int, _State, _Path]] = {(): (0, start, None)}
    for step in plan.steps:
        following: dict[tuple[object, ...], tuple[int, _State, _Path]] = {}
        for value, state, path in layer.values():
            _advance(plan, step, value, state, path, following)
        if len(following) > WIDTH:
            ranked = sorted(following.items(), key=lambda item: -item[1][0])
            following = dict(ranked[:WIDTH])
        layer = following
    best: tuple[int, _Path] | None = None
    for value, state, path in layer.values():
        if state.total >= state.need and state.obeyed >= plan.target and (best is None or value > best[0]):
            best = (value, path)
    if best is None:
        return None
    pairs: list[Pair] = []
    link = best[1]
    while link is not None:
        pairs.append((link[1], link[2]))
        link = link[0]
    return tuple(sorted(pairs, key=lambda pair: (pair[0], problem.options[pair[0]].index(pair[1]))))


def _advance(
    plan: _Plan,
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: dict[tuple[object, ...], tuple[int, _State, _Path]],
) -> None:
    """Add to `following` what `state` can become in this step. Among equals the first entered stays, so taking comes
    before leaving: the first creatures and their first options are preferred."""
    lost = sum(pick.wanted for pick in step.picks) if plan.nearest else 0
    if state.used < plan.problem.most[step.creature] or step.ample:
        _take(plan, step, value, state, path, following, lost)
    _settle(step, value - lost, state, path, following)


def _take(
    plan: _Plan,
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: dict[tuple[object, ...], tuple[int, _State, _Path]],
    lost: int,
) -> None:
    """Enter the states that taking one of the step's picks leads to; `lost` wanted choices are in this step."""
    total, need, escorts = state.total, state.need, state.escorts
    if not state.used:
        if total >= plan.problem.crowd:
            return
        total = min(total + 1, plan.ceiling)
        if plan.problem.company and plan.problem.company[step.creature]:
            need = max(need, plan.problem.company[step.creature] + 1)
        escorts = _escorted(plan, step.creature, escorts)
    seen: list[tuple[int, int, int, tuple[int, ...], bool]] = []
    for pick in step.picks:
        own, shared, gain = state.own, state.shared, 0
        if pick.own >= 0:
            # Two targets with the same future and count are the same choice.
            same = (step.signs[pick.own], own[pick.own], pick.goals, pick.shared, pick.wanted)
            if same in seen:
                continue
            seen.append(same)
            group, cap = plan.own[pick.own]
            count = own[pick.own]
            if count >= group.most:
                continue
            gain = group.bonus if not count else 0
            own = (*own[: pick.own], min(count + 1, cap), *own[pick.own + 1 :])
        if pick.shared:
            counts = list(shared)
            full = False
            for index in pick.shared:
                group, cap = plan.shared[index]
                full = full or counts[index] >= group.most
                gain += group.bonus if not counts[index] else 0
                counts[index] = min(counts[index] + 1, cap)
            if full:
                continue
            shared = tuple(counts)
        gain += (pick.goals & ~state.goals).bit_count()
        if plan.nearest:
            worth = value - (lost - 1 if pick.wanted else lost + 1)
            obeyed = min(state.obeyed + gain, plan.target)
        else:
            worth = value + gain * _WEIGHT * _WEIGHT - (0 if state.used else _WEIGHT) - 1
            obeyed = 0
        grown = _State(
            total, need, escorts, shared, own, 1 if step.ample else state.used + 1, state.goals | pick.goals, obeyed
        )
        _settle(step, worth, grown, (path, step.creature, pick.target), following)


def _escorted(plan: _Plan, creature: int, escorts: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The escort sets once `creature` takes part: what it needs and where it counts."""
    if not escorts:
        return escorts
    changed = list(escorts)
    for index, (others, cap) in enumerate(plan.sets):
        if creature in others:
            needed, counted = changed[index]
            changed[index] = (needed, min(counted + 1, cap))
    for subject, others, number in plan.problem.escorts:
        if subject == creature:
            index = next(i for i, (known, _) in enumerate(plan.sets) if known == others)
            needed, counted = changed[index]
            changed[index] = (max(needed, number), counted)
    return tuple(changed)


def _settle(
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: dict[tuple[object, ...], tuple[int, _State, _Path]],
) -> None:
    """Close what this step closes, and enter the state unless it is hopeless or an equal one is at least as good."""
    escorts, shared, own = state.escorts, state.shared, state.own
    for index, least, left in step.own_left:
        if 0 < own[index] < least and own[index] + left < least:
            return
        if not left and own[index]:
            own = (*own[:index], 0, *own[index + 1 :])
    for index, least, left in step.shared_left:
        if 0 < shared[index] < least and shared[index] + left < least:
            return
        if not left and shared[index]:
            shared = (*shared[:index], 0, *shared[index + 1 :])
    for index in step.closing:
        needed, counted = escorts[index]
        if counted < needed:
            return
        escorts = (*escorts[:index], (0, 0), *escorts[index + 1 :])
    used, goals = (0, 0) if step.last else (state.used, state.goals)
    canonical = own
    if step.classes:
        counts = list(own)
        for members in step.classes:
            for index, count in zip(members, sorted(own[member] for member in members), strict=True):
                counts[index] = count
        canonical = tuple(counts)
    key = (state.total, state.need, escorts, shared, canonical, used, goals, state.obeyed)
    known = following.get(key)
    if known is None or value > known[0]:
        settled = _State(state.total, state.need, escorts, shared, own, used, goals, state.obeyed)
        following[key] = (value, settled, path)


# --- The search: making a problem ready --------------------------------------------------------------------------------


def _plan(problem: Problem, wanted: tuple[Pair, ...] | None, target: int) -> _Plan:
    """Sort out which groups count, drop creatures and choices that cannot matter, and lay out the steps."""
    own, shared = _groups(problem)
    sets = _escort_sets(problem)
    social = bool(sets) or any(problem.company)
    # A creature of which nothing is required matters only if others may need it.
    helpful = social or any(group.least > 1 or group.bonus for group, _ in (*own, *shared))
    goals_first: list[int] = []
    helpers: list[int] = []
    wishes = [[ref for creature, ref in wanted or () if creature == i] for i in range(len(problem.options))]
    for i in range(len(problem.options)):
        if problem.goals[i] or wishes[i]:
            goals_first.append(i)
        elif helpful:
            helpers.append(i)
    own_of = {group.targets[0]: index for index, (group, _) in enumerate(own)}
    steps: list[_Step] = []
    for i in (*goals_first, *helpers):
        picks = _picks(problem, i, wishes[i], own_of, shared, social)
        if not picks:
            continue
        if problem.most[i] == 1:
            steps.append(_Step(i, tuple(picks), last=True))
        else:
            ample = problem.most[i] >= len(picks)
            steps.extend(_Step(i, (pick,), last=pick is picks[-1], ample=ample) for pick in picks)
    _look_ahead(problem, steps, own, shared, sets)
    thresholds = [number + 1 for number in problem.company if number]
    ceiling = max([*thresholds, problem.crowd if problem.crowd < len(problem.options) else 0, 0])
    return _Plan(problem, steps, own, shared, sets, ceiling, target if wanted is not None else 0, wanted is not None)


def _groups(problem: Problem) -> tuple[list[tuple[Group, int]], list[tuple[Group, int]]]:
    """The groups that can matter, each with the count beyond which it no longer does: first those that belong to one
    target (one for each target), then all others."""
    own: list[tuple[Group, int]] = []
    shared: list[tuple[Group, int]] = []
    taken: dict[Ref, bool] = {}
    for group in problem.groups:
        possible = sum(1 for refs in problem.options for ref in refs if not group.targets or ref in group.targets)
        most = group.most if group.most < possible else UNLIMITED
        cap = max(group.least if group.least > 1 else 0, most if most < UNLIMITED else 0, 1 if group.bonus else 0)
        if not possible or (not cap and most):
            continue
        kept = Group(group.targets, group.least, most, group.bonus)
        if len(group.targets) == 1 and group.targets[0] not in taken:
            taken[group.targets[0]] = True
            own.append((kept, cap))
        else:
            shared.append((kept, cap))
    return own, shared


def _escort_sets(problem: Problem) -> list[tuple[tuple[int, ...], int]]:
    """The distinct sets of others, each with the count beyond which it no longer matters."""
    caps: dict[tuple[int, ...], int] = {}
    for _, others, number in problem.escorts:
        caps[others] = max(caps.get(others, 0), number)
    return list(caps.items())


def _picks(
    problem: Problem,
    creature: int,
    wishes: list[Ref],
    own_of: dict[Ref, int],
    shared: list[tuple[Group, int]],
    social: bool,
) -> list[_Pick]:
    """The choices of `creature`, without those that are no better than an earlier one for every purpose."""
    picks: list[_Pick] = []
    seen: list[tuple[tuple[int, ...], int]] = []
    for ref in problem.options[creature]:
        goals = 0
        for bit, targets in enumerate(problem.goals[creature]):
            if not targets or ref in targets:
                goals |= 1 << bit
        groups = tuple(i for i, (group, _) in enumerate(shared) if not group.targets or ref in group.targets)
        pick = _Pick(ref, own_of.get(ref, -1), groups, goals, ref in wishes)
        if pick.own < 0 and not pick.wanted:
            if (groups, goals) in seen and (problem.most[creature] == 1 or not groups):
                continue
            if not goals and not social and not any(shared[i][0].least > 1 or shared[i][0].bonus for i in groups):
                continue
            seen.append((groups, goals))
        picks.append(pick)
    return picks


def _look_ahead(
    problem: Problem,
    steps: list[_Step],
    own: list[tuple[Group, int]],
    shared: list[tuple[Group, int]],
    sets: list[tuple[tuple[int, ...], int]],
) -> None:
    """Tell every step what later steps can still do; walked from the last step to the first."""
    own_left, shared_left = [0] * len(own), [0] * len(shared)
    interned: dict[object, int] = {}

    def sign(*parts: object) -> int:
        return interned.setdefault(parts, len(interned))

    signs: list[int] = []
    for group, cap in own:
        ref = group.targets[0]
        around = tuple(i for i, (other, _) in enumerate(shared) if not other.targets or ref in other.targets)
        signs.append(sign(group.least, group.most, group.bonus, cap, around))
    open_sets = list(range(len(sets)))
    for step in reversed(steps):
        step.classes = _classes(signs)
        touched = list(dict.fromkeys(pick.own for pick in step.picks if pick.own >= 0))
        step.own_left = tuple((g, own[g][0].least, own_left[g]) for g in touched)
        among = list(dict.fromkeys(g for pick in step.picks for g in pick.shared))
        step.shared_left = tuple((g, shared[g][0].least, shared_left[g]) for g in among)
        for pick in step.picks:
            if pick.own >= 0:
                signs[pick.own] = sign(signs[pick.own], step.creature, pick.goals, pick.wanted)
        for g in touched:
            own_left[g] += 1
        for g in among:
            shared_left[g] += 1
        step.signs = tuple(signs)
        if step.last:
            step.closing = tuple(s for s in open_sets if _concerns(problem, sets[s][0], step.creature))
            open_sets = [s for s in open_sets if s not in step.closing]


def _concerns(problem: Problem, others: tuple[int, ...], creature: int) -> bool:
    """Whether `creature` needs or feeds this escort set."""
    return creature in others or any(subject == creature and known == others for subject, known, _ in problem.escorts)


def _classes(signs: list[int]) -> tuple[tuple[int, ...], ...]:
    """Indices with equal signs, where there are at least two."""
    members: dict[int, list[int]] = {}
    for index, own in enumerate(signs):
        members.setdefault(own, []).append(index)
    return tuple(tuple(some) for some in members.values() if len(some) > 1)
