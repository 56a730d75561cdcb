"""What processes of one family tell each other without a word, in memory that all of them share: each writes there when it has run last.

A thread does, so that whoever computes for long does not seem to stand still; who is stopped has no thread that runs.
"""

from __future__ import annotations

import mmap
import threading
import time

BEAT_SECONDS = 0.25
WORD = 8


class Pulses:
    """See the module. Made before the fork, for so many processes; they go by numbers, -1 is the last one."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._at = memoryview(mmap.mmap(-1, WORD * count)).cast("d")
        self._ours: int | None = None
        """The number of this process, once it beats."""

    def note(self, number: int) -> None:
        """That one runs now."""
        self._at[number % self._count] = time.monotonic()

    def beat(self, number: int) -> None:
        """That one is this process: note it from now on, and no other that it was before."""
        self.note(number)
        begins, self._ours = self._ours is None, number
        if begins:
            threading.Thread(target=self._beat, name="apnap-pulse", daemon=True).start()

    def silent(self, number: int, since: float = 0.0) -> float:
        """Seconds since that one ran; of what was before `since` nothing counts."""
        return time.monotonic() - max(since, self._at[number % self._count])

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT_SECONDS)
            if self._ours is not None:
                self.note(self._ours)


class Readiness:
    """Which processes of one family have ready what they are to go on with; they go by the same numbers. Made before the fork."""

    def __init__(self, count: int) -> None:
        self._ready = memoryview(mmap.mmap(-1, count))

    def note(self, number: int, it: bool) -> None:
        """Whether that one has, from now on."""
        self._ready[number] = it

    def __getitem__(self, number: int) -> bool:
        return bool(self._ready[number])


class Wish:
    """Something that one process of the family wishes, and others see; but for so long only, since it may end. Made before the fork."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = memoryview(mmap.mmap(-1, WORD)).cast("d")

    def __bool__(self) -> bool:
        return time.monotonic() < self._until[0]

    def wish(self, it: bool) -> None:
        """Whether it is wished from now on."""
        self._until[0] = time.monotonic() + self._seconds if it else 0.0


class Stage:
    """How far the parent is with stopping its family; it alone moves it on. Made before the fork."""

    SERVES, STOPS, ENDS = range(3)
    """Until it is told to stop; while workers stop; when who writes for them may end, too."""

    def __init__(self) -> None:
        self._now = memoryview(mmap.mmap(-1, 1))

    @property
    def now(self) -> int:
        """Which it is."""
        return self._now[0]

    def comes(self, stage: int) -> None:
        """From now on it is that one."""
        self._now[0] = stage
