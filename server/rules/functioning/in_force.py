"""Abilities in force: static abilities of permanents, of emblems, and what resolved spells and abilities made (611.2, 611.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, cast

from server.cards import forms
from server.rules.characteristics import board, characteristics
from server.rules.functioning.outside_battlefield import outside
from server.rules.model import Abilities, BoundRefs, Floating, Scope, State, lookup, of_board

Static = TypeVar("Static", forms.Continuous, forms.CostChange, forms.PlayerRule, forms.Replacement)


class InForce(NamedTuple, Generic[Static]):
    """An ability in force: what tells it apart from all others, who speaks, and the floating effect if it is one."""

    key: str
    ability: Static
    scope: Scope
    floating: Floating | None = None


#: Of each kind where it stands among an object's abilities, and which permanents have any.
_AMONG: dict[type[forms.Form], str] = {
    forms.CostChange: "cost_changes",
    forms.PlayerRule: "player_rules",
    forms.Replacement: "replacements",
}
#: Under what name the objects of a floating effect are bound for what it says.
_OBJECTS = {forms.PlayerRule: BoundRefs.WHO, forms.Replacement: BoundRefs.IT}


def in_force(state: State, kind: type[Static]) -> tuple[InForce[Static], ...]:
    """Those of a kind: of permanents, of emblems, of cards in graveyards that work there, then floating ones; made once for each
    state. Whether the condition of an ability holds is asked by who applies it."""
    among = _AMONG[kind]
    kept = of_board(state)
    made = kept.get(among)
    if made is None:
        ids = getattr(board(state).index, among)
        replacing = _in_graveyards(state) if kind is forms.Replacement else ()
        nothing = not (ids or replacing or state.command or state.effects)
        made = kept[among] = () if nothing else tuple(_gather(state, kind, ids, replacing))
    return made


def _in_graveyards(state: State) -> Sequence[int]:
    return [oid for player in state.players if player.graveyard for oid in outside(state, player.seat).replacing]


def _gather(
    state: State, kind: type[Static], ids: Sequence[int], replacing: Sequence[int]
) -> Iterator[InForce[Static]]:
    among = _AMONG[kind]
    for oid in ids:
        yield from _of_object(state, oid, characteristics(state, oid).abilities, among, ("battlefield",))
    for oid in lookup.emblems(state) if state.command else ():
        yield from _of_object(state, oid, state.objects[oid].definition.base.abilities, among, ())
    for oid in replacing:
        yield from _of_object(state, oid, state.objects[oid].definition.base.abilities, among, ("graveyard",))
    for floating in state.effects:
        if isinstance(floating.ability, kind):
            bindings = floating.bindings
            if floating.objects is not None and kind in _OBJECTS:
                bindings = (*bindings, (_OBJECTS[kind], floating.objects))
            scope = Scope(floating.source, floating.controller, floating.entry, bindings)
            yield InForce(f"f{floating.id}", cast(Static, floating.ability), scope, floating)


def _of_object(
    state: State, oid: int, abilities: Abilities, among: str, zones: tuple[str, ...]
) -> Iterator[InForce[Any]]:
    """The object's abilities of a kind that work in these zones; in the command zone, if none is named."""
    numbered = getattr(abilities, among)
    if not numbered:
        return
    found = state.objects[oid]
    speaker = found.owner if found.zone == "graveyard" else found.controller
    for index, ability in numbered:
        if getattr(ability, "zone", "battlefield") in zones if zones else lookup.works_in_command(found, index):
            yield InForce(f"{oid}.{index}", ability, Scope(oid, speaker, found.entry))
