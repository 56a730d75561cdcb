"""Static abilities of cards in graveyards that say they function there (112.6b, current 113.6b)."""

from __future__ import annotations

from operator import is_
from typing import NamedTuple

from server.cards import forms
from server.rules.continuous import Applied
from server.rules.model import Definition, Scope, State, of_parts, remember

ZONE = "graveyard"


class _Statics(NamedTuple):
    """The static abilities of a definition that function in a graveyard."""

    definition: Definition
    abilities: tuple[forms.Continuous, ...]


class _Speaking(NamedTuple):
    """The cards that have any, in graveyards that are just these tuples."""

    graveyards: tuple[tuple[int, ...], ...]
    ids: tuple[int, ...]


_statics_of: dict[int, _Statics] = {}


def in_graveyards(state: State) -> tuple[int, ...]:
    """The cards whose static abilities function in the graveyard where they are; looked for where a graveyard is another tuple."""
    kept = of_parts(state)
    known: _Speaking | None = kept.get("buried")
    graveyards = [p.graveyard for p in state.players]
    if known is None or not all(map(is_, known.graveyards, graveyards)):
        objects = state.objects
        ids = tuple(i for ids in graveyards for i in ids if _statics(objects[i].definition))
        known = kept["buried"] = _Speaking(tuple(graveyards), ids)
    return known.ids


def of_graveyards(state: State) -> list[Applied]:
    """What these abilities do. A card in a graveyard has no controller: its owner is "you" (108.4a)."""
    found = (state.objects[i] for i in in_graveyards(state))
    return [
        Applied(ability.what, ability.mods, Scope(card.id, card.owner), card.timestamp, None, ability)
        for card in found
        for ability in _statics(card.definition)
    ]


def _statics(definition: Definition) -> tuple[forms.Continuous, ...]:
    known = _statics_of.get(id(definition))
    if known is None or known.definition is not definition:
        every = definition.base.abilities.all
        there = tuple(a for a in every if isinstance(a, forms.Continuous) and a.zone == ZONE)
        known = remember(_statics_of, id(definition), _Statics(definition, there))
    return known.abilities
