"""A card looked at as the spell that it would be: for costs and prohibitions that speak of spells before there is one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.rules.characteristics import Followed
from server.rules.model import Definition, Entry, Object, State, changed, evolve, including, of_spells


def as_side(state: State, oid: int, side: int) -> State:
    """The state in which the card is only one of its sides, which is all that is evaluated as that is cast (708.2a); only for
    asking."""
    if not side:
        return state
    kept, key = of_spells(state), ("as side", oid, side)
    made = kept.get(key)
    if made is None:
        card = state.objects[oid]
        seen = replace(
            card, definition=card.definition.sides[side - 1], rare=replace(card.rare, printed=card.definition)
        )
        made = kept[key] = _seen(state, objects=including(state.objects, seen))
    return made


def as_face_down(state: State, oid: int) -> State:
    """The state in which the card is face down, which is all that is evaluated as it is cast so (morph, 702.35b); only for asking."""
    card = state.objects[oid]
    if card.face_down:
        return state
    kept, key = of_spells(state), ("as face down", oid)
    made = kept.get(key)
    if made is None:
        objects = including(state.objects, replace(card, face_down=True))
        made = kept[key] = _seen(state, objects=objects)
    return made


def as_spell(state: State, oid: int, seat: int) -> State:
    """The state in which the card is a spell on the stack under this player's control; only for asking."""
    kept, key = of_spells(state), ("as spell", oid, seat)
    made = kept.get(key)
    if made is None:
        card = state.objects[oid]
        if card.zone == "stack":
            return state
        entry = replace(card.entry or Entry(), cast_from=card.zone, caster=seat)
        objects = including(state.objects, changed(card, zone="stack", controller=seat, entry=entry))
        made = kept[key] = _seen(state, objects=objects, stack=(*state.stack, oid))
    return made


def as_copied(state: State, found: Object, definition: Definition) -> State:
    """The state in which a spell is what a copy of it will be, exceptions included (706.9); only for asking."""
    if definition is found.definition or found.id not in state.objects:
        return state
    return _seen(state, objects=including(state.objects, replace(found, definition=definition)))


def _seen(state: State, **changes: Any) -> State:
    """A state that is only asked. Its board, where nothing on it is another one, is not the very board of the state: that would go on
    with the objects of what was asked (`Followed.is_of`), a dict of all, long after that is gone."""
    view = evolve(state, **changes)
    made: object = state.memo.get("board")  # where it has none yet, the view follows the board of a state before
    if isinstance(made, Followed):
        view.memo["before"] = made.at(state)
    return view
