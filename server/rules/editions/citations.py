"""The rules that the log, refusals and the page cite: the number of each in every edition, and nowhere else.

Which event is told by which rule is said in `server.knowledge.citations`. Code and tests cite numbers of 2011-09-30 beside this.
"""

from __future__ import annotations

from enum import Enum


class Rule(Enum):
    """A rule by what it is about: its number of 2011-09-30, its current one, and that of 2009-10-01 if that was another. "" is that of an
    edition which has no such rule."""

    def __init__(self, in_2011: str, current: str, in_2009: str | None = None) -> None:
        self.in_2011 = in_2011
        self.current = current
        self.in_2009 = in_2011 if in_2009 is None else in_2009

    # --- the game and the turn ---
    MULLIGAN = "103.4", "103.5"
    OPENING_HAND = "103.5", "103.6a"
    LAST_ONE_WINS = "104.2a", "104.2a"
    EFFECT_WINS = "104.2b", "104.2b"
    CONCEDING = "104.3a", "104.3a"
    EFFECT_LOSES = "104.3e", "104.3e"
    ALL_LOSE = "104.4a", "104.4a"
    LOOP = "104.4b", "104.4b"
    EFFECT_DRAWS_THE_GAME = "104.4c", "104.4c"
    TURN = "500.1", "500.1"
    EXTRA_TURN = "500.7", "500.7"
    END_THE_TURN = "713.1", "723.1", "711.1"
    END_COMBAT = "", "723.2"
    RESTARTING = "714.1", "726.1", ""
    SUBGAME = "715.1a", "728.1a", "712.1a"
    SUBGAME_OVER = "715.5", "728.5", "712.5"
    MONARCH = "", "724.3"
    INITIATIVE = "", "725.3"
    DUNGEON_COMPLETED = "", "309.7"

    CHOOSING_IN_TURN = "101.4", "101.4"

    # --- zones ---
    TOKEN = "110.5", "701.7a"
    DRAWING = "120.1", "121.1", "119.1"
    LAND_PLAYED = "305.1", "305.1"
    ZONE_CHANGE = "400.7", "400.7"
    DESTROYING = "701.6a", "701.8a"
    DISCARDING = "701.7a", "701.9a"
    EXILING = "701.9a", "701.13a"
    REVEALING = "701.13a", "701.20a", "701.12a"
    LOOKING = "", "701.20e"
    MILLING = "400.7", "701.17a"
    SACRIFICING = "701.14a", "701.21a", "701.13a"
    SEARCHING = "701.15a", "701.23a", "701.14a"
    SHUFFLING = "701.16a", "701.24a", ""
    VOTING = "", "701.38a"
    SCRYING = "701.18a", "701.22a", "701.16a"
    SUSPENDING = "702.60a", "702.62a", "702.59a"
    FORETELLING = "", "702.143a"
    PLOTTING = "", "702.170a"
    TAKING_A_COMPANION = "", "702.139a"

    # --- spells and abilities ---
    DIVIDING = "601.2d", "601.2d"
    TOTAL_COST_PAID = "601.2g", "601.2h"
    CAST = "601.2h", "601.2i"
    ACTIVATED = "602.2", "602.2"
    TRIGGERED = "603.3", "603.3"
    TARGETS_ILLEGAL = "608.2b", "608.2b"
    FOLLOWED = "608.2c", "608.2c"
    RESOLVED = "608.2k", "608.2n"
    PERMANENT_SPELL_RESOLVED = "608.3", "608.3"
    COUNTERING = "701.5a", "701.6a"

    # --- combat ---
    REMOVED_FROM_COMBAT = "506.4", "506.4"
    ATTACKING = "508.1", "508.1"
    CHOSEN_ATTACKERS = "508.1a", "508.1a"
    ATTACKED_PLAYER = "508.1b", "508.1b"
    ATTACK_RESTRICTION = "508.1c", "508.1c"
    ATTACK_REQUIREMENT = "508.1d", "508.1d"
    ATTACK_COSTS_PAID = "508.1i", "508.1j"
    GOADED = "508.1d", "701.15b"
    BLOCKING = "509.1", "509.1"
    CHOSEN_BLOCKERS = "509.1a", "509.1a"
    BLOCK_RESTRICTION = "509.1b", "509.1b"
    BLOCK_REQUIREMENT = "509.1c", "509.1c"
    BLOCK_COSTS_PAID = "509.1f", "509.1f"
    COMBAT_DAMAGE = "510.1", "510.1"
    DAMAGE_OF_POWER = "510.1a", "510.1a"
    DAMAGE_TO_BLOCKERS = "510.1c", "510.1c"
    TEAMS_SIT_TOGETHER = "805.1", "805.1", "806.3"
    DAMAGE_TO_TEAM = "810.7f", "", "806.7f"
    BAND = "702.20c", "702.22c", "702.19c"
    BAND_ATTACKS_TOGETHER = "802.3b", "802.3b"

    # --- damage, life and counters ---
    LIFE_CHANGE = "118.3", "119.3", "117.3"
    LIFE_PAID = "118.4", "119.4", "117.4"
    DAMAGE_TO_PLAYER = "119.3a", "120.3a", "118.3a"
    INFECTED_PLAYER = "119.3b", "120.3b", ""
    DAMAGE_TO_PLANESWALKER = "119.3c", "120.3c", "118.3b"
    WITHERED_CREATURE = "119.3d", "120.3d", "118.3c"
    MARKED_DAMAGE = "119.3e", "120.3e", "118.3d"
    LIFELINK = "119.3f", "120.3f", "118.3e"
    TOXIC = "121.1", "120.3g", "120.1"
    DAMAGE_DEALT = "119.4a", "120.4b", "118.4a"
    DAMAGE_HAPPENED = "119.4c", "120.4d", "118.4c"
    PREVENTED = "615.1", "615.1"
    COUNTERS = "121.1", "122.1", "120.1"
    LORE_COUNTERS = "121.1", "714.3b", "120.1"

    # --- permanents ---
    CONTROL = "613.1b", "613.1b"
    ATTACHING = "701.3a", "701.3a"
    UNATTACHING = "701.3d", "701.3d"
    REGENERATING = "701.12a", "701.19a", "701.11a"
    TRANSFORMING = "701.25a", "701.27a", ""
    PHASED_OUT = "702.24b", "702.26b", "702.23b"
    PHASED_IN = "702.24c", "702.26c", "702.23c"
    BESTOW_ENDED = "", "702.103f"
    COIN_FLIP = "705.1", "705.2"
    DIE_ROLL = "", "706.2"
    TURNED_FACE_UP = "707.7", "708.7"
    FLIPPING = "709.4", "710.4"

    # --- state-based actions ---
    NO_LIFE = "704.5a", "704.5a"
    EMPTY_LIBRARY = "704.5b", "704.5b"
    POISONED = "704.5c", "704.5c"
    NO_TOUGHNESS = "704.5f", "704.5f"
    LETHAL_DAMAGE = "704.5g", "704.5g"
    DEATHTOUCH = "704.5h", "704.5h"
    NO_LOYALTY = "704.5i", "704.5i"
    PLANESWALKER_UNIQUENESS = "704.5j", ""
    LEGEND_RULE = "704.5k", "704.5j"
    WORLD_RULE = "704.5m", "704.5k"
    AURA_UNATTACHED = "704.5n", "704.5m"
    COUNTERS_CANCEL = "704.5r", "704.5q"
    COMMANDER_DAMAGE = "704.5v", "704.6c", "704.5u"
