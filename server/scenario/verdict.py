"""The report of a played scenario."""

from __future__ import annotations

from typing import Literal

import msgspec

Outcome = Literal["passed", "failed", "illegal", "unsupported", "error"]
OUTCOMES: tuple[Outcome, ...] = ("passed", "failed", "illegal", "unsupported", "error")


class Report(msgspec.Struct, frozen=True):
    """What came of a scenario: `why` is the first thing that went wrong, `unused` the script indices of answers that no
    question took."""

    id: str
    outcome: Outcome
    why: str = ""
    unused: tuple[int, ...] = ()
