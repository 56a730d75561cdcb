"""Mana pools as a step ends (500.4): what empties, and what stays."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.functioning.player_rules import rules
from server.rules.model import SYMBOLS, Marked, Player, State


def emptied(state: State, p: Player) -> Player:
    """The player without the mana that empties (500.4): none of it, or none of some colours, may be."""
    kept = {ability.mana for ability, _ in rules(state, p.seat, "mana doesn't empty")}
    if "" in kept:
        return p
    places = tuple(map(SYMBOLS.index, kept))
    staying = _lasting_mana(p.marked, state.turn.step)
    pool = tuple(n if i in places else 0 for i, n in enumerate(p.pool))
    return replace(p, pool=pool, marked=tuple(unit for unit in p.marked if unit.color in places or unit in staying))


def _lasting_mana(marked: tuple[Marked, ...], step: str) -> tuple[Marked, ...]:
    """The mana that what made it keeps in the pool beyond this step."""
    ended = {"end_combat": ("", "end of combat"), "cleanup": ("", "end of combat", "end of turn")}.get(step, ("",))
    return tuple(unit for unit in marked if unit.verb is not None and unit.verb.lasts not in ended)
