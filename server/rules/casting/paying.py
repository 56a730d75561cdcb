"""Paying for spells and abilities (601.2e to g): the total cost, automatic payment and payment by hand, mana abilities (605.3)."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting.assisting import is_assisted, with_assistant
from server.rules.casting.castable import total_cost
from server.rules.casting.choices import mode_costs, x_of_payment
from server.rules.casting.cost_changes import ability_cost
from server.rules.casting.legal_actions import actions
from server.rules.characteristics import characteristics
from server.rules.costs import (
    Step,
    Substitutes,
    costs,
    first_trigger,
    mana_available,
    mana_paid,
    mana_sources,
    spoiling,
    substitutes_of,
    tapped_for,
    unassisted,
    way,
)
from server.rules.functioning import payable_life
from server.rules.model import (
    Action,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Defect,
    Entry,
    Label,
    Next,
    Pay,
    PaymentQuestion,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    evolve,
    mana,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def take_back(state: State, frame: AnnounceFrame) -> Next:
    """The game returns to the moment before the announcement; ids and chance go on (716 in July 2011)."""
    before = frame.before
    if before is None:
        return Next(batch=(events.Ceases(subject=frame.on_stack, cause="no choice"),))
    kept = evolve(before, next_id=state.next_id, chance=state.chance, questions=state.questions, pending=None)
    if frame.helper >= 0:
        kept = evolve(kept, turn=replace(kept.turn, declined=(*kept.turn.declined, (frame.seat, frame.helper))))
    return Next(state=kept)


def bleed(state: State, frame: AnnounceFrame, entry: Entry) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """601.2b: for each Phyrexian symbol is announced whether 2 life or mana will be paid, where both could be."""
    total, others, _ = _total(state, frame, entry)
    if not total.phyrexian:
        return entry
    seat, bled = frame.seat, entry.bled
    substitutes = substitutes_of(state, frame.seat, frame.on_stack, entry)
    taps = entry.source if any(isinstance(part, forms.TapCost) for part in others) else 0
    for _ in total.phyrexian:
        life, mana_only = (mana.announced(total, (*bled, choice)) for choice in (True, False))
        by_mana = mana_available(state, seat, mana_only, taps, substitutes)
        by_life = payable_life(state, seat) >= 2 * (sum(bled) + 1)
        by_life = by_life and mana_available(state, seat, life, taps, substitutes)
        if not (by_mana and by_life):
            return replace(entry, bled=bled)
        bled = (*bled, (yield from ask.confirm(seat, "pay 2 life", frame.on_stack)))
    return replace(entry, bled=bled)


def _total(state: State, frame: AnnounceFrame, entry: Entry) -> tuple[mana.Cost, forms.Costs, Scope]:
    """The total cost (601.2e): mana, and the other costs, with the scope in which they are read."""
    seat, oid = frame.seat, frame.on_stack
    if entry.kind == "spell":
        found = state.objects[oid]
        c = characteristics(state, oid)
        scope = Scope(oid, seat, entry)
        parts: list[forms.AnyCost] = []
        for _, cost in c.abilities.casting_costs:
            if cost.optional and cost.kind == "additional":
                parts.extend(list(cost.cost) * dict(entry.paid).get(cost.name, 0))
            elif cost.options:
                parts.extend(cost.options[max(0, dict(entry.paid).get(cost.name, 1) - 1)])
        parts.extend(mode_costs(c.abilities, entry.modes))
        for card in entry.spliced:
            if card in state.objects:
                parts.extend(state.objects[card].definition.base.abilities.quality("splice")[0].cost)
        price = total_cost(state, seat, found, c, entry.way, entry.free)
        total, fixed = price if price is not None else (mana.ZERO, ())
        total = mana.with_x(total, entry.x)
        total = mana.locked_in(mana.plus(total, costs.mana_cost(state, tuple(parts), scope)))
        return total, (*fixed, *parts), scope
    ability = entry.ability
    assert isinstance(ability, forms.ActivatedAbility)
    scope = Scope(entry.source, seat, entry)
    source = state.objects.get(entry.source)
    total = costs.mana_cost(state, ability.cost, scope)
    if source is not None:
        total = ability_cost(state, seat, source, ability, scope)
    return mana.locked_in(mana.with_x(total, entry.x)), ability.cost, scope


def pay(state: State, frame: AnnounceFrame) -> Asking:
    """Pays the total cost of what is on the stack (601.2f, g), or takes the announcement back."""
    found = state.objects.get(frame.on_stack)
    if found is None or found.entry is None:
        return Next()
    entry = found.entry
    total, others, scope = _total(state, frame, entry)
    if entry.bled:
        total = mana.announced(total, entry.bled)
        others = (*others, forms.LifeCost(amount=2 * sum(entry.bled))) if any(entry.bled) else others
    # 601.2e: from here on the cost is locked in, whatever mana abilities do.
    total = total if frame.total is None else frame.total
    taps = tuple(scope.source for p in others if isinstance(p, forms.TapCost))
    substitutes = substitutes_of(state, frame.seat, frame.on_stack, entry)._replace(given=others)
    if is_assisted(frame, total, substitutes):
        return (yield from with_assistant(state, frame, entry, total, sum(taps), substitutes))
    frame, substitutes = replace(frame, total=total), unassisted(substitutes)
    if frame.manual and total != mana.ZERO:
        can_auto = mana_available(state, frame.seat, total, sum(taps), substitutes)
        answer = yield payment_question(state, frame.seat, total, frame.on_stack, can_auto)
        if not isinstance(answer, Pay):
            raise Defect(f"{answer!r} does not answer a payment")
        if answer.index < 0:
            return take_back(state, frame)
        if answer.index > 0:
            action = mana_actions(state, frame.seat)[answer.index - 1]
            push = AnnounceFrame(seat=frame.seat, object=action.object, ability=action.ability)
            return Next(frame, push=(push,))
    # Whoever activates an ability of a permanent wants it untapped if other mana does as well.
    plan = mana_sources.plan_mana(state, frame.seat, total, (*taps, entry.source), substitutes)
    if plan is None:
        plan = mana_sources.plan_mana(state, frame.seat, total, taps, substitutes)
    if (
        plan is None
        and (steps := way(state, frame.seat, total, taps, substitutes, True))
        and (steps.open or not steps.plain)
    ):
        return _activated(state, frame, steps.steps[0], taps, substitutes)
    mana_done = mana_paid(state, frame.seat, total, taps, substitutes) if plan is None else []
    if mana_done is None or not costs.can_pay_costs(
        state, frame.seat, tuple(p for p in others if not isinstance(p, forms.ManaCost)), scope
    ):
        return take_back(state, frame)
    first = first_trigger(state, frame.seat, plan) if plan is not None else None
    if first is not None:
        # 605.4a: what triggers adds its mana before anything is paid; then it is seen what is still wanted.
        return Next(
            replace(frame, manual=False), batch=tuple(mana_sources.mana_events(state, frame.seat, first, substitutes))
        )
    batch = mana_sources.mana_events(state, frame.seat, plan, substitutes) if plan is not None else mana_done
    return (yield from _paid(state, frame, entry, others, scope, batch))


def _paid(
    state: State,
    frame: AnnounceFrame,
    entry: Entry,
    others: forms.Costs,
    scope: Scope,
    batch: list[events.Event],
) -> Asking:
    """The other costs are paid with the mana, and the spell or ability knows what was paid for it."""
    given = tuple(event.subject for event in batch if isinstance(event, events.Move))
    batch.extend((yield from costs.pay(state, frame.seat, others, scope, given)))
    paid = costs.told(entry, batch)
    if entry.kind == "spell":
        paid, triggered = mana_sources.with_riders(state, frame.seat, frame.on_stack, paid, batch)
        if triggered:
            batch.append(events.TriggeredAbilities(waiting=(*state.waiting, *triggered)))
    if paid is not entry:
        batch.append(events.Announced(subject=frame.on_stack, entry=paid))
    return Next(replace(frame, at="done"), batch=tuple(batch))


MOST_STEPS = 50
"""So many mana abilities a payment activates by itself before it is taken back."""


def _activated(state: State, frame: AnnounceFrame, step: Step, kept: tuple[int, ...], substitutes: Substitutes) -> Next:
    """The payment activates a mana ability as its player would, who picks what is given up for it as far as that leaves the rest
    payable, and then looks what is still wanted (605.3a)."""
    total = frame.total or mana.ZERO
    if frame.steps >= MOST_STEPS:
        return take_back(state, frame)
    again = replace(frame, steps=frame.steps + 1, manual=False)
    if step.maker is None or step.use is None:
        return Next(again, batch=tuple(tapped_for(state, frame.seat, step, substitutes)))
    activate = AnnounceFrame(
        seat=frame.seat,
        object=step.key,
        ability=step.maker.place,
        wanted=step.makes,
        picks=tuple(ref for picked in step.use.picks for ref in picked),
        kept=(*kept, *spoiling(state, frame.seat, total, kept, substitutes, step)),
    )
    return Next(again, push=(activate,))


def payment_question(state: State, seat: int, total: mana.Cost, source: int, can_auto: bool) -> PaymentQuestion:
    """The question how to pay mana by hand."""
    return PaymentQuestion(
        seat, "payment", source, cost=mana.print_cost(total), actions=mana_actions(state, seat), can_auto=can_auto
    )


def mana_actions(state: State, seat: int) -> tuple[Action, ...]:
    """The mana abilities that a player could activate while paying (605.3a)."""
    return tuple(a for a in actions(state, seat) if a.mana)


def pay_mana_ability(state: State, frame: AnnounceFrame) -> Asking:
    """A mana ability is paid for and resolves at once, without the stack (605.3b)."""
    seat = frame.seat
    ability = characteristics(state, frame.object).abilities.all[frame.ability]
    assert isinstance(ability, forms.ActivatedAbility)
    entry = yield from x_of_payment(state, seat, frame.object, ability.cost, Entry())
    scope = Scope(frame.object, seat).bind(BoundNumber.X, entry.x)
    total = costs.mana_cost(state, ability.cost, scope)
    taps = tuple(frame.object for p in ability.cost if isinstance(p, forms.TapCost))
    batch = mana_paid(state, seat, total, (*taps, *frame.kept), spare=any(frame.wanted))
    if batch is None:
        return Next()
    paying = scope.bind(BoundRefs.PREFERRED, frame.picks) if frame.picks else scope
    others = yield from costs.pay(state, seat, ability.cost, paying, frame.kept)
    used = events.UsedAbility(subject=frame.object, amount=frame.ability)
    scope = scope.bind(BoundNumber.TAPPED_FOR_MANA, int(bool(taps)))
    for name, refs in costs.told(Entry(source=frame.object), [*others]).bindings:
        scope = scope.bind(Label(name), refs)
    if any(frame.wanted):
        scope = scope.bind(BoundWord.WANTED_MANA, "".join(c * n for c, n in zip("WUBRGC", frame.wanted, strict=True)))
    return Next(batch=(*batch, *others, used), push=(RunFrame(program=ability.do, scope=scope),))
