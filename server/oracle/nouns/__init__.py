"""Noun phrases in texts: which words may belong to one, which a slot takes, and a noun as words again.

Knows phrases only; what is said of them stands in the rooms above.
"""

from __future__ import annotations

from server.oracle.nouns import slots
from server.oracle.nouns.among import (
    LOOKED,
    is_among,
    shown,
)
from server.oracle.nouns.phrases import (
    is_plural,
    noun,
    noun_words,
    nouns_at,
    phrase,
    speaks_of_it,
    with_owner,
)
from server.oracle.nouns.slots import (
    INVARIABLE,
    THAT_PLAYER,
    is_kind,
    is_mixed,
    is_one,
    is_person,
    is_things,
    is_who,
    own_commander,
)
from server.oracle.nouns.target_slots import (
    with_own_targets,
)

__all__ = [
    "INVARIABLE",
    "LOOKED",
    "THAT_PLAYER",
    "is_among",
    "is_kind",
    "is_mixed",
    "is_one",
    "is_person",
    "is_plural",
    "is_things",
    "is_who",
    "noun",
    "noun_words",
    "nouns_at",
    "own_commander",
    "phrase",
    "shown",
    "slots",
    "speaks_of_it",
    "with_own_targets",
    "with_owner",
]
