"""What objects are at this moment: layers (613), what nouns select, what amounts come to, who may be targeted.

Reads states only; knows of no event being under way, no payment and no step. Offers `characteristics`, `board`, `select`,
`amount`, `holds`, `targets` and what else can be asked of a state.
"""

from __future__ import annotations

from server.rules.characteristics import amounts

# isort: split
from server.rules.characteristics import layers, player_rules, predicates, selection
from server.rules.characteristics.amounts import amount, holds, quantity
from server.rules.characteristics.in_force import InForce, in_force
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
from server.rules.characteristics.modifications import (
    COLOR_LETTERS,
    FLIPPED,
    lost_with,
    with_abilities,
)
from server.rules.characteristics.outside_battlefield import (
    EXILE,
    arrives,
    haunts,
    is_from_anywhere,
    is_thrown,
    outside,
    usable,
)
from server.rules.characteristics.patterns import match, names, whose_fits
from server.rules.characteristics.player_rules import all_rules, has, land_plays, rules, silenced
from server.rules.characteristics.predicates import partner, stat
from server.rules.characteristics.selection import fits, fits_kind, refs, select, things, whatever_x
from server.rules.characteristics.targets import (
    can_attach,
    candidates,
    enchant_candidates,
    has_candidates,
    protected,
    still_legal,
    target_part,
    with_said_x,
)
from server.rules.continuous import FACE_DOWN, FACE_DOWN_CARD, GAINED, RuleFlag, choice_of, is_marked, linked_to

__all__ = [
    "COLOR_LETTERS", "EXILE", "FACE_DOWN", "FACE_DOWN_CARD", "FLIPPED", "GAINED", "InForce", "RuleFlag", "all_rules",
    "amount", "amounts", "arrives", "board", "can_attach", "can_be_sacrificed", "candidates", "characteristics", "choice_of",
    "enchant_candidates", "fits", "fits_kind", "has", "has_candidates", "haunts", "holds", "in_force", "is_from_anywhere",
    "is_indestructible", "is_marked", "is_settled", "is_thrown", "known", "land_plays", "layers", "linked_to", "lost_with", "match",
    "names", "outside", "partner", "player_rules", "predicates", "protected", "quantity", "refs", "rules", "rules_about",
    "select", "selection", "silenced", "stat", "still_legal", "target_part", "things", "under_own_control", "usable",
    "whatever_x", "whose_fits", "with_abilities", "with_said_x",
]  # fmt: skip
