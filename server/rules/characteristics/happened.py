"""How many things of a kind did what the turn's history tells (`nouns.Happened`): what entered or attacked is asked as what it was then,
what is gone by last known information (603.10, 608.2g)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.cards import nouns
from server.rules.characteristics import selection
from server.rules.characteristics.layers import characteristics
from server.rules.model import Counted, LastKnown, Ref, Scope, State, all_of, events, evolve

#: Under what history keeps the objects that did so.
_HAPPENED = {
    "entered": Counted.THING_ENTERED,
    "died": Counted.THING_DIED,
    "left": Counted.THING_LEFT,
    "cast": Counted.THING_CAST,
    "sacrificed": Counted.THING_SACRIFICED,
    "attacked": Counted.THING_ATTACKED,
    "countered": Counted.THING_COUNTERED,
    "destroyed": Counted.THING_DESTROYED,
    "returned": Counted.THING_RETURNED,
}


def happened(state: State, value: nouns.Happened, scope: Scope) -> int:
    """How many of them there were. Of what has just happened nothing is kept yet: it still is what it was."""
    what = _HAPPENED[value.what]
    refs = (ref for ref, _ in all_of(state, what))
    return sum(selection.fits(_as_then(state, what, ref), value.of.reading, ref, scope) for ref in refs)


def _as_then(state: State, what: Counted, ref: Ref) -> State:
    """The state in which that object is known as what it was then alone. Only for asking."""
    told = state.known_then.get((what, ref))
    if told is None:
        return state
    last = {**state.last, ref: told}
    if ref not in state.objects:
        return evolve(state, last=last)
    others = {oid: found for oid, found in state.objects.items() if oid != ref}
    return evolve(state, last=last, objects=others, battlefield=tuple(i for i in state.battlefield if i != ref))


def knowing_then(state: State, done: Sequence[events.Event]) -> State:
    """The state in which what has just entered or attacked is kept as what it is now, while this turn lasts."""
    found = {key: state.objects[key[1]] for key in _of_history(done) if key[1] in state.objects}
    if not found:
        return state
    kept = {key: LastKnown(one, characteristics(state, one.id)) for key, one in found.items()}
    return evolve(state, known_then={**state.known_then, **kept})


def _of_history(done: Sequence[events.Event]) -> Iterator[tuple[Counted, Ref]]:
    for event in done:
        if isinstance(event, events.Move) and event.to == "battlefield" and event.became:
            yield Counted.THING_ENTERED, event.became
        elif isinstance(event, events.AttackersDeclared):
            yield from ((Counted.THING_ATTACKED, oid) for oid, *_ in event.attacks)
