"""A card looked at as the spell that it would be: for costs and prohibitions that speak of spells before there is one."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.evolve import evolve
from server.rules.state import State


def as_spell(state: State, oid: int, seat: int) -> State:
    """The state in which the card is a spell on the stack under this player's control; only for asking."""
    key = ("as spell", oid, seat)
    made = state.memo.get(key)
    if made is None:
        card = state.objects[oid]
        if card.zone == "stack":
            return state
        objects = dict(state.objects)
        objects[oid] = replace(card, zone="stack", controller=seat)
        made = state.memo[key] = evolve(state, objects=objects, stack=(*state.stack, oid))
    return made
