"""Instructions and how they join to sentences and programs (608.2c).

Knows nouns and values; knows no ability around the instructions.
"""

from __future__ import annotations

from server.oracle.instructions import (
    combat,
    counters,
    damage,
    dice,
    flow,
    instead_if,
    keyword_actions,
    looking,
    objects,
    permanents,
    piles,
    players,
    searching,
    sentence_modifiers,
    zones,
)
from server.oracle.instructions.flow import (
    as_tree,
)

__all__ = [
    "as_tree",
    "combat",
    "counters",
    "damage",
    "dice",
    "flow",
    "instead_if",
    "keyword_actions",
    "looking",
    "objects",
    "permanents",
    "piles",
    "players",
    "searching",
    "sentence_modifiers",
    "zones",
]
