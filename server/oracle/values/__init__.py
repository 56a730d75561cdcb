"""What instructions and abilities take: amounts, conditions, costs, durations, types and sizes, tokens.

Knows no instruction and no ability.
"""

from __future__ import annotations

from server.oracle.values import (
    chosen_colors,
    chosen_keywords,
    conditions_of_players,
    done_this_way,
    energy,
    how_cast,
    tokens,
    types_and_sizes,
    values,
)
from server.oracle.values.types_and_sizes import (
    becoming_words,
    bodies_at,
)
from server.oracle.values.values import (
    STATUS_CONDITIONS,
    in_status,
)

__all__ = [
    "STATUS_CONDITIONS",
    "becoming_words",
    "bodies_at",
    "chosen_colors",
    "chosen_keywords",
    "conditions_of_players",
    "done_this_way",
    "energy",
    "how_cast",
    "in_status",
    "tokens",
    "types_and_sizes",
    "values",
]
