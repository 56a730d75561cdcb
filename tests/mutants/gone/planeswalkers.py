"""Mutants without one of the rules: planeswalkers (306)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.rules.casting import legal_actions
from server.rules.characteristics import layers, modifications
from server.rules.combat import attacked
from server.rules.happenings import apply
from server.rules.instructions import resolve
from server.rules.model import (
    definition,
    events,
    lookup,
)
from server.rules.replacements import replacement
from server.rules.turn import state_based
from tests.mutants.gone.breaking import breaks, everywhere, put, results, wrap


@breaks("306.1")
def _cast_at_any_time() -> None:
    def make(original: Any) -> Any:
        def offered(state: Any, seat: int, slow: bool, found: list[Any]) -> None:
            original(state, seat, slow, found)
            for oid in () if slow else state.players[seat].hand:
                c = layers.characteristics(state, oid)
                if "planeswalker" in c.types and legal_actions.castable(state, seat, state.objects[oid], c, slow=True):
                    found.append(legal_actions.Action("cast", oid))

        return offered

    wrap(legal_actions, "_from_hand", make)
    for short in ("kept", "unchanged", "parts"):  # every list is made in full
        put(legal_actions.short_lists, short, lambda *_: None)


@breaks("306.2")
def _under_somebody_elses_control() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, frame: Any, found: Any, entry: Any) -> Any:
            return original(state, frame, replace(found, controller=(found.controller + 1) % len(state.players)), entry)

        return changed

    wrap(resolve, "_enter", make)


@breaks("306.3")
def _one_type_at_most() -> None:
    def make(original: Any) -> Any:
        def changed(card: Any) -> Any:
            found = original(card)
            return replace(found, subtypes=frozenset(sorted(found.subtypes)[:1]))

        return changed

    wrap(definition, "printed", make)


@breaks("306.4")
def _unique_for_each_controller() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, legends: Any, walkers: Any, *more: Any) -> Any:
            split: dict[str, list[int]] = {}
            for subtype, ids in walkers.items():
                for oid in ids:
                    split.setdefault(f"{subtype} {state.objects[oid].controller}", []).append(oid)
            return original(state, legends, split, *more)

        return changed

    wrap(state_based, "_uniqueness", make)


@breaks("306.5")
def _counters_give_loyalty() -> None:
    def make(original: Any) -> Any:
        def changed(base: Any, found: Any) -> Any:
            return replace(original(base, found), loyalty=lookup.count(found.counters, "loyalty"))

        return changed

    wrap(modifications, "_with_counters", make)


@breaks("306.5a")
def _no_loyalty_elsewhere() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, oid: int) -> Any:
            c = original(state, oid)
            off = state.objects[oid].zone != "battlefield"
            return replace(c, loyalty=0) if off and c.loyalty is not None else c

        return changed

    everywhere(layers.characteristics, make)


@breaks("306.5b")
def _effects_do_not_see_what_it_enters_with() -> None:
    put(replacement, "_of_counters", lambda *_: [])


@breaks("306.5c")
def _printed_loyalty_for_ever() -> None:
    def make(original: Any) -> Any:
        return lambda base, found: replace(original(base, found), loyalty=base.loyalty)

    wrap(modifications, "_with_counters", make)


@breaks("306.5d")
def _as_often_as_one_likes() -> None:
    put(apply.APPLY, events.UsedAbility, lambda *_: None)


@breaks("306.6")
def _only_players_are_attacked() -> None:
    put(attacked, "planeswalkers_of", lambda *_: ())


@breaks("306.7")
def _no_redirection() -> None:
    put(replacement, "_redirection", lambda *_: None)


@breaks("306.8")
def _one_counter_whatever_the_damage() -> None:
    results(lambda e: replace(e, amount=1) if isinstance(e, events.RemoveCounters) else e)


@breaks("306.9")
def _stays_at_zero() -> None:
    wrap(
        state_based,
        "check",
        lambda original: lambda state: tuple(e for e in original(state) if e.cause != "no loyalty"),
    )
