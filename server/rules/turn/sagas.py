"""Sagas (current 714): lore counters, chapter abilities, and when the story is over."""

from __future__ import annotations

from server.rules.characteristics import board, characteristics
from server.rules.model import (
    LORE,
    Object,
    PutCounters,
    State,
    final_chapter,
    is_chapter,
    lookup,
)


def lore_of(state: State, seat: int) -> list[PutCounters]:
    """A lore counter on each Saga with chapters that the player controls (current 714.3b)."""
    found: list[PutCounters] = []
    if not board(state).index.triggers:
        return found  # as a chapter would
    for oid in state.battlefield:
        o = state.objects[oid]
        if o.controller == seat and not o.phased_out and _chapters(state, oid):
            found.append(PutCounters(subject=oid, amount=1, counter=LORE, cause="lore"))
    return found


def _chapters(state: State, oid: int) -> int:
    c = characteristics(state, oid)
    return final_chapter(c.abilities.all) if "Saga" in c.subtypes else 0


def is_over(state: State, found: Object) -> bool:
    """Whether a Saga has told all its chapters and none of them waits or is on the stack (current 714.4)."""
    last = _chapters(state, found.id)
    if not last or lookup.count(found.counters, LORE) < last:
        return False
    if any(w.source == found.id and is_chapter(w.ability) for w in state.waiting):
        return False
    entries = (state.objects[oid].entry for oid in state.stack)
    return not any(e and e.source == found.id and e.ability and is_chapter(e.ability) for e in entries)
