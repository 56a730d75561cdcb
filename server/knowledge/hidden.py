"""Who may know what: the one place that decides it, for views, questions and events alike.

A viewer is a seat, or None for a spectator. Everything is hidden unless something here says otherwise.
"""

from __future__ import annotations

from typing import TypeAlias

from server.rules.model import (
    AnyQuestion,
    ChooseQuestion,
    DivideQuestion,
    Object,
    OrderQuestion,
    PriorityQuestion,
    State,
)

Viewer: TypeAlias = int | None

PUBLIC_ZONES = frozenset({"battlefield", "graveyard", "stack", "exile", "command"})
"""Zones in which everyone sees that an object is there (400.2)."""


def may_know(thing: Object, viewer: Viewer) -> bool:
    """Whether the viewer may know which card the object is."""
    if thing.zone in PUBLIC_ZONES:
        if not thing.face_down:
            return True
        if viewer is None:
            return False
        # Its controller may look at a face-down permanent or spell at any time (707.5); in exile only whom the effect lets.
        if thing.zone in ("battlefield", "stack") and thing.controller == viewer:
            return True
        return bool(thing.known >> viewer & 1)
    if viewer is None:
        return False
    if thing.zone == "hand" and thing.owner == viewer:
        return True
    return bool(thing.known >> viewer & 1)


ALWAYS_ASKED = frozenset({"bottom", "discard", "discard to hand size", "library order", "mulligan in part", "scry"})
"""Choices from hidden cards for which it only counts how many there are. Any other may be of cards of a kind, and is not asked where there
is nothing to choose from.
"""


def asked_in_secret(state: State) -> tuple[int, ...]:
    """Who may know of a question of which the others may not even know that it is asked, because that depends on hidden cards:
    whether to show a card that was just drawn, or what to take of those that fit. Those are the seat that is asked and the one
    whose choice it is (712.4); nobody where the question is no such one.
    """
    pending = state.pending
    if pending is None or isinstance(pending, PriorityQuestion):
        return ()
    told = (pending.seat, pending.whose) if pending.whose != pending.seat else (pending.seat,)
    asks = state.objects.get(pending.source)
    if asks is not None and asks.zone not in PUBLIC_ZONES:
        others = (None, *(player.seat for player in state.players if player.seat not in told))
        if not all(may_know(asks, viewer) for viewer in others):
            return told
    if pending.purpose not in ALWAYS_ASKED and shown_by_question(state):
        return told
    return ()


def shown_by_question(state: State) -> tuple[int, ...]:
    """Ids of the objects in hidden zones from which is chosen now, as in a search: who is asked may see them (701.15a), and whose choice
    it is."""
    return () if state.pending is None else shown_by(state, state.pending)


def shown_by(state: State, question: AnyQuestion) -> tuple[int, ...]:
    """As `shown_by_question`, of any question of the step under way."""
    if not isinstance(question, ChooseQuestion | OrderQuestion | DivideQuestion):
        return ()
    found: list[int] = []
    for option in question.options:
        thing = state.objects.get(option.ref)
        if thing is not None and thing.zone not in PUBLIC_ZONES:
            found.append(thing.id)
    return tuple(found)
