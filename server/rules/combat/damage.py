"""Assigning combat damage (510.1): who deals it in this step, among what, and what is lethal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from server.rules.characteristics import characteristics, rules_about
from server.rules.combat.bands import by_banding
from server.rules.model import Assigner, Attacker, Blocker, Combat, Ref, State, events, lookup, player_ref, seat_of


def dealing(state: State, combat: Combat) -> tuple[int, ...]:
    """The creatures that assign combat damage in this step, attackers first (510.5)."""
    fighting = (*(a.id for a in combat.attackers), *(b.id for b in combat.blockers))
    present = tuple(i for i in fighting if i in state.objects)
    if combat.first_step is None:
        return present
    first = frozenset(combat.first_step)
    if state.turn.step == "first_combat_damage":
        return tuple(i for i in present if i in first)
    return tuple(i for i in present if i not in first or "double strike" in characteristics(state, i).keywords)


def may_pass_blockers(state: State, combat: Combat, oid: int) -> bool:
    """Whether a blocked creature may assign its damage as though it weren't blocked (its controller decides)."""
    if not any(r.flag.rule == "assigns as though unblocked" for r in rules_about(state, oid)):
        return False
    return any(a.id == oid and a.blocked and a.defender and _can_be_dealt(state, a.defender) for a in combat.attackers)


Assigned: TypeAlias = Mapping[Ref, Sequence[events.Damage]]
"""Damage by what it is dealt to."""


def by_object(damage: Sequence[events.Damage]) -> Assigned:
    """See `Assigned`."""
    found: dict[Ref, list[events.Damage]] = {}
    for event in damage:
        found.setdefault(event.object, []).append(event)
    return found


def fighters(combat: Combat, ids: Sequence[int]) -> dict[int, Attacker | Blocker]:
    """These as what they are in combat, in their order; those that are not in it any more left out."""
    known: dict[int, Attacker | Blocker] = {b.id: b for b in combat.blockers}
    known.update((a.id, a) for a in combat.attackers)
    return {i: known[i] for i in ids if i in known}


def assignable(
    state: State, oid: int, fighter: Attacker | Blocker, passing: bool, assigned: Assigned
) -> Assigner | None:
    """Among what a creature assigns how much; None if it assigns none. When `passing`, as though it weren't blocked. What is lethal
    takes into account what other creatures have been `assigned` to deal in this step (510.1c, d, trample 702.18b)."""
    flags = [r.flag.rule for r in rules_about(state, oid)]
    if "deals no combat damage" in flags:
        return None
    c = characteristics(state, oid)
    power = (c.toughness if "assigns damage by toughness" in flags else c.power) or 0
    if power <= 0:
        return None  # 510.1a
    if isinstance(fighter, Attacker):
        return _attacker(state, fighter, power, c.keywords, passing, assigned)
    return _blocker(state, fighter, power, c.keywords, assigned)


def _attacker(
    state: State, a: Attacker, power: int, keywords: frozenset[str], passing: bool, assigned: Assigned
) -> Assigner | None:
    deathtouch, trample = "deathtouch" in keywords, "trample" in keywords
    defenders = _defenders(state, a)
    none = (0,) * len(defenders)
    heads = len(defenders) if len(defenders) > 1 else 0
    if passing or not a.blocked:
        return Assigner(a.id, power, defenders, none, not heads, heads=heads) if defenders else None  # 510.1b, 810.7f
    blockers = tuple(b for b in a.blockers if _can_be_dealt(state, b))
    free = deathtouch and state.edition.deathtouch_divides  # 2009 702.2b
    lethal = tuple(_lethal(state, b, deathtouch, assigned) for b in blockers)
    ordered = state.edition.damage_order and not free
    if by_banding(state, blockers):  # 702.20j: divided freely, among the blockers alone
        return Assigner(a.id, power, blockers, lethal, False)
    if trample and defenders:  # 702.18b, c; with no blockers left all of it goes to the defender
        return Assigner(a.id, power, (*blockers, *defenders), (*lethal, *none), ordered, True, heads)
    return Assigner(a.id, power, blockers, lethal, ordered) if blockers else None  # 510.1c


