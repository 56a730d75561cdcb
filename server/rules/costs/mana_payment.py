"""Whether mana can be paid, and the events of paying it: from the sources of `mana_sources`, if need be through mana abilities that
cost mana themselves (605.1a, "{1}, {T}: Add {W}{U}").
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import NamedTuple, cast

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import board, characteristics
from server.rules.costs import payment
from server.rules.costs.mana_abilities import payable_by_activating
from server.rules.costs.mana_sources import (
    BONUS,
    NO_MEANS,
    Means,
    mana_events,
    paid_besides,
    plan_mana,
    simple_mana,
    sources,
    usable,
)
from server.rules.model import NO_MANA, Object, Pool, State, events, mana, player_ref


def mana_available(state: State, seat: int, cost: mana.Cost, without: int = 0, means: Means = NO_MEANS) -> bool:
    """Whether a player can make and pay this mana; `without` is a permanent that is needed for something else, `means` are
    other things that may be used."""
    if cost == mana.ZERO:
        return True
    if cost.x:
        cost = mana.with_x(cost, 0)
    life = state.players[seat].life
    if means.bare:
        return payment.can_pay_odd(NO_MANA, means.extra, cost, life)
    if _payable(state, seat, cost, without, means) or _filtered(state, seat, cost, (without,), means) is not None:
        return True
    return means.activate and payable_by_activating(state, seat, cost, without, means)


def floats(state: State, seat: int, cost: mana.Cost) -> bool:
    """Whether the mana in a player's pool pays for all of it."""
    return payment.plan(state.players[seat].pool, (), cost) is not None


def _payable(state: State, seat: int, cost: mana.Cost, without: int, means: Means) -> bool:
    """Whether mana can be paid without mana abilities that cost mana themselves."""
    pool, life = state.players[seat].pool, state.players[seat].life
    if without or means.extra:
        left = usable(state, seat, means, (without,))
        return payment.can_pay_odd(pool, left, cost, life)
    key = ("summary", seat)
    summary = state.memo.get(key)
    if summary is None:
        mine = sources(state, seat)
        odd = not all(payment.is_simple(s) for s in mine)
        summary = state.memo[key] = (None if odd else payment.summary(mine), mine)
    if summary[0] is None:
        return payment.can_pay_odd(pool, summary[1], cost, life)
    return payment.can_pay(pool, summary[0], cost, life)


class Filter(NamedTuple):
    """A permanent with a mana ability that costs mana: what it costs, and all that it can make of it."""

    key: int
    ability: forms.ActivatedAbility
    price: mana.Cost
    makes: tuple[Pool, ...]


def _filters(state: State, seat: int) -> tuple[Filter, ...]:
    """What a player could put mana through now, made once for each state."""
    key = ("filters", seat)
    made = state.memo.get(key)
    if made is None:
        mine = (state.objects[oid] for oid in board(state).index.mana)
        found = (_filter(state, o) for o in mine if o.controller == seat and not o.tapped)
        made = state.memo[key] = tuple(one for one in found if one is not None)
    return made


def _filter(state: State, found: Object) -> Filter | None:
    for _, ability in characteristics(state, found.id).kit.mana:
        paid = [part for part in ability.cost if isinstance(part, forms.ManaCost)]
        free = tuple(part for part in ability.cost if not isinstance(part, forms.ManaCost))
        if len(paid) != 1 or "{X}" in paid[0].mana or paid[0].per != 1:
            continue
        simple = simple_mana(state, found, replace(ability, cost=free))
        if simple is None:
            continue
        mask, fixed, count, _ = simple
        colors = [color for color in range(6) if mask >> color & 1]
        makes = (fixed,) if fixed is not None else _mixed(colors, count, cast(forms.AddMana, ability.do[0]).different)
        return Filter(found.id, ability, mana.parse_cost(paid[0].mana), makes)
    return None


def _mixed(colors: list[int], count: int, different: bool) -> tuple[Pool, ...]:
    """So much mana of one of these colours, or each of any of them."""
    rows = combinations_with_replacement(colors, count) if different else ((color,) * count for color in colors)
    return tuple(cast(Pool, tuple(row.count(color) for color in range(6))) for row in rows)


Steps = tuple[tuple[Filter, Pool, payment.Plan], ...]
"""Mana abilities that cost mana, in the order to activate them: each with what it makes and how it is paid for."""


def mana_paid(
    state: State, seat: int, cost: mana.Cost, without: tuple[int, ...] = (), means: Means = NO_MEANS
) -> list[events.Event] | None:
    """The events of paying this mana automatically; None if it cannot be."""
    plan = plan_mana(state, seat, cost, without, means)
    if plan is not None:
        return mana_events(state, seat, plan, means)
    found = _filtered(state, seat, cost, without, means)
    if found is None:
        return None
    steps, last = found
    batch = [event for step in steps for event in _filter_events(state, seat, *step)]
    return [*batch, *mana_events(state, seat, last, means)]


def _filtered(
    state: State, seat: int, cost: mana.Cost, without: tuple[int, ...], means: Means
) -> tuple[Steps, payment.Plan] | None:
    """How to pay with mana abilities that cost mana, first these and then the rest; None if they do not help."""
    filters = () if means.bare else tuple(f for f in _filters(state, seat) if f.key not in without)
    means = means._replace(extra=tuple(s for s in means.extra if not s.key & BONUS))  # what triggers comes too late
    return _through(state, seat, cost, filters, state.players[seat].pool, without, means) if filters else None


#: How many permanents may be used up before the last of a row of such abilities is looked for.
FILTERED = 8


def _through(
    state: State,
    seat: int,
    cost: mana.Cost,
    filters: tuple[Filter, ...],
    pool: Pool,
    used: tuple[int, ...],
    means: Means,
) -> tuple[Steps, payment.Plan] | None:
    """`_filtered` with the mana that floats and the permanents that are used already. Equal ones are tried once."""
    life = state.players[seat].life
    tried: list[tuple[mana.Cost, tuple[Pool, ...]]] = []
    for place, one in enumerate(filters):
        if (one.price, one.makes) in tried:
            continue
        tried.append((one.price, one.makes))
        first = payment.plan(pool, usable(state, seat, NO_MEANS, (*used, one.key)), one.price, life)
        if first is None:
            continue
        gone = (*used, one.key, *(key for key, _ in first.activations))
        kept = [n + sum(m[i] for _, m in first.activations) - first.paid[i] for i, n in enumerate(pool)]
        rest = (*filters[:place], *filters[place + 1 :])
        for makes in one.makes:
            floats = cast(Pool, tuple(n + m for n, m in zip(kept, makes, strict=True)))
            last = payment.plan(floats, usable(state, seat, means, gone), cost, life)
            if last is not None:
                return ((one, makes, first),), last
            after = _through(state, seat, cost, rest, floats, gone, means) if len(used) < FILTERED else None
            if after is not None:
                return ((one, makes, first), *after[0]), after[1]
    return None


def _filter_events(state: State, seat: int, one: Filter, makes: Pool, plan: payment.Plan) -> list[events.Event]:
    """The events of putting mana through such an ability."""
    found = mana_events(state, seat, plan)
    taps = any(isinstance(part, forms.TapCost) for part in one.ability.cost)
    if taps:
        found.append(events.Tap(subject=one.key, cause="mana"))
    found.append(events.AddMana(subject=player_ref(seat), by=one.key, mana=makes, tapped=taps))
    found.extend(paid_besides(state, state.objects[one.key], one.ability))
    return found
