"""Abilities: triggered, activated, static, replacement, and the lines of keywords (112.3).

The uppermost room of rules; `server.oracle.reading` adds all rooms to one grammar.
"""

from __future__ import annotations

from server.oracle.abilities import (
    cheaper_spells,
    conditional,
    copies,
    cost_changes,
    entering,
    in_combat,
    instead_mana,
    keyword_lines,
    layouts,
    player_rules,
    replacements,
    statics,
    turn_history,
    wards,
)
from server.oracle.abilities.linked_abilities import (
    with_links,
    without_links,
)
from server.oracle.abilities.refusals import (
    Stopped,
    check_ability,
    check_defenders,
    check_instead,
    check_names,
)

__all__ = [
    "Stopped",
    "check_ability",
    "check_defenders",
    "check_instead",
    "check_names",
    "cheaper_spells",
    "conditional",
    "copies",
    "cost_changes",
    "entering",
    "in_combat",
    "instead_mana",
    "keyword_lines",
    "layouts",
    "player_rules",
    "replacements",
    "statics",
    "turn_history",
    "wards",
    "with_links",
    "without_links",
]
