"""What happens: events proposed, replaced (614 to 616), expanded, applied at once, then seen by triggers (603).

The only place where a state changes by the game's own doing, also where a game ends (104), players leave (800.4), a game begins anew
(714) or another within it (715). Knows neither who casts nor what an instruction is.
"""

from __future__ import annotations

from server.rules.happenings import apply, batch, expansion, leave, phasing, triggers
from server.rules.happenings.apply_combat import with_bands
from server.rules.happenings.batch import noticed, settle
from server.rules.happenings.beginning import deploying, is_of_many, sit_apart, starting_player
from server.rules.happenings.designations import conferred
from server.rules.happenings.dungeons import completes, venturing
from server.rules.happenings.expansion import possible
from server.rules.happenings.phasing import phase_out
from server.rules.happenings.restarting import restarted
from server.rules.happenings.subgames import games_around, main_game

__all__ = [
    "apply",
    "batch",
    "completes",
    "conferred",
    "deploying",
    "expansion",
    "games_around",
    "is_of_many",
    "leave",
    "main_game",
    "noticed",
    "phase_out",
    "phasing",
    "possible",
    "restarted",
    "settle",
    "sit_apart",
    "starting_player",
    "triggers",
    "venturing",
    "with_bands",
]
