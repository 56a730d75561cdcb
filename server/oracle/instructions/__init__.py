"""Instructions and how they join to sentences and programs (608.2c).

Knows nouns and values; knows no ability around the instructions.
"""

from __future__ import annotations

from server.oracle.instructions import (
    combat,
    counters,
    dice,
    flow,
    instead_if,
    keyword_actions,
    looking,
    modifications,
    objects,
    piles,
    prevention,
    roles,
    searching,
    sentence_modifiers,
    transforming,
    verbs,
)
from server.oracle.instructions.flow import (
    as_tree,
)
from server.oracle.instructions.modifications import (
    reprinted,
)
from server.oracle.instructions.verbs import (
    speaks_of_it,
)

__all__ = [
    "as_tree",
    "combat",
    "counters",
    "dice",
    "flow",
    "instead_if",
    "keyword_actions",
    "looking",
    "modifications",
    "objects",
    "piles",
    "prevention",
    "reprinted",
    "roles",
    "searching",
    "sentence_modifiers",
    "speaks_of_it",
    "transforming",
    "verbs",
]
