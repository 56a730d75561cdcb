"""What several objects have in common, of targets that are chosen beside each other (601.2c)."""

from __future__ import annotations

from server.cards import nouns
from server.cards.grammar import CREATURE_TYPES, PERMANENT_TYPES
from server.rules.characteristics.layers import known
from server.rules.model import Characteristics, Ref, Scope, State, controller_of

Quality = str | int | None
"""A type, a name, a number, a seat."""


def _of_one(c: Characteristics, what: str) -> frozenset[Quality]:
    """Such qualities of an object. What has no name has no name in common with anything (current 201.2b)."""
    match what:
        case "creature type":
            return CREATURE_TYPES if "changeling" in c.keywords else c.subtypes & CREATURE_TYPES
        case "color":
            return frozenset(bit for bit in range(5) if c.colors >> bit & 1)
        case "type":
            return frozenset(c.types)
        case "permanent type":
            return frozenset(c.types) & frozenset(PERMANENT_TYPES)
        case "name":
            return frozenset((c.name,)) if c.name else frozenset()
        case "power":
            return frozenset((c.power or 0,))
        case _:
            return frozenset((c.mana_value,))


def _qualities(state: State, ref: Ref, what: str) -> frozenset[Quality]:
    if what == "controller":
        return frozenset((controller_of(state, ref),))
    c = known(state, ref)
    return _of_one(c, what) if c is not None else frozenset()


def fit_together(state: State, alike: nouns.Alike, refs: tuple[Ref, ...]) -> bool:
    """Whether objects are beside each other as it says. Fewer than two always are."""
    found = [_qualities(state, ref, alike.what) for ref in refs]
    if len(found) < 2:
        return True
    if not alike.different:
        return any(all(one in own for own in found) for one in found[0])
    if alike.what == "name" and not all(found):
        return False
    return sum(map(len, found)) == len({one for own in found for one in own})


def reaches(state: State, alike: nouns.Alike, refs: tuple[Ref, ...], options: tuple[Ref, ...], least: int) -> bool:
    """Whether these fit together, and with others of the options so many."""
    if not fit_together(state, alike, refs):
        return False
    if not alike.different:
        found = [_qualities(state, ref, alike.what) for ref in options]
        mine = [_qualities(state, ref, alike.what) for ref in refs]
        common = [one for one in mine[0] if all(one in own for own in mine)]
        return len(refs) >= least or any(sum(one in own for own in found) >= least for one in common)
    for ref in options:
        if ref not in refs and fit_together(state, alike, (*refs, ref)):
            refs = (*refs, ref)
    return len(refs) >= least


def in_its_slot(state: State, alike: nouns.Alike, oid: Ref, scope: Scope) -> bool:
    """The same of a target once it is chosen, looked at again as the spell or ability resolves (608.2b)."""
    slots = scope.entry.targets if scope.entry is not None else ()
    return all(fit_together(state, alike, tuple(r for r in slot if r)) for slot in slots if oid in slot)
