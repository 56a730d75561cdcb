"""What happens to venture markers and dungeons, as patterns find it (current 309.4c, current 309.7)."""

from __future__ import annotations

from server.cards.forms import Pattern
from server.cards.keywords import ROOM
from server.rules.model import Ref, State, events


def of_dungeons(event: events.Chosen | events.Ceases) -> tuple[str, ...]:
    """The pattern names of what a player does in a dungeon, if it is that."""
    if isinstance(event, events.Ceases):
        return ("dungeon completed",) if event.cause == "completed" else ()
    return ("room entered",) if event.what == ROOM else ()


def room_entered(state: State, pattern: Pattern, event: events.Event) -> tuple[Ref, Ref, Ref] | None:
    """A marker that follows an arrow, or that is put on the topmost room of a dungeon as it comes into the game."""
    if isinstance(event, events.Move):
        dungeon, room = event.became, dict(event.chosen)[ROOM]
    else:
        assert isinstance(event, events.Chosen)
        dungeon, room = event.subject, event.value
    return None if pattern.cause not in ("", room) else (dungeon, 0, 0)


def dungeon_completed(state: State, pattern: Pattern, event: events.Event) -> tuple[Ref, Ref, Ref] | None:
    """The player who completes it is whom it is about."""
    return event.object, event.subject, 0
