"""Triggered abilities: their events and conditions (603), and the modes that these and spells have (700.2).

Knows sentences; knows no other kind of ability.
"""

from __future__ import annotations

from server.oracle.triggers import (
    attacked,
    card_events,
    destroyers,
    limits,
    modes,
    players_deeds,
    players_events,
    several_at_once,
    told_events,
    trigger_events,
    triggers,
    under_control,
)
from server.oracle.triggers.modes import (
    body_of,
    with_body,
)
from server.oracle.triggers.triggers import (
    filled_it,
)

__all__ = [
    "attacked",
    "body_of",
    "card_events",
    "destroyers",
    "limits",
    "filled_it",
    "modes",
    "players_deeds",
    "players_events",
    "several_at_once",
    "told_events",
    "trigger_events",
    "triggers",
    "under_control",
    "with_body",
]
