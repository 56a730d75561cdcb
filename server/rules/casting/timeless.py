"""Lists of actions that stay the same from step to step, while no object, player or effect is another: what they are made of asks
neither for the turn nor for combat, nor for what happened before.

Only what is plainly so is known to be; any other list is made for each state.
"""

from __future__ import annotations

from typing import NamedTuple

from server.cards import forms, nouns
from server.cards.forms import Tree
from server.cards.keywords import CASTING_FLAGS
from server.rules.casting.calling import by_hand_here
from server.rules.characteristics import board
from server.rules.functioning import EXILE, in_force, outside
from server.rules.model import Action, Characteristics, State, of_board, remember, targets_of, walk

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


def kept(state: State, seat: int) -> tuple[Action, ...] | None:
    """The list that was made for a player who could cast no sorcery, if it still is the one."""
    return of_board(state).setdefault("timeless", {}).get(seat)


def keep(state: State, seat: int, made: tuple[Action, ...]) -> None:
    """Keeps a list for a player who can cast no sorcery, if it is the same in other steps. It goes where the board goes (`evolve`)."""
    if seat in of_board(state).get("taps", ()) and _is_timeless(state, seat):
        of_board(state).setdefault("timeless", {})[seat] = made


def _is_timeless(state: State, seat: int) -> bool:
    """All mana abilities just tap, as `taps` says; nothing is in force about players or costs, whatever its conditions."""
    b, objects = board(state), state.objects
    index = b.index
    if by_hand_here(state):
        return False  # what has left may be called as well
    if state.command or index.makers or index.restricted_mana or index.face_down or b.for_spells:
        return False
    if in_force(state, forms.PlayerRule) or in_force(state, forms.CostChange):
        return False
    mine = outside(state, seat)
    if mine.usable or outside(state, EXILE).usable:
        return False
    for oid in mine.fast:
        if oid in b.changed or not _of(objects[oid].definition.base).spell or objects[oid].definition.card.faces:
            return False
    if b.changed and any(oid in b.changed for oid in (*state.players[seat].hand, *state.players[seat].graveyard)):
        return False
    changed = b.changed
    return all(_of(changed.get(oid) or objects[oid].definition.base).activated for oid in index.activated)


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
    return not a.spell.modes and not a.spell.keyword and _aims(a.spell.do)


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
