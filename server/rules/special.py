"""Special actions (115.2 in the editions' own numbering): turning a permanent face up, suspending a card. No stack.

Playing a land is one too and has its own entry among the actions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from server.cards import forms
from server.rules import costs, events
from server.rules.amounts import amount
from server.rules.casting import casting_cost_of, has_flash, split_second
from server.rules.frames import AnnounceFrame, Next
from server.rules.layers import characteristics
from server.rules.questions import Action, AnyAnswer, AnyQuestion
from server.rules.scope import Scope
from server.rules.state import State

Asking = Generator[AnyQuestion, AnyAnswer, Next]
FACE_UP, SUSPEND = "face up", "suspend"


def special_actions(state: State, seat: int, slow: bool) -> Iterator[Action]:
    """The special actions that a player could take and pay for now."""
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.face_down and found.controller == seat and not found.phased_out:
            price = face_up_cost(state, oid)
            if price is not None and costs.can_pay_costs(state, seat, price, Scope(oid, seat)):
                yield Action("special", oid, way=FACE_UP)
    if state.stack and split_second(state):
        return
    for oid in state.players[seat].hand:
        kit = state.objects[oid].definition.base.kit
        if "suspend" not in kit.keywords:
            continue
        # 702.60a: any time the card could be cast.
        if slow or has_flash(state, seat, oid, characteristics(state, oid)):
            ability = kit.quality("suspend")[0]
            if costs.can_pay_costs(state, seat, ability.cost, Scope(oid, seat)):
                yield Action("special", oid, way=SUSPEND)


def face_up_cost(state: State, oid: int) -> forms.Costs | None:
    """The morph cost of a face-down permanent (702.35d); None if it cannot be turned face up for a cost."""
    abilities = state.objects[oid].definition.base.kit.quality("morph")
    return abilities[0].cost if abilities else None


def perform(state: State, frame: AnnounceFrame) -> Asking:
    """Pays for a special action and does it."""
    seat, oid = frame.seat, frame.object
    found = state.objects.get(oid)
    if found is None:
        return Next()
    kit = found.definition.base.kit
    scope = Scope(oid, seat)
    if frame.way == FACE_UP:
        price = face_up_cost(state, oid) or ()
        done: events.Event = events.TurnFaceUp(subject=oid)
    else:
        ability = kit.quality("suspend")[0]
        price = ability.cost
        counters = (("time", amount(state, ability.number, scope)),)
        done = events.Move(subject=oid, to="exile", counters=counters, cause="suspend")
    plan = costs.plan_mana(state, seat, costs.mana_cost(state, price, scope))
    if plan is None:
        return Next()
    batch = costs.mana_events(state, seat, plan)
    batch.extend((yield from costs.pay(state, seat, price, scope)))
    return Next(batch=(*batch, done))


__all__ = ["FACE_UP", "SUSPEND", "casting_cost_of", "perform", "special_actions"]
