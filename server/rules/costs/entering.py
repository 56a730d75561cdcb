"""What enters the battlefield, looked at as it would be there (614.12); states made for asking alone."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.rules.model import Object, State, changed, events, evolve, including, rare


def entering(state: State, event: events.Move) -> tuple[State, events.Move]:
    """The state in which the entering object is on the battlefield already, and the event in its terms: how it would be
    there decides what applies to it (614.12). Only for asking."""
    key = ("entering", event.subject, event.controller, event.counters, event.definition, event.chosen)
    made = state.memo.get(key)
    if made is None:
        found = state.objects.get(event.subject)
        oid = event.subject or state.next_id
        controller = event.controller if event.controller >= 0 else found.owner if found is not None else 0
        if found is None:
            assert event.definition is not None
            owner = event.owner if event.owner >= 0 else controller
            found = Object(oid, event.definition, owner, controller, "battlefield", rare=rare(token=True))
        definition = event.definition or found.printed or found.definition
        seen = changed(
            found,
            zone="battlefield",
            controller=controller,
            base=controller,
            definition=definition,
            counters=event.counters,
            face_down=event.face_down,
            chosen=(*found.chosen, *event.chosen),
        )
        left = _without(state, found) if event.subject in state.objects else {}
        view = evolve(state, objects=including(state.objects, seen), battlefield=(*state.battlefield, oid), **left)
        seen_so = replace(event, from_=found.zone) if event.subject else replace(event, subject=oid)
        made = state.memo[key] = (view, seen_so)
    return made


def _without(state: State, found: Object) -> dict[str, Any]:
    """The fields of a state without the object in the zone that it is in."""
    if found.zone in ("stack", "exile", "command"):
        return {found.zone: tuple(i for i in getattr(state, found.zone) if i != found.id)}
    if found.zone == "battlefield":
        return {}
    owner = state.players[found.owner]
    kept = tuple(i for i in getattr(owner, found.zone) if i != found.id)
    players = (replace(owner, **{found.zone: kept}) if p is owner else p for p in state.players)
    return {"players": tuple(players)}


def becoming(state: State, event: events.Move) -> tuple[State, int]:
    """The state in which what enters is already what it enters as, a copy perhaps, with what was chosen for it, but not there yet,
    and its id: of this speak the conditions and amounts of its own effects on how it enters (614.12, 706.5). Only for asking."""
    found = state.objects.get(event.subject)
    if event.definition is None and (found is None or not event.chosen):
        return state, event.subject
    if found is None:
        assert event.definition is not None
        seat = max(event.controller, 0)
        found = Object(state.next_id, event.definition, seat, seat, "stack", rare=rare(token=True, entry=event.entry))
    now = changed(found, definition=event.definition or found.definition, chosen=(*found.chosen, *event.chosen))
    return evolve(state, objects=including(state.objects, now)), now.id
