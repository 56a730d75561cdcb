"""The game from outside and in order: starting (103), turns (500), priority (116), state-based actions (704), leaving (800.4).

Stands on all other rooms, so that here is also what writes a whole game down (`snapshot`). Offers `start`, `submit`,
`legal`, `setup` to the floors above.
"""

from __future__ import annotations

from server.rules.turn import amending, driver, game, legal, setup, snapshot, state_based, structure, variants
from server.rules.turn.amending import (
    AnyAmendment,
    Corrected,
    Correction,
    MakeTokens,
    MoveTo,
    Remove,
    Reworded,
    SetCounters,
    SetDamage,
    SetLife,
    SetTapped,
    SetTurn,
    Skipped,
)
from server.rules.turn.driver import answers_of
from server.rules.turn.game import (
    RULES_VERSION,
    Seat,
    ask_again,
    concede,
    go_on,
    pass_unlisted,
    start,
    submit,
)
from server.rules.turn.setup import (
    Decide,
)
from server.rules.turn.snapshot import (
    Unreadable,
)

__all__ = [
    "AnyAmendment",
    "Corrected",
    "Correction",
    "MakeTokens",
    "MoveTo",
    "Remove",
    "Reworded",
    "SetCounters",
    "SetDamage",
    "SetLife",
    "SetTapped",
    "SetTurn",
    "Skipped",
    "Decide",
    "RULES_VERSION",
    "Seat",
    "Unreadable",
    "amending",
    "answers_of",
    "ask_again",
    "concede",
    "driver",
    "game",
    "go_on",
    "legal",
    "setup",
    "snapshot",
    "pass_unlisted",
    "start",
    "state_based",
    "structure",
    "variants",
    "submit",
]
