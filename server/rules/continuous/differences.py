"""What is not the same in a state as in the one of which a board is: where `following` begins."""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import NamedTuple

from server.cards.forms import Ability
from server.rules.continuous.boards import entries
from server.rules.continuous.face_down import face_down_of
from server.rules.continuous.followed import Followed
from server.rules.model import Abilities, Characteristics, Object, Rare, State


class Different(NamedTuple):
    """What is not what it was: permanents that are others, ids that have left, named objects elsewhere that are others, and those in the
    command zone."""

    changed: list[int]
    gone: list[int]
    outside: list[int]
    command: list[int]


NOTHING = Different([], [], [], [])
"""Nothing is another."""


def differences(state: State, before: Followed) -> Different:
    """What is another in a state than where a board was made."""
    objects, old = state.objects, before.objects
    changed: list[int] = []
    gone: list[int] = []
    outside: list[int] = []
    command: list[int] = []
    if objects is not old:
        get = old.get
        ids = state.battlefield
        for oid in compress(ids, map(is_not, map(objects.__getitem__, ids), map(get, ids))):
            was = get(oid)
            if was is None or not _same(was, objects[oid]):
                changed.append(oid)
        if before.outside:
            outside = [oid for oid in before.outside if objects.get(oid) is not get(oid)]
    if state.battlefield is not before.battlefield:
        there, were = set(state.battlefield), set(before.battlefield)
        gone = [oid for oid in before.battlefield if oid not in there]
        if not there <= were:
            known = set(changed)
            changed += [oid for oid in state.battlefield if oid not in were and oid not in known]
    if state.command is not before.command or state.command and objects is not old:
        known = set(before.command)
        command = [oid for oid in state.command if oid not in known or objects[oid] is not old.get(oid)]
    return Different(changed, gone, outside, command) if changed or gone or outside or command else NOTHING


Given = tuple[tuple[Object, tuple[Ability, ...]], ...]


def given_to_spells(state: State) -> Given:
    """What spells on the stack have been given."""
    if not state.stack:
        return ()
    spells = [state.objects[oid] for oid in state.stack]
    return tuple([(o, entry.granted) for o in spells if (entry := o.rare.entry) is not None and entry.granted])


def _same(old: Object, new: Object) -> bool:
    """Whether nothing has changed about an object that has to do with its characteristics or its effects."""
    return (
        old.definition is new.definition
        and old.controller == new.controller
        and old.base == new.base
        and old.zone == new.zone
        and old.timestamp == new.timestamp
        and old.face_down == new.face_down
        and old.owner == new.owner
        and (old.rare is new.rare or _same_rare(old.rare, new.rare))
    )


def _same_rare(old: Rare, new: Rare) -> bool:
    return (
        old.counters == new.counters
        and old.attached_to == new.attached_to
        and old.phased_out == new.phased_out
        and old.chosen == new.chosen
        and old.entry is new.entry
        and old.token == new.token
        and old.commander == new.commander
    )


def entries_of(found: Object | None, c: Characteristics | None) -> frozenset[str]:
    """Under what a permanent stands in the index."""
    if found is None or found.rare.phased_out or found.zone != "battlefield":
        return frozenset()
    return entries(abilities_of(found, c), found.face_down)


def abilities_of(found: Object, c: Characteristics | None) -> Abilities:
    """The abilities of a permanent with these characteristics; None: no effect changes its own."""
    if c is None:
        c = face_down_of(found) if found.face_down else found.definition.base
    return c.abilities
