"""What happens: events proposed, replaced (614 to 616), expanded, applied at once, then seen by triggers (603).

The only place where a state changes by the game's own doing. Knows neither who casts nor what an instruction is.
"""

from __future__ import annotations

from server.rules.happenings import apply, batch, expansion, phasing, replacement, rewriting, triggers
from server.rules.happenings.apply_combat import with_bands
from server.rules.happenings.batch import settle
from server.rules.happenings.copying import (
    became,
    copiable,
    excepted,
    merged_definition,
)
from server.rules.happenings.expansion import possible
from server.rules.happenings.phasing import phase_out
from server.rules.happenings.replacement import active_names, planeswalkers_of
from server.rules.happenings.rewriting import choose_value

__all__ = [
    "active_names",
    "apply",
    "batch",
    "became",
    "choose_value",
    "copiable",
    "excepted",
    "expansion",
    "merged_definition",
    "phase_out",
    "phasing",
    "planeswalkers_of",
    "possible",
    "replacement",
    "rewriting",
    "settle",
    "triggers",
    "with_bands",
]
