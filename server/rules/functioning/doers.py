"""Who does what happens: an ability belongs to who controls it, whoever controls its source by then (current 113.8)."""

from __future__ import annotations

from server.rules.model import Ref, ResolveFrame, State, events


def doer(state: State, event: events.Event, by: Ref) -> Ref:
    """What a source did, or the ability of it that is resolving. Damage is dealt by the source itself (119.7)."""
    if isinstance(event, events.Damage):
        return by
    for frame in reversed(state.agenda):
        if isinstance(frame, ResolveFrame):
            found = state.objects.get(frame.object)
            entry = found.entry if found is not None else None
            return frame.object if entry is not None and entry.ability is not None and entry.source == by else by
    return by
