"""When a spell says that it may be cast ("cast this spell only during combat", 601.5), and when players can cast any."""

from __future__ import annotations

from server.cards import forms
from server.rules.functioning.player_rules import rules
from server.rules.model import State, lookup


def timing_allows(state: State, seat: int, rule: forms.CastingRule) -> bool:
    """Whether it is such a time."""
    timing, step = rule.timing, state.turn.step
    if timing == "combat":
        return state.combat is not None
    if timing == "before blockers":
        return state.combat is not None and step in ("begin_combat", "declare_attackers")
    if timing == "after blockers":
        return state.combat is not None and step not in ("begin_combat", "declare_attackers")
    if timing == "your turn":
        return lookup.is_active(state, seat)
    if timing == "opponent's turn":
        return not lookup.is_active(state, seat)
    return True


def held_back(state: State, seat: int) -> bool:
    """Whether the player can cast spells only at a time that it is not: in their own turns, or when they could cast a sorcery, which is
    never while something resolves (307.5)."""
    if not lookup.is_active(state, seat) and rules(state, seat, "casts in own turns"):
        return True
    return bool(rules(state, seat, "casts as sorceries")) and not lookup.sorcery_time(state, seat)
