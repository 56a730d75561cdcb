"""In what order the cards of a merged or melded permanent come where it goes (current 712.21a, b; current 729.3a, b)."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from msgspec.structs import replace

from server.rules.model import AnyAnswer, AnyQuestion, Choice, Object, State, ask, controller_of, events


def to_arrange(state: State, event: events.Event) -> Object | None:
    """The permanent of several cards that an event takes to where their order is somebody's choice; None for any other event."""
    if not isinstance(event, events.Move) or event.order or event.to not in ("graveyard", "library", "exile"):
        return None
    found = state.objects.get(event.subject)
    return found if found is not None and sum(not part.token for part in found.merged) > 1 else None


def arranged(state: State, batch: Sequence[events.Event]) -> Generator[AnyQuestion, AnyAnswer, list[events.Event]]:
    """The events with what is chosen of such permanents: in a graveyard or library by the owner, in exile by who exiles."""
    ready: list[events.Event] = []
    for event in batch:
        found = to_arrange(state, event)
        if found is None or not isinstance(event, events.Move):
            ready.append(event)
            continue
        by = controller_of(state, event.by) if event.to == "exile" and event.by else None
        options = tuple(Choice(word=part.definition.name, text=part.definition.name) for part in found.merged)
        places = yield from ask.arrangement(
            found.owner if by is None else by, options, f"parts to {event.to}", found.id
        )
        # What is said first goes there last: each comes upon those before it, but on the bottom of a library beneath them.
        on_top = event.to == "graveyard" or event.to == "library" and event.position >= 0
        ready.append(replace(event, order=places[::-1] if on_top else places))
    return ready
