"""A question that the keeper asks all workers at once."""

from __future__ import annotations

import trio


class Question:
    """What all workers are asked: who has not answered, and the answers by worker."""

    def __init__(self, workers: set[int]) -> None:
        self.missing = workers
        self.answers: dict[int, bytes] = {}
        self.done = trio.Event()
        if not workers:
            self.done.set()

    def answered(self, worker: int, data: bytes | None) -> None:
        """One has answered, or is no more (None)."""
        if worker in self.missing:
            self.missing.discard(worker)
            if data is not None:
                self.answers[worker] = data
            if not self.missing:
                self.done.set()
