"""What can be cast and activated from step to step, while no object, player or effect is another: it asks neither for the turn nor for
combat, nor for what happened before. Only what is plainly so is known to be.
"""

from __future__ import annotations

from typing import NamedTuple

from server.cards import forms, nouns
from server.cards.forms import Tree
from server.cards.keywords import CASTING_FLAGS
from server.rules.characteristics import board
from server.rules.model import Characteristics, State, remember, targets_of, walk

TIMELESS_PARTS = (
    nouns.Target, nouns.Things, nouns.You, nouns.HasType, nouns.HasSupertype, nouns.HasSubtype, nouns.IsA,
    nouns.HasColor, nouns.ColorCount, nouns.HasKeyword, nouns.ControlledBy, nouns.OwnedBy, nouns.Not, nouns.All, nouns.Any,
)  # fmt: skip
"""What a target may be described by."""
CASTING = CASTING_FLAGS - {"flash"}


class _Known(NamedTuple):
    """Whether spells and activated abilities with these characteristics are such; they are told apart by their identity."""

    characteristics: Characteristics
    spell: bool
    activated: bool


_known: dict[int, _Known] = {}


def permanents(state: State) -> bool:
    """Whether what permanents can activate is so."""
    b, objects = board(state), state.objects
    if not b.index.activated:
        return True
    return all(_of(b.changed.get(oid) or objects[oid].definition.base).activated for oid in b.index.activated)


def casts(c: Characteristics) -> bool:
    """Whether a spell with these characteristics asks for nothing but what its targets are."""
    return _of(c).spell


def asks_nothing(c: Characteristics) -> bool:
    """Whether no activated ability of these characteristics asks for the time, nor for its source but as what that is."""
    return _of(c).activated


def _of(c: Characteristics) -> _Known:
    known = _known.get(id(c))
    if known is None or known.characteristics is not c:
        activated = all(_activates(ability) for _, ability in c.abilities.activated)
        known = remember(_known, id(c), _Known(c, _casts(c), activated))
    return known


def _casts(c: Characteristics) -> bool:
    a = c.abilities
    if not a.ordinary or a.casting_rules or a.cost_changes or a.as_cast or a.further or a.keywords & CASTING:
        return False
    if "Aura" in c.subtypes or a.spell is None:
        return a.spell is None and "Aura" not in c.subtypes
    return not a.spell.keyword and all(map(_aims, (a.spell.do, *(mode.do for mode in a.spell.modes))))


def _activates(ability: forms.ActivatedAbility) -> bool:
    plain = not (ability.modes or ability.timing or ability.limit or ability.condition or ability.changes)
    costs = all(
        isinstance(part, forms.TapCost) or isinstance(part, forms.ManaCost) and isinstance(part.per, int)
        for part in ability.cost
    )
    return plain and costs and ability.by == "controller" and ability.zone == "battlefield" and _aims(ability.do)


def _aims(program: Tree) -> bool:
    """Whether targets are such that they do not become others by time alone."""
    parts = [part for noun in targets_of(program) for part in walk(noun.reading)]
    return all(
        part.which in ("any", "opponent", "other")
        if isinstance(part, nouns.Players)
        else isinstance(part, TIMELESS_PARTS) and not (isinstance(part, nouns.Target) and part.other)
        for part in parts
    )
