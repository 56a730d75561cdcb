"""The search behind declarations: the best choice of attackers or blockers within all limits (508.1d, 509.1c).

Each creature picks some of its targets; limits count picks and creatures; requirements are goals of one creature or of
one target. `server.rules.combat.attackers` and `server.rules.combat.blockers` translate their side into a `Problem`.

Creatures are decided one after another, and partial declarations that can no longer be told apart (same counts where a
limit counts, same needs, interchangeable defenders sorted) are merged, the best one kept. A creature that nothing
constrains therefore adds work but never multiplies it. With only independent requirements one partial declaration is
left at each point, which is the greedy choice. A narrow pass comes first; if it had to leave something out, a wide one
looks for better. This is exact as long as at most `WIDTH` different partial declarations are alive at once, far more
than limits, company and menace on large boards make; past that (a dozen creatures that each need particular others,
say) the best are kept by value, in a fixed order: a deterministic greedy choice that may ask for too little, never for
more than is possible.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

Ref = int
Pair = tuple[int, int]
"""(creature index, reference of what it attacks or blocks)."""

WIDTH = 2048
"""How many different partial declarations the search keeps at once; beyond that it is greedy."""

NEAR = 512
"""The same for the nearest declaration, where only the requirements have to be right."""

GLANCE = 64
"""The same for the first, narrow pass; most declarations need no other."""

UNLIMITED = 1 << 30
_WEIGHT = 1 << 20


class Group(msgspec.Struct, frozen=True, gc=False):
    """A limit on how many choices fall on `targets` (empty: all): none at all, or `least` to `most`. `bonus`
    requirements are obeyed if there is any; only for a group of one target."""

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
    # Escort sets that this creature feeds or needs: (index, creatures still to come that feed it, that need it).
    escorts_left: tuple[tuple[int, int, int], ...] = ()
    # Requirements that later picks may obey: goals at most; and the groups still open: (index, threshold, bonus).
    goals_left: int = 0
    bonus_left: tuple[tuple[int, int, int], ...] = ()


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
_Layer = dict[tuple[object, ...], tuple[int, _State, _Path]]
"""Partial declarations after a step: by state with interchangeable groups sorted, (value, the true state, path)."""


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
    stride: int
    floor: int | None = None


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
    best, exact = _run(plan, GLANCE)
    if not exact:
        # What the narrow glance found cuts off everything that cannot become better.
        plan.floor = best[0] if best else None
        better, _ = _run(plan, NEAR if plan.nearest else WIDTH)
        best = better or best
    if best is None:
        return None
    pairs: list[Pair] = []
    link = best[1]
    while link is not None:
        pairs.append((link[1], link[2]))
        link = link[0]
    return tuple(sorted(pairs, key=lambda pair: (pair[0], problem.options[pair[0]].index(pair[1]))))


def _run(plan: _Plan, width: int) -> tuple[tuple[int, _Path] | None, bool]:
    """Walk through the steps; the best (value, path) above the plan's floor, and whether nothing had to be left out."""
    start = _State(0, 0, tuple((0, 0) for _ in plan.sets), (0,) * len(plan.shared), (0,) * len(plan.own), 0, 0, 0)
    layer: _Layer = {(): (0, start, None)}
    exact = True
    for step in plan.steps:
        following: _Layer = {}
        for value, state, path in layer.values():
            _advance(plan, step, value, state, path, following)
        if len(following) > width:
            ranked = sorted(following.items(), key=lambda item: -item[1][0])
            following = dict(ranked[:width])
            exact = False
        layer = following
    best: tuple[int, _Path] | None = None
    for value, state, path in layer.values():
        if state.total >= state.need and state.obeyed >= plan.target and (best is None or value > best[0]):
            best = (value, path)
    return best, exact


