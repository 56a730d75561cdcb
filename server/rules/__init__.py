"""The game: pure, synchronous, deterministic. State is a value; an answer makes the next one.

    state, events = start(options, seats)
    while state.result is None:
        state, events = submit(state, state.pending.seat, answer)

Knows no clock, no files, no network, no randomness of its own; chance comes from the options' seed. See `legal` for what a
question takes, `characteristics` for what an object is now, `fingerprint` for comparing games, `snapshot` for keeping them.
"""

from __future__ import annotations

from server.rules.characteristics import characteristics
from server.rules.model import (
    CURRENT,
    EDITION_2011,
    EDITIONS,
    Defect,
    Edition,
    Illegal,
    Options,
    RulesError,
    State,
    fingerprint,
)
from server.rules.turn import (
    RULES_VERSION,
    Seat,
    answers_of,
    ask_again,
    concede,
    go_on,
    legal,
    pass_unlisted,
    snapshot,
    start,
    submit,
)

__all__ = [
    "CURRENT",
    "EDITIONS",
    "EDITION_2011",
    "RULES_VERSION",
    "Defect",
    "Edition",
    "Illegal",
    "Options",
    "RulesError",
    "Seat",
    "State",
    "answers_of",
    "ask_again",
    "characteristics",
    "concede",
    "fingerprint",
    "go_on",
    "legal",
    "snapshot",
    "pass_unlisted",
    "start",
    "submit",
]
