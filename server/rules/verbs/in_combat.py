"""Verbs about combat and damage at once: what becomes blocked, whom attackers attack instead, pairs of creatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting import pick
from server.rules.characteristics import characteristics, select
from server.rules.model import (
    Attacker,
    Combat,
    Next,
    Ref,
    RunFrame,
    State,
    ask,
    controller_of,
    events,
    lookup,
    player_ref,
    seat_of,
)
from server.rules.replacements import planeswalkers_of
from server.rules.verbs.next_instruction import Asking, after


def _become_blocked(state: State, frame: RunFrame, verb: forms.BecomeBlocked) -> Asking:
    """509.1h: an attacking creature that was unblocked is blocked from now on, though by nothing."""
    refs = yield from pick(state, verb.what, frame.scope, "become blocked", frame.scope.controller)
    combat = state.combat
    fresh = tuple(a.id for a in combat.attackers if a.id in refs and not a.blocked) if combat is not None else ()
    if combat is None or not fresh:
        return after(frame, [], it=refs)
    attackers = tuple(replace(a, blocked=True) if a.id in fresh else a for a in combat.attackers)
    batch: list[events.Event] = [events.SetTurn(fields=(("combat", replace(combat, attackers=attackers)),))]
    batch.extend(events.BecomesBlocked(subject=oid, by=frame.scope.source) for oid in fresh)
    return after(frame, batch, it=refs)


def _reselect(state: State, frame: RunFrame, verb: forms.Reselect) -> Asking:
    """Current 508.7: another of the players and planeswalkers that it could attack; nothing triggers."""
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "reselect", scope.controller)
    combat = state.combat
    if combat is None:
        return after(frame, [], it=refs)
    changed = {a.id: a for a in combat.attackers}
    for ref in refs:
        attacker = changed.get(ref)
        if attacker is None:
            continue
        options: list[Ref] = []
        for seat in _reselectable(state, combat, ref):
            options += (player_ref(seat), *planeswalkers_of(state, seat))
        picked = yield from ask.choose_refs(scope.controller, tuple(options), 1, 1, "attacks", scope.source)
        seat = controller_of(state, picked[0]) if picked else None
        if seat is not None:
            first = attacker.defending if state.edition.first_defending_player else -1
            changed[ref] = replace(attacker, defender=picked[0], player=seat, first=first)
    defenders = tuple(dict.fromkeys((*combat.defenders, *(a.player for a in changed.values()))))
    made = replace(combat, attackers=tuple(changed.values()), defenders=defenders)
    return after(frame, [events.SetTurn(fields=(("combat", made),))], it=refs)


def _reselectable(state: State, combat: Combat, ref: Ref) -> tuple[int, ...]:
    """Current 508.7d, e: whoever is chosen as the defending player; where several are attacked at once, any opponent in range."""
    seat = controller_of(state, ref)
    if seat is None or state.options.attack != "multiple":
        return combat.defenders
    return tuple(s for s in lookup.opponents(state, seat) if lookup.in_range(state, seat, s))


def _become_attacking(state: State, frame: RunFrame, verb: forms.BecomeAttacking) -> Asking:
    """Current 508.4 and current 508.4b: a creature of whoever attacks, and nothing that is not there any more is attacked."""
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "become attacking", scope.controller)
    combat, whose = state.combat, {seat_of(ref) for ref in select(state, verb.of, scope) if ref < 0}
    if combat is None:
        return after(frame, [], it=refs)
    there = {a.id for a in combat.attackers}
    fresh = [ref for ref in refs if ref in state.objects and ref not in there and _attacks(state, ref, whose)]
    attacked = (a.defender for a in combat.attackers if controller_of(state, a.id) in whose and a.defender)
    options = tuple(dict.fromkeys(attacked)) if fresh else ()
    picked = yield from ask.choose_refs(scope.controller, options, 1, 1, "attacks", scope.source)
    seat = controller_of(state, picked[0]) if picked else None
    if seat is None:
        return after(frame, [], it=refs)
    more = (Attacker(ref, picked[0], seat, declared=False) for ref in fresh)
    made = replace(combat, attackers=(*combat.attackers, *more))
    return after(frame, [events.SetTurn(fields=(("combat", made),))], it=refs)


def _attacks(state: State, ref: Ref, whose: set[int]) -> bool:
    """Whether it is a creature on the battlefield that one of these players controls."""
    found = state.objects[ref]
    return found.zone == "battlefield" and found.controller in whose and "creature" in characteristics(state, ref).types


def _remove_from_combat(state: State, frame: RunFrame, verb: forms.RemoveFromCombat) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "remove from combat", frame.scope.controller)
    return after(frame, [events.RemovedFromCombat(subject=r, by=frame.scope.source) for r in refs if r > 0], it=refs)


COMBAT_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.BecomeAttacking: _become_attacking,
    forms.BecomeBlocked: _become_blocked,
    forms.Reselect: _reselect,
    forms.RemoveFromCombat: _remove_from_combat,
}
