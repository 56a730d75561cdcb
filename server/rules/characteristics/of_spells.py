"""What a spell says of itself on the stack ("this spell can't be countered if X is 5 or more", 112.6)."""

from __future__ import annotations

from server.cards import forms
from server.rules.characteristics.amounts import holds
from server.rules.characteristics.layers import characteristics
from server.rules.model import Scope, State


def says_of_itself(state: State, oid: int, rule: str) -> bool:
    """Whether a spell has a static ability that puts this flag on itself, as its condition says now."""
    found = state.objects.get(oid)
    if found is None or found.zone != "stack":
        return False
    scope = Scope(oid, found.controller, found.entry)
    return any(
        any(isinstance(m, forms.Flag) and m.rule == rule for m in ability.mods)
        and ability.what.text == forms.THIS
        and (ability.condition is None or holds(state, ability.condition, scope))
        for _, ability in characteristics(state, oid).abilities.continuous
    )
