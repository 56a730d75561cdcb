"""Several permanents to sacrifice for one cost, each of another kind (117.3): no permanent is sacrificed for two of them."""

from __future__ import annotations

from server.cards import forms
from server.rules.costs.payers import how_many, may_sacrifice, payers
from server.rules.model import Scope, State


def _ways(state: State, seat: int, costs: forms.Costs, scope: Scope) -> list[tuple[int, ...]]:
    """What could be sacrificed for each of the costs that ask for one permanent, the hardest to pay first."""
    single = [c for c in costs if isinstance(c, forms.SacrificeCost) and how_many(state, c.what, scope) == 1]
    ways = [may_sacrifice(state, seat, payers(state, seat, c.what, scope), scope) for c in single]
    return sorted(ways, key=len)


def _distinct(ways: list[tuple[int, ...]], taken: frozenset[int]) -> bool:
    if not ways:
        return True
    return any(oid not in taken and _distinct(ways[1:], taken | {oid}) for oid in ways[0])


def one_for_each(state: State, seat: int, costs: forms.Costs, scope: Scope) -> bool:
    """Whether each of the costs has a permanent of its own."""
    sacrifices = sum(isinstance(cost, forms.SacrificeCost) for cost in costs)
    return sacrifices < 2 or _distinct(_ways(state, seat, costs, scope), frozenset())


def needed(state: State, seat: int, rest: forms.Costs, scope: Scope, taken: tuple[int, ...]) -> tuple[int, ...]:
    """The permanents without which the `rest` of the costs could not be paid, of what is not `taken` yet."""
    ways = _ways(state, seat, rest, scope)
    gone = frozenset(taken)
    return tuple(oid for oid in dict.fromkeys(i for way in ways for i in way) if not _distinct(ways, gone | {oid}))
