"""The combat phase with any number of defenders (506 to 511, 802): declarations, damage assignment order, damage.

The active player declares attackers, each attacking a player or a planeswalker; then every attacked player, in APNAP order,
declares blockers against what attacks that player alone (802.4); then damage is assigned in APNAP order and dealt at once
(802.6). Which creatures may attack or block what is gathered in `requirements`; whether a whole declaration is legal is
judged by `attackers` and `blockers`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from msgspec.structs import replace

from server.rules.combat.bands import choosers
from server.rules.combat.damage import (
    Assigned,
    assignable,
    assignments,
    automatic,
    by_object,
    dealing,
    fighters,
    may_pass_blockers,
    with_choice,
)
from server.rules.combat.prices import attack_costs, attack_price, block_costs, block_tax, tapped_attacking
from server.rules.combat.requirements import attack_rules, block_rules, required_of
from server.rules.costs import may_pay_to_attack, paid_to_attack
from server.rules.happenings import with_bands
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    AssignDamage,
    Assigner,
    Attackers,
    AttackersQuestion,
    Blockers,
    BlockersQuestion,
    CanAttack,
    CanBlock,
    Combat,
    CombatFrame,
    DamageQuestion,
    Defect,
    Next,
    Ref,
    State,
    ask,
    events,
    lookup,
    player_ref,
    seat_of,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def step(state: State, frame: CombatFrame) -> Next | Asking:
    """One position of the combat phase's turn-based actions."""
    if state.combat is None:
        return Next()
    return POSITIONS[frame.at](state, frame)


# --- attackers (508.1) -------------------------------------------------------------------------------------------------------


def _attack(state: State, frame: CombatFrame) -> Asking:
    active = state.turn.active
    creatures, rules = attack_rules(state)
    if not creatures or not lookup.present(state, active):
        return Next()
    candidates = tuple(CanAttack(oid, rules.options[i]) for i, oid in enumerate(creatures))
    answer = yield AttackersQuestion(
        active, "attackers", attackers=candidates, required=required_of(state, "attack", rules)
    )
    if not isinstance(answer, Attackers):
        raise Defect(f"{answer!r} does not declare attackers")
    if not answer.attacks:
        return Next()
    bands = {i: n + 1 for n, band in enumerate(answer.bands) for i in band}
    attacks = tuple((creatures[i], candidates[i].defenders[d], bands.get(i, 0)) for i, d in answer.attacks)
    attackers = tuple(oid for oid, _, _ in attacks)
    taps = tuple(events.Tap(subject=oid, cause="attack") for oid in tapped_attacking(state, attackers))  # 508.1f
    if not attack_price(state, tuple((oid, to) for oid, to, _ in attacks)) and not may_pay_to_attack(state, attackers):
        return Next(batch=(*taps, *_attacking(active, attacks)))
    return Next(replace(frame, at="attack costs", attacks=attacks), batch=taps)


def _attack_costs(state: State, frame: CombatFrame) -> Asking:
    """The costs of attacking, with the attackers tapped (508.1g to i, current 508.1g)."""
    batch = yield from attack_costs(state, tuple((oid, to) for oid, to, _ in frame.attacks))
    batch.extend((yield from paid_to_attack(state, tuple(oid for oid, _, _ in frame.attacks))))
    return Next(replace(frame, at="attacking"), batch=tuple(batch))


def _attack_paid(state: State, frame: CombatFrame) -> Next:
    """Only what the active player still controls becomes attacking (508.1j): not what was sacrificed to pay."""
    active = state.turn.active
    attacks = tuple(a for a in frame.attacks if _controls(state, active, a[0]) and _defends(state, a[1]))
    return Next(batch=_attacking(active, attacks)) if attacks else Next()


def _attacking(active: int, attacks: tuple[tuple[int, Ref, int], ...]) -> tuple[events.Event, ...]:
    """Creatures become attacking creatures, each told how many they are."""
    told = (events.Attacks(subject=oid, object=to, amount=len(attacks)) for oid, to, _ in attacks)
    return (events.AttackersDeclared(subject=player_ref(active), attacks=attacks), *told)


def _defends(state: State, ref: Ref) -> bool:
    return lookup.present(state, seat_of(ref)) if ref < 0 else lookup.permanent(state, ref) is not None


