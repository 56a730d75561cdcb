"""What a card's tree may hold and what the rules know are the same."""

from __future__ import annotations

from server.cards import forms
from server.rules.costs.costs import ALL_KINDS
from server.rules.instructions.handlers import HANDLERS


def declared(base: type[forms.Form]) -> set[type[forms.Form]]:
    """The structs that `forms` offers and that follow `base`."""
    offered = (one for one in vars(forms).values() if isinstance(one, type) and issubclass(one, base))
    return {one for one in offered if one is not base}


def test_every_verb_that_is_declared_has_a_handler() -> None:
    assert declared(forms.VerbForm) == set(HANDLERS)


def test_every_cost_that_is_declared_can_be_paid() -> None:
    assert declared(forms.Cost) == set(ALL_KINDS)
