"""Players whom other players control (712): when such effects, and others that wait for somebody's combat phase, begin to work and
end, and what a controller sees.

Who makes a player's decisions is `lookup.decider`; the driver asks it with each question. Nothing else of a player changes (712.3).
"""

from __future__ import annotations

from msgspec.structs import replace

from server.cards.forms import Duration
from server.rules.model import CONTROLLED, Floating, State, Step, events, lookup, player_ref

_BEGIN: dict[Duration, Duration] = {
    "during their next turn": "during their turn",
    "during their next combat": "during their combat",
}


def with_turn(effects: tuple[Floating, ...], taking: tuple[int, ...]) -> tuple[Floating, ...]:
    """The effects as these players begin a turn, the same where nothing changes: what controlled somebody in the last turn ends, and
    what waited for a turn that one of them actually takes controls it whole (712.1, 712.1b)."""
    return _begun(_without(effects, CONTROLLED), "during their next turn", taking)


def with_step(state: State, step: Step) -> tuple[Floating, ...]:
    """The effects as a step begins that is not skipped: those that waited for a combat phase begin with it, and end after it."""
    if step == "begin_combat":
        over = _without(state.effects, ("during their combat",))
        active = lookup.active_players(state)
        return _begun(over, "during their next combat", active, _creatures_of(state, over, active))
    return state.effects if state.combat is not None else _without(state.effects, ("during their combat",))


def _creatures_of(state: State, effects: tuple[Floating, ...], seats: tuple[int, ...]) -> frozenset[int]:
    """What such effects wait for that these players control now ("attacks during its controller's next combat phase")."""
    waiting = (ref for e in effects if e.until == "during their next combat" for ref in e.objects or ())
    return frozenset(r for r in waiting if r in state.objects and state.objects[r].controller in seats)


def _without(effects: tuple[Floating, ...], over: tuple[Duration, ...]) -> tuple[Floating, ...]:
    if not any(e.until in over for e in effects):
        return effects
    return tuple(e for e in effects if e.until not in over)


def _begun(
    effects: tuple[Floating, ...], waiting: Duration, seats: tuple[int, ...], creatures: frozenset[int] = frozenset()
) -> tuple[Floating, ...]:
    theirs = {*(player_ref(seat) for seat in seats), *creatures}
    if not any(e.until == waiting and theirs.intersection(e.objects or ()) for e in effects):
        return effects
    return tuple(
        replace(e, until=_BEGIN[waiting]) if e.until == waiting and theirs.intersection(e.objects or ()) else e
        for e in effects
    )


def sights(state: State) -> tuple[events.Reveal, ...]:
    """What controlled players may see and their controllers have not seen yet (712.4): their hands, what they control face down or may
    look at face down in exile. What is shown to a controlled player is shown to the controller as it happens (`do_reveal`)."""
    if not any(e.until in CONTROLLED for e in state.effects):
        return ()
    found: list[events.Reveal] = []
    for p in state.players:
        seat = lookup.decider(state, p.seat)
        if seat == p.seat or p.lost:
            continue
        fresh = tuple(oid for oid in _seen_by(state, p.seat) if not state.objects[oid].known >> seat & 1)
        if fresh:
            found.append(events.Reveal(subject=player_ref(p.seat), objects=fresh, seats=1 << seat, cause="control"))
    return tuple(found)


def _seen_by(state: State, seat: int) -> tuple[int, ...]:
    """What a player may look at now that not everybody sees, but for libraries (707.5, 406.3)."""
    objects = state.objects
    own = (oid for oid in (*state.battlefield, *state.stack) if objects[oid].face_down)
    exiled = (oid for oid in state.exile if objects[oid].face_down and objects[oid].known >> seat & 1)
    return (*state.players[seat].hand, *(oid for oid in own if objects[oid].controller == seat), *exiled)
