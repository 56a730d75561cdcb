"""Whether mana can be paid, and the events of paying it: from the sources of `mana_sources`, if need be by other mana abilities, one
after the other (`mana_steps`)."""

from __future__ import annotations

from collections.abc import Iterator

from server.cards import forms
from server.rules.characteristics import amount
from server.rules.costs import payment
from server.rules.costs.mana_makers import Maker
from server.rules.costs.mana_sources import (
    NO_SUBSTITUTES,
    Substitutes,
    done_besides,
    mana_events,
    plan_mana,
    sources,
    usable,
)
from server.rules.costs.mana_steps import Step, way
from server.rules.costs.mana_substitutes import NEITHER, other_substitutes, paid_with_life
from server.rules.functioning import payable_life
from server.rules.model import NO_MANA, Scope, State, events, mana, player_ref

MOST_X = 1000
"""So great an X is looked for at most."""


def mana_available(
    state: State, seat: int, cost: mana.Cost, without: int = 0, substitutes: Substitutes = NO_SUBSTITUTES
) -> bool:
    """Whether a player can make and pay this mana; `without` is a permanent that is needed for something else, `substitutes` are
    other things that may be used."""
    if cost == mana.ZERO:
        return True
    if cost.x:
        cost = mana.with_x(cost, 0)
    if (
        substitutes is NO_SUBSTITUTES
    ):  # what is asked for neither by a spell nor by an ability, whose cost is told already
        cost = paid_with_life(state, seat, cost)
    substitutes = other_substitutes(state, seat, substitutes)
    life = payable_life(state, seat)
    if substitutes.bare:
        return payment.can_pay_odd(NO_MANA, substitutes.extra, cost, life)
    return _payable(state, seat, cost, without, substitutes) or _by_steps(state, seat, cost, without, substitutes)


def _by_steps(state: State, seat: int, cost: mana.Cost, without: int, substitutes: Substitutes) -> bool:
    """Whether mana can be paid by activating other mana abilities first. Where nothing is announced it must be plain events."""
    found = way(state, seat, cost, (without,) if without else (), substitutes)
    return found is not None and (found.plain or substitutes.paying not in (None, NEITHER))


def floats(state: State, seat: int, cost: mana.Cost) -> bool:
    """Whether the mana in a player's pool pays for all of it."""
    return payment.plan(state.players[seat].pool, (), cost) is not None


def _payable(state: State, seat: int, cost: mana.Cost, without: int, substitutes: Substitutes) -> bool:
    """Whether mana can be paid from the sources that are counted."""
    pool, life = state.players[seat].pool, payable_life(state, seat)
    if without or substitutes.extra:
        left = usable(state, seat, substitutes, (without,))
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


def mana_paid(
    state: State,
    seat: int,
    cost: mana.Cost,
    without: tuple[int, ...] = (),
    substitutes: Substitutes = NO_SUBSTITUTES,
    spare: bool = False,
) -> list[events.Event] | None:
    """The events of paying this mana automatically; None if it cannot be. With `spare` floating mana is spent only if it must."""
    if substitutes is NO_SUBSTITUTES:
        cost = paid_with_life(state, seat, cost)
    substitutes = other_substitutes(state, seat, substitutes)
    if spare:
        player = state.players[seat]
        plan = payment.spare_plan(
            player.pool, usable(state, seat, substitutes, without), cost, payable_life(state, seat)
        )
    else:
        plan = plan_mana(state, seat, cost, without, substitutes)
    if plan is not None:
        return mana_events(state, seat, plan, substitutes)
    found = way(state, seat, cost, without, substitutes)
    if found is None or not found.plain:
        return None
    batch = [event for step in found.steps for event in _step_events(state, seat, step)]
    return [*batch, *mana_events(state, seat, found.plan, substitutes)]


def tapped_for(state: State, seat: int, step: Step, substitutes: Substitutes) -> list[events.Event]:
    """The events of a step that is tapping a source for the mana that is wanted of it."""
    return mana_events(state, seat, payment.Plan(((step.key, step.makes),), NO_MANA, NO_MANA, 0), substitutes)


def _step_events(state: State, seat: int, step: Step) -> list[events.Event]:
    """The events of activating a plain mana ability."""
    maker, use = step.maker, step.use
    if maker is None or use is None:
        return tapped_for(state, seat, step, NO_SUBSTITUTES)
    found = mana_events(state, seat, step.plan) if step.plan is not None else []
    for cost, picked in zip(maker.ability.cost, use.picks, strict=True):
        found.extend(_cost_events(state, seat, maker, cost, picked))
    taps = any(isinstance(part, forms.TapCost) for part in maker.ability.cost)
    found.append(events.AddMana(subject=player_ref(seat), by=maker.key, mana=step.makes, tapped=taps))
    found.extend(done_besides(state, state.objects[maker.key], maker.ability))
    if maker.ability.limit:
        found.append(events.UsedAbility(subject=maker.key, amount=maker.place))
    return found


def _cost_events(
    state: State, seat: int, maker: Maker, cost: forms.AnyCost, picked: tuple[int, ...]
) -> Iterator[events.Event]:
    """The events of paying one cost of a mana ability with what is picked."""
    me, source = player_ref(seat), maker.key
    match cost:
        case forms.TapCost():
            yield events.Tap(subject=source, cause="mana")
        case forms.TapOthersCost():
            yield from (events.Tap(subject=i, cause="cost") for i in picked)
        case forms.SacrificeCost() | forms.DiscardCost():
            cause = "sacrifice" if isinstance(cost, forms.SacrificeCost) else "discard"
            yield from (events.Move(subject=i, to="graveyard", cause=cause, by=source) for i in picked)
        case forms.ExileCost(link=link):
            linked = source if link else 0
            yield from (events.Move(subject=i, to="exile", cause="exile", by=source, linked_to=linked) for i in picked)
        case forms.ReturnCost():
            yield from (events.Move(subject=i, to="hand", cause="return", by=source) for i in picked)
        case forms.LifeCost(amount=n):
            yield events.LoseLife(subject=me, amount=amount(state, n, Scope(source, seat)), by=source, cause="pay")
        case forms.CountersCost(put=put, counter=kind, count=n):
            change = events.PutCounters if put else events.RemoveCounters
            count = amount(state, n, Scope(source, seat))
            yield from (change(subject=i, amount=count, counter=kind, cause="cost") for i in picked)
        case forms.MillCost(count=n):
            top = state.players[seat].library[::-1][: amount(state, n, Scope(source, seat))]
            yield from (events.Move(subject=i, to="graveyard", cause="mill") for i in top)
        case forms.RevealCost():
            yield events.Reveal(subject=me, objects=picked, seats=(1 << len(state.players)) - 1)
        case _:
            pass


def most_x(
    state: State, seat: int, cost: mana.Cost, without: tuple[int, ...] = (), substitutes: Substitutes = NO_SUBSTITUTES
) -> int:
    """The greatest X with which the cost can be paid: what can be paid from sources, and beyond that step by step."""
    if substitutes.bare:
        return payment.max_x(NO_MANA, substitutes.extra, cost, payable_life(state, seat))
    player = state.players[seat]
    most = payment.max_x(player.pool, usable(state, seat, substitutes, without), cost, payable_life(state, seat))
    while most < MOST_X and way(state, seat, mana.with_x(cost, most + 1), without, substitutes) is not None:
        most += 1
    return most
