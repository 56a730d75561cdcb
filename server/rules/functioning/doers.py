"""Who does what happens: an ability belongs to who controls it, whoever controls its source by then (current 113.8)."""

from __future__ import annotations

from server.cards.forms import Pattern
from server.cards.nouns import Choose
from server.rules.model import Object, Ref, ResolveFrame, State, events, player_ref


def doer(state: State, pattern: Pattern, event: events.Event, by: Ref) -> Ref:
    """What a source did, or the ability of it that is resolving, for a pattern about sources of a kind ("an opponent controls").
    Damage is dealt by the source itself (119.7)."""
    kind = pattern.by is not None and isinstance(pattern.by.reading, Choose)
    if not kind or isinstance(event, events.Damage):
        return by
    found = _resolving(state)
    entry = found.entry if found is not None else None
    return (
        found.id if found is not None and entry is not None and entry.ability is not None and entry.source == by else by
    )


def shuffled(state: State, pattern: Pattern, event: events.Event) -> tuple[Ref, Ref, Ref] | None:
    """Who shuffles: with a cause because of a spell or ability, with "own" because of one that the same player controls."""
    found = _resolving(state) if pattern.cause else None
    if pattern.cause and (found is None or pattern.cause == "own" and player_ref(found.controller) != event.subject):
        return None
    return event.subject, event.object, event.by


def _resolving(state: State) -> Object | None:
    """The spell or ability that is resolving."""
    frames = (frame for frame in reversed(state.agenda) if isinstance(frame, ResolveFrame))
    return next((state.objects.get(frame.object) for frame in frames), None)
