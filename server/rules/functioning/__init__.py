"""What functions beside the layers, and what fits: rules about players, abilities of cards outside of the battlefield (112.6),
the events that a pattern means, and what can be a target.

Reads states only, as `characteristics` does, which it asks what objects are. Offers `rules`, `outside`, `match`, `candidates` and
what else is asked of abilities in force.
"""

from __future__ import annotations

from server.rules.functioning import controlled_players, moments, player_rules, timeless
from server.rules.functioning.defending_player import speaks_of_attackers, speaks_of_defending
from server.rules.functioning.emptying import emptied
from server.rules.functioning.enough_targets import aimed, has_targets, may_lack_targets, who_may_choose
from server.rules.functioning.in_force import InForce, in_force
from server.rules.functioning.outside_battlefield import (
    EXILE,
    arrives,
    haunts,
    in_private,
    is_from_anywhere,
    is_thrown,
    outside,
    usable,
)
from server.rules.functioning.patterns import is_one, match, names, whose_fits
from server.rules.functioning.player_rules import all_rules, has, land_plays, payable_life, rules, silenced
from server.rules.functioning.rad_counters import rad_trigger
from server.rules.functioning.targets import (
    can_attach,
    can_be_countered,
    candidates,
    enchant_candidates,
    has_candidates,
    protected,
    still_legal,
    target_part,
    with_said_x,
)
from server.rules.functioning.top_of_library import shown_tops

__all__ = [
    "aimed", "all_rules", "arrives", "can_attach", "can_be_countered", "candidates", "controlled_players", "emptied",
    "enchant_candidates", "EXILE", "has", "has_candidates", "has_targets", "haunts", "in_force", "in_private",
    "InForce", "is_from_anywhere", "is_one", "is_thrown", "land_plays", "match", "may_lack_targets", "moments", "names", "outside",
    "payable_life", "player_rules", "protected", "rad_trigger", "rules", "shown_tops", "silenced", "speaks_of_attackers",
    "speaks_of_defending", "still_legal", "target_part", "timeless", "usable", "who_may_choose",
    "whose_fits", "with_said_x",
]  # fmt: skip
