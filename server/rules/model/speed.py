"""Speed (current 702.179): a number of a player, which stands in the command zone."""

from __future__ import annotations

from server.rules.model import lookup
from server.rules.model.state import State

SPEED = "Speed"
SPEED_COUNTER = "speed"


def speed_of(state: State, seat: int) -> int:
    """The player's speed, 0 for who has none (current 702.179f)."""
    for oid in state.command:
        found = state.objects[oid]
        if found.controller == seat and found.definition.name == SPEED:
            return lookup.count(found.counters, SPEED_COUNTER)
    return 0
