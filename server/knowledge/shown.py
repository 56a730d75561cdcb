"""Ids under which a viewer is shown cards of hidden zones that are not in its own hand: revealed cards of another hand, cards in a
library that it has looked at or chooses from.

The rules number objects as they come to be, so that the numbers of a hand tell in which order it was drawn and those of
a library how it lies. The ids made here tell nothing but what the viewer sees anyway: they stand for the zone, its owner and
the face, and count the cards that look alike. So a card that is shown again has the same id as any other that looks like it,
and two viewings of the same cards are the same, whatever lay where.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from protocol.patch import Tree

FIRST = 10**10
"""Beyond all numbers of the rules, within the 12 digits that an id may have."""


def ids_of(seen: Iterable[tuple[int, Tree]]) -> dict[int, str]:
    """Ids for the objects with these numbers and trees, in the order of the ids; of those that look alike the first come first."""
    alike: dict[bytes, list[tuple[bytes, int]]] = {}
    for number, tree in seen:
        look = _encode([tree.get("zone"), tree.get("owner"), tree.get("face")])
        alike.setdefault(look, []).append((_encode(tree), number))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for look in sorted(alike):
        # A stable sort: what looks alike in every respect stays in the order in which it was given.
        for copy, (_, number) in enumerate(sorted(alike[look], key=lambda one: one[0])):
            shown = _number(look, copy)
            while shown in taken:
                shown = FIRST + (shown + 1) % FIRST
            taken.add(shown)
            found[number] = shown
    return {number: str(shown) for number, shown in sorted(found.items(), key=lambda one: one[1])}


_encode = msgspec.json.Encoder().encode


def _number(look: bytes, copy: int) -> int:
    digest = hashlib.blake2b(look + b"%d" % copy, digest_size=8).digest()
    return FIRST + int.from_bytes(digest, "big") % FIRST
