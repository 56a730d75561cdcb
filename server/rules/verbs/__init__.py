"""What one instruction does: a handler for each verb of the tree (608.2c) but those that hold other instructions.

Handlers ask and return events, or frames with more to do; they apply none. Knows neither how a spell resolves nor which instruction
comes after which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.cards import forms
from server.rules.model import Next, RunFrame, State
from server.rules.verbs import making_effects, permanents
from server.rules.verbs.by_hand import HAND_VERBS, check_act, copied_token, done_by_hand, may_name
from server.rules.verbs.damage import DAMAGE_VERBS
from server.rules.verbs.from_outside import from_outside
from server.rules.verbs.in_combat import COMBAT_VERBS
from server.rules.verbs.keyword_actions import ACTION_VERBS
from server.rules.verbs.libraries import LIBRARY_VERBS
from server.rules.verbs.making_effects import EFFECT_VERBS
from server.rules.verbs.melding import meld
from server.rules.verbs.moving import ZONE_VERBS, attacked_by
from server.rules.verbs.next_instruction import Asking, done_instead, goes_on, through, told
from server.rules.verbs.on_the_stack import STACK_VERBS
from server.rules.verbs.permanents import PERMANENT_VERBS
from server.rules.verbs.players import PLAYER_VERBS
from server.rules.verbs.turns import TURN_VERBS
from server.rules.verbs.voting import VOTE_VERBS

VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    **DAMAGE_VERBS,
    **PERMANENT_VERBS,
    **PLAYER_VERBS,
    **TURN_VERBS,
    **COMBAT_VERBS,
    **ZONE_VERBS,
    **LIBRARY_VERBS,
    **STACK_VERBS,
    **EFFECT_VERBS,
    **ACTION_VERBS,
    **VOTE_VERBS,
    **HAND_VERBS,
    forms.Meld: meld,
    forms.FromOutside: from_outside,
}

__all__ = [
    "VERBS",
    "Asking",
    "attacked_by",
    "check_act",
    "copied_token",
    "done_by_hand",
    "done_instead",
    "goes_on",
    "making_effects",
    "may_name",
    "permanents",
    "through",
    "told",
]
