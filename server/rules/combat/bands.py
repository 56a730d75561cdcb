"""Banding (702.20): who forms a band, who is blocked with it, and who assigns damage because of it."""

from __future__ import annotations

from collections.abc import Sequence

from server.rules.characteristics import characteristics, fits
from server.rules.model import Combat, Scope, State, lookup


def may_form(state: State, members: Sequence[int]) -> bool:
    """Whether attacking creatures may be declared a band: all but one with banding, or all of one "bands with other"
    quality that one of them has (702.20c)."""
    without = [i for i in members if "banding" not in characteristics(state, i).keywords]
    return len(without) <= 1 < len(members) or _of_one_quality(state, members, len(members))


def banded(state: State, creatures: Sequence[int]) -> bool:
    """Whether creatures that block (or are blocked by) one creature have banding, or two of them a "bands with other" quality
    that one of the two bands with (702.20j, k)."""
    if any("banding" in characteristics(state, i).keywords for i in creatures):
        return True
    return _of_one_quality(state, creatures, 2)


def _of_one_quality(state: State, creatures: Sequence[int], least: int) -> bool:
    for oid in creatures:
        abilities = characteristics(state, oid).abilities
        for ability in abilities.quality("bands with other") if "bands with other" in abilities.keywords else ():
            quality = ability.quality
            if quality is None:
                continue
            scope = Scope(oid, state.objects[oid].controller)
            like = [i for i in creatures if fits(state, quality.reading, i, scope)]
            if oid in like and len(like) >= least:
                return True
    return False


def chooser(state: State, combat: Combat, oid: int) -> int:
    """Who assigns a creature's combat damage: its controller, or because of banding the other side (702.20j, k)."""
    for a in combat.attackers:
        if a.id == oid:
            if a.blocked and by_banding(state, a.blockers) and lookup.present(state, a.player):
                return a.player
    for b in combat.blockers:
        if b.id == oid and by_banding(state, b.attackers):
            return combat.attacker
    return state.objects[oid].controller


def by_banding(state: State, creatures: tuple[int, ...]) -> bool:
    """Whether the creatures that one fights let their side assign its damage, as far as they are still there."""
    return banded(state, tuple(i for i in creatures if lookup.permanent(state, i) is not None))
