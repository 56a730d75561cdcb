"""Statistics of objects, and how they compare to amounts ("with power 3 or greater", "with toughness greater than its power")."""

from __future__ import annotations

from server.cards import nouns
from server.rules.characteristics import amounts
from server.rules.characteristics.layers import known
from server.rules.model import Scope, State, compare, object_or_last

ITSELF = "itself"


def stat_is(state: State, p: nouns.StatIs, oid: int, scope: Scope) -> bool:
    """Whether a statistic of the object compares so to an amount, or to another one of its own."""
    if isinstance(p.amount, nouns.StatOf) and p.amount.of.text == ITSELF:  # "toughness greater than its power"
        return compare(stat(state, oid, p.stat), p.compare, stat(state, oid, p.amount.stat))
    wanted = amounts.amount(state, p.amount, scope)
    if p.stat == "mana value" and state.edition.split_values == "each":
        c = known(state, oid)
        if c is not None and c.halves:  # 708.6a: yes if either half alone would be
            return any(compare(half.mana_value, p.compare, wanted) for half in c.halves)
    return compare(stat(state, oid, p.stat), p.compare, wanted)


def stat(state: State, oid: int, name: str) -> int:
    """A statistic of an object, 0 if it has none; the X of a spell on the stack counts in its mana value (202.3b)."""
    c = known(state, oid)
    if c is None:
        return 0
    if name == "power":
        return c.power or 0
    if name == "toughness":
        return c.toughness or 0
    if name == "loyalty":
        return c.loyalty or 0
    found = object_or_last(state, oid)
    x = found.entry.x if found is not None and found.zone == "stack" and found.entry is not None else 0
    return c.mana_value + (x * c.cost.x if x and c.cost is not None else 0)
