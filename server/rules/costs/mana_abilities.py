"""Mana abilities that cost something else than tapping or giving up their own permanent: mana, a creature to be sacrificed, a card
to be discarded. A spell or ability may be paid for with them (605.3a): which one is activated first, so that the rest can be paid.

Each is activated on its own, since the player chooses what is given up for it; then it is looked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from server.cards import forms
from server.rules.characteristics import amount, board, characteristics, holds, rules_about
from server.rules.costs import payment
from server.rules.costs.mana_sources import (
    NO_MEANS,
    Means,
    can_spare,
    can_tap,
    color_mask,
    does_besides,
    pool_of,
    sources,
    taps_only,
    usable,
)
from server.rules.costs.payers import how_many, may_sacrifice, payers, tappable
from server.rules.model import Object, Pool, Scope, State, mana

#: So many such abilities are activated for one payment at most, and so many payments are tried to find out which.
DEEPEST, TRIED = 8, 120
GIVEN_UP = forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost | forms.TapOthersCost
"""Costs that use up another object."""


class Maker(NamedTuple):
    """Such an ability of a permanent: the mana in its cost, what it can make, and of what it uses up one (none if it does not), the
    least useful for making mana in front. `once` if the permanent itself can do it only once."""

    key: int
    ability: forms.ActivatedAbility
    price: mana.Cost
    makes: tuple[Pool, ...]
    uses: tuple[int, ...]
    once: bool


class Activation(NamedTuple):
    """The ability to be activated next: what it is to make, how its mana is paid for, and what it may not use up since the rest could
    not be paid without it."""

    maker: Maker
    makes: Pool
    plan: payment.Plan
    kept: tuple[int, ...]


def makers(state: State, seat: int) -> tuple[Maker, ...]:
    """Those that a player could activate now if the mana were there; made once for each state."""
    key = ("makers", seat)
    made = state.memo.get(key)
    if made is None:
        made = state.memo[key] = tuple(_makers(state, seat))
    return made


def _makers(state: State, seat: int) -> Iterator[Maker]:
    for oid in board(state).index.mana:
        found = state.objects[oid]
        kit = characteristics(state, oid).kit
        if found.controller != seat or taps_only(kit):
            continue
        if any(r.flag.rule == "can't activate abilities" for r in rules_about(state, oid)):
            continue
        for _, ability in kit.mana:
            made = _maker(state, seat, found, ability)
            if made is not None:
                yield made


def _maker(state: State, seat: int, found: Object, ability: forms.ActivatedAbility) -> Maker | None:
    scope = Scope(found.id, seat)
    odd = ability.limit or ability.timing or ability.modes or ability.by != "controller" or not ability.do
    if odd or any(does_besides(state, found, verb) is None for verb in ability.do[1:]):
        return None
    if ability.condition is not None and not holds(state, ability.condition, scope):
        return None
    price, once, uses = mana.ZERO, False, None
    for cost in ability.cost:
        if isinstance(cost, forms.ManaCost) and "{X}" not in cost.mana and cost.per == 1 and price == mana.ZERO:
            price = mana.parse_cost(cost.mana)
        elif isinstance(cost, forms.TapCost) and can_tap(state, found):
            once = True
        elif isinstance(cost, GIVEN_UP) and uses is None:
            uses = _used_up(state, seat, cost, scope)
        elif not isinstance(cost, forms.LifeCost | forms.CountersCost) or not can_spare(state, found, cost):
            return None
    if uses == () or (uses is None and (once or price == mana.ZERO)):
        return None  # nothing is there to be given up, or it is a plain source or a filter
    makes = _makes(state, found, ability.do[0], scope)
    return Maker(found.id, ability, price, makes, uses or (), once) if makes else None


def _used_up(state: State, seat: int, cost: GIVEN_UP, scope: Scope) -> tuple[int, ...]:
    """What could be given up for a cost of one thing; nothing if it asks for more."""
    if how_many(state, cost.what, scope) != 1 or (isinstance(cost, forms.DiscardCost) and cost.random):
        return ()
    if isinstance(cost, forms.TapOthersCost):
        found = () if cost.power else tappable(state, seat, cost, scope)
    else:
        found = payers(state, seat, cost.what, scope)
    if isinstance(cost, forms.SacrificeCost):
        found = may_sacrifice(state, seat, found, scope)
    useful = {source.key for source in sources(state, seat)}
    return tuple(sorted(found, key=lambda oid: (oid in useful, oid == scope.source)))


def _makes(state: State, found: Object, verb: forms.Verb, scope: Scope) -> tuple[Pool, ...]:
    if not isinstance(verb, forms.AddMana) or verb.who.text != "you" or verb.only is not None or verb.different:
        return ()
    n = amount(state, verb.count, scope)
    if n <= 0 or verb.choice in ("producible", "produced"):
        return ()
    if verb.mana:
        return (pool_of(verb.mana, n),)
    mask = color_mask(verb.choice, state, found)
    rows = ((n if color == one else 0 for color in range(6)) for one in range(6) if mask >> one & 1)
    return tuple(cast(Pool, tuple(row)) for row in rows)


class _Search:
    """One look for the abilities with which a cost can be paid. `left` is how many more payments are tried."""

    def __init__(self, state: State, seat: int, cost: mana.Cost, means: Means) -> None:
        self.state, self.seat, self.cost, self.means = state, seat, cost, means
        self.life = state.players[seat].life
        self.left = TRIED
        colors = [color for color, n in enumerate(cost.colored) if n]
        self.wanted = sum(1 << color for color in colors) | sum(cost.hybrids)

    def shortest(self, pool: Pool, used: tuple[int, ...]) -> tuple[Maker, Pool, payment.Plan] | None:
        """The ability to begin with, what it makes and how it is paid for, so that as few as possible are activated: what is found
        anew after it is a shorter way."""
        for depth in range(DEEPEST):
            found = self._first(pool, used, depth)
            if found is not None or self.left <= 0:
                return found
        return None

    def payable(self, pool: Pool, used: tuple[int, ...], depth: int) -> bool:
        """Whether the cost can be paid with what floats, without what is used up, after so many more of such abilities."""
        if depth:
            return self._first(pool, used, depth - 1) is not None
        self.left -= 1
        return payment.plan(pool, usable(self.state, self.seat, self.means, used), self.cost, self.life) is not None

    def _first(self, pool: Pool, used: tuple[int, ...], depth: int) -> tuple[Maker, Pool, payment.Plan] | None:
        """The first of `depth` more than one abilities. Equal ones are tried once."""
        tried: list[tuple[object, ...]] = []
        for one in makers(self.state, self.seat):
            like = (one.price, one.makes, one.uses)
            if like in tried or (one.once and one.key in used):
                continue
            tried.append(like)
            given = next((oid for oid in one.uses if oid not in used), 0)
            if one.uses and not given:
                continue
            for makes in self._useful(one.makes):
                if self.left <= 0:
                    return None
                after = self.after(one, makes, given, pool, used)
                if after is not None and self.payable(after[0], after[1], depth):
                    return one, makes, after[2]
        return None

    def after(
        self, one: Maker, makes: Pool, given: int, pool: Pool, used: tuple[int, ...]
    ) -> tuple[Pool, tuple[int, ...], payment.Plan] | None:
        """What floats and what is used up after such an activation, and how it is paid for; None if it can't be."""
        gone = (*used, *((given,) if given else ()), *((one.key,) if one.once else ()))
        made_of = usable(self.state, self.seat, NO_MEANS, gone)
        spare = cast(Pool, tuple(0 if self.wanted >> i & 1 else n for i, n in enumerate(pool)))
        plan = payment.plan(spare, made_of, one.price, self.life)
        plan = plan or payment.plan(pool, made_of, one.price, self.life)
        if plan is None:
            return None
        made = [n + sum(m[i] for _, m in plan.activations) - plan.paid[i] + makes[i] for i, n in enumerate(pool)]
        return cast(Pool, tuple(made)), (*gone, *(key for key, _ in plan.activations)), plan

    def _useful(self, makes: tuple[Pool, ...]) -> tuple[Pool, ...]:
        """Those with a colour that the cost asks for; the first if there is none."""
        found = tuple(pool for pool in makes if any(n and self.wanted >> i & 1 for i, n in enumerate(pool)))
        return found or makes[:1]


