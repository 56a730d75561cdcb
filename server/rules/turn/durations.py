"""Which floating effects end as turns and steps begin and end (611.2, 514.2, 511.2)."""

from __future__ import annotations

from server.rules.model import Floating, State, lookup, player_ref

NEXT_TURNS = ("your next turn", "your next upkeep", "your next end step", "end of your next turn")
"""Durations that end with or in the next turn of the effect's controller."""
UNTIL_STEP = {"upkeep": "your next upkeep", "end_turn": "your next end step"}
"""What lasts until a step begins."""


def ended_effects(state: State, durations: tuple[str, ...], active: int) -> tuple[int, ...]:
    """The floating effects that end now: with such a duration, of this player where the duration is somebody's."""
    return tuple(e.id for e in state.effects if e.until in durations and _is_due(state, e, active))


def _is_due(state: State, effect: Floating, active: int) -> bool:
    taking = (active,) if active < 0 else lookup.together(state, active)
    if effect.until in ("your next turn", *UNTIL_STEP.values()):
        return effect.controller in taking
    if effect.until in ("end of your next turn", "your next untap step"):
        return effect.controller in taking and effect.turn != state.turn.number
    if effect.until in ("end of their next turn", "their next untap step"):
        theirs = dict(effect.bindings).get("player") in tuple((player_ref(s),) for s in taking)
        return theirs and effect.turn != state.turn.number
    if effect.until == "next untap step":
        if effect.turn == state.turn.number:
            return False
        objects = effect.objects or ()
        return any(o in state.objects and state.objects[o].controller in taking for o in objects) or not objects
    return True
