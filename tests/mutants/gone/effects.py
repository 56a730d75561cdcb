"""Mutants without one of the rules: what effects reach and do (609)."""

from __future__ import annotations

from typing import Any

from server.cards import forms, nouns
from server.cards.loading import check
from server.rules.casting import cost_changes, legal_actions
from server.rules.characteristics import layers, predicates, selection
from server.rules.combat import requirements
from server.rules.happenings import expansion
from server.rules.instructions import HANDLERS
from server.rules.model import (
    BoundRefs,
    ask,
    events,
)
from server.rules.replacements import replacement, rewriting
from server.rules.turn import structure
from server.rules.verbs import making_effects, permanents
from server.rules.verbs.next_instruction import after
from tests.mutants.gone.breaking import breaks, put, wrap


@breaks("609.1")
def _no_continuous_effects() -> None:
    put(HANDLERS, forms.Effect, lambda state, frame, verb: after(frame, []))


@breaks("609.2")
def _graveyards_too() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, zone: str) -> Any:
            found = original(state, zone)
            return (*found, *original(state, "graveyard")) if zone == "battlefield" else found

        return changed

    inside = selection.things.__globals__
    wrap(inside, "zone_ids", make)
    put(permanents, "on_board", lambda state, refs: refs)
    put(expansion.POSSIBLE, events.Destroy, lambda state, event: event.subject in state.objects)


@breaks("609.2.example")
def _spells_cost_the_same() -> None:
    put(cost_changes, "_cost_changes", lambda *_: [])


@breaks("609.3")
def _all_or_nothing() -> None:
    def make(original: Any) -> Any:
        def changed(seat: int, options: Any, least: int, most: int, purpose: str, source: int = 0) -> Any:
            if least > len(options):
                return ()
            return (yield from original(seat, options, least, most, purpose, source))

        return changed

    wrap(ask, "choose", make)


@breaks("609.3.example")
def _discards_all_or_nothing() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, frame: Any, verb: forms.Discard) -> Any:
            if isinstance(verb.count, int) and any(0 < len(p.hand) < verb.count for p in state.players):
                return after(frame, [])
            return original(state, frame, verb)

        return changed

    wrap(HANDLERS, forms.Discard, make)


@breaks("609.4")
def _as_though_counts_for_everything() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, predicate: Any, oid: int, scope: Any) -> bool:
            if any(
                r.flag.rule == f"can attack as though no {predicate.keyword}" for r in layers.rules_about(state, oid)
            ):
                return False
            return original(state, predicate, oid, scope)

        return changed

    wrap(predicates.PREDICATES, nouns.HasKeyword, make)


@breaks("609.4a")
def _one_as_though_only() -> None:
    wrap(requirements, "_may_attack", lambda original: lambda found, c, about: original(found, c, list(about)[:1]))


@breaks("609.4a.example")
def _flash_from_the_hand_only() -> None:
    def make(original: Any) -> Any:
        return lambda s, seat, oid, c: s.objects[oid].zone == "hand" and original(s, seat, oid, c)

    wrap(legal_actions, "has_flash", make)


@breaks("609.5")
def _ties_are_not_checked() -> None:
    put(check._Card, "reading", lambda *_: iter(()))


@breaks("609.6")
def _effects_never_end() -> None:
    put(structure, "ended_effects", lambda *_: ())


@breaks("609.7")
def _shields_are_never_used_up() -> None:
    put(rewriting.Rewriting, "count_use", lambda work, event: None)


@breaks("609.7a")
def _any_source() -> None:
    put(
        replacement,
        "_from_chosen",
        lambda state, scope, event: scope.refs(BoundRefs.CHOSEN_SOURCE) in (None, (event.subject,)),
    )


@breaks("609.7b")
def _characteristics_are_not_looked_at_again() -> None:
    put(making_effects, "_against", lambda effect, source: effect)


@breaks("609.7c")
def _permanents_only() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, key: str, ability: Any, scope: Any, event: Any, floating: Any, *more: Any) -> Any:
            if floating is None and isinstance(event, events.Damage) and event.subject not in state.battlefield:
                return None
            return original(state, key, ability, scope, event, floating, *more)

        return changed

    wrap(replacement, "applies", make)