def _controls(state: State, seat: int, oid: int) -> bool:
    found = state.objects.get(oid)
    return found is not None and found.zone == "battlefield" and found.controller in lookup.together(state, seat)


# --- blockers (509.1, 802.4) -------------------------------------------------------------------------------------------------


def _block(state: State, frame: CombatFrame) -> Next:
    assert state.combat is not None
    return Next(replace(frame, at="block each", seats=attacked_players(state, state.combat)))


def attacked_players(state: State, combat: Combat) -> tuple[int, ...]:
    """The players who declare blockers, in APNAP order: those attacked, or whose planeswalker is or was (802.4a, 506.4c)."""
    attacked = tuple(a.player for a in combat.attackers)
    speaking = {lookup.spokesman(state, s) for s in attacked}
    return tuple(s for s in lookup.turn_order(state) if s in speaking)


def _block_each(state: State, frame: CombatFrame) -> Next | Asking:
    if not frame.seats:
        return _blocks_done(state, frame)
    seat, rest = frame.seats[0], frame.seats[1:]
    following = replace(frame, seats=rest)
    creatures, _ = block_rules(state, seat)
    if not creatures:
        return Next(following)
    return _ask_blocks(state, following, seat)


def _ask_blocks(state: State, following: CombatFrame, seat: int) -> Asking:
    creatures, rules = block_rules(state, seat)
    candidates = tuple(
        CanBlock(oid, rules.options[i], min(rules.most[i] if rules.most else 1, len(rules.options[i])))
        for i, oid in enumerate(creatures)
    )
    answer = yield BlockersQuestion(
        seat, "blockers", blockers=candidates, required=required_of(state, ("block", seat), rules)
    )
    if not isinstance(answer, Blockers):
        raise Defect(f"{answer!r} does not declare blockers")
    blocks = tuple((creatures[i], attacker) for i, attacker in answer.blocks)
    if not blocks:
        return Next(following)
    if any(block_tax(state, blocker) for blocker, _ in blocks):
        return Next(replace(following, at="block costs", seat=seat, blocks=blocks))
    return Next(following, batch=_blocking(state, seat, blocks))


def _block_costs(state: State, frame: CombatFrame) -> Asking:
    """The costs of blocking (509.1d to f)."""
    batch = yield from block_costs(state, frame.blocks)
    return Next(replace(frame, at="blocking"), batch=tuple(batch))


def _block_paid(state: State, frame: CombatFrame) -> Next:
    """Only what the defending player still controls becomes blocking, and only what still attacks is blocked (509.1g)."""
    assert state.combat is not None
    attacking = {a.id for a in state.combat.attackers}
    blocks = tuple((b, a) for b, a in frame.blocks if _controls(state, frame.seat, b) and a in attacking)
    following = replace(frame, at="block each", seat=-1, blocks=())
    return Next(following, batch=_blocking(state, frame.seat, blocks)) if blocks else Next(following)


def _blocking(state: State, seat: int, blocks: tuple[tuple[int, int], ...]) -> tuple[events.Event, ...]:
    """Creatures become blocking creatures, each told how many it blocks; a band is blocked together (702.20h)."""
    assert state.combat is not None
    banded = with_bands(state.combat, blocks)
    told = (
        events.Blocks(subject=blocker, object=attacker, amount=sum(b == blocker for b, _ in banded))
        for blocker, attacker in banded
    )
    return (events.BlockersDeclared(subject=player_ref(seat), blocks=banded), *told)


def _blocks_done(state: State, frame: CombatFrame) -> Next:
    """When everybody has declared, attackers become blocked or unblocked (509.1h)."""
    combat = state.combat
    assert combat is not None
    batch: list[events.Event] = [
        events.SetTurn(fields=(("combat", replace(combat, blocks_declared=True)),)),
    ]
    for a in combat.attackers:
        if a.blocked:
            batch.append(events.BecomesBlocked(subject=a.id, amount=len(a.blockers)))
        else:
            batch.append(events.BecomesUnblocked(subject=a.id))
    if not state.edition.damage_order:
        return Next(batch=tuple(batch))
    return Next(replace(frame, at="order", seats=()), batch=tuple(batch))


# --- damage assignment order (509.2, 509.3, 802.5) -----------------------------------------------------------------------------


