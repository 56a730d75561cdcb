"""Phasing (702.24): what phases in and out in an untap step, and what is attached goes with it."""

from __future__ import annotations

from server.rules.characteristics import characteristics, rules_about
from server.rules.model import State, events, lookup


def phase_out(state: State, ids: tuple[int, ...]) -> list[events.Event]:
    """The events of these permanents phasing out, with their attachments indirectly (702.24f, g)."""
    hosts: dict[int, int] = {}
    for oid in ids:
        if _can_phase_out(state, oid):
            _gather(state, oid, hosts)
    return [
        events.PhaseOut(subject=oid, object=hosts.get(oid, 0))
        for oid in dict.fromkeys((*ids, *hosts))
        if not state.objects[oid].phased_out and _can_phase_out(state, oid)
    ]


def _can_phase_out(state: State, oid: int) -> bool:
    return not any(r.flag.rule == "can't phase out" for r in rules_about(state, oid))


def _gather(state: State, host: int, hosts: dict[int, int]) -> None:
    for oid in state.objects[host].attachments:
        if oid in state.objects and oid not in hosts and not state.objects[oid].phased_out:
            hosts[oid] = host
            _gather(state, oid, hosts)


def untap_step(state: State) -> list[events.Event]:
    """What phases out and in, all at once, before the active player untaps permanents (702.24a, 502.1)."""
    taking = lookup.active_players(state)
    going: list[int] = []
    coming: list[int] = []
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.rare.phased_out:
            if found.phased_with in coming or (found.controller in taking and not found.phased_with):
                coming.append(oid)
        elif found.controller in taking and "phasing" in characteristics(state, oid).keywords:
            going.append(oid)
    # What phased out indirectly comes with its host, whatever order they stand in.
    while True:
        more = [i for i in state.battlefield if i not in coming and _came_with(state, i, coming)]
        if not more:
            break
        coming.extend(more)
    return [*phase_out(state, tuple(going)), *(events.PhaseIn(subject=oid) for oid in coming)]


def _came_with(state: State, oid: int, coming: list[int]) -> bool:
    found = state.objects[oid]
    return found.rare.phased_out and found.rare.phased_with in coming