def _advance(
    plan: _Plan,
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: _Layer,
) -> None:
    """Add to `following` what `state` can become in this step. Among equals the first entered stays, so taking comes
    before leaving: the first creatures and their first options are preferred."""
    lost = sum(pick.wanted for pick in step.picks) if plan.nearest else 0
    if state.used < plan.problem.most[step.creature] or step.ample:
        _take(plan, step, value, state, path, following, lost)
    _settle(plan, step, value - lost, state, path, following)


def _take(
    plan: _Plan,
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: _Layer,
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
            # Counted when the group is complete, because an incomplete one may yet fail.
            gain = group.bonus if count + 1 == max(group.least, 1) else 0
            own = (*own[: pick.own], min(count + 1, cap), *own[pick.own + 1 :])
        if pick.shared:
            counts = list(shared)
            full = False
            for index in pick.shared:
                group, cap = plan.shared[index]
                full = full or counts[index] >= group.most
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
        _settle(plan, step, worth, grown, (path, step.creature, pick.target), following)


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
    plan: _Plan,
    step: _Step,
    value: int,
    state: _State,
    path: _Path,
    following: _Layer,
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
    for index, feeding, needing in step.escorts_left:
        needed, counted = escorts[index]
        if counted + feeding < needed:
            return
        if counted >= needed:
            # Satisfied: forget the need, and the count too once nobody will need it.
            escorts = (*escorts[:index], (0, counted if needing else 0), *escorts[index + 1 :])
    if (plan.target or plan.floor is not None) and _hopeless(plan, step, value, own, state.obeyed):
        return
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


def _hopeless(plan: _Plan, step: _Step, value: int, own: tuple[int, ...], obeyed: int) -> bool:
    """Whether this state cannot reach the target, or cannot become better than the floor."""
    hope = step.goals_left
    for index, threshold, bonus in step.bonus_left:
        if own[index] < threshold:
            hope += bonus
    if obeyed + hope < plan.target:
        return True
    if plan.floor is None:
        return False
    if plan.nearest:
        return value <= plan.floor
    # Every further creature obeys at most `plan.stride` requirements.
    more = -(-hope // plan.stride) - (not step.last)
    return value + hope * _WEIGHT * _WEIGHT - max(more, 0) * (_WEIGHT + 1) <= plan.floor


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
    nearest = wanted is not None
    return _Plan(problem, steps, own, shared, sets, ceiling, target if nearest else 0, nearest, _stride(steps, own))


def _stride(steps: list[_Step], own: list[tuple[Group, int]]) -> int:
    """How many requirements one creature can obey at most, at least 1."""
    by_creature: dict[int, int] = {}
    for step in steps:
        gains = [pick.goals.bit_count() + (own[pick.own][0].bonus if pick.own >= 0 else 0) for pick in step.picks]
        by_creature[step.creature] = by_creature.get(step.creature, 0) + max(gains)
    return max([1, *by_creature.values()])


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
            if not goals and not social and not any(shared[i][0].least > 1 for i in groups):
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
    feeding, needing = [0] * len(sets), [0] * len(sets)
    goals_left = 0
    for step in reversed(steps):
        step.goals_left = goals_left
        goals_left += max(pick.goals.bit_count() for pick in step.picks)
        step.bonus_left = tuple(
            (g, max(group.least, 1), group.bonus) for g, (group, _) in enumerate(own) if group.bonus and own_left[g]
        )
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
        if step.last and sets:
            needs = [others for subject, others, _ in problem.escorts if subject == step.creature]
            touching = [i for i, (others, _) in enumerate(sets) if step.creature in others or others in needs]
            step.escorts_left = tuple((i, feeding[i], needing[i]) for i in touching)
            for i in touching:
                feeding[i] += step.creature in sets[i][0]
                needing[i] += sets[i][0] in needs


def _classes(signs: list[int]) -> tuple[tuple[int, ...], ...]:
    """Indices with equal signs, where there are at least two."""
    members: dict[int, list[int]] = {}
    for index, own in enumerate(signs):
        members.setdefault(own, []).append(index)
    return tuple(tuple(some) for some in members.values() if len(some) > 1)
