"""The mana of a player of whose permanents each makes one by just being tapped: the same as long as they are the same objects,
whatever else becomes another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from server.rules.characteristics import board
from server.rules.costs import payment
from server.rules.costs.mana_sources import can_tap, untouched_source
from server.rules.costs.source import Source
from server.rules.model import Action, Object, State, Struct, of_parts


class PlainMana(Struct):
    """What is made of these permanents: how many sources of which colours, and their abilities as actions."""

    of: list[Object]
    summary: payment.Summary = ()
    actions: tuple[Action, ...] = ()
    plain: bool = True


def plain_mana(state: State, seat: int) -> PlainMana | None:
    """The mana of a player where no effect is about players, costs or mana; None if not all of it is plain."""
    b = board(state)
    mine = [o for o in map(state.objects.__getitem__, b.index.mana) if o.controller == seat]
    if (b.changed or b.flags) and any(o.id in b.changed or o.id in b.flags for o in mine):
        return None
    kept, key = of_parts(state), ("plain mana", seat)
    known: PlainMana | None = kept.get(key)
    if known is None or known.of != mine:
        known = kept[key] = _found(state, seat, mine)
    return known if known.plain else None


def _found(state: State, seat: int, mine: list[Object]) -> PlainMana:
    actions: list[Action] = []
    sources: list[Source] = []
    for o in mine:
        abilities = o.definition.base.abilities
        if o.rare.chosen or o.face_down or len(abilities.taps) != len(abilities.mana):
            return PlainMana(mine, plain=False)
        if can_tap(state, o):
            source = _plain_source(state, o)
            if source is None or not payment.is_simple(source):
                return PlainMana(mine, plain=False)
            sources.append(source)
            actions += [_tapped(o.id, index) for index in abilities.taps]
    return PlainMana(mine, payment.summary(sources), tuple(actions))


@lru_cache(maxsize=4096)
def _tapped(oid: int, index: int) -> Action:
    return Action("activate", oid, index, mana=True)


def _plain_source(state: State, found: Object) -> Source | None:
    """What an untapped permanent makes if that is the same whatever else is in play; its key says nothing."""
    if "mana" not in found.definition.variants:
        untouched_source(state, found)
    source, plain = cast("tuple[Source | None, bool]", found.definition.variants.get("mana") or (None, False))
    return source if plain else None
