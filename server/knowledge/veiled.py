"""A game as one seat may know it, for looking ahead where nobody is to learn more: what is hidden from the seat is blank.

A forecast of it says the same as one of the real game, because it ends where something hidden or drawn by chance comes into it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.knowledge.hidden import may_know
from server.rules.model import Definition, LastKnown, Object, State, ability_definition, events


def veiled(state: State, seat: int) -> State:
    """The state with a card that the seat knows in the place of each card that it may not know, and without the seed; what is remembered
    of what they were before (a spell cast face down was a card in a hand) included.
    """
    known = (thing.definition for thing in state.objects.values() if may_know(thing, seat))
    blank = next(known, None) or ability_definition("", "")
    options = replace(state.options, seed="")
    objects = {number: _veiled(thing, seat, blank) for number, thing in state.objects.items()}
    last = {number: _remembered(one, state, seat, blank) for number, one in state.last.items()}
    results = _told(state.results, state, seat, blank)
    return replace(state, objects=objects, last=last, results=results, options=options, memo={})


def _told(happened: tuple[Any, ...], state: State, seat: int, blank: Definition) -> tuple[Any, ...]:
    """Events bring what an object was before."""
    return tuple(
        replace(event, last=_remembered(event.last, state, seat, blank))
        if isinstance(event, events.Move) and event.last is not None
        else event
        for event in happened
    )


def _veiled(thing: Object, seat: int, blank: Definition) -> Object:
    return thing if may_know(thing, seat) else replace(thing, definition=blank, printed=None)


def _remembered(known: LastKnown, state: State, seat: int, blank: Definition) -> LastKnown:
    """What became public is known as what it was, too."""
    became = state.objects.get(known.became)
    if may_know(known.object, seat) or (became is not None and may_know(became, seat)):
        return known
    characteristics = known.characteristics if known.object.face_down else blank.base
    return replace(known, object=_veiled(known.object, seat, blank), characteristics=characteristics)
