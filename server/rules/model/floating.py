"""Continuous effects that float beside their source from the moment a spell or ability made them (611.2)."""

from __future__ import annotations

from typing import Any

from server.cards import forms
from server.cards.forms import Duration
from server.rules.model import events
from server.rules.model.bindings import BoundRefs
from server.rules.model.questions import Ref
from server.rules.model.scope import Scope
from server.rules.model.state import Floating, State


def make_effect(
    state: State,
    scope: Scope,
    ability: forms.Ability,
    until: Duration,
    objects: tuple[Ref, ...] | None = None,
    uses: int = 0,
    shield: int = -1,
    bindings: tuple[tuple[str, Any], ...] = (),
) -> events.MakeEffect:
    """The event that a floating effect begins (611.2)."""
    effect = Floating(
        id=0,
        ability=ability,
        controller=scope.controller,
        source=scope.source,
        timestamp=0,
        until=until,
        objects=objects,
        uses=uses,
        amount=shield,
        turn=state.turn.number,
        bindings=(*locked(scope), *bindings),
        entry=scope.entry,
    )
    return events.MakeEffect(subject=scope.source, effect=effect)


def locked(scope: Scope) -> tuple[tuple[str, Any], ...]:
    """The bindings that an effect or delayed trigger carries on."""
    return tuple(pair for pair in scope.bindings if pair[0] != BoundRefs.TARGET)
