"""Optional costs to attack (current 508.1g): exerting a permanent (current 701.43), which does not untap in its controller's next
untap step, and enlisting another creature (current 702.154)."""

from __future__ import annotations

from collections.abc import Generator

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.characteristics import characteristics, rules_about
from server.rules.model import AnyAnswer, AnyQuestion, Ref, Scope, State, ask, events, lookup, make_effect

STAYS_TAPPED = forms.Continuous(what=Noun("it"), mods=(forms.Flag(rule="doesn't untap"),))
MAY_BE_EXERTED = "may be exerted"
MAY_ENLIST = "may enlist"


def exerted(state: State, seat: int, oid: Ref) -> tuple[events.Event, ...]:
    """What exerting a permanent does (current 701.43a)."""
    effect = make_effect(state, Scope(oid, seat), STAYS_TAPPED, "next untap step", objects=(oid,))
    return (events.KeywordAction(subject=oid, cause="exert", by=oid), effect)


def paid_to_attack(
    state: State, attackers: tuple[Ref, ...]
) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """Which of the attackers are exerted as they attack (current 701.43d), and whom they enlist (enlist, current 702.154a)."""
    found: list[events.Event] = []
    for oid in _that(state, attackers, MAY_BE_EXERTED):
        seat = state.objects[oid].controller
        if (yield from ask.confirm(seat, "exert", oid)):
            found.extend(exerted(state, seat, oid))
    enlisted: list[Ref] = []
    for oid in _that(state, attackers, MAY_ENLIST):
        seat = state.objects[oid].controller
        idle = tuple(ref for ref in _idle(state, seat, attackers) if ref not in enlisted)
        if idle and (yield from ask.confirm(seat, "enlist", oid)):
            enlisted += (chosen := (yield from ask.choose_refs(seat, idle, 1, 1, "enlist", oid)))
            found.extend(events.Tap(subject=ref, by=oid) for ref in chosen)
            found.extend(events.KeywordAction(subject=oid, object=ref, cause="enlist", by=oid) for ref in chosen)
    return tuple(found)


def may_pay_to_attack(state: State, attackers: tuple[Ref, ...]) -> bool:
    """Whether something of that may be done as they attack."""
    return any(_that(state, attackers, rule) for rule in (MAY_BE_EXERTED, MAY_ENLIST))


def _that(state: State, attackers: tuple[Ref, ...], rule: str) -> tuple[Ref, ...]:
    """Those of them of which a rule says that they may do so."""
    return tuple(oid for oid in attackers if any(r.flag.rule == rule for r in rules_about(state, oid)))


def _idle(state: State, seat: int, attackers: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Untapped creatures that do not attack and could have, as far as time goes (enlist, current 702.154a)."""
    return tuple(
        oid
        for oid in state.battlefield
        if oid not in attackers
        and (found := lookup.permanent(state, oid)) is not None
        and found.controller == seat
        and not found.tapped
        and "creature" in (c := characteristics(state, oid)).types
        and (not found.sick or "haste" in c.keywords)
    )
