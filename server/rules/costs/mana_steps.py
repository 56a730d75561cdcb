"""Which mana abilities to activate, one after the other, so that a cost can be paid (605.3a) where the sources that are counted do
not suffice.

What one step uses up no other can use; what it sacrifices is tapped for mana before. Steps that cost no mana come first, in any
order, since none of them needs another. The search is bounded in depth and in size, and stops where what is missing is
more than the steps left could make: beyond that the answer is no, although there might be a way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from server.rules.costs import mana_sources, payment
from server.rules.costs.mana_makers import Maker, Spent, Use, due, kind_of, makers, makes, uses
from server.rules.costs.mana_sources import ASSIST, BONUS, CONVOKE, DELVE, MARKED, NO_SUBSTITUTES, OBJECT, Substitutes
from server.rules.costs.source import PAINFUL, Source
from server.rules.functioning import payable_life
from server.rules.model import ANY_COLOR, NO_MANA, SNOW, Cost, Pool, State, mana

MOST_STEPS = 24
"""So many activations are looked for at most."""
MOST_LOOKS = 400
"""So often it is asked whether a cost could be paid by now."""
MOST_ALIKE = 16
"""Of so many kinds of things it is asked whether the player could give them up."""


class Step(NamedTuple):
    """One activation: of a maker, with what is used for it and how its mana is paid; without a maker, of the source `key` by tapping
    it. `makes` is the mana that is wanted of it."""

    key: int
    maker: Maker | None
    makes: Pool
    use: Use | None = None
    plan: payment.Plan | None = None


Steps = tuple[Step, ...]


class Way(NamedTuple):
    """A way to pay: the steps, and how the cost itself is paid then."""

    steps: Steps
    plan: payment.Plan

    @property
    def plain(self) -> bool:
        """Whether it comes to events that leave nothing to choose."""
        return all(step.maker is None or step.maker.plain for step in self.steps)

    @property
    def open(self) -> bool:
        """Whether the player could pick other things to pay with."""
        return any(step.use is not None and step.use.able for step in self.steps)


def way(
    state: State,
    seat: int,
    cost: Cost,
    without: tuple[int, ...] = (),
    substitutes: Substitutes = NO_SUBSTITUTES,
    begun: bool = False,
) -> Way | None:
    """The activations after which the cost can be paid from sources that are counted; None if none are found. `without` are
    permanents that are needed for something else. A payment that has `begun` looks longer, so as to find what was found before."""
    if substitutes.bare or not makers(state, seat):
        return None
    key = ("steps", seat, cost, without, substitutes, begun)
    known = state.memo.get(key, False)
    if known is False:
        search = _Search(state, seat, cost, without, substitutes)
        search.looks = MOST_LOOKS * 4 if begun else MOST_LOOKS
        known = state.memo[key] = search.found()
    return cast("Way | None", known)


def spoiling(
    state: State, seat: int, cost: Cost, without: tuple[int, ...], substitutes: Substitutes, step: Step
) -> tuple[int, ...]:
    """What the player can't pick for a step, because the rest could not be paid then."""
    if step.maker is None or step.use is None:
        return ()
    picked = {oid for picks in step.use.picks for oid in picks}
    search = _Search(state, seat, cost, without, substitutes)
    offered = uses(state, seat, step.maker, search.start, search.tappers)
    good: dict[object, bool] = {}
    found: list[int] = []
    for oid in dict.fromkeys(oid for use in offered for oid in use.able if oid not in picked):
        kind = (kind_of(state, oid), oid in search.tappers, oid == step.maker.key)
        if kind not in good and len(good) < MOST_ALIKE:
            search.looks = MOST_LOOKS // 4
            search.seen.clear()
            good[kind] = search.goes_on(step.maker, oid)
        if not good.get(kind, True):
            found.append(oid)
    return tuple(found)


