"""Where a seat that has said its stops is asked for priority, and what is a reason to ask it."""

from __future__ import annotations

from collections.abc import Collection

from server.knowledge.views import step_word
from server.rules.casting import reminds
from server.rules.model import Action, State, controller_of


def lets_go(state: State, seat: int, stops: Collection[str] | None) -> bool:
    """Whether the seat wants no question here: its own spell or ability is on top, or the step is none of its `stops` of this turn
    (None: it stops everywhere).
    """
    if state.stack:
        return state.objects[state.stack[-1]].controller == seat
    return stops is not None and step_word(state.turn.step) not in stops


def is_something(state: State, seat: int, action: Action) -> bool:
    """Whether an action is a reason to ask; what anybody may call is one for its controller, who is reminded where that can be."""
    if action.type == "call":
        return controller_of(state, action.object) == seat and not reminds(state, action)
    return action.type != "pass" and not action.mana
