"""Loops of mandatory actions, which end the game as a draw (104.4b, 716.4).

While everybody only passes, the game goes on by itself. If the same *shape* comes again and again while nobody is asked anything
but for priority and nothing is left to chance, it will come for ever. The shape is what the game does next depends on, without
ids and timestamps. Amounts are compared beside it: a loop in which something runs out (life, cards, loyalty) comes to an
end by itself; one in which something only grows might still reach what ends it, and is given more time.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from msgspec.structs import replace

from server.rules.model import Loop, Ref, State, object_or_last

FIRST_LOOK = 64
"""So many resolutions in a row in which everybody passed come before anything is compared."""
REPEATS, REPEATS_GROWING = 12, 300
"""So often the same comes again before it is known to be a loop; so often if something grows each time."""
HARMFUL = ("poison", "-1/-1")
"""Counters of which more bring an end nearer."""


def watch(state: State, count: int) -> Loop | None:
    """What a loop can be known by, after `count` resolutions in a row in which everybody passed."""
    if count < FIRST_LOOK:
        return None
    shape, amounts = _shape(state), _amounts(state)
    begun = Loop(shape, amounts, state.chance, state.questions, count, seats=_controllers(state))
    known = state.loop
    passes = sum(not p.lost for p in state.players)
    if (
        known is None
        or known.at != count - 1
        or known.asked != state.questions - passes
        or known.chance != state.chance
    ):
        return begun
    if shape != known.shape:
        # A new one to compare with at each power of two: sooner or later it is of the loop, and a whole round follows.
        if not known.repeats and not count & (count - 1):
            return begun
        return replace(known, asked=state.questions, at=count, seats=_with(known.seats, begun.seats))
    if not _lasting(known.amounts, amounts):
        return begun
    growing = known.growing or amounts != known.amounts
    return replace(begun, repeats=known.repeats + 1, growing=growing, seats=_with(known.seats, begun.seats))


def _controllers(state: State) -> tuple[int, ...]:
    """Who controls the object that is about to resolve, its source, and what it is aimed at or speaks of (801.18)."""
    top = state.objects[state.stack[-1]]
    refs = [top.id]
    if top.entry is not None:
        refs += [top.entry.source, *(ref for slot in top.entry.targets for ref in slot)]
        refs += (ref for _, value in top.entry.bindings if isinstance(value, tuple) for ref in value)
    involved = (state.objects.get(ref) for ref in refs)
    return tuple(dict.fromkeys(found.controller for found in involved if found is not None))


def _with(seats: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return seats if set(more) <= set(seats) else tuple(sorted({*seats, *more}))


def is_endless(loop: Loop | None) -> bool:
    """Whether what was watched goes on for ever."""
    return loop is not None and loop.repeats >= (REPEATS_GROWING if loop.growing else REPEATS)


def _lasting(before: tuple[tuple[str, int], ...], now: tuple[tuple[str, int], ...]) -> bool:
    """Whether nothing became less."""
    old, new = dict(before), dict(now)
    return all(new.get(what, 0) >= old.get(what, 0) for what in old | new)


def _shape(state: State) -> str:
    """All that matters of a state for what happens next, but for amounts, as a hash."""
    objects, turn = state.objects, state.turn
    parts = (
        (turn.number, turn.active, turn.step, len(state.waiting)),
        [_described(state, oid) for oid in state.stack],
        sorted({_described(state, oid) for oid in state.battlefield}),
        [[objects[oid].definition.key for oid in p.library] for p in state.players],
        sorted({f"{effect.controller} {effect.ability}" for effect in state.effects}),
        sorted({f"{delayed.controller} {delayed.ability}" for delayed in state.delayed}),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _described(state: State, oid: int) -> str:
    """An object as far as it is no amount; what it speaks of by the cards."""
    found = state.objects[oid]
    status = (found.tapped, found.face_down, found.phased_out, found.sick, found.damage > 0)
    words = [found.definition.key, found.controller, status, found.chosen, _name(state, found.attached_to)]
    entry = found.entry
    if entry is not None and found.zone == "stack":
        targets = [[_name(state, ref) for ref in slot] for slot in entry.targets]
        words += [entry.kind, entry.index, entry.modes, entry.x, _name(state, entry.source), targets]
    return repr(words)


def _name(state: State, ref: Ref) -> str:
    found = object_or_last(state, ref) if ref > 0 else None
    return str(min(ref, 0)) if found is None else found.definition.key


def _amounts(state: State) -> tuple[tuple[str, int], ...]:
    """Everything that is counted, by name; more of it brings no end nearer."""
    found: Counter[str] = Counter()
    for p in state.players:
        found[f"life {p.seat}"] = p.life
        for kind, n in p.counters:
            found[f"{kind} {p.seat}"] = -n if kind in HARMFUL else n
    for o in state.objects.values():
        if o.zone == "stack":
            continue
        name = f"{o.zone} {o.controller} {o.definition.key}"
        found[name] += 1
        found[f"damage {name}"] -= o.damage
        for kind, n in o.counters:
            found[f"{kind} {name}"] += -n if kind in HARMFUL else n
    return tuple(sorted((name, n) for name, n in found.items() if n))
