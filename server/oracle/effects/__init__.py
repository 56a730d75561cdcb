"""Effects that last: what they make of objects, how permanents enter, what they let players do, and what they
prevent (611, 614, 615).

Instructions make them for a duration, static abilities as long as their object is there; so they stand below both. Knows nouns
and values; knows no instruction and no ability.
"""

from __future__ import annotations

from server.oracle.effects import (
    as_enters,
    as_though,
    bans,
    base_sizes,
    enters_with,
    given_costs,
    guarding,
    instead,
    losing_others,
    modifications,
    opening_hands,
    own_moves,
    permissions,
    prevention,
    roles,
    spelled_out,
    spells,
    spending,
    substitutes,
    timing,
    transforming,
)
from server.oracle.effects.enters_with import (
    counted,
)
from server.oracle.effects.prevention import (
    speaks_of_prevented,
)
from server.oracle.effects.sizes import (
    reprinted,
)

__all__ = [
    "as_enters",
    "as_though",
    "counted",
    "enters_with",
    "given_costs",
    "guarding",
    "instead",
    "losing_others",
    "modifications",
    "bans",
    "base_sizes",
    "opening_hands",
    "own_moves",
    "permissions",
    "prevention",
    "reprinted",
    "roles",
    "speaks_of_prevented",
    "spelled_out",
    "spells",
    "substitutes",
    "spending",
    "timing",
    "transforming",
]
