"""What can be attacked in a combat phase, and what is attacked together (506.2, 802.2, 810.7a)."""

from __future__ import annotations

from server.rules.functioning import all_rules, has
from server.rules.model import Ref, State, lookup, player_ref, seat_of
from server.rules.replacements import planeswalkers_of


def defenders(state: State) -> tuple[tuple[Ref, Ref], ...]:
    """What can be attacked, with the player who would be the defending player: players, then their planeswalkers."""
    combat = state.combat
    if combat is None:
        return ()
    found: list[tuple[Ref, Ref]] = []
    for seat in combat.defenders:
        if not lookup.present(state, seat):
            continue
        me = player_ref(seat)
        heads = lookup.attacked_with(state, seat)
        if not (all_rules(state) and any(has(state, s, "can't be attacked") for s in heads)):
            found.append((me, me))
        found.extend((oid, me) for oid in planeswalkers_of(state, seat))
    return tuple(found)


def with_heads(state: State, ref: Ref) -> tuple[Ref, ...]:
    """What is attacked by attacking this: all of a team that is attacked as a group (810.7a)."""
    return tuple(map(player_ref, lookup.attacked_with(state, seat_of(ref)))) if ref < 0 else (ref,)
