"""What matters of a state for what can come of it, without ids and timestamps: by it the solver knows where it has been, and which
objects are alike.

A moment has a shape while nothing is under way: the stack is empty, no trigger waits. What is left out is what such a moment cannot depend
on (ids, order of arrival, objects that are gone); where it could, there is no shape, and nothing is taken for something else.
"""

from __future__ import annotations

from collections.abc import Hashable

from server.rules import State
from server.rules.model import OBJECT_FIELDS, CombatFrame, Floating, Object, PriorityFrame, TurnFrame

CALM = (TurnFrame, PriorityFrame, CombatFrame)
IDENTITY = frozenset(("id", "definition", "printed", "timestamp", "stamp", "known", "entry"))
"""Fields of an object by which it is itself, not what it is; of its definitions the keys count."""
TIES = ("attached_to", "attachments", "linked", "merged", "paired", "phased_with")
"""Fields by which an object is tied to others: such a one is like no other."""
WHAT = tuple(field for field in OBJECT_FIELDS if field not in IDENTITY)


def shape(state: State) -> Hashable | None:
    """Equal for moments from which the same can come; None for those that are not told apart so."""
    if state.stack or state.waiting or state.delayed or any(type(one) not in CALM for one in state.agenda):
        return None
    if state.options.led or any(tied(state.objects[oid]) for oid in state.battlefield):
        return None
    roles = fights(state)
    if roles is None:
        return None
    by_object = _effects(state)
    players = tuple(
        (
            *(one.life, one.counters, one.pool, one.lands_played, one.lost, one.drew_empty, repr(one.marked)),
            tuple(state.objects[oid].definition.key for oid in one.library),
            _sorted(state, one.hand),
            _sorted(state, one.graveyard),
        )
        for one in state.players
    )
    permanents = [
        (kind(state, state.objects[oid]), tuple(sorted(by_object.get(oid, ()))), roles.get(oid, ()))
        for oid in state.battlefield
    ]
    past = tuple(sorted((key, n) for key, n in state.history.items() if key[1] <= 0))
    general = tuple(sorted(by_object.get(0, ())))
    asked = (state.turn, tuple(map(repr, state.agenda)), type(state.pending), state.pending and state.pending.seat)
    return (asked, players, tuple(sorted(permanents, key=repr)), general, past, _sorted(state, state.exile))


def kind(state: State, found: Object) -> tuple[Hashable, ...]:
    """What an object is, whichever of those like it, with what it did or was done to it this turn."""
    past = tuple(sorted((key[0], n) for key, n in state.history.items() if key[1] == found.id))
    hurt = tuple(sorted(pair for pair in state.hurt if found.id in pair))
    printed = "" if found.printed is None else found.printed.key
    return (found.definition.key, printed, *(getattr(found, field) for field in WHAT), past, hurt)


def tied(found: Object) -> bool:
    """Whether an object is tied to others."""
    return any(getattr(found, field) for field in TIES)


def fights(state: State) -> dict[int, tuple[Hashable, ...]] | None:
    """What each creature does in combat, by what fights it; None if one blocks several or there are bands."""
    combat = state.combat
    if combat is None:
        return {}
    found: dict[int, tuple[Hashable, ...]] = {}
    for one in combat.attackers:
        if one.band or any(oid in found for oid in one.blockers):
            return None
        blockers = repr([kind(state, state.objects[oid]) for oid in one.blockers if oid in state.objects])
        attacker = state.objects.get(one.id)
        itself = "" if attacker is None else repr(kind(state, attacker))
        struck = (combat.first_step is None, one.id in (combat.first_step or ()))
        found[one.id] = ("attacks", one.defender, one.player, one.blocked, blockers, struck)
        for oid in one.blockers:
            found[oid] = ("blocks", one.defender, itself, blockers, oid in (combat.first_step or ()))
    return found


def _sorted(state: State, zone: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(sorted(state.objects[oid].definition.key for oid in zone))


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
