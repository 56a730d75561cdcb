"""Abilities: triggered, activated, static, replacement, and the lines of keywords (112.3).

The uppermost room of rules; `server.oracle.reading` adds all rooms to one grammar.
"""

from __future__ import annotations

from server.oracle.abilities import (
    card_events,
    conditional,
    copies,
    cost_changes,
    entering,
    enters_with,
    instead_mana,
    keyword_lines,
    layouts,
    modes,
    player_rules,
    players_events,
    replacements,
    statics,
    trigger_events,
    triggers,
    turn_history,
)
from server.oracle.abilities.linked_abilities import (
    parts_of,
    with_links,
    without_links,
)

__all__ = [
    "card_events",
    "conditional",
    "copies",
    "cost_changes",
    "entering",
    "enters_with",
    "instead_mana",
    "keyword_lines",
    "layouts",
    "modes",
    "players_events",
    "parts_of",
    "player_rules",
    "replacements",
    "statics",
    "trigger_events",
    "triggers",
    "turn_history",
    "with_links",
    "without_links",
]
