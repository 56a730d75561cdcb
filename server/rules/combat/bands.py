"""Banding (702.20): who forms a band, who is blocked with it, and who assigns damage because of it."""

from __future__ import annotations

from collections.abc import Sequence

from server.rules.characteristics import board, characteristics, fits
from server.rules.model import Combat, Scope, State, lookup


def may_form(state: State, members: Sequence[int]) -> bool:
    """Whether attacking creatures may be declared a band: all but one with banding, or all of one "bands with other"
    quality that one of them has (702.20c)."""
    without = [i for i in members if "banding" not in characteristics(state, i).keywords]
    return len(without) <= 1 < len(members) or _of_one_quality(state, members, len(members))


def banded(state: State, creatures: Sequence[int]) -> bool:
    """Whether creatures that block (or are blocked by) one creature have banding, or two of them a "bands with other" quality
    that one of the two bands with (702.20j, k)."""
    qualities = False
    for oid in creatures:
        found = characteristics(state, oid)
        if "banding" in found.keywords:
            return True
        qualities = qualities or "bands with other" in found.abilities.keywords
    return qualities and _of_one_quality(state, creatures, 2)


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


def choosers(state: State, combat: Combat, fighting: Sequence[int]) -> dict[int, int]:
    """Who assigns each creature's combat damage: its controller, or because of banding the other side (702.20j, k)."""
    found = {i: state.objects[i].controller for i in fighting}
    for a in combat.attackers:
        if a.id in found and a.blocked and by_banding(state, a.blockers) and lookup.present(state, a.player):
            found[a.id] = a.player
    for b in combat.blockers:
        if b.id in found and by_banding(state, b.attackers):
            found[b.id] = combat.attacker
    return found


def by_banding(state: State, creatures: tuple[int, ...]) -> bool:
    """Whether the creatures that one fights let their side assign its damage, as far as they are still there."""
    if not _any_banding(state):
        return False
    return banded(state, tuple(i for i in creatures if lookup.permanent(state, i) is not None))


def _any_banding(state: State) -> bool:
    """Whether any permanent has banding of a kind; found once for a state, as it is asked for each creature in combat."""
    known = state.memo.get("banding")
    if known is None:
        objects, changed = state.objects, board(state).changed
        found = {id(c): c for oid in state.battlefield for c in (changed.get(oid) or objects[oid].definition.base,)}
        known = state.memo["banding"] = any(
            "banding" in c.keywords or "bands with other" in c.keywords for c in found.values()
        )
    return known
