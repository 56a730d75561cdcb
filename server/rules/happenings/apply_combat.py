"""Doing events of combat: who attacks and blocks what, and who leaves combat (506.4)."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.happenings.change import Change
from server.rules.model import Attacker, Blocker, Combat, Counted, Ref, attacked_by, blocked, events, seat_of


def with_bands(combat: Combat, blocks: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Blocks with what they mean for bands: who blocks a creature blocks every creature of its band (702.20h)."""
    band = {a.id: a.band for a in combat.attackers}
    if not any(band.values()):
        return blocks
    found: list[tuple[int, int]] = []
    for blocker, attacker in blocks:
        members = [a.id for a in combat.attackers if a.band and a.band == band.get(attacker)]
        for other in (attacker, *members):
            if (blocker, other) not in found:
                found.append((blocker, other))
    return tuple(found)


def defending_player(change: Change, defender: Ref) -> int:
    """The player who is attacked, or who controls the attacked planeswalker."""
    return seat_of(defender) if defender < 0 else change.objects[defender].controller


def enter_attacking(change: Change, oid: int, defender: Ref) -> None:
    """A creature that is put onto the battlefield attacking attacks this (508.4)."""
    combat = change.get("combat")
    if combat is None or (defender > 0 and defender not in change.objects):
        return
    new = Attacker(oid, defender, defending_player(change, defender), declared=False)
    change.fields["combat"] = replace(combat, attackers=(*combat.attackers, new))


def enter_blocking(change: Change, oid: int, attacker_id: Ref, ahead: Ref = 0) -> None:
    """A creature that is put onto the battlefield blocking blocks this attacker, in front of a blocker or last (509.7)."""
    combat: Combat | None = change.get("combat")
    if combat is None or not any(a.id == attacker_id for a in combat.attackers):
        return
    fought = tuple(a for _, a in with_bands(combat, ((oid, attacker_id),)))
    attackers = tuple(
        replace(a, blocked=True, blockers=_placed(a.blockers, oid, ahead)) if a.id in fought else a
        for a in combat.attackers
    )
    blockers = (*combat.blockers, Blocker(oid, fought, declared=False))
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)


def _placed(blockers: tuple[int, ...], oid: int, ahead: Ref) -> tuple[int, ...]:
    """The blockers with a new one among them; the others keep their order."""
    place = blockers.index(ahead) if ahead in blockers else len(blockers)
    return (*blockers[:place], oid, *blockers[place:])


def do_attackers_declared(change: Change, event: events.AttackersDeclared) -> None:
    """Notes who attacked and what was attacked, for this turn and phase (508.1); told with how many attack."""
    combat: Combat = change.get("combat")
    new = tuple(Attacker(oid, to, defending_player(change, to), band=band) for oid, to, band in event.attacks)
    change.fields["combat"] = replace(combat, attackers=(*combat.attackers, *new))
    for oid, _, _ in event.attacks:
        change.note(Counted.ATTACKED, oid)
        change.note(Counted.THING_ATTACKED, oid)
    for defender in dict.fromkeys(to for _, to, _ in event.attacks if to < 0):
        change.note(attacked_by(seat_of(event.subject), change.state.turn.phase), defender)
    change.note(Counted.ATTACKERS, event.subject, len(event.attacks))
    change.done.append(replace(event, amount=len(event.attacks)))


def do_blockers_declared(change: Change, event: events.BlockersDeclared) -> None:
    """Each blocker among those of what it blocks, last (509.1); what is blocked stays blocked (509.1h)."""
    combat: Combat = change.get("combat")
    by_blocker: dict[int, list[int]] = {}
    by_attacker: dict[int, list[int]] = {}
    for blocker, attacker in event.blocks:
        by_blocker.setdefault(blocker, []).append(attacker)
        by_attacker.setdefault(attacker, []).append(blocker)
        change.note(blocked(attacker), blocker)
    attackers = tuple(
        replace(a, blocked=True, blockers=(*a.blockers, *by_attacker[a.id])) if a.id in by_attacker else a
        for a in combat.attackers
    )
    blockers = (*combat.blockers, *(Blocker(b, tuple(order)) for b, order in by_blocker.items()))
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)
    for blocker in by_blocker:
        change.note(Counted.BLOCKED, blocker)
    change.done.append(event)


def do_damage_order(change: Change, event: events.DamageOrder) -> None:
    """The order of `subject`, be it an attacker or a blocker (509.2, 509.3)."""
    combat: Combat = change.get("combat")
    attackers = tuple(replace(a, blockers=event.order) if a.id == event.subject else a for a in combat.attackers)
    blockers = tuple(replace(b, attackers=event.order) if b.id == event.subject else b for b in combat.blockers)
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)
    change.done.append(event)