def _defenders(state: State, a: Attacker) -> tuple[Ref, ...]:
    """Who can be dealt what an attacker deals to whom it attacks: several where that is a team, of whom one is chosen (810.7f)."""
    if a.defender < 0:
        return tuple(
            player_ref(s) for s in lookup.attacked_with(state, seat_of(a.defender)) if lookup.present(state, s)
        )
    return (a.defender,) if a.defender and _can_be_dealt(state, a.defender) else ()


def _blocker(state: State, b: Blocker, power: int, keywords: frozenset[str], assigned: Assigned) -> Assigner | None:
    attackers = tuple(i for i in b.attackers if _can_be_dealt(state, i))
    if not attackers:
        return None
    deathtouch = "deathtouch" in keywords
    lethal = tuple(_lethal(state, i, deathtouch, assigned) for i in attackers)
    free = deathtouch and state.edition.deathtouch_divides  # 2009 702.2b
    ordered = state.edition.damage_order and not free and not by_banding(state, attackers)  # 702.20k
    return Assigner(b.id, power, attackers, lethal, ordered)  # 510.1d


def _can_be_dealt(state: State, ref: Ref) -> bool:
    if ref < 0:
        return lookup.present(state, seat_of(ref))
    return lookup.permanent(state, ref) is not None


def _lethal(state: State, oid: int, deathtouch: bool, assigned: Assigned) -> int:
    """Lethal damage as the assigner must count it: what is marked and assigned already counts, of deathtouch one is enough (702.2b;
    not in an edition in which deathtouch only divides)."""
    found = state.objects[oid]
    c = characteristics(state, oid)
    others = assigned.get(oid, ())
    if "planeswalker" in c.types and "creature" not in c.types:
        return max(0, lookup.count(found.counters, "loyalty") - sum(e.amount for e in others))
    any_is_lethal = not state.edition.deathtouch_divides
    if any_is_lethal and any("deathtouch" in characteristics(state, e.subject).keywords for e in others):
        return 0
    left = max(0, (c.toughness or 0) - found.damage - sum(e.amount for e in others))
    return min(left, 1) if deathtouch and any_is_lethal else left


def with_choice(assigners: tuple[Assigner, ...]) -> tuple[Assigner, ...]:
    """Those of a player's creatures that wait for the others: what has one recipient only is assigned first, then what leaves nothing
    to decide, even if another of them assigns the lethal damage that they need not assign then."""
    several = tuple(a for a in assigners if len(a.options) > 1)
    if len(several) < len(assigners):
        return several
    to: dict[Ref, list[Assigner]] = {}
    for a in several:
        for ref in a.options:
            to.setdefault(ref, []).append(a)
    return tuple(a for a in several if not a.ordered or _passes_first(a, to[a.options[0]]))


def _passes_first(a: Assigner, assigners: Sequence[Assigner]) -> bool:
    """Whether anything can be left for what comes after the first: by itself, or because others assign it lethal damage."""
    first = a.options[0]
    others = (b for b in assigners if b is not a)
    helped = False
    left = a.lethal[0]
    for b in others:
        needed = b.lethal[b.options.index(first)]
        helped = helped or b.power >= needed
        left -= b.power
    return helped or a.power > left


def automatic(a: Assigner) -> tuple[int, ...]:
    """Lethal damage to each in order, what is left to the last one (with trample: the defender)."""
    left = a.power
    amounts: list[int] = []
    for i, lethal in enumerate(a.lethal):
        share = left if i == len(a.lethal) - 1 else min(left, lethal)
        amounts.append(share)
        left -= share
    return tuple(amounts)


def assignments(a: Assigner, amounts: tuple[int, ...]) -> tuple[events.Damage, ...]:
    """The damage that an assignment deals."""
    return tuple(
        events.Damage(subject=a.object, object=ref, amount=n, by=a.object, combat=True)
        for ref, n in zip(a.options, amounts, strict=True)
        if n > 0
    )
