"""What can be cast and activated from step to step, while no object, player or effect is another: it asks neither for the turn nor for
combat, nor for what happened before. Only what is plainly so is known to be.
"""

from __future__ import annotations

from server.cards import forms, nouns
from server.cards.forms import Tree
from server.cards.keywords import CASTING_FLAGS, EXILED_FIRST
from server.rules.characteristics import board
from server.rules.model import Characteristics, Object, State, Struct, remember, targets_of, walk

TIMELESS_PARTS = (
    nouns.Target, nouns.Things, nouns.You, nouns.HasType, nouns.HasSupertype, nouns.HasSubtype, nouns.IsA,
    nouns.HasColor, nouns.ColorCount, nouns.HasKeyword, nouns.ControlledBy, nouns.OwnedBy, nouns.Not, nouns.All, nouns.Any,
)  # fmt: skip
"""What a target may be described by."""
CASTING = CASTING_FLAGS - {"flash"}
DISCARD_THIS = forms.DiscardCost(what=nouns.Noun(forms.THIS))


class _Known(Struct):
    """Whether spells and activated abilities with these characteristics are such, and what is done with a card outside the battlefield
    but casting it; they are told apart by their identity."""

    characteristics: Characteristics
    spell: bool
    activated: bool
    elsewhere: bool


_known: dict[int, _Known] = {}


def permanents(state: State) -> bool:
    """Whether what permanents can activate is so."""
    b, objects = board(state), state.objects
    if not b.index.activated:
        return True
    return all(_of(b.changed.get(oid) or objects[oid].definition.base).activated for oid in b.index.activated)


def elsewhere(state: State, cards: tuple[int, ...]) -> bool:
    """Whether what can be done with these cards where they are, outside the battlefield, is so, but casting those in a hand."""
    return not cards or all(_is_used_so(state.objects[oid]) for oid in cards)


def _is_used_so(card: Object) -> bool:
    c = card.definition.base
    cast = card.zone != "hand" and bool(c.abilities.casting_costs or c.abilities.casting_rules)
    return not (cast or card.face_down) and _of(c).elsewhere


def casts(c: Characteristics) -> bool:
    """Whether a spell with these characteristics asks for nothing but what its targets are."""
    return _of(c).spell


def asks_nothing(c: Characteristics) -> bool:
    """Whether no activated ability of these characteristics asks for the time, nor for its source but as what that is."""
    return _of(c).activated


def _of(c: Characteristics) -> _Known:
    known = _known.get(id(c))
    if known is None or known.characteristics is not c:
        a = c.abilities
        activated = all(_activates(ability) for _, ability in a.activated)
        used = (ability for _, ability in (*a.activated, *a.mana) if ability.zone != "battlefield")
        elsewhere = not a.keywords & EXILED_FIRST and all(map(_is_plainly_used, used))
        known = remember(_known, id(c), _Known(c, _casts(c), activated, elsewhere))
    return known


def _casts(c: Characteristics) -> bool:
    a = c.abilities
    if not a.ordinary or a.hand_rules or a.cost_changes or a.as_cast or a.further or a.keywords & CASTING:
        return False
    if "Aura" in c.subtypes or a.spell is None:
        return a.spell is None and "Aura" not in c.subtypes
    return not a.spell.keyword and all(map(_aims, (a.spell.do, *(mode.do for mode in a.spell.modes))))


def _activates(ability: forms.ActivatedAbility) -> bool:
    costs = all(isinstance(part, forms.TapCost) or _is_mana(part) for part in ability.cost)
    return costs and ability.zone == "battlefield" and _says_no_time(ability)


def _is_plainly_used(ability: forms.ActivatedAbility) -> bool:
    """As cycling is (702.27a)."""
    return all(part == DISCARD_THIS or _is_mana(part) for part in ability.cost) and _says_no_time(ability)


def _is_mana(part: forms.Cost) -> bool:
    return isinstance(part, forms.ManaCost) and isinstance(part.per, int)


def _says_no_time(ability: forms.ActivatedAbility) -> bool:
    plain = not (ability.modes or ability.timing or ability.limit or ability.condition or ability.changes)
    return plain and ability.by == "controller" and _aims(ability.do)


def _aims(program: Tree) -> bool:
    """Whether targets are such that they do not become others by time alone."""
    parts = [part for noun in targets_of(program) for part in walk(noun.reading)]
    return all(
        part.which in ("any", "opponent", "other")
        if isinstance(part, nouns.Players)
        else isinstance(part, TIMELESS_PARTS) and not (isinstance(part, nouns.Target) and part.other)
        for part in parts
    )
