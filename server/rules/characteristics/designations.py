"""What players are designated: what stands for it in the command zone under their control, and the dungeons that are theirs.

The monarch and the initiative are one player's at a time; the city's blessing, speed (current 702.131, current 702.179) and a
dungeon (current 309) are each player's own.
"""

from __future__ import annotations

from server.cards.keywords import BLESSING, ROOM, SPEED, SPEED_COUNTER
from server.rules.model import Object, State, lookup


def designations(state: State, name: str) -> tuple[Object, ...]:
    """What stands in the command zone for a designation of that name; a commander that is called so is a card and none."""
    there = (state.objects[oid] for oid in state.command)
    return tuple(found for found in there if found.token and found.definition.name == name)


def holder(state: State, name: str) -> int | None:
    """The seat of the player who has a designation that is one player's at a time, if anybody has it."""
    return next((found.controller for found in designations(state, name)), None)


def blessed(state: State, seat: int) -> bool:
    """Whether the player has the city's blessing."""
    return any(found.controller == seat for found in designations(state, BLESSING))


def speed_of(state: State, seat: int) -> int:
    """The player's speed, 0 for who has none (current 702.179f)."""
    own = (found for found in designations(state, SPEED) if found.controller == seat)
    return next((lookup.count(found.counters, SPEED_COUNTER) for found in own), 0)


def room_of(found: Object) -> str:
    """The room of a dungeon in which its venture marker is; "" for what is no dungeon in the command zone."""
    return dict(found.chosen).get(ROOM, "") if found.zone == "command" else ""


def dungeon_of(state: State, seat: int) -> Object | None:
    """The dungeon in the command zone that the player owns, of which there is at most one (current 309.3)."""
    own = (state.objects[oid] for oid in state.command)
    return next((found for found in own if found.owner == seat and room_of(found)), None)
