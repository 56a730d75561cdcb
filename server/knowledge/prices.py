"""Costs in the words of cards, for those who are asked whether they pay them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.cards import forms
from server.rules.characteristics import amount
from server.rules.costs import mana_cost
from server.rules.model import Scope, State, mana


def price_text(state: State, seat: int, costs: forms.Costs) -> str:
    """What a player pays for all of these, the mana added up: "{2}, pay 1 life". "" for nothing."""
    scope = Scope(0, seat)
    others = [_words(state, scope, cost) for cost in costs if not isinstance(cost, forms.ManaCost)]
    if len(others) == len(costs):
        return ", ".join(others)
    return ", ".join((mana.print_cost(mana_cost(state, costs, scope)), *others))


def _words(state: State, scope: Scope, cost: forms.AnyCost) -> str:
    if isinstance(cost, forms.EitherCost):
        return " or ".join(price_text(state, scope.controller, way) for way in cost.options)
    words = _WORDS.get(type(cost))
    return words(state, scope, cost) if words else str(cost.__struct_config__.tag)


_WORDS: dict[type[Any], Callable[[State, Scope, Any], str]] = {
    forms.LifeCost: lambda state, scope, cost: f"pay {amount(state, cost.amount, scope)} life",
    forms.SacrificeCost: lambda _, __, cost: f"sacrifice {cost.what.text}",
    forms.DiscardCost: lambda _, __, cost: f"discard {cost.what.text}" + (" at random" if cost.random else ""),
    forms.ExileCost: lambda _, __, cost: f"exile {cost.what.text}",
    forms.ReturnCost: lambda _, __, cost: f"return {cost.what.text} to its owner's hand",
    forms.TapOthersCost: lambda _, __, cost: f"tap {cost.what.text}",
    forms.RevealCost: lambda _, __, cost: f"reveal {cost.what.text}",
    forms.BuryCost: lambda _, __, cost: f"put {cost.what.text} into its owner's graveyard",
    forms.LibraryCost: lambda _, __, cost: (
        f"put {cost.what.text} {'on the bottom' if cost.bottom else 'on top'} of its owner's library"
    ),
    forms.DamageCost: lambda state, scope, cost: f"be dealt {amount(state, cost.amount, scope)} damage",
    forms.MillCost: lambda state, scope, cost: f"mill {amount(state, cost.count, scope)}",
}
"""By the kind of cost; of others the kind alone is said."""
