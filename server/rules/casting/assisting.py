"""Assist: another player may pay for generic mana in the total cost of a spell (current 702.132a)."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.rules.costs import (
    Substitutes,
    assistants,
    assisting,
    costs,
    mana_available,
    mana_paid,
    mana_sources,
    unassisted,
)
from server.rules.model import (
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    Entry,
    Next,
    State,
    ask,
    events,
    mana,
    player_ref,
    seat_of,
)


def is_assisted(frame: AnnounceFrame, total: mana.Cost, substitutes: Substitutes) -> bool:
    """Whether it is still to be asked who assists."""
    return frame.total is None and total.generic > 0 and unassisted(substitutes) != substitutes


def with_assistant(
    state: State, frame: AnnounceFrame, entry: Entry, total: mana.Cost, taps: int, substitutes: Substitutes
) -> Generator[AnyQuestion, AnyAnswer, Next]:
    """The caster chooses a player, and must if there is no other way to pay; that player says how much of the generic mana to
    pay, and pays it. What is left is locked in (current 601.2g, current 601.2h)."""
    seat, oid = frame.seat, frame.on_stack
    able = dict(assistants(state, seat, oid))
    alone = mana_available(state, seat, total, taps, unassisted(substitutes))
    refs = tuple(player_ref(other) for other in able)
    picked = yield from ask.choose_refs(seat, refs, 0 if alone else 1, 1, "assistant", oid)
    if not picked:
        return Next(replace(frame, total=total))
    helper = seat_of(picked[0])
    n = yield from ask.number(helper, 0, min(total.generic, able[helper]), "assist", oid)
    frame = replace(frame, total=mana.minus(total, n), helper=helper)
    batch = mana_paid(state, helper, mana.Cost(generic=n), (), assisting(state, helper, oid)) if n else []
    if not batch:
        return Next(replace(frame, total=total))
    paid, triggered = mana_sources.with_riders(state, helper, oid, costs.told(entry, batch), batch)
    if triggered:
        batch.append(events.TriggeredAbilities(waiting=(*state.waiting, *triggered)))
    return Next(frame, batch=(*batch, events.Announced(subject=oid, entry=paid)))
