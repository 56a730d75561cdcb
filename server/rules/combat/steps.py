"""The combat phase with any number of defenders (506 to 511, 802): declarations, damage assignment order, damage.

The active player declares attackers, each attacking a player or a planeswalker; then every attacked player, in APNAP order,
declares blockers against what attacks that player alone (802.4); then damage is assigned in APNAP order and dealt at once
(802.6). Which creatures may attack or block what is gathered in `requirements`; whether a whole declaration is legal is
judged by `attackers` and `blockers`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from msgspec.structs import replace

from server.rules.characteristics import characteristics
from server.rules.combat.bands import choosers
from server.rules.combat.damage import (
    assignable,
    assignments,
    automatic,
    by_object,
    dealing,
    fighters,
    may_pass_blockers,
    with_choice,
)
from server.rules.combat.requirements import attack_costs, attack_rules, block_costs, block_rules, required_of
from server.rules.costs import exert_attackers
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
    State,
    ask,
    events,
    lookup,
    player_ref,
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
    attacks = tuple((creatures[i], candidates[i].defenders[d]) for i, d in answer.attacks)
    if not attacks:
        return Next()
    bands = {i: n + 1 for n, band in enumerate(answer.bands) for i in band}
    declared = tuple((creatures[i], candidates[i].defenders[d], bands.get(i, 0)) for i, d in answer.attacks)
    batch: list[events.Event] = []
    batch.extend((yield from attack_costs(state, attacks)))
    batch.extend((yield from exert_attackers(state, active, tuple(oid for oid, _ in attacks))))
    for oid, _ in attacks:
        if "vigilance" not in characteristics(state, oid).keywords:  # 508.1f
            batch.append(events.Tap(subject=oid, cause="attack"))
    batch.append(events.AttackersDeclared(subject=player_ref(active), attacks=declared))
    batch.extend(events.Attacks(subject=oid, object=to, amount=len(attacks)) for oid, to in attacks)
    return Next(batch=tuple(batch))


# --- blockers (509.1, 802.4) -------------------------------------------------------------------------------------------------


def _block(state: State, frame: CombatFrame) -> Next:
    assert state.combat is not None
    return Next(replace(frame, at="block each", seats=attacked_players(state, state.combat)))


def attacked_players(state: State, combat: Combat) -> tuple[int, ...]:
    """The players who declare blockers, in APNAP order: those attacked, or whose planeswalker is or was (802.4a, 506.4c)."""
    attacked = tuple(a.player for a in combat.attackers)
    return tuple(s for s in lookup.turn_order(state) if s in attacked)


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
    batch: list[events.Event] = []
    batch.extend((yield from block_costs(state, seat, blocks)))
    assert state.combat is not None
    blocks = with_bands(state.combat, blocks)
    batch.append(events.BlockersDeclared(subject=player_ref(seat), blocks=blocks))
    for blocker, attacker in blocks:
        n = sum(b == blocker for b, _ in blocks)
        batch.append(events.Blocks(subject=blocker, object=attacker, amount=n))
    return Next(following, batch=tuple(batch))


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
    left = tuple(fighters(combat, mine).items())
    while True:
        dealt = by_object(settled)
        made = (assignable(state, i, fighter, i in passing, dealt) for i, fighter in left)
        assigners = tuple(a for a in made if a is not None)
        choosing = with_choice(assigners)
        if len(choosing) == len(assigners):
            return settled, choosing
        waiting = {a.object for a in choosing}
        fixed = (assignments(a, automatic(a)) for a in assigners if a.object not in waiting)
        settled = (*settled, *(e for events_ in fixed for e in events_))
        left = tuple((i, fighter) for i, fighter in left if i in waiting)


def _ask_damage(following: CombatFrame, seat: int, assigners: tuple[Assigner, ...]) -> Asking:
    answer = yield DamageQuestion(seat, "combat damage", assigners=assigners)
    if not isinstance(answer, AssignDamage):
        raise Defect(f"{answer!r} does not assign damage")
    made = tuple(e for a, amounts in zip(assigners, answer.amounts, strict=True) for e in assignments(a, amounts))
    return Next(replace(following, assigned=(*following.assigned, *made)))


POSITIONS: dict[str, Callable[[State, CombatFrame], Next | Asking]] = {
    "attack": _attack,
    "block": _block,
    "block each": _block_each,
    "order": _order,
    "damage": _damage,
    "damage each": _damage_each,
}