def payable_by_activating(state: State, seat: int, cost: mana.Cost, without: int, means: Means) -> bool:
    """Whether mana can be paid after activating such abilities."""
    if not makers(state, seat):
        return False
    key = ("activating", seat, cost, without, means.paying)
    known = state.memo.get(key)
    if known is None:
        search = _Search(state, seat, cost, means)
        used = _without(without, means)
        known = state.memo[key] = search.shortest(state.players[seat].pool, used) is not None
    return known


def next_activation(
    state: State, seat: int, cost: mana.Cost, without: tuple[int, ...], means: Means
) -> Activation | None:
    """Which such ability is activated first so that the rest of the cost can be paid; None if that does not help."""
    if not means.activate or not makers(state, seat):
        return None
    search = _Search(state, seat, cost, means)
    pool, used = state.players[seat].pool, (*without, *_without(0, means))
    found = search.shortest(pool, used)
    if found is None:
        return None
    one, makes, plan = found
    kept = [oid for oid in one.uses if oid in used or not _does(search, one, makes, plan, oid, pool, used)]
    return Activation(one, makes, plan, tuple(kept))


def _does(
    search: _Search, one: Maker, makes: Pool, plan: payment.Plan, oid: int, pool: Pool, used: tuple[int, ...]
) -> bool:
    """Whether the cost can be paid if this is what is used up."""
    search.left = TRIED
    after = search.after(one, makes, oid, pool, used)
    if after is None or after[2] != plan:
        return False
    return any(search.payable(after[0], after[1], depth) for depth in range(DEEPEST))


def _without(oid: int, means: Means) -> tuple[int, ...]:
    """What can't be used up: a permanent that is tapped for the cost, and the spell that is paid for."""
    spell = means.paying.spell if means.paying is not None else 0
    return tuple(i for i in (oid, spell) if i)
