"""Walks over trees of cards: the parts of a program, its target slots (601.2c), what is divided among them (601.2d).

What follows from a program alone is remembered by its identity: programs live as long as their card.
"""

from __future__ import annotations

from typing import cast

import msgspec

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.definitions.remembered import remember


def walk(tree: object) -> list[object]:
    """All structs of a tree in printed order, nested programs included, depth first."""
    found: list[object] = []
    _walk(tree, found)
    return found


def _walk(node: object, found: list[object]) -> None:
    if isinstance(node, tuple):
        for part in cast("tuple[object, ...]", node):
            _walk(part, found)
    elif isinstance(node, Noun):
        found.append(node)
    elif isinstance(node, msgspec.Struct):
        found.append(node)
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if value is not None and not isinstance(value, (str, int, bool)):
                _walk(value, found)


#: Verbs that make abilities of their own: targets inside are those abilities', not the program's.
OWN_PROGRAMS = (
    forms.AddMana,
    forms.Delayed,
    forms.Reflexive,
    forms.GainAbilities,
    forms.Shield,
    forms.Emblem,
    forms.CreateToken,
)


def target_nouns(tree: object) -> tuple[Noun, ...]:
    """The nouns of a program that are target slots, in the order in which they stand (601.2c)."""
    found: list[Noun] = []
    _target_nouns(tree, found)
    return tuple(found)


def _target_nouns(node: object, found: list[Noun]) -> None:
    if isinstance(node, tuple):
        for part in cast("tuple[object, ...]", node):
            _target_nouns(part, found)
    elif isinstance(node, Noun):
        _reading_targets(node, node.reading, found)
    elif isinstance(node, msgspec.Struct):
        names = node.__struct_fields__
        if isinstance(node, OWN_PROGRAMS):
            # The things spoken of are the program's own targets; what the new abilities do is not.
            names = tuple(
                n for n in names if n in ("per", "attached_to", "blocking", "copy_of", "who", "source_choice", "count")
            )
        for name in sorted(names, key=_not_spoken_first):
            value = getattr(node, name)
            if value is not None and not isinstance(value, (str, int, bool)):
                _target_nouns(value, found)


def _not_spoken_first(name: str) -> bool:
    """Printed text names who acts before what is done to whom: "target creature deals damage to target player"."""
    return name not in ("source", "who", "what")


def _reading_targets(noun: Noun, reading: object, found: list[Noun]) -> None:
    if any(isinstance(part, nouns.Target) for part in walk(reading)):
        found.extend(noun.slots or (noun,))


_by_identity: dict[int, tuple[object, tuple[Noun, ...]]] = {}


def targets_of(program: forms.Tree) -> tuple[Noun, ...]:
    """The target slots of a program, remembered by the program's identity (programs live as long as their card)."""
    known = _by_identity.get(id(program))
    if known is not None and known[0] is program:
        return known[1]
    result = target_nouns(program)
    return remember(_by_identity, id(program), (program, result))[1]


_loops_by_identity: dict[int, tuple[object, dict[int, Noun]]] = {}


def loop_of(program: forms.Tree, noun: Noun) -> Noun | None:
    """The players for each of whom a target slot is filled ("for each opponent, destroy target creature that player
    controls"); None for every other slot."""
    known = _loops_by_identity.get(id(program))
    if known is None or known[0] is not program:
        found: dict[int, Noun] = {}
        for part in walk(program):
            if isinstance(part, forms.ForEach) and part.of is not None:
                kind = nouns.kind_of(part.of.reading)
                if kind is not None and kind.players is not None:
                    found.update((id(own), part.of) for own in target_nouns(part.then))
        known = remember(_loops_by_identity, id(program), (program, found))
    return known[1].get(id(noun))


_divided_by_identity: dict[int, tuple[object, tuple[forms.Damage | forms.PutCounters, ...]]] = {}


def divided(program: forms.Tree) -> tuple[forms.Damage | forms.PutCounters, ...]:
    """The instructions whose damage or counters are divided among targets (601.2d), those that stand in others too."""
    known = _divided_by_identity.get(id(program))
    if known is None or known[0] is not program:
        slots = targets_of(program)
        found = tuple(
            part
            for part in walk(program)
            if isinstance(part, forms.Damage | forms.PutCounters)
            and (part.divided if isinstance(part, forms.Damage) else part.distribute)
            and any(own is part or own is shared(part) for own in (*program, *slots))
            and any(isinstance(inner, nouns.Target) for inner in walk(shared(part).reading))  # others are chosen later
        )
        known = remember(_divided_by_identity, id(program), (program, found))
    return known[1]


def shared(verb: forms.Damage | forms.PutCounters) -> Noun:
    """Among whom an instruction divides its damage or counters."""
    return verb.to if isinstance(verb, forms.Damage) else verb.what
