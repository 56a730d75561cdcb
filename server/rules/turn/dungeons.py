"""Dungeons that are through (current 309.6): the venture marker is on the bottommost room, whose ability is done with."""

from __future__ import annotations

from collections.abc import Iterator

from server.cards.keywords import exits
from server.rules.characteristics import room_of
from server.rules.happenings import completes
from server.rules.model import Object, State, events


def dungeons_through(state: State) -> tuple[list[events.Event], bool]:
    """The removal of dungeons whose owners have come through them (current 704.5t), and whether a marker is on a bottommost room
    whose ability has yet to leave the stack."""
    at_bottom = list(_at_bottom(state))
    through = [found for found in at_bottom if not _is_source(state, found.id)]
    return [completes(found) for found in through], len(through) < len(at_bottom)


def _at_bottom(state: State) -> Iterator[Object]:
    for oid in state.command:
        found = state.objects[oid]
        if (room := room_of(found)) and not exits(found.definition.card, room):
            yield found


def _is_source(state: State, oid: int) -> bool:
    """Whether an ability of it has triggered and not left the stack; all abilities of a dungeon that trigger are of its rooms."""
    if any(waiting.source == oid for waiting in state.waiting):
        return True
    entries = (state.objects[one].entry for one in state.stack)
    return any(entry is not None and entry.source == oid for entry in entries)
