"""Combat (506 to 511, 802): who may and must attack and block what, declarations, damage.

Knows what a resolved instruction can have done; knows no step but its own.
"""

from __future__ import annotations

from server.rules.combat import attackers, blockers, requirements, search, steps
from server.rules.combat.bands import may_form
from server.rules.combat.damage import automatic
from server.rules.combat.prices import attack_price, block_price, block_tax, by_controller, while_attacking
from server.rules.combat.requirements import attack_rules, block_rules

__all__ = [
    "attack_price",
    "attack_rules",
    "attackers",
    "automatic",
    "block_price",
    "block_rules",
    "block_tax",
    "blockers",
    "by_controller",
    "may_form",
    "requirements",
    "search",
    "steps",
    "while_attacking",
]
