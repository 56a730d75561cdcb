"""What all parts of a reading share: their base, and the closed word lists of zones, comparisons, sizes and sorts of object."""

from __future__ import annotations

from typing import Literal

import msgspec

Zone = Literal["battlefield", "hand", "library", "graveyard", "exile", "stack", "command"]
Compare = Literal["=", "<", "<=", ">", ">="]
Stat = Literal["power", "toughness", "mana value", "loyalty"]
Sort = Literal[
    "permanent", "spell", "activated ability", "triggered ability", "ability", "card", "token", "source", "commander"
]


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="noun"):
    """The common base of all parts of a reading; each is told apart by its tag `noun`."""
