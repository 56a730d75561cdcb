"""How instructions join to sentences and programs: in order, on conditions, for each, delayed, instead (608.2c).

Knows the instructions; knows no ability around them.
"""

from __future__ import annotations

from server.oracle.sentences import (
    attempts,
    delayed_events,
    each_chooses,
    fights,
    flow,
    having,
    instead_if,
    offers,
    older_lists,
    sentence_modifiers,
)
from server.oracle.sentences.flow import (
    as_tree,
)

__all__ = [
    "as_tree",
    "attempts",
    "delayed_events",
    "each_chooses",
    "fights",
    "flow",
    "having",
    "instead_if",
    "offers",
    "older_lists",
    "sentence_modifiers",
]
