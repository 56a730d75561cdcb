"""Costs (117): whether they can be paid, which choices they need, and the events of paying.

Mana is added up and paid for in `server.rules.costs.mana_sources`; every other cost becomes events here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import combinations_with_replacement, islice, product
from typing import cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import (
    amount,
    characteristics,
    known,
)
from server.rules.costs.kinds import KINDS, Kind, Named, Payer, Paying, nothing
from server.rules.costs.mana_payment import mana_available, mana_paid
from server.rules.costs.mana_sources import NO_SUBSTITUTES, Substitutes
from server.rules.costs.payers import (
    YOU,
    counters_held,
    how_many,
    payers,
    says_x,
    tappable,
)
from server.rules.costs.several_sacrifices import needed, one_for_each
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Choice,
    Entry,
    Pool,
    Scope,
    State,
    ask,
    events,
    lookup,
    mana,
    plain_default,
)

#: How many ways to choose among costs are looked at.
MOST_WAYS = 256


def mana_cost(state: State, costs: forms.Costs, scope: Scope) -> mana.Cost:
    """The mana among some costs, added up."""
    total = mana.ZERO
    for cost in costs:
        if isinstance(cost, forms.ManaCost):
            one = mana.parse_cost(cost.mana)
            if cost.own and (found := known(state, scope.source)) is not None and found.cost is not None:
                one = mana.plus(one, found.cost)
            for _ in range(amount(state, cost.per, scope)):
                total = mana.plus(total, one)
    return total


def at_x(price: forms.Costs, x: int) -> forms.Costs:
    """The price with so much for each {X} in it."""
    return tuple(
        replace(part, mana=part.mana.replace("{X}", f"{{{x}}}")) if isinstance(part, forms.ManaCost) else part
        for part in price
    )


def with_told_x(state: State, price: forms.Costs, scope: Scope) -> forms.Costs:
    """The price with the X that the text says, or with which its spell was cast ("unless its controller pays {X}",
    107.3a, 107.3c)."""
    if not any(isinstance(part, forms.ManaCost) and "{X}" in part.mana for part in price):
        return price
    return at_x(price, max(0, amount(state, nouns.X(), scope)))


# --- other costs -----------------------------------------------------------------------------------------------------------


def can_pay_costs(
    state: State,
    seat: int,
    costs: forms.Costs,
    scope: Scope,
    substitutes: Substitutes = NO_SUBSTITUTES,
    rest: mana.Cost = mana.ZERO,
) -> bool:
    """Whether a player could pay all these costs now, and the mana of the `rest` (117.3: one can't
    pay what one hasn't)."""
    if any(isinstance(cost, forms.EitherCost) for cost in costs) and (len(costs) > 1 or rest != mana.ZERO):
        return any(can_pay_costs(state, seat, way, scope, substitutes, rest) for way in _ways(costs))
    tapped_source = 0
    if len(costs) > 1 and not _enough_for_all(state, seat, costs, scope):
        return False
    if len(costs) > 1 and not one_for_each(state, seat, costs, scope):
        return False
    for cost in costs:
        if not _can_pay_one(state, seat, cost, scope):
            return False
        if isinstance(cost, forms.TapCost):
            tapped_source = scope.source
    return mana_available(state, seat, mana.plus(rest, mana_cost(state, costs, scope)), tapped_source, substitutes)


def _ways(costs: forms.Costs) -> Iterator[forms.Costs]:
    """The ways to choose among costs of which one of several is paid; where the same is to be paid so often, how often each."""
    asked: dict[forms.EitherCost, int] = {}
    for cost in costs:
        if isinstance(cost, forms.EitherCost):
            asked[cost] = asked.get(cost, 0) + 1
    plain = tuple(cost for cost in costs if not isinstance(cost, forms.EitherCost))
    rows = (combinations_with_replacement(cost.options, times) for cost, times in asked.items())
    for chosen in islice(product(*rows), MOST_WAYS):
        yield (*plain, *(part for row in chosen for option in row for part in option))


def feasible_x(
    state: State,
    seat: int,
    others: forms.Costs,
    mana_of_x: mana.Cost,
    scope: Scope,
    without: int,
    substitutes: Substitutes,
) -> tuple[int, ...] | None:
    """The values of X for which the mana can be paid and what else the cost says of X ("{X}, Discard a card with mana value X");
    None if it says nothing of it besides the mana."""
    said = [part for part in others if says_x(part)]
    if not mana_of_x.x or not said:
        return None
    found = set(_values_of_x(state, seat, said[0], scope))
    for part in said[1:]:
        found &= set(_values_of_x(state, seat, part, scope))
    whole = (x for x in sorted(found) if mana_available(state, seat, mana.with_x(mana_of_x, x), without, substitutes))
    return tuple(
        x for x in whole if all(_can_pay_one(state, seat, part, scope.bind(BoundNumber.X, x)) for part in said)
    )


def _values_of_x(state: State, seat: int, cost: forms.AnyCost, scope: Scope) -> Iterable[int]:
    """The values of X with which such a cost could be paid."""
    options = x_options(state, seat, cost, scope)
    named = isinstance(cost, forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost)
    if named and not (isinstance(cost.what.reading, nouns.Choose) and cost.what.reading.count == nouns.X()):
        return options
    return range(options[0], options[1] + 1) if options else ()


def _enough_for_all(state: State, seat: int, costs: forms.Costs, scope: Scope) -> bool:
    """Whether the same cost asked for more than once can be paid so often, nothing paying twice."""
    needs: dict[forms.AnyCost, int] = {}
    for cost in costs:
        needs[cost] = needs.get(cost, 0) + 1
    return all(n == 1 or _can_pay_times(state, seat, cost, n, scope) for cost, n in needs.items())


def _can_pay_times(state: State, seat: int, cost: forms.AnyCost, times: int, scope: Scope) -> bool:
    if isinstance(cost, forms.LifeCost):
        whole = times * amount(state, cost.amount, scope)
        return whole == 0 or state.players[seat].life >= whole  # 118.4
    if isinstance(cost, forms.MillCost):
        return len(state.players[seat].library) >= times * amount(state, cost.count, scope)
    if isinstance(cost, forms.CountersCost):
        if cost.of == YOU:
            n = amount(state, cost.count, scope)
            return lookup.count(state.players[seat].counters, cost.counter) >= times * n
        held = [counters_held(state, i, cost.counter) for i in payers(state, seat, cost.of, scope)]
        n = amount(state, cost.count, scope)
        held = [sum(held)] if cost.among else held
        return cost.put or sum(k // n for k in held if n) >= times
    if isinstance(cost, forms.TapOthersCost):
        return len(tappable(state, seat, cost, scope)) >= times * how_many(state, cost.what, scope)
    if isinstance(cost, Named):
        return len(payers(state, seat, cost.what, scope)) >= times * how_many(state, cost.what, scope)
    return isinstance(cost, forms.ManaCost | forms.LoyaltyCost | forms.DamageCost)


def _can_pay_one(state: State, seat: int, cost: forms.AnyCost, scope: Scope) -> bool:
    return ALL_KINDS[type(cost)].can(Payer(state, seat, scope), cost)


def _can_pay_either(by: Payer, cost: forms.EitherCost) -> bool:
    return any(can_pay_costs(by.state, by.seat, option, by.scope) for option in cost.options)


ALL_KINDS = {**KINDS, forms.EitherCost: Kind(_can_pay_either, nothing)}
"""Every kind of cost; one that does not stand here is nothing that could be paid for free (`KeyError`)."""


def x_options(state: State, seat: int, cost: forms.AnyCost, scope: Scope) -> tuple[int, ...]:
    """The values of X with which a cost that speaks of X could be paid, or the least and the greatest of them."""
    if isinstance(cost, forms.LifeCost):
        return 0, max(0, state.players[seat].life)
    if isinstance(cost, forms.MillCost):
        return 0, len(state.players[seat].library)
    if isinstance(cost, forms.CountersCost):
        if cost.of == YOU:
            return 0, lookup.count(state.players[seat].counters, cost.counter)
        held = [counters_held(state, i, cost.counter) for i in payers(state, seat, cost.of, scope)]
        most = sum(held) if cost.among else max(held, default=0)
        return most if cost.least < 0 else cost.least, most
    if isinstance(cost, forms.TapOthersCost):
        return 0, len(tappable(state, seat, cost, scope))
    if not isinstance(cost, forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost):
        return ()
    options = payers(state, seat, cost.what, scope)
    if isinstance(cost.what.reading, nouns.Choose) and cost.what.reading.count == nouns.X():
        return 0, len(options)
    return tuple(characteristics(state, i).mana_value for i in options)


def settled(
    state: State, seat: int, costs: forms.Costs, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, forms.Costs]:
    """Costs with one of several chosen where there is a choice, such that all of it can be paid."""
    found: list[forms.AnyCost] = []
    for place, cost in enumerate(costs):
        if not isinstance(cost, forms.EitherCost):
            found.append(cost)
            continue
        rest = costs[place + 1 :]
        options = [o for o in cost.options if can_pay_costs(state, seat, (*found, *o, *rest), scope)]
        words = tuple(Choice(word=str(i + 1)) for i in range(len(options)))
        picked = (yield from ask.choose(seat, words, 1, 1, "option", scope.source)) if len(options) > 1 else (0,)
        found.extend(options[picked[0]] if options else ())
    return tuple(found)


def pay(state: State, seat: int, costs: forms.Costs, scope: Scope, kept: tuple[int, ...] = ()) -> Paying:
    """The events of paying all costs but mana, the player choosing what to sacrifice, discard and so on, but none of `kept`."""
    found: list[events.Event] = []
    for place, cost in enumerate(costs):
        # What was tapped for one cost can't be tapped for another, but it can still be sacrificed.
        kinds = events.Move | events.Tap if isinstance(cost, forms.TapOthersCost) else events.Move
        taken = (*kept, *(e.subject for e in found if isinstance(e, kinds)))
        if isinstance(cost, forms.SacrificeCost) and place + 1 < len(costs):
            taken = (*taken, *needed(state, seat, costs[place + 1 :], scope, taken))
        paid = ALL_KINDS[type(cost)].pay(Payer(state, seat, scope, taken), cost)
        found.extend(paid if isinstance(paid, tuple) else (yield from paid))
    return tuple(found)


#: What was done to pay for a spell or ability, as its instructions speak of it ("the sacrificed creature").
PAID_NAMES = {
    "sacrifice": "sacrificed",
    "discard": "discarded",
    "cycling": "discarded",
    "exile": "exiled",
    "return": "returned",
}


def _tell(bound: dict[str, tuple[int, ...]], name: str, oid: int) -> None:
    """ "The sacrificed creature", "each creature sacrificed this way"."""
    for said in (name, f"{name} this way"):
        bound[said] = (*bound.get(said, ()), oid)


def told(entry: Entry, batch: list[events.Event]) -> Entry:
    """The entry with what was paid for it: the objects by name, and the mana (sunburst, 702.42a)."""
    bound: dict[str, tuple[int, ...]] = {}
    spent = entry.mana_spent
    made = dict(entry.spent_from)
    for event in batch:
        if isinstance(event, events.Move) and event.cause in PAID_NAMES:
            _tell(bound, PAID_NAMES[event.cause], event.subject)
            if (
                event.cause == "exile"
            ):  # and may be spoken of where it is then ("put a counter on the exiled card", 400.7)
                bound[BoundRefs.FOLLOW] = (*bound.get(BoundRefs.FOLLOW, ()), event.subject)
        elif isinstance(event, events.Tap) and event.cause == "cost" and event.subject != entry.source:
            _tell(bound, "tapped", event.subject)
        elif isinstance(event, events.SpendMana):
            spent = cast(Pool, tuple(have + n for have, n in zip(spent, event.total, strict=True)))
            for unit in event.riders:
                for kind in unit.kinds:
                    made[kind] = made.get(kind, 0) + 1
    if not bound and spent is entry.mana_spent:
        return entry
    return replace(entry, bindings=(*entry.bindings, *bound.items()), mana_spent=spent, spent_from=tuple(made.items()))


def pay_events(state: State, seat: int, costs: forms.Costs, scope: Scope) -> tuple[events.Event, ...]:
    """The events of paying costs that leave nothing to choose; the first options are taken where there is something."""
    found = mana_paid(state, seat, mana_cost(state, costs, scope)) or []
    paying = pay(state, seat, costs, scope)
    try:
        question = next(paying)
        while True:
            question = paying.send(plain_default(question))
    except StopIteration as stop:
        found.extend(cast("tuple[events.Event, ...]", stop.value))
    return tuple(found)
