"""What is copied (706): an object's copiable values as a definition, and definitions with exceptions.

Copies at the moment something begins (a token, a permanent that enters, a copy of a spell) are simply objects of the copied
definition. An object that becomes a copy for a while has an effect in layer 1 that holds the card it became a copy of.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.rules.characteristics import FACE_DOWN_CARD, amount, board, lost_with
from server.rules.model import (
    COLOR_BITS,
    PROTOTYPE,
    Definition,
    Ref,
    Scope,
    State,
    define,
    defines,
    object_or_last,
    remember,
)

Exceptions = tuple[forms.AnyModification, ...]


def copiable(state: State, ref: Ref, both_faces: bool = False) -> Definition | None:
    """The copiable values of an object now, or as they last were (706.2, 707.2); None if there is no such object. Of a double-faced
    permanent only the face that is up is copied, unless the copy has `both_faces` (a token, current 707.8a)."""
    found = state.objects.get(ref)
    if found is None:
        last = object_or_last(state, ref)
        return _copied_face(last.definition, both_faces) if last is not None else None
    if found.face_down:
        return define(FACE_DOWN_CARD)
    return _copied_face(board(state).copies.get(ref, found.definition), both_faces)


def _copied_face(definition: Definition, both_faces: bool) -> Definition:
    """What is copied of a side: of a flip card the card, since being flipped is a status (110.6a, 709.4)."""
    if definition.whole is None:
        return definition
    match definition.whole.card.layout:
        case "" if definition.base.abilities.quality(PROTOTYPE):  # but to be prototyped is one (current 718.3c)
            return define(definition.card)
        case "flip" | "":  # nor is it a copiable value to be bestowed (current 702.103b)
            return definition.whole
        case "meld":  # current 707.8; with no mana value (current 202.3c)
            return define(definition.card)
        case "transform" if not both_faces:
            return define(definition.card)
        case _:
            return definition


_made: dict[object, tuple[Any, Definition]] = {}


def excepted(state: State, definition: Definition, excepting: Exceptions, scope: Scope) -> Definition:
    """The definition with the exceptions of a copy, which are copiable themselves (706.9)."""
    if not excepting:
        return definition
    own = scope.entry.ability if scope.entry is not None else None
    numbers = tuple(
        amount(state, side, scope)
        for mod in excepting
        if isinstance(mod, forms.SetPT)
        for side in (mod.power, mod.toughness)
        if side is not None
    )
    key = (id(definition), id(excepting), id(own), numbers)
    known = _made.get(key)
    if known is None or known[0][0] is not definition or known[0][1] is not excepting or known[0][2] is not own:
        card = definition.card
        for mod in excepting:
            card = _excepted(state, card, mod, scope)
            if card.layout == "flip":  # what it shows when it is flipped is no other object (110.6c)
                card = replace(card, faces=tuple(_excepted(state, face, mod, scope) for face in card.faces))
        known = remember(_made, key, ((definition, excepting, own), define(card)))
    return known[1]


def _excepted(state: State, card: Card, mod: forms.AnyModification, scope: Scope) -> Card:
    match mod:
        case forms.SetName(name):
            return replace(card, name=_own_name(state, scope) if name == forms.THIS else name)
        case forms.SetManaCost(mana):
            return replace(card, cost=mana, colors=_letters(card) if card.colors is None else card.colors)
        case forms.SetTypes():
            kept = _without_defining(card, forms.SetTypes) if mod.replace else card.abilities
            return replace(card, types=_type_line(card.types, mod), abilities=kept)
        case forms.SetColors(colors, replaces):
            before = "" if replaces else _letters(card)
            kept = _without_defining(card, forms.SetColors)
            return replace(card, colors=before + "".join(c for c in colors if c not in before), abilities=kept)
        case forms.SetPT(power, toughness):
            kept = _without_defining(card, forms.DefinePT)
            sides = (amount(state, side, scope) if side is not None else 0 for side in (power, toughness))
            now_power, now_toughness = sides
            return replace(
                card,
                power=card.power if power is None else str(now_power),
                toughness=card.toughness if toughness is None else str(now_toughness),
                abilities=kept,
            )
        case forms.GainAbilities(keywords, abilities):
            new = tuple(word for word in keywords if word not in card.keywords)
            return replace(card, keywords=(*card.keywords, *new), abilities=(*card.abilities, *abilities))
        case forms.IsIndestructible():
            own = forms.Continuous(what=forms.Noun("{this}"), mods=(mod,), text="{this} is indestructible.")
            return replace(card, abilities=(*card.abilities, own))
        case forms.GainThisAbility():
            own = scope.entry.ability if scope.entry is not None else None
            return card if own is None else replace(card, abilities=(*card.abilities, own))
        case _:
            return card


def _own_name(state: State, scope: Scope) -> str:
    """The name of what the text stands on, whatever it is a copy of now."""
    found = object_or_last(state, scope.source)
    return (found.printed or found.definition).name if found is not None else ""


def _without_defining(card: Card, kind: type[forms.Modification]) -> tuple[forms.Ability, ...]:
    """The card's abilities but for what defines the characteristic, which is not copied then (706.9d)."""
    return tuple(
        ability
        for ability in card.abilities
        if not isinstance(ability, forms.Continuous)
        or not defines(ability.what, ability.mods)
        or not any(isinstance(mod, kind) for mod in ability.mods)
    )


def _letters(card: Card) -> str:
    mask = define(card).base.colors
    return "".join(letter for letter, bit in COLOR_BITS.items() if mask & bit)


def _type_line(line: str, mod: forms.SetTypes) -> str:
    supertypes, types, subtypes = parse_types(line)
    if mod.replace:
        types = mod.types or types
        subtypes = mod.subtypes
    else:
        types = (*types, *(t for t in mod.types if t not in types))
        subtypes = (*subtypes, *(t for t in mod.subtypes if t not in subtypes))
    supertypes = (*supertypes, *(t for t in mod.supertypes if t not in supertypes))
    gone = lost_with(mod.lose)
    left = [word.capitalize() for word in (*supertypes, *types) if word not in gone]
    right = [word for word in subtypes if word not in gone]
    return " ".join(left) + (" — " + " ".join(right) if right else "")


def became(state: State, mod: forms.BecomeCopy, scope: Scope, of: tuple[Ref, ...]) -> forms.BecomeCopy | None:
    """The modification with what it copies determined now (706.2); None if there is nothing to copy."""
    for ref in of:
        definition = copiable(state, ref)
        if definition is not None:
            return forms.BecomeCopy(card=excepted(state, definition, mod.excepting, scope).card)
    return None


_merged: dict[tuple[int, ...], tuple[tuple[Definition, ...], Definition]] = {}


def merged_definition(top: Definition, rest: tuple[Definition, ...]) -> Definition:
    """The copiable values of a merged permanent: those of the topmost component, with all abilities of the others
    (mutate, current 702.140e, current 729.2a)."""
    parts = (top, *rest)
    key = tuple(id(part) for part in parts)
    known = _merged.get(key)
    if known is None or any(a is not b for a, b in zip(known[0], parts, strict=True)):
        keywords = tuple(dict.fromkeys(word for part in parts for word in part.card.keywords))
        abilities = tuple(ability for part in parts for ability in part.card.abilities)
        known = remember(_merged, key, (parts, define(replace(top.card, keywords=keywords, abilities=abilities))))
    return known[1]
