"""Which handler each verb of the tree has (608.2c): all their tables together.

A handler reads the state, asks what has to be asked, and returns the events that it proposes, or frames with more to do.
`after` continues with the next instruction once the batch is done; `bind_results` then binds what the instruction came to: "it"
(what it spoke of), "amount" (how much), "did" (whether anything happened), and the names that the verb gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.cards import forms
from server.rules.instructions.by_hand import HAND_VERBS
from server.rules.instructions.damage import DAMAGE_VERBS
from server.rules.instructions.flow import FLOW_VERBS
from server.rules.instructions.in_combat import COMBAT_VERBS
from server.rules.instructions.keyword_actions import ACTION_VERBS
from server.rules.instructions.libraries import LIBRARY_VERBS
from server.rules.instructions.making_effects import EFFECT_VERBS
from server.rules.instructions.moving import ZONE_VERBS
from server.rules.instructions.next_instruction import Asking
from server.rules.instructions.on_the_stack import STACK_VERBS
from server.rules.instructions.permanents import PERMANENT_VERBS
from server.rules.instructions.players import PLAYER_VERBS
from server.rules.instructions.turns import TURN_VERBS
from server.rules.model import Next, RunFrame, State

HANDLERS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    **DAMAGE_VERBS,
    **PERMANENT_VERBS,
    **PLAYER_VERBS,
    **TURN_VERBS,
    **COMBAT_VERBS,
    **ZONE_VERBS,
    **LIBRARY_VERBS,
    **STACK_VERBS,
    **EFFECT_VERBS,
    **FLOW_VERBS,
    **ACTION_VERBS,
    **HAND_VERBS,
}
