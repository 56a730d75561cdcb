"""What is paid while something resolves (117.12): whether it could be, for how great an X, and the events."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards import forms
from server.rules.costs import costs, mana_paid
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    Scope,
    State,
    ask,
    events,
    evolve,
    lookup,
    seat_of,
)

MOST_X = 99  # of mana paid while something resolves


def with_x(
    state: State, seat: int, price: forms.Costs, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[forms.Costs, int]]:
    """The price with the X that the player chooses, as much as can be paid at most (107.3e)."""

    most = 0
    while most < MOST_X and can_pay(state, seat, costs.at_x(price, most + 1), scope):
        most += 1
    x = yield from ask.number(seat, 0, most, "x", scope.source)
    return costs.at_x(price, x), x


def says_x(price: forms.Costs) -> bool:
    """Whether it is an amount of mana that is still to be chosen."""
    return any(isinstance(part, forms.ManaCost) and "{X}" in part.mana for part in price)


def having_paid(state: State, batch: list[events.Event]) -> State:
    """The state as it is for what others pay at the same time: with less life where a team shares it."""
    players = list(state.players)
    for event in batch if state.options.shared else ():
        for seat in lookup.together(state, seat_of(event.subject)) if isinstance(event, events.LoseLife) else ():
            players[seat] = replace(players[seat], life=players[seat].life - event.amount)
    return evolve(state, players=tuple(players)) if batch else state


def verb_text(verb: forms.May | forms.Unless) -> str:
    """What is offered, for people: the costs as printed."""
    return ", ".join(
        part.mana if isinstance(part, forms.ManaCost) else str(part.__struct_config__.tag) for part in verb.cost
    )


def can_pay(state: State, seat: int, price: forms.Costs, scope: Scope) -> bool:
    """Whether a player could pay this now."""
    return costs.can_pay_costs(state, seat, price, _payer(scope, seat))


def _payer(scope: Scope, seat: int) -> Scope:
    """The scope in which a player pays while something resolves."""
    return Scope(scope.source, seat, scope.entry, scope.bindings).bind(BoundNumber.RESOLVING, 1)


def payment(
    state: State, seat: int, price: forms.Costs, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """The events of paying while something resolves: mana automatically, other costs as the player chooses."""
    if not price:
        return ()
    local = _payer(scope, seat)
    price = yield from costs.settled(state, seat, price, local)
    batch = mana_paid(state, seat, costs.mana_cost(state, price, local)) or []
    batch.extend((yield from costs.pay(state, seat, price, local)))
    return tuple(batch)
