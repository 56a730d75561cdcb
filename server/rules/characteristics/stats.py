"""Statistics of an object: power, toughness, loyalty, mana value."""

from __future__ import annotations

from server.rules.model import Characteristics, State, object_or_last


def stat_of(state: State, oid: int, c: Characteristics, name: str) -> int:
    """A statistic of an object with these characteristics, 0 if it has none; the X of a spell on the stack counts in its mana
    value (202.3b)."""
    if name == "power":
        return c.power or 0
    if name == "toughness":
        return c.toughness or 0
    if name == "loyalty":
        return c.loyalty or 0
    found = object_or_last(state, oid)
    x = found.entry.x if found is not None and found.zone == "stack" and found.entry is not None else 0
    return c.mana_value + (x * c.cost.x if x and c.cost is not None else 0)
