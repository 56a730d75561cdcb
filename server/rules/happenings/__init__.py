"""What happens: events proposed, replaced (614 to 616), expanded, applied at once, then seen by triggers (603).

The only place where a state changes by the game's own doing. Knows neither who casts nor what an instruction is.
"""

from __future__ import annotations

from server.rules.happenings import apply, batch, expansion, phasing, triggers
from server.rules.happenings.apply_combat import with_bands
from server.rules.happenings.batch import noticed, settle
from server.rules.happenings.expansion import possible
from server.rules.happenings.phasing import phase_out

__all__ = [
    "apply",
    "batch",
    "expansion",
    "noticed",
    "phase_out",
    "phasing",
    "possible",
    "settle",
    "triggers",
    "with_bands",
]
