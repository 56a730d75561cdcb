"""Targets that speak of earlier ones, and whether there are enough to cast, activate or choose a mode (601.2c)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import whatever_x
from server.rules.functioning.targets import candidates, has_candidates, target_part, with_said_x
from server.rules.model import (
    BoundRefs,
    Characteristics,
    Entry,
    Ref,
    Scope,
    State,
    lookup,
    loop_of,
    player_ref,
    seat_of,
    targets_of,
    walk,
)

MOST_TRIED = 40
"""Of earlier targets that are tried for what is said of them."""


def has_targets(state: State, program: forms.Tree, scope: Scope) -> bool:
    """Whether every slot of a program that must have a target can have one (601.2c)."""
    slots = targets_of(program)
    if not slots:
        return True
    scope = with_said_x(state, program, scope)
    for place, noun in enumerate(slots):
        target = target_part(noun.reading)
        if target is None or target.least <= 0 or target.x or loop_of(program, noun) is not None:
            continue
        key = ("targets", id(noun), scope.source)
        enough = state.memo.get(key)
        if enough is None:
            if scope.entry is None:
                target = replace(target, of=whatever_x(target.of))
            if target.by_opponent:
                enough = bool(who_may_choose(state, scope, noun))
            else:
                enough = has_candidates(state, target, scope) or _after(state, slots[:place], target, scope)
            state.memo[key] = enough
        if not enough:
            return False
    return True


def _after(state: State, earlier: tuple[Noun, ...], target: nouns.Target, scope: Scope) -> bool:
    """Whether a slot that speaks of an earlier target ("target creature that player controls") has enough with one of those."""
    if not earlier or not any(isinstance(part, nouns.It) for part in walk(target.of)):
        return False
    entry = scope.entry if scope.entry is not None else Entry()
    found = (ref for noun in earlier for ref in candidates(state, noun, scope)[:MOST_TRIED])
    return any(has_candidates(state, target, _after_one(scope, entry, ref)) for ref in found)


def aimed(scope: Scope, noun: Noun, earlier: Sequence[tuple[Ref, ...]]) -> Scope:
    """Where a slot speaks of "that player" after a target player, it is that one, whoever the ability's event was about."""
    players = [ref for slot in earlier for ref in slot if ref < 0]
    if not players or not any(isinstance(part, nouns.It) and part.what == "player" for part in walk(noun.reading)):
        return scope
    return scope.bind(BoundRefs.PLAYER, (players[-1],))


def _after_one(scope: Scope, entry: Entry, ref: Ref) -> Scope:
    told = scope.bind(BoundRefs.PLAYER, (ref,)) if ref < 0 else scope
    return replace(told, entry=replace(entry, targets=((ref,),)))


def who_may_choose(state: State, scope: Scope, noun: Noun | None = None) -> tuple[Ref, ...]:
    """The opponents of whom one is to choose; for a target those who have enough to choose from."""
    seat = scope.controller
    opponents = lookup.opponents(state, seat)
    near = tuple(player_ref(other) for other in opponents if lookup.in_range(state, seat, other))
    found = near or tuple(player_ref(other) for other in opponents[:1])
    return found if noun is None else tuple(ref for ref in found if _has_enough(state, scope, noun, ref))


def _has_enough(state: State, scope: Scope, noun: Noun, chooser: Ref) -> bool:
    target = target_part(noun.reading)
    local = scope.bind(BoundRefs.PLAYER, (chooser,))
    reached = sum(lookup.reaches(state, seat_of(chooser), ref) for ref in candidates(state, noun, local))
    return target is not None and reached >= target.least


def may_lack_targets(c: Characteristics) -> bool:
    """Whether a spell needs targets that might not be there: anybody is, where no rule about players is in force."""
    spell = c.abilities.spell
    if spell is None:
        return "Aura" in c.subtypes
    if spell.modes:
        return True
    match [noun.reading for noun in targets_of(spell.do)]:
        case []:
            return False
        case [nouns.Target(by_opponent=False) as only]:
            return only.of.players != nouns.Players() or only.least > 1
        case _:
            return True
