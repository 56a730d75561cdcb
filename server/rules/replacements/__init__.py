"""What replaces and prevents events (614 to 616), and what an object becomes by it: entering, copying (706).

Says by what an event is replaced and what becomes of it; applies nothing.
"""

from __future__ import annotations

from server.rules.replacements import (
    replacement,
    rewriting,
)
from server.rules.replacements.choosing import choose_value
from server.rules.replacements.copying import (
    became,
    copiable,
    excepted,
    merged_definition,
)
from server.rules.replacements.replacement import (
    APART,
    Applicable,
    active_names,
    affected,
    applicable,
    looks_at_all,
    may_be_replaced,
    own_key,
    planeswalkers_of,
    precedence,
    shield_left,
)
from server.rules.replacements.rewriting import (
    Outcome,
    rewrite,
    takes_of,
)

__all__ = [
    "APART",
    "Applicable",
    "Outcome",
    "active_names",
    "affected",
    "applicable",
    "own_key",
    "became",
    "choose_value",
    "copiable",
    "excepted",
    "looks_at_all",
    "may_be_replaced",
    "merged_definition",
    "planeswalkers_of",
    "precedence",
    "replacement",
    "rewrite",
    "rewriting",
    "shield_left",
    "takes_of",
]
