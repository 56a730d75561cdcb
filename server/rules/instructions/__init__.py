"""Resolving (608): targets looked at again, one handler for each verb of the tree, going on from one instruction to the next.

Handlers ask and return events; they apply none. Knows neither combat's steps nor the turn.
"""

from __future__ import annotations

from server.rules.instructions import making_effects, permanents, resolve
from server.rules.instructions.by_hand import check_act, copied_token, done_by_hand, may_name
from server.rules.instructions.handlers import (
    HANDLERS,
)

__all__ = [
    "HANDLERS",
    "check_act",
    "copied_token",
    "done_by_hand",
    "making_effects",
    "may_name",
    "permanents",
    "resolve",
]
