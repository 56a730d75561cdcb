"""Programs that say "defending player", and of which attacking creature they say it (802.2a)."""

from __future__ import annotations

from typing import cast

import msgspec

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.model import remember

_defending_by_identity: dict[int, tuple[object, bool]] = {}


def speaks_of_defending(program: forms.Tree) -> bool:
    """Whether a program says "defending player" of no attacking creature of its own, remembered by its identity.

    802.2a: where it speaks of attacking creatures ("each attacking creature deals 1 damage to defending player"), it means
    that of each. Abilities that it gives mean that of what has them.
    """
    known = _defending_by_identity.get(id(program))
    if known is None or known[0] is not program:
        known = remember(_defending_by_identity, id(program), (program, _says_defending(program)))
    return known[1]


def _says_defending(node: object) -> bool:
    if isinstance(node, tuple):
        return any(_says_defending(part) for part in cast("tuple[object, ...]", node))
    if isinstance(node, Noun):
        return "defending player" in node.text
    if not isinstance(node, msgspec.Struct) or isinstance(node, forms.GainAbilities):
        return False
    attackers = _OF_ATTACKERS.get(type(node))
    if attackers is not None and speaks_of_attackers(getattr(node, attackers)):
        return _says_defending(getattr(node, attackers))
    return any(
        _says_defending(value)
        for value in (getattr(node, name) for name in node.__struct_fields__)
        if value is not None and not isinstance(value, (str, int, bool))
    )


#: Instructions about each of several creatures, and the field that selects these.
_OF_ATTACKERS: dict[type[object], str] = {forms.Damage: "source", forms.ForEach: "of", forms.Effect: "what"}


def speaks_of_attackers(noun: Noun | None) -> bool:
    """Whether a noun selects attacking creatures."""
    return noun is not None and "attacking" in noun.text.split()
