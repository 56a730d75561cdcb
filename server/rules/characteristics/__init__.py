"""What objects are at this moment: layers (613), what nouns select, what amounts come to.

Reads states only; knows of no event being under way, no payment and no step. Offers `characteristics`, `board`, `select`,
`amount`, `holds` and what else can be asked of a state.
"""

from __future__ import annotations

from server.rules.characteristics import amounts

# isort: split
from server.rules.characteristics import layers, predicates, selection
from server.rules.characteristics.active_of_team import active_of_team
from server.rules.characteristics.amounts import amount, holds, quantity
from server.rules.characteristics.designations import (
    blessed,
    designations,
    dungeon_of,
    holder,
    room_of,
    speed_of,
)
from server.rules.characteristics.happened import knowing_then
from server.rules.characteristics.layers import (
    board,
    can_be_sacrificed,
    characteristics,
    is_indestructible,
    is_settled,
    known,
    rules_about,
    under_own_control,
)
from server.rules.characteristics.likeness import reaches
from server.rules.characteristics.made_mana import COLOR_LETTERS
from server.rules.characteristics.mana_identity import added_mask, added_pool, identity
from server.rules.characteristics.modifications import (
    FLIPPED,
    lost_with,
    with_abilities,
)
from server.rules.characteristics.of_spells import says_of_itself
from server.rules.characteristics.predicates import partner, stat
from server.rules.characteristics.selection import fits, fits_kind, refs, select, things, whatever_x
from server.rules.continuous import (
    ENTERED_AS,
    FACE_DOWN,
    FACE_DOWN_CARD,
    GAINED,
    Followed,
    RuleFlag,
    choice_of,
    is_marked,
    linked_to,
)

__all__ = [
    "COLOR_LETTERS", "ENTERED_AS", "FACE_DOWN", "FACE_DOWN_CARD", "FLIPPED", "Followed", "GAINED", "RuleFlag", "active_of_team",
    "added_mask", "added_pool",
    "amount", "amounts", "blessed", "board", "can_be_sacrificed", "characteristics", "choice_of", "designations", "dungeon_of",
    "fits", "fits_kind", "holder", "holds", "identity", "is_indestructible", "is_marked", "is_settled", "knowing_then", "known", "layers",
    "linked_to", "lost_with", "partner", "predicates", "quantity", "reaches", "refs", "room_of", "rules_about", "says_of_itself",
    "select", "selection",
    "speed_of", "stat", "things", "under_own_control", "whatever_x", "with_abilities",
]  # fmt: skip
