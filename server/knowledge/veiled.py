"""A game as one seat may know it, for looking ahead where nobody is to learn more: what is hidden from the seat is blank.

A forecast of it says the same as one of the real game, because it ends where something hidden or drawn by chance comes into it.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.knowledge.hidden import may_know
from server.rules.model import Object, State


def veiled(state: State, seat: int) -> State:
    """The state with one of the seat's own cards in the place of each card that it may not know, and without the seed."""
    blank = next((thing.definition for thing in state.objects.values() if may_know(thing, seat)), None)
    objects: dict[int, Object] = {}
    for number, thing in state.objects.items():
        if blank is not None and not may_know(thing, seat):
            thing = replace(thing, definition=blank, printed=None)
        objects[number] = thing
    return replace(state, objects=objects, options=replace(state.options, seed=""), memo={})
