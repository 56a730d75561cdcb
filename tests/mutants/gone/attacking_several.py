"""Mutants without one of the rules: attacks on several players (802)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import nouns
from server.rules.characteristics import selection
from server.rules.combat import requirements, steps
from server.rules.instructions import resolve
from server.rules.model import (
    AttackersQuestion,
    CombatFrame,
    Next,
    lookup,
    next_state,
    player_ref,
)
from server.rules.turn import legal, structure
from tests.mutants.gone.breaking import breaks, put, wrap


@breaks("802.1")
def _one_defending_player() -> None:
    wrap(structure, "defending_players", lambda original: lambda state, active: original(state, active)[:1])


@breaks("802.2")
def _one_is_chosen() -> None:
    put(
        structure.ACTIONS,
        "begin_combat",
        lambda state: structure._choose_defender(state, structure.defending_players(state, state.turn.active)),
    )


@breaks("802.2a")
def _the_first_defending_player() -> None:
    def changed(state: Any, reading: Any, scope: Any) -> Any:
        return (player_ref(state.combat.defenders[0]),) if state.combat is not None else ()

    put(selection.READINGS, nouns.DefendingPlayer, changed)
    put(resolve, "_defending_players", lambda *_: ())


@breaks("802.2a.example")
def _anybodys_mountains() -> None:
    wrap(
        requirements,
        "_landwalks",
        lambda original: lambda s, c, k, seat: any(original(s, c, k, other) for other in s.combat.defenders),
    )


@breaks("802.3")
def _declarations_are_not_checked() -> None:
    put(legal.CHECKS, AttackersQuestion, lambda *_: None)


@breaks("802.3a")
def _limits_bind_everything() -> None:
    def make(original: Any) -> Any:
        return lambda *args: [replace(found, defenders=()) for found in original(*args)]

    wrap(requirements, "_attack_limits", make)


@breaks("802.3b")
def _bands_are_not_checked() -> None:
    put(legal, "_check_bands", lambda *_: None)


@breaks("802.4")
def _blocks_in_the_wrong_order() -> None:
    wrap(steps, "attacked_players", lambda original: lambda *args: tuple(reversed(original(*args))))


def _for_this_seat(state: Any, seat: int) -> Any:
    attackers = tuple(replace(a, player=seat) for a in state.combat.attackers)
    return next_state.evolve(state, combat=replace(state.combat, attackers=attackers))


@breaks("802.4a")
def _everybody_blocks_everything() -> None:
    wrap(requirements, "_block_rules", lambda original: lambda s, seat: original(_for_this_seat(s, seat), seat))


@breaks("802.4b")
def _others_blockers_count() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, seat: int) -> Any:
            creatures, judged = original(state, seat)
            if state.combat.blockers:
                judged = replace(judged, restrictions=())
            return creatures, judged

        return changed

    wrap(requirements, "_block_rules", make)


class _Backwards:
    """`lookup` with the turn order reversed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(lookup, name)

    def turn_order(self, state: Any, start: int | None = None) -> tuple[int, ...]:
        """The seats backwards."""
        return tuple(reversed(lookup.turn_order(state, start)))


@breaks("802.5")
def _orders_backwards() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, fight: Any) -> Any:
            put(steps, "lookup", _Backwards())
            return original(state, fight)

        return changed

    wrap(steps, "_ask_orders", make)


@breaks("802.6")
def _damage_player_by_player() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, frame: Any) -> Any:
            out = original(state, frame)
            if isinstance(out, Next) and out.then is not None and out.then.assigned:  # type: ignore[attr-defined]
                assigned = out.then.assigned  # type: ignore[attr-defined]
                return replace(out, then=replace(out.then, assigned=()), batch=assigned)
            return out

        return changed

    wrap(steps.POSITIONS, "damage each", make)
    original = steps._ask_damage

    def asked(*args: Any) -> Any:
        out = yield from original(*args)
        then = out.then
        assert isinstance(then, CombatFrame)
        return replace(out, then=replace(then, assigned=()), batch=then.assigned)

    put(steps, "_ask_damage", asked)
