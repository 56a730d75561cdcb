"""Casting spells, activating abilities, putting triggers on the stack (601 to 603), and what a player can do with priority.

Knows what is announced and paid; does not know what becomes of it on resolution.
"""

from __future__ import annotations

from server.rules.casting import announce, castable, legal_actions
from server.rules.casting.announce import open_slot, targets_so_far
from server.rules.casting.calling import announcing, is_reminded, remind, reminds
from server.rules.casting.castable import can_cast, not_forbidden, spell_targets, total_cost
from server.rules.casting.casting_permissions import can_play_land
from server.rules.casting.choices import choose_targets
from server.rules.casting.chosen_to_move import all_but, arranged, chosen_to_move, drawing_order
from server.rules.casting.legal_actions import actions, actions_in_full
from server.rules.casting.picking import choose_within, one_of, own, pick, pick_own, seats, total_of, within_reach
from server.rules.casting.programs import MUTATE
from server.rules.casting.special import FACE_UP, face_up_costs, play_land

__all__ = [
    "FACE_UP",
    "MUTATE",
    "actions",
    "actions_in_full",
    "announce",
    "announcing",
    "all_but",
    "arranged",
    "can_cast",
    "can_play_land",
    "castable",
    "choose_targets",
    "choose_within",
    "chosen_to_move",
    "drawing_order",
    "face_up_costs",
    "is_reminded",
    "legal_actions",
    "not_forbidden",
    "one_of",
    "open_slot",
    "own",
    "pick",
    "pick_own",
    "play_land",
    "remind",
    "reminds",
    "seats",
    "spell_targets",
    "targets_so_far",
    "total_cost",
    "total_of",
    "within_reach",
]