def _order(state: State, frame: CombatFrame) -> Asking | Next:
    combat = state.combat
    assert combat is not None
    if not any(len(a.blockers) > 1 for a in combat.attackers) and not any(
        len(b.attackers) > 1 for b in combat.blockers
    ):
        return Next()
    return _ask_orders(state, combat)


def _ask_orders(state: State, combat: Combat) -> Asking:
    """The active player's attackers first, then each defending player's blockers in APNAP order."""
    batch: list[events.Event] = []
    for a in combat.attackers:
        if len(a.blockers) > 1 and a.id in state.objects:
            seat = state.objects[a.id].controller
            order = yield from ask.order(seat, a.blockers, "damage order", a.id)
            batch.append(events.DamageOrder(subject=a.id, order=order))
    for seat in lookup.turn_order(state):
        for b in combat.blockers:
            if len(b.attackers) > 1 and b.id in state.objects and state.objects[b.id].controller == seat:
                order = yield from ask.order(seat, b.attackers, "damage order", b.id)
                batch.append(events.DamageOrder(subject=b.id, order=order))
    return Next(batch=tuple(batch))


# --- damage (510, 802.6) -----------------------------------------------------------------------------------------------------


def _damage(state: State, frame: CombatFrame) -> Next:
    combat = state.combat
    assert combat is not None
    fighting = dealing(state, combat)
    choosing = set(choosers(state, combat, fighting).values())
    order = tuple(s for s in lookup.turn_order(state) if s in choosing)
    return Next(replace(frame, at="damage each", seats=order, assigned=()))


def _damage_each(state: State, frame: CombatFrame) -> Asking:
    combat = state.combat
    assert combat is not None
    if not frame.seats:
        return Next(batch=frame.assigned)
    seat, rest = frame.seats[0], frame.seats[1:]
    mine = tuple(i for i, by in choosers(state, combat, dealing(state, combat)).items() if by == seat)
    passing: list[int] = []
    for i in mine:
        if may_pass_blockers(state, combat, i) and (
            yield from ask.confirm(state.objects[i].controller, "as though unblocked", i)
        ):
            passing.append(i)
    assigned, choosing = _settled(state, combat, mine, passing, frame.assigned)
    following = replace(frame, seats=rest, assigned=assigned)
    if not choosing:
        return Next(following)
    return (yield from _ask_damage(following, seat, choosing))


def _settled(
    state: State, combat: Combat, mine: tuple[int, ...], passing: list[int], assigned: tuple[events.Event, ...]
) -> tuple[tuple[events.Damage, ...], tuple[Assigner, ...]]:
    """What is assigned without a choice, and who has one: lethal for each of these is what those leave (510.1c, trample 702.18b)."""
    settled = tuple(e for e in assigned if isinstance(e, events.Damage))
    known = fighters(combat, mine)

    def made(i: int, dealt: Assigned) -> Assigner | None:
        return assignable(state, i, known[i], i in passing, dealt)

    dealt = by_object(settled)
    assigners = tuple(a for i in known if (a := made(i, dealt)) is not None)
    while True:
        choosing = with_choice(assigners)
        if len(choosing) == len(assigners):
            return settled, choosing
        waiting = {a.object for a in choosing}
        fixed = tuple(e for a in assigners if a.object not in waiting for e in assignments(a, automatic(a)))
        settled = (*settled, *fixed)
        dealt = by_object(settled)
        others = {e.object for e in fixed}  # of which less is lethal now
        again = (a if others.isdisjoint(a.options) else made(a.object, dealt) for a in choosing)
        assigners = tuple(a for a in again if a is not None)


def _ask_damage(following: CombatFrame, seat: int, assigners: tuple[Assigner, ...]) -> Asking:
    answer = yield DamageQuestion(seat, "combat damage", assigners=assigners)
    if not isinstance(answer, AssignDamage):
        raise Defect(f"{answer!r} does not assign damage")
    made = tuple(e for a, amounts in zip(assigners, answer.amounts, strict=True) for e in assignments(a, amounts))
    return Next(replace(following, assigned=(*following.assigned, *made)))


POSITIONS: dict[str, Callable[[State, CombatFrame], Next | Asking]] = {
    "attack": _attack,
    "attack costs": _attack_costs,
    "attacking": _attack_paid,
    "block": _block,
    "block each": _block_each,
    "block costs": _block_costs,
    "blocking": _block_paid,
    "order": _order,
    "damage": _damage,
    "damage each": _damage_each,
}
