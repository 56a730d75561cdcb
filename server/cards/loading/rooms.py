"""What the rooms of a dungeon must be (current 309.4): each with a name of its own, and arrows that lead down."""

from __future__ import annotations

from collections.abc import Iterator

from server.cards.forms import Card
from server.cards.grammar import parse_types

MOST_ROOMS = 20


def room_faults(card: Card) -> Iterator[str]:
    """Why the rooms of a card are none, if they are not."""
    rooms = card.rooms
    if bool(rooms) != ("dungeon" in parse_types(card.types)[1]):
        yield "a dungeon, and nothing else, has rooms (current 309.4)"
    names = [room.name for room in rooms]
    if len(rooms) > MOST_ROOMS or len(set(names)) < len(names):
        yield f"a dungeon has at most {MOST_ROOMS} rooms, each with a name of its own"
    for place, room in enumerate(rooms):
        if not room.name or not room.do or len(set(room.leads_to)) < len(room.leads_to):
            yield f"the room {room.name!r} lacks a name or an ability, or has the same arrow twice"
        if not set(room.leads_to) <= set(names[place + 1 :]):
            yield f"an arrow of the room {room.name!r} leads to no room further down"
        if bool(room.leads_to) == (place == len(rooms) - 1):
            yield "the last room, and no other, has no arrows (current 309.5b)"
    reached = {name for room in rooms for name in room.leads_to}
    if not set(names[1:]) <= reached:
        yield "to every room but the first leads an arrow"