class _Search:
    """A search for steps; lives within one call."""

    def __init__(self, state: State, seat: int, cost: Cost, without: tuple[int, ...], substitutes: Substitutes) -> None:
        self.state, self.seat, self.cost, self.substitutes = state, seat, cost, substitutes
        self.life = payable_life(state, seat)
        more = tuple(s for s in substitutes.extra if not s.key & BONUS)  # what triggers comes too late
        self.sources = mana_sources.usable(state, seat, substitutes._replace(extra=more))
        self.tappers = {s.key: s for s in mana_sources.sources(state, seat) if s.price < PAINFUL and not s.key & MARKED}
        self.makers = makers(state, seat)
        self.wanted = _colors(cost)
        for maker in self.makers:
            self.wanted |= _colors(maker.price)
        self.looks = MOST_LOOKS
        self.seen: dict[tuple[Pool, Spent, int], int] = {}
        """How many more steps were looked for in vain from there."""
        taken = frozenset(i for i in without if i)
        held = frozenset((substitutes.paying.spell,)) if substitutes.paying is not None else frozenset[int]()
        self.start = start = Spent(gone=taken | held, tapped=taken)
        about = substitutes.paying.spell or substitutes.paying.source if substitutes.paying is not None else 0
        self.starts = (
            list(due(state, seat, about, substitutes.given, start)) if substitutes.given and about else [start]
        )
        self.gain = max((self._gain(maker) for maker in self.makers), default=0)

    def found(self) -> Way | None:
        """The way of the fewest steps."""
        if not self._colors_there():
            return None
        for depth in range(1, MOST_STEPS + 1):
            for start in self.starts:
                made = self._search(depth, 0, self.state.players[self.seat].pool, start, ())
                if made is not None or self.looks <= 0:
                    return made
        return None

    def goes_on(self, maker: Maker, only: int) -> bool:
        """Whether the cost can be paid after an activation for which this is picked."""
        pool = self.state.players[self.seat].pool
        for depth in range(MOST_STEPS):
            for start in self.starts:
                for after, made, step in self._taken(maker, pool, start, only):
                    if self._search(depth, 0, made, after, step) is not None:
                        return True
            if self.looks <= 0:
                return False
        return False

    def _colors_there(self) -> bool:
        """Whether everything together has the colours that are asked for: else no step helps."""
        there = sum(1 << i for i, n in enumerate(self.state.players[self.seat].pool) if n)
        for source in self.sources:
            there |= source.mask | source.dear
            there |= sum(1 << i for i, n in enumerate(source.fixed or NO_MANA) if n)
        for maker in self.makers:
            for use in uses(self.state, self.seat, maker, self.start, self.tappers):
                for pool in makes(self.state, maker, use, self.wanted, self.substitutes.paying):
                    there |= sum(1 << i for i, n in enumerate(pool) if n)
        wanted = payment.pips(self.cost)
        return all(mask & there for mask in wanted if mask != SNOW)

    def _gain(self, maker: Maker) -> int:
        """How much mana a step brings at most, with what is tapped before it is sacrificed."""
        best = 0
        for use in uses(self.state, self.seat, maker, self.start, self.tappers):
            for pool in makes(self.state, maker, use, self.wanted, self.substitutes.paying):
                best = max(best, sum(pool) - mana.mana_value(maker.price))
        return best

    def _left(self, spent: Spent) -> list[Source]:
        """The sources that no step has used up."""

        def is_left(source: Source) -> bool:
            if source.key in spent.keys or source.key & MARKED:
                return source.key not in spent.keys
            oid = source.key & OBJECT if source.key & (CONVOKE | DELVE) else source.key
            if oid in spent.due and (source.key & DELVE or source.price >= PAINFUL and not source.key & CONVOKE):
                return False
            return oid not in spent.gone and oid not in spent.tapped

        return [source for source in self.sources if is_left(source)]

    def _search(self, depth: int, first: int, pool: Pool, spent: Spent, done: Steps) -> Way | None:
        if self.looks <= 0 or self.seen.get((pool, spent, first), -1) >= depth:
            return None
        self.seen[pool, spent, first] = depth
        left = self._left(spent)
        if done:
            self.looks -= 1
            if payment.can_pay_odd(pool, left, self.cost, self.life - spent.life):
                plan = payment.plan(pool, left, self.cost, self.life - spent.life)
                return Way(done, plan) if plan is not None else None
        there = sum(pool) + sum(s.amount if s.fixed is None else sum(s.fixed) for s in left)
        if depth == 0 or there + depth * self.gain < _least(self.cost):
            return None
        tried: set[tuple[int, object]] = set()
        for place in range(first, len(self.makers)):
            maker = self.makers[place]
            kind = (id(maker.ability), self.state.objects[maker.key].counters)
            if kind in tried:
                continue  # the same of another permanent is no other way
            again = place if maker.price == mana.ZERO else min(place, self._first_dear())
            for after, made, more in self._taken(maker, pool, spent):
                tried.add(kind)
                found = self._search(depth - 1, again, made, after, (*done, *more))
                if found is not None:
                    return found
        return None

    def _first_dear(self) -> int:
        return next((i for i, maker in enumerate(self.makers) if maker.price != mana.ZERO), len(self.makers))

    def _taken(self, maker: Maker, pool: Pool, spent: Spent, only: int = 0) -> Iterator[tuple[Spent, Pool, Steps]]:
        """The ways to activate an ability once with what is left: what is used up then, what floats, and the steps."""
        tappers = {k: s for k, s in self.tappers.items() if k not in spent.gone and k not in spent.tapped}
        for use in uses(self.state, self.seat, maker, spent, tappers, only):
            going = [tappers[i] for i in sorted(use.spent.gone - spent.gone) if i in tappers]
            # What is picked now is not tapped for mana before.
            going = [s for s in going if s.key not in use.spent.tapped and not only]
            for before, floats in self._tapped_first(going, pool):
                keys = frozenset(step.key for step in before)
                used = use.spent._replace(tapped=use.spent.tapped | keys)
                paid = self._price(maker, floats, used)
                if paid is None:
                    continue
                plan, kept, used = paid
                for mine in makes(self.state, maker, use, self.wanted, self.substitutes.paying):
                    step = Step(maker.key, maker, mine, use, plan)
                    yield used, _sum(kept, mine), (*before, step)

    def _tapped_first(self, going: list[Source], pool: Pool) -> Iterator[tuple[Steps, Pool]]:
        """What would be lost as it is sacrificed is tapped for mana before."""
        if not going:
            yield (), pool
            return
        source, *rest = going
        for mine in _outputs(source, self.wanted):
            for steps_, floats in self._tapped_first(rest, _sum(pool, mine)):
                yield (Step(source.key, None, mine), *steps_), floats

    def _price(self, maker: Maker, pool: Pool, spent: Spent) -> tuple[payment.Plan | None, Pool, Spent] | None:
        """How the mana that an ability costs is paid: the plan, what floats then, and what is used up."""
        if maker.price == mana.ZERO:
            return None, pool, spent
        mine = [s for s in self._left(spent) if not s.key & (CONVOKE | DELVE | MARKED | ASSIST) and s.key != maker.key]
        plan = payment.spare_plan(pool, mine, maker.price, self.life - spent.life)
        if plan is None:
            return None
        keys = frozenset(key for key, _ in plan.activations)
        made = [n + sum(m[i] for _, m in plan.activations) - plan.paid[i] for i, n in enumerate(pool)]
        gone = keys - self.tappers.keys()
        used = spent._replace(tapped=spent.tapped | keys, gone=spent.gone | gone, life=spent.life + plan.life)
        return plan, cast(Pool, tuple(made)), used


def _least(cost: Cost) -> int:
    """The least mana with which a cost could be paid."""
    return cost.generic + sum(cost.colored) + cost.snow + len(cost.hybrids) + len(cost.monohybrids)


def _colors(cost: Cost) -> int:
    """The colours that a cost asks for."""
    mask = sum(1 << i for i, n in enumerate(cost.colored) if n)
    for hybrid in cost.hybrids:
        mask |= hybrid
    for color in (*cost.monohybrids, *cost.phyrexian):
        mask |= 1 << color
    if mask and cost.any_color != ANY_COLOR:  # else any colour that is made will do
        mask |= cost.any_color
    return mask & ANY_COLOR


def _outputs(source: Source, wanted: int) -> list[Pool]:
    """What a source could make, of the colours that are wanted as far as there is a choice."""
    if source.fixed is not None:
        return [source.fixed]
    mask = source.mask & ANY_COLOR
    mask = mask & wanted or mask & -mask
    return [
        cast(Pool, tuple(source.amount if i == color else 0 for i in range(6)))
        for color in range(6)
        if mask >> color & 1
    ]


def _sum(first: Pool, second: Pool) -> Pool:
    return cast(Pool, tuple(a + b for a, b in zip(first, second, strict=True)))
