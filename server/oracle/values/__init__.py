"""What instructions and abilities take: amounts, conditions, costs, durations, types and sizes, tokens.

Knows no instruction and no ability.
"""

from __future__ import annotations

from server.oracle.values import (
    amounts,
    chosen_colors,
    chosen_keywords,
    comparisons,
    conditions,
    conditions_of_players,
    costs,
    denied,
    done_this_way,
    energy,
    how_cast,
    lists,
    more_amounts,
    more_conditions,
    sums,
    superlatives,
    tokens,
    types_and_sizes,
)
from server.oracle.values.conditions import (
    STATUS_CONDITIONS,
    in_status,
)
from server.oracle.values.more_conditions import SUSPENDED
from server.oracle.values.types_and_sizes import (
    becoming_words,
    bodies_at,
)

__all__ = [
    "STATUS_CONDITIONS",
    "SUSPENDED",
    "amounts",
    "becoming_words",
    "bodies_at",
    "chosen_colors",
    "chosen_keywords",
    "comparisons",
    "conditions",
    "conditions_of_players",
    "costs",
    "denied",
    "done_this_way",
    "energy",
    "how_cast",
    "in_status",
    "lists",
    "more_amounts",
    "more_conditions",
    "sums",
    "superlatives",
    "tokens",
    "types_and_sizes",
]
