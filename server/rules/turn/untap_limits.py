"""How many permanents players may untap during their untap steps (502.2)."""

from __future__ import annotations

from collections.abc import Generator

from server.rules.characteristics import select
from server.rules.functioning import rules
from server.rules.model import AnyAnswer, AnyQuestion, State, ask, lookup

LIMIT = "can't untap more than"


def within_limits(
    state: State, active: int, untapping: tuple[int, ...]
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """Those of the permanents that untap: of a kind that a rule limits, as many as it allows, by their controllers' choice."""
    for seat in lookup.active_players(state):
        for rule, scope in rules(state, seat, LIMIT):
            if rule.what is None or not isinstance(rule.number, int):
                continue
            kind = set(select(state, rule.what, scope))
            bound = tuple(oid for oid in untapping if oid in kind and state.objects[oid].controller == seat)
            if len(bound) > rule.number:
                chosen = yield from ask.choose_refs(seat, bound, rule.number, rule.number, "untap", scope.source)
                untapping = tuple(oid for oid in untapping if oid not in bound or oid in chosen)
    return untapping
