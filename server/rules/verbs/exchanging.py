"""Exchanging: life totals, control of permanents, a permanent and a card (701.8)."""

from __future__ import annotations

from server.cards import forms
from server.rules.casting import pick
from server.rules.characteristics import select
from server.rules.functioning import enchant_candidates, has
from server.rules.model import Ref, RunFrame, Scope, State, ask, controller_of, events, lookup, make_effect, seat_of
from server.rules.verbs.next_instruction import Asking, after


def exchange(state: State, frame: RunFrame, verb: forms.Exchange) -> Asking:
    """Two players exchange life totals, two permanents their controllers, a permanent and a card their places (701.8)."""
    scope = frame.scope
    if verb.what == "lives":
        return (yield from _redistribute(state, frame, select(state, verb.left, scope)))
    left = yield from pick(state, verb.left, scope, "exchange", scope.controller)
    if verb.what == "zones":
        return (yield from _exchange_zones(state, frame, verb, left))
    if verb.right is None:
        left, right = left[:1], left[1:2]
    else:
        right = yield from pick(state, verb.right, scope, "exchange", scope.controller)
    if not left or not right:
        return after(frame, [])
    a, b = left[0], right[0]
    if verb.what == "life":
        # 810.9e: of two who share it the life total is the same, so that nothing is exchanged.
        change = lookup.individual_life(state, b) - lookup.individual_life(state, a)
        up, down = (a, b) if change > 0 else (b, a)
        n = abs(change)
        if n and (has(state, seat_of(up), "can't gain life") or has(state, seat_of(down), "can't lose life")):
            return after(frame, [])  # 118.7, 118.8
        return after(frame, [events.GainLife(subject=up, amount=n), events.LoseLife(subject=down, amount=n)])
    # 701.8b: all or nothing.
    seat_a, seat_b = controller_of(state, a), controller_of(state, b)
    there = all(ref in state.stack or lookup.permanent(state, ref) is not None for ref in (a, b))
    if not there or seat_a is None or seat_b is None:
        return after(frame, [])
    batch: list[events.Event] = []
    for oid, seat in ((a, seat_b), (b, seat_a)):
        ability = forms.Continuous(what=forms.Noun("it"), mods=(forms.GainControl(by=forms.Noun("you")),))
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        batch.append(make_effect(state, local, ability, "forever", objects=(oid,)))
    return after(frame, batch)


def _redistribute(state: State, frame: RunFrame, players: tuple[Ref, ...]) -> Asking:
    """Each of the players that are chosen, of a team with one life total at most one (810.9f), gets back one of their life totals."""
    seat, source = frame.scope.controller, frame.scope.source
    chosen: list[Ref] = []
    while left := tuple(r for r in players if not {seat_of(c) for c in chosen} & {*lookup.together(state, seat_of(r))}):
        if not (more := (yield from ask.choose_refs(seat, left, 0, 1, "player", source))):
            break
        chosen += more
    totals = sorted(lookup.individual_life(state, ref) for ref in chosen)
    batch: list[events.Event] = []
    for ref in chosen:
        words = tuple(dict.fromkeys(map(str, totals)))
        total = int((yield from ask.choose_word(seat, words, "number", source)))
        totals.remove(total)
        change = total - lookup.individual_life(state, ref)
        kind = events.GainLife if change > 0 else events.LoseLife
        batch += [kind(subject=ref, amount=abs(change), by=source)] if change else []
    return after(frame, batch)


def _exchange_zones(state: State, frame: RunFrame, verb: forms.Exchange, left: tuple[Ref, ...]) -> Asking:
    """A permanent and a card change places (701.8b): if one of the two could not, nothing happens (aura swap, 702.63b)."""
    scope = frame.scope
    seat = scope.controller
    found = lookup.permanent(state, left[0]) if left else None
    if found is None or not found.controller == found.owner == seat:
        return after(frame, [])
    host = found.attached_to
    assert verb.right is not None
    cards = (r for r in select(state, verb.right, scope) if r > 0 and state.objects[r].owner == seat)
    options = tuple(r for r in cards if not host or host in enchant_candidates(state, r, seat))
    picked = yield from ask.choose_refs(seat, options, 1, 1, "exchange", scope.source)
    if not picked:
        return after(frame, [])
    place = state.objects[picked[0]].zone
    batch = [
        events.Move(subject=found.id, to=place, by=scope.source, cause="put"),
        events.Move(subject=picked[0], to="battlefield", by=scope.source, cause="put", controller=seat, attach_to=host),
    ]
    return after(frame, batch)
