"""When a room keeps its next snapshot: who takes it up waits for all that was played since the last one to be played again.

That is bounded by a number of inputs, and sooner, on boards where an input takes long, by its time. Both times are measured where
nothing is waited for: on a busy machine one is as much longer as the other.
"""

from __future__ import annotations

from math import inf

SNAPSHOT_EVERY = 200
"""Inputs between two snapshots: at most so many are played again at a restart."""
SNAPSHOT_SOONEST = 20
SNAPSHOT_COSTS = 8.0
"""Sooner than after `SNAPSHOT_EVERY`, not than after `SNAPSHOT_SOONEST`, where the rules took so many times as long for the inputs as
the room for its last snapshot. The rules are a seventh of what an answer costs, so snapshots are a fiftieth."""


class Age:
    """Of a room's last snapshot; `at`: how many inputs the room had then."""

    def __init__(self) -> None:
        self.at = 0
        self.costs = inf
        """Seconds that the last one took to write; of the first it is not known."""
        self._played = 0.0

    def played(self, seconds: float) -> None:
        """The rules took so long for an input."""
        self._played += seconds

    def due(self, inputs: int) -> bool:
        """Whether the next one is due, now that the room has so many inputs."""
        since = inputs - self.at
        soon = self._played >= SNAPSHOT_COSTS * self.costs
        return since >= (min(SNAPSHOT_SOONEST, SNAPSHOT_EVERY) if soon else SNAPSHOT_EVERY)

    def kept(self, inputs: int) -> None:
        """There is one of the room as it is with so many inputs."""
        self.at, self._played = inputs, 0.0
