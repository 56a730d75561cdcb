"""Keyword abilities (702), keyword actions (701) and predefined tokens (current 111.10) as data: what short words stand for.

Knows trees, not games. Keywords that combat, casting or damage read by name are flags and stay as they are.
"""

from __future__ import annotations

from server.cards.keywords.actions import program
from server.cards.keywords.casting import CAST_OTHERWISE, CASTING_FLAGS, EXILED_FIRST, MORPHS, leaves_stack
from server.cards.keywords.designations import (
    BLESSING,
    INITIATIVE,
    MONARCH,
    NO_LONGER,
    SPEED,
    SPEED_COUNTER,
    SUSPECTED,
    THE_BLESSING,
    THE_INITIATIVE,
    THE_MONARCH,
    TITLES,
)
from server.cards.keywords.dungeons import DUNGEONS, ROOM, exits, room_abilities
from server.cards.keywords.expansions import DECK_KEYWORDS, EXPANSIONS, FLAG_KEYWORDS, expand
from server.cards.keywords.predefined_tokens import PREDEFINED
from server.cards.keywords.the_ring import EMBLEM, RING, RING_BEARER, TEMPTED

__all__ = [
    "BLESSING",
    "CASTING_FLAGS",
    "CAST_OTHERWISE",
    "DECK_KEYWORDS",
    "DUNGEONS",
    "EMBLEM",
    "EXILED_FIRST",
    "EXPANSIONS",
    "FLAG_KEYWORDS",
    "INITIATIVE",
    "MONARCH",
    "MORPHS",
    "PREDEFINED",
    "RING",
    "NO_LONGER",
    "RING_BEARER",
    "SUSPECTED",
    "ROOM",
    "SPEED",
    "SPEED_COUNTER",
    "TEMPTED",
    "THE_BLESSING",
    "THE_INITIATIVE",
    "THE_MONARCH",
    "TITLES",
    "exits",
    "expand",
    "leaves_stack",
    "program",
    "room_abilities",
]
