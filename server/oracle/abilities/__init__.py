"""Abilities: triggered, activated, static, replacement, and the lines of keywords (112.3).

The uppermost room of rules; `server.oracle.reading` adds all rooms to one grammar.
"""

from __future__ import annotations

from server.oracle.abilities import (
    conditional,
    copies,
    cost_changes,
    entering,
    enters_with,
    instead_mana,
    keyword_lines,
    layouts,
    player_rules,
    replacements,
    statics,
    turn_history,
)
from server.oracle.abilities.linked_abilities import (
    parts_of,
    with_links,
    without_links,
)
from server.oracle.abilities.players_asked_about import speaks_of_one_asked_about

__all__ = [
    "conditional",
    "copies",
    "cost_changes",
    "entering",
    "enters_with",
    "instead_mana",
    "keyword_lines",
    "layouts",
    "parts_of",
    "player_rules",
    "replacements",
    "speaks_of_one_asked_about",
    "statics",
    "turn_history",
    "with_links",
    "without_links",
]
