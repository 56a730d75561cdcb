"""Objects that are others than before, whichever part their fields stand in."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, TypedDict, Unpack

import msgspec
from msgspec.structs import astuple, replace

from server.cards.nouns import Zone
from server.rules.definitions import Definition
from server.rules.model.questions import Ref
from server.rules.model.state import NOTHING_RARE, Component, Counters, Entry, Object, Rare

_RARE = frozenset(Rare.__struct_fields__)


class RareChanges(TypedDict, total=False):
    """Those of `Rare`."""

    phased_out: bool
    token: bool
    damage: int
    deathtouched: bool
    counters: Counters
    attached_to: Ref
    attachments: tuple[Ref, ...]
    chosen: tuple[tuple[str, str], ...]
    linked: tuple[Ref, ...]
    entry: Entry | None
    stamp: int
    printed: Definition | None
    used_loyalty: int
    phased_with: Ref
    commander: int
    merged: tuple[Component, ...]
    paired: Ref
    turned: int


class Changes(RareChanges, total=False):
    """The fields of an object, rare ones among the others."""

    id: Ref
    definition: Definition
    owner: int
    controller: int
    zone: Zone
    timestamp: int
    base: int
    tapped: bool
    face_down: bool
    sick: bool
    known: int
    entered: int
    since: int


# fmt: off
OBJECT_FIELDS = (
    "id", "definition", "owner", "controller", "zone", "timestamp", "base", "tapped", "face_down", "phased_out",
    "token", "sick", "damage", "deathtouched", "counters", "attached_to", "attachments", "chosen", "linked", "known",
    "entered", "entry", "stamp", "printed", "used_loyalty", "since", "phased_with", "commander", "merged", "paired",
    "turned",
)
# fmt: on
"""All of them, in the order in which they are written."""
_OWN_THEN_RARE = (*Object.__struct_fields__[:-1], *Rare.__struct_fields__)
_InOne = msgspec.defstruct("_InOne", OBJECT_FIELDS, frozen=True, gc=False)
_ordered = itemgetter(*map(_OWN_THEN_RARE.index, OBJECT_FIELDS))


def changed(found: Object, **changes: Unpack[Changes]) -> Object:
    """The object with these fields changed, whichever part of it they stand in. `replace` does so only for those that are not rare."""
    own: dict[str, object] = {**changes}
    rare = {name: own.pop(name) for name in _RARE.intersection(own)}
    return replace(found, rare=_shared(replace(found.rare, **rare)), **own)


def with_rare(found: Object, **changes: Unpack[RareChanges]) -> Object:
    """As `changed`, where all of it is rare: that takes half as long."""
    return replace(found, rare=_shared(replace(found.rare, **changes)))


def rare(**fields: Unpack[RareChanges]) -> Rare:
    """What an object has that most have not: `NOTHING_RARE` where each of it is as with most."""
    return _shared(Rare(**fields))


def _shared(made: Rare) -> Rare:
    return NOTHING_RARE if made == NOTHING_RARE else made


def values_of(found: Object) -> tuple[Any, ...]:
    """What stands in all of its fields, in the order of `OBJECT_FIELDS`."""
    return _ordered(astuple(found)[:-1] + astuple(found.rare))


def made_of(**fields: Unpack[Changes]) -> Object:
    """The object that has these fields. Raises TypeError where one is missing that has no default."""
    own: dict[str, Any] = {**fields}
    of_rare = {name: own.pop(name) for name in _RARE.intersection(own)}
    return Object(**own, rare=_shared(Rare(**of_rare)))


def in_one(found: Object) -> msgspec.Struct:
    """An object as the one struct that it was when states were hashed first."""
    return _InOne(*values_of(found))
