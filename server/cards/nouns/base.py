"""What all parts of a reading share: their base, and the closed word lists of zones, steps, comparisons, sizes and sorts of object."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

Zone = Literal["battlefield", "hand", "library", "graveyard", "exile", "stack", "command"]
Compare = Literal["=", "<", "<=", ">", ">="]
Stat = Literal["power", "toughness", "mana value", "loyalty"]
Sort = Literal[
    "permanent", "spell", "activated ability", "triggered ability", "ability", "card", "token", "source", "commander"
]

Step = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat_main",
    "begin_combat",
    "declare_attackers",
    "declare_blockers",
    "first_combat_damage",
    "combat_damage",
    "end_combat",
    "postcombat_main",
    "end_turn",
    "cleanup",
]
STEPS: tuple[Step, ...] = get_args(Step)
"""The steps of a turn in order; a main phase, which has none, stands under its own name, and the first of two combat damage
steps (510.5) under another than the second. The words of the protocol are others (`server.knowledge.views`)."""


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="noun"):
    """The common base of all parts of a reading; each is told apart by its tag `noun`."""
