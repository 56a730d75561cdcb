"""Costs (117): whether they can be paid, which choices they need, and the events of paying.

Mana is added up and paid for in `server.rules.costs.mana_sources`; every other cost becomes events here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import combinations_with_replacement, islice, product
from typing import cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import (
    amount,
    characteristics,
    has,
)
from server.rules.costs.exerting import exerted
from server.rules.costs.mana_payment import mana_available, mana_paid
from server.rules.costs.mana_sources import NO_MEANS, Means, can_tap
from server.rules.costs.payers import (
    PREFERRED,
    RESOLVING,
    YOU,
    counters_held,
    how_many,
    may_sacrifice,
    payers,
    says_x,
    tappable,
)
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    Choice,
    Entry,
    Scope,
    State,
    ask,
    chance,
    events,
    lookup,
    mana,
    plain_default,
    player_ref,
)

#: How many ways to choose among costs are looked at.
MOST_WAYS = 256

Paying = Generator[AnyQuestion, AnyAnswer, "tuple[events.Event, ...]"]


def mana_cost(state: State, costs: forms.Costs, scope: Scope) -> mana.Cost:
    """The mana among some costs, added up."""
    total = mana.ZERO
    for cost in costs:
        if isinstance(cost, forms.ManaCost):
            one = mana.parse_cost(cost.mana)
            for _ in range(amount(state, cost.per, scope)):
                total = mana.plus(total, one)
    return total


# --- other costs -----------------------------------------------------------------------------------------------------------


def can_pay_costs(
    state: State, seat: int, costs: forms.Costs, scope: Scope, means: Means = NO_MEANS, rest: mana.Cost = mana.ZERO
) -> bool:
    """Whether a player could pay all these costs now, and the mana of the `rest` (117.3: one can't
    pay what one hasn't)."""
    if any(isinstance(cost, forms.EitherCost) for cost in costs) and (len(costs) > 1 or rest != mana.ZERO):
        return any(can_pay_costs(state, seat, way, scope, means, rest) for way in _ways(costs))
    tapped_source = 0
    if len(costs) > 1 and not _enough_for_all(state, seat, costs, scope):
        return False
    for cost in costs:
        if not _can_pay_one(state, seat, cost, scope):
            return False
        if isinstance(cost, forms.TapCost):
            tapped_source = scope.source
    return mana_available(state, seat, mana.plus(rest, mana_cost(state, costs, scope)), tapped_source, means)


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
    state: State, seat: int, others: forms.Costs, mana_of_x: mana.Cost, scope: Scope, without: int, means: Means
) -> tuple[int, ...] | None:
    """The values of X for which the mana can be paid and what else the cost says of X ("{X}, Discard a card with mana value X");
    None if it says nothing of it besides the mana."""
    said = [part for part in others if says_x(part)]
    if not mana_of_x.x or not said:
        return None
    found = set(_values_of_x(state, seat, said[0], scope))
    for part in said[1:]:
        found &= set(_values_of_x(state, seat, part, scope))
    whole = (x for x in sorted(found) if mana_available(state, seat, mana.with_x(mana_of_x, x), without, means))
    return tuple(x for x in whole if all(_can_pay_one(state, seat, part, scope.bind("X", x)) for part in said))


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
        held = (counters_held(state, i, cost.counter) for i in payers(state, seat, cost.of, scope))
        n = amount(state, cost.count, scope)
        return cost.put or sum(k // n for k in held if n) >= times
    if isinstance(cost, forms.TapOthersCost):
        return len(tappable(state, seat, cost, scope)) >= times * how_many(state, cost.what, scope)
    if isinstance(
        cost, forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost | forms.RevealCost
    ):
        return len(payers(state, seat, cost.what, scope)) >= times * how_many(state, cost.what, scope)
    return isinstance(cost, forms.ManaCost | forms.LoyaltyCost)


def _can_pay_one(state: State, seat: int, cost: forms.AnyCost, scope: Scope) -> bool:
    source = state.objects.get(scope.source)
    if isinstance(cost, forms.ManaCost):
        return True
    if isinstance(cost, forms.TapCost):
        return source is not None and can_tap(state, source)
    if isinstance(cost, forms.UntapCost):
        if source is None or not source.tapped or source.zone != "battlefield":
            return False
        c = characteristics(state, source.id)
        return not (source.sick and "creature" in c.types and "haste" not in c.keywords)
    if isinstance(cost, forms.LoyaltyCost):
        if source is None:
            return False
        return cost.x or cost.change >= 0 or lookup.count(source.counters, "loyalty") >= -cost.change
    if isinstance(cost, forms.LifeCost):
        n = amount(state, cost.amount, scope)
        if n and not scope.bound(RESOLVING) and has(state, seat, "can't pay life"):
            return False
        return n == 0 or (state.players[seat].life >= n and not has(state, seat, "can't lose life"))
    if isinstance(cost, forms.CountersCost):
        if cost.put:
            return True
        n = amount(state, cost.count, scope)
        if cost.of == YOU:  # counters of the player's own (energy)
            return lookup.count(state.players[seat].counters, cost.counter) >= n
        found = payers(state, seat, cost.of, scope)
        return any(counters_held(state, i, cost.counter) >= n for i in found)
    if isinstance(cost, forms.MillCost):
        return len(state.players[seat].library) >= amount(state, cost.count, scope)
    if isinstance(cost, forms.EitherCost):
        return any(can_pay_costs(state, seat, option, scope) for option in cost.options)
    if isinstance(cost, forms.ExertCost):
        return lookup.permanent(state, scope.source) is not None
    if isinstance(cost, forms.PromiseCost):
        return bool(lookup.opponents(state, seat))
    if isinstance(cost, forms.GiveLifeCost):
        return bool(_receivers(state, seat))
    if isinstance(cost, forms.EvidenceCost):
        return sum(_evidence(state, seat, scope).values()) >= amount(state, cost.amount, scope)
    if isinstance(cost, forms.TapOthersCost):
        idle = tappable(state, seat, cost, scope)
        if cost.power:
            return _total_power(state, idle) >= amount(state, cost.power, scope)
        return len(idle) >= how_many(state, cost.what, scope)
    if isinstance(cost, forms.RevealCost):
        return len(payers(state, seat, cost.what, scope)) >= how_many(state, cost.what, scope)
    found = payers(state, seat, cost.what, scope)
    if isinstance(cost, forms.SacrificeCost):
        found = may_sacrifice(state, seat, found, scope)
    return len(found) >= how_many(state, cost.what, scope)


def _receivers(state: State, seat: int) -> tuple[int, ...]:
    """The opponents who can gain life."""
    return tuple(player_ref(s) for s in lookup.opponents(state, seat) if not has(state, s, "can't gain life"))


def _evidence(state: State, seat: int, scope: Scope) -> dict[int, int]:
    """The mana values of the cards that a player could exile as evidence."""
    cards = (i for i in state.players[seat].graveyard if i != scope.source)
    return {i: characteristics(state, i).mana_value for i in cards}


def _collect(state: State, seat: int, cost: forms.EvidenceCost, scope: Scope) -> Paying:
    """Any number of cards of at least this total mana value, chosen one after the other (current 701.59a)."""
    left = _evidence(state, seat, scope)
    missing = amount(state, cost.amount, scope)
    taken: list[int] = []
    while left and (missing > 0 or taken):
        least = 1 if missing > 0 else 0
        picked = yield from ask.choose_refs(seat, tuple(left), least, 1, "exile", scope.source)
        if not picked:
            break
        taken.append(picked[0])
        missing -= left.pop(picked[0])
    moves = tuple(events.Move(subject=i, to="exile", cause="exile", by=scope.source) for i in taken)
    return (*moves, events.EvidenceCollected(subject=player_ref(seat), by=scope.source))


def _any_counters(
    state: State, seat: int, picked: tuple[int, ...], n: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """So many counters of whichever kinds are removed from each of these, one after the other."""
    batch: list[events.Event] = []
    for oid in picked:
        left = dict(state.objects[oid].counters)
        for _ in range(n):
            kinds = tuple(kind for kind, held in left.items() if held)
            kind = kinds[0] if len(kinds) == 1 else (yield from ask.choose_word(seat, kinds, "counter", oid))
            left[kind] -= 1
            batch.append(events.RemoveCounters(subject=oid, amount=1, counter=kind, cause="cost"))
    return tuple(batch)


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
        return 0, max(held, default=0)
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


def _total_power(state: State, ids: tuple[int, ...]) -> int:
    return sum(max(0, characteristics(state, i).power or 0) for i in ids)


def _pick_power(
    state: State, seat: int, least: int, among: tuple[int, ...], source: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """One after the other until their total power is enough (crew, current 702.122a)."""
    picked: tuple[int, ...] = ()
    while _total_power(state, picked) < least:
        left = tuple(i for i in among if i not in picked and (characteristics(state, i).power or 0) > 0)
        if not left:
            break
        picked += yield from ask.choose_refs(seat, left, 1, 1, "tap", source)
    return picked


def pay(state: State, seat: int, costs: forms.Costs, scope: Scope, kept: tuple[int, ...] = ()) -> Paying:
    """The events of paying all costs but mana, the player choosing what to sacrifice, discard and so on, but none of `kept`."""
    found: list[events.Event] = []
    for cost in costs:
        # What was tapped for one cost can't be tapped for another, but it can still be sacrificed.
        kinds = events.Move | events.Tap if isinstance(cost, forms.TapOthersCost) else events.Move
        taken = (*kept, *(e.subject for e in found if isinstance(e, kinds)))
        found.extend((yield from _pay_one(state, seat, cost, scope, taken)))
    return tuple(found)


def _pick(
    state: State, seat: int, noun: Noun, scope: Scope, purpose: str, among: tuple[int, ...]
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    n = how_many(state, noun, scope)
    first = scope.refs(PREFERRED) or ()
    among = (*(i for i in first if i in among), *(i for i in among if i not in first))
    least, most = (n, n) if n >= 0 else (0, len(among))  # less than none: any number
    return (yield from ask.choose_refs(seat, among, least, most, purpose, scope.source))


def _pay_one(state: State, seat: int, cost: forms.AnyCost, scope: Scope, taken: tuple[int, ...] = ()) -> Paying:
    me, source = player_ref(seat), scope.source
    if isinstance(cost, forms.TapCost):
        return (events.Tap(subject=source, cause="cost"),)
    if isinstance(cost, forms.UntapCost):
        return (events.Untap(subject=source, cause="cost"),)
    if isinstance(cost, forms.LoyaltyCost):
        change = -(scope.entry.x if scope.entry else 0) if cost.x else cost.change
        if change >= 0:
            return (events.PutCounters(subject=source, amount=change, counter="loyalty", cause="cost"),)
        return (events.RemoveCounters(subject=source, amount=-change, counter="loyalty", cause="cost"),)
    if isinstance(cost, forms.LifeCost):
        return (events.LoseLife(subject=me, amount=amount(state, cost.amount, scope), by=source, cause="pay"),)
    if isinstance(cost, forms.CountersCost):
        n = amount(state, cost.count, scope)
        if cost.of == YOU:
            return (events.RemoveCounters(subject=me, amount=n, counter=cost.counter, cause="cost"),)
        among = tuple(
            i for i in payers(state, seat, cost.of, scope) if cost.put or counters_held(state, i, cost.counter) >= n
        )
        picked = yield from _pick(state, seat, cost.of, scope, "counters", among)
        if not cost.counter:
            return (yield from _any_counters(state, seat, picked, n))
        kind = events.PutCounters if cost.put else events.RemoveCounters
        return tuple(kind(subject=i, amount=n, counter=cost.counter, cause="cost") for i in picked)
    if isinstance(cost, forms.MillCost):
        library = state.players[seat].library
        n = amount(state, cost.count, scope)
        return tuple(events.Move(subject=i, to="graveyard", cause="mill") for i in library[::-1][:n])
    if isinstance(cost, forms.ManaCost | forms.EitherCost | forms.PromiseCost):
        return ()
    if isinstance(cost, forms.GiveLifeCost):
        given = yield from ask.choose_refs(seat, _receivers(state, seat), 1, 1, "gain life", source)
        return tuple(events.GainLife(subject=r, amount=amount(state, cost.amount, scope), by=source) for r in given)
    if isinstance(cost, forms.ExertCost):
        return exerted(state, seat, source)
    if isinstance(cost, forms.EvidenceCost):
        return (yield from _collect(state, seat, cost, scope))
    if isinstance(cost, forms.TapOthersCost):
        idle = tuple(i for i in tappable(state, seat, cost, scope) if i not in taken)
        if cost.power:
            crew = yield from _pick_power(state, seat, amount(state, cost.power, scope), idle, source)
            return tuple(events.Tap(subject=i, cause="cost") for i in crew)
        picked = yield from _pick(state, seat, cost.what, scope, "tap", idle)
        return tuple(events.Tap(subject=i, cause="cost") for i in picked)
    among = tuple(i for i in payers(state, seat, cost.what, scope) if i not in taken)
    if isinstance(cost, forms.SacrificeCost):
        among = may_sacrifice(state, seat, among, scope)
        picked = yield from _pick(state, seat, cost.what, scope, "sacrifice", among)
        return tuple(events.Move(subject=i, to="graveyard", cause="sacrifice", by=source) for i in picked)
    if isinstance(cost, forms.DiscardCost):
        cause = "cycling" if among == (source,) and _is_cycling(scope) else "discard"
        if cost.random and len(among) > 1:
            return _discard_at_random(state, among, how_many(state, cost.what, scope), source)
        picked = yield from _pick(state, seat, cost.what, scope, "discard", among)
        return tuple(events.Move(subject=i, to="graveyard", cause=cause, by=source) for i in picked)
    if isinstance(cost, forms.ExileCost):
        picked = yield from _pick(state, seat, cost.what, scope, "exile", among)
        linked = source if cost.link else 0
        return tuple(events.Move(subject=i, to="exile", cause="exile", by=source, linked_to=linked) for i in picked)
    if isinstance(cost, forms.ReturnCost):
        picked = yield from _pick(state, seat, cost.what, scope, "return", among)
        return tuple(events.Move(subject=i, to="hand", cause="return", by=source) for i in picked)
    picked = yield from _pick(state, seat, cost.what, scope, "reveal", among)
    everyone = (1 << len(state.players)) - 1
    return (events.Reveal(subject=me, objects=picked, seats=everyone),)


def _discard_at_random(state: State, among: tuple[int, ...], n: int, source: int) -> tuple[events.Event, ...]:
    """The pick, which uses chance up as it is done, and what it picks: nobody sees either before all costs are paid."""
    mixed = list(among)
    chance.shuffle(state.options.seed, state.chance, mixed)
    moves = (events.Move(subject=i, to="graveyard", cause="discard", by=source) for i in mixed[:n])
    return (events.PickAtRandom(objects=among, amount=n), *moves)


def _is_cycling(scope: Scope) -> bool:
    """Whether it is a cycling ability that is paid for (702.27c, d)."""
    ability = scope.entry.ability if scope.entry is not None else None
    return isinstance(ability, forms.ActivatedAbility) and ability.keyword == "cycling"


#: What was done to pay for a spell or ability, as its instructions speak of it ("the sacrificed creature").
PAID_NAMES = {
    "sacrifice": "sacrificed",
    "discard": "discarded",
    "cycling": "discarded",
    "exile": "exiled",
    "return": "returned",
}


def told(entry: Entry, batch: list[events.Event]) -> Entry:
    """The entry with what was paid for it: the objects by name, and the mana (sunburst, 702.42a)."""
    bound: dict[str, tuple[int, ...]] = {}
    spent = entry.mana_spent
    made: dict[str, int] = {}
    for event in batch:
        if isinstance(event, events.Move) and event.cause in PAID_NAMES:
            name = PAID_NAMES[event.cause]
            bound[name] = (*bound.get(name, ()), event.subject)
        elif isinstance(event, events.Tap) and event.cause == "cost" and event.subject != entry.source:
            bound["tapped"] = (*bound.get("tapped", ()), event.subject)
        elif isinstance(event, events.SpendMana):
            spent = event.total
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
