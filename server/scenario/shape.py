"""What matters of a state for what can come of it, without ids and timestamps: by it the solver knows where it has been.

Only of moments in which nothing is under way: the stack is empty, no trigger waits. What is left out is what such a moment cannot
depend on (ids, order of arrival, objects that are gone).
"""

from __future__ import annotations

from collections.abc import Hashable

from server.rules import State
from server.rules.model import CombatFrame, Floating, Object, PriorityFrame, TurnFrame

CALM = (TurnFrame, PriorityFrame, CombatFrame)


def shape(state: State) -> Hashable | None:
    """Equal for moments from which the same can come; None for those that are not told apart so."""
    if state.stack or state.waiting or state.delayed or any(type(one) not in CALM for one in state.agenda):
        return None
    if any(one.attached_to or one.linked for one in map(state.objects.__getitem__, state.battlefield)):
        return None
    by_object = _effects(state)
    fights = _fights(state)
    if fights is None:
        return None
    players = tuple(
        (
            *(one.life, one.counters, one.pool, one.lands_played, one.lost, one.drew_empty, len(one.library)),
            _sorted(state, one.hand),
            _sorted(state, one.graveyard),
            len(one.marked),
        )
        for one in state.players
    )
    permanents = [
        (_kind(state, state.objects[oid]), tuple(sorted(by_object.get(oid, ()))), fights.get(oid, ()))
        for oid in state.battlefield
    ]
    past = tuple(sorted((key, n) for key, n in state.history.items() if key[1] <= 0))
    general = tuple(sorted(by_object.get(0, ())))
    asked = (state.turn, tuple(map(repr, state.agenda)), type(state.pending), state.pending and state.pending.seat)
    return (asked, players, tuple(sorted(permanents)), general, past, _sorted(state, state.exile))


def _sorted(state: State, zone: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(sorted(state.objects[oid].definition.key for oid in zone))


def _kind(state: State, found: Object) -> tuple[object, ...]:
    past = tuple(sorted((key[0], n) for key, n in state.history.items() if key[1] == found.id))
    return (
        *(found.definition.key, found.controller, found.tapped, found.sick, found.damage, found.deathtouched),
        *(found.counters, found.token, found.face_down, found.phased_out, past),
    )


def _effects(state: State) -> dict[int, list[str]]:
    """By the objects that they are locked to (0: those that follow a description) the effects of spells and abilities."""
    found: dict[int, list[str]] = {}
    for effect in state.effects:
        for oid in (0,) if effect.objects is None else effect.objects:
            found.setdefault(oid, []).append(_said(effect))
    return found


def _said(effect: Floating) -> str:
    parts = (effect.controller, effect.ability, effect.until, effect.uses, effect.amount, effect.turn)
    return f"{parts} {effect.bindings}"


def _fights(state: State) -> dict[int, tuple[object, ...]] | None:
    """What each creature does in combat; None if one blocks several or there are bands."""
    combat = state.combat
    if combat is None:
        return {}
    found: dict[int, tuple[object, ...]] = {}
    blocking: set[int] = set()
    for one in combat.attackers:
        if one.band or blocking.intersection(one.blockers):
            return None
        blocking.update(one.blockers)
        kinds = tuple(_kind(state, state.objects[oid]) for oid in one.blockers if oid in state.objects)
        found[one.id] = ("attacks", one.defender, one.blocked, repr(kinds))
        for oid in one.blockers:
            attacker = state.objects.get(one.id)
            found[oid] = ("blocks", one.defender, one.blocked, "" if attacker is None else repr(_kind(state, attacker)))
    return found
