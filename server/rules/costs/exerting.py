"""Exerting a permanent (current 701.43): it does not untap in its controller's next untap step."""

from __future__ import annotations

from collections.abc import Generator

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.characteristics import rules_about
from server.rules.model import AnyAnswer, AnyQuestion, Ref, Scope, State, ask, events, make_effect

STAYS_TAPPED = forms.Continuous(what=Noun("it"), mods=(forms.Flag(rule="doesn't untap"),))
MAY_BE_EXERTED = "may be exerted"


def exerted(state: State, seat: int, oid: Ref) -> tuple[events.Event, ...]:
    """What exerting a permanent does (current 701.43a)."""
    effect = make_effect(state, Scope(oid, seat), STAYS_TAPPED, "next untap step", objects=(oid,))
    return (events.KeywordAction(subject=oid, cause="exert", by=oid), effect)


def exert_attackers(
    state: State, attackers: tuple[Ref, ...]
) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """Which of the attackers their controllers exert as they attack, an optional cost to attack (current 508.1g, current 701.43d)."""
    found: list[events.Event] = []
    for oid in may_exert(state, attackers):
        seat = state.objects[oid].controller
        if (yield from ask.confirm(seat, "exert", oid)):
            found.extend(exerted(state, seat, oid))
    return tuple(found)


def may_exert(state: State, attackers: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Those of them that may be exerted as they attack."""
    return tuple(oid for oid in attackers if any(r.flag.rule == MAY_BE_EXERTED for r in rules_about(state, oid)))
