"""Instructions and how they join to sentences and programs (608.2c).

Knows nouns and values; knows no ability around the instructions.
"""

from __future__ import annotations

from server.oracle.instructions import (
    chosen_first,
    chosen_words,
    combat,
    counters,
    damage,
    dice,
    dungeons,
    keyword_actions,
    melding,
    objects,
    permanents,
    players,
    sparing,
    untapping,
    zones,
)

__all__ = [
    "chosen_first",
    "chosen_words",
    "combat",
    "counters",
    "damage",
    "dice",
    "dungeons",
    "keyword_actions",
    "melding",
    "objects",
    "permanents",
    "players",
    "sparing",
    "untapping",
    "zones",
]
