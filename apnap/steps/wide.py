"""A step of more numbers than an array has room for: first one of some ranges of equal size, then a number in it."""

from __future__ import annotations

from collections.abc import Sequence

from apnap.steps.base import Draft, Meaning
from server.rules.model import questions as q

WIDTH = 128
"""How many numbers a step has at most."""


def narrow(draft: Draft, width: int, widest: int = 0) -> Draft:
    """The same, and all that follows, in steps of at most so many numbers. `widest` is what may follow, where that is more."""
    return draft if max(draft.count, widest) <= width else _Range(draft, 0, draft.count, width)


class _Range:
    """The numbers from `low` up to `high` of a step: themselves, or `width` ranges of them."""

    def __init__(self, draft: Draft, low: int, high: int, width: int) -> None:
        self._draft = draft
        self._low, self._high, self._width = low, high, width
        self._size = 1
        while self._size * width < high - low:
            self._size *= width
        self.count = -(-(high - low) // self._size)
        self.about: q.Ref = draft.about

    def _part(self, number: int) -> range:
        low = self._low + number * self._size
        return range(low, min(low + self._size, self._high))

    @property
    def allowed(self) -> Sequence[int]:
        return [number for number in range(self.count) if self.allows(number)]

    def allows(self, number: int) -> bool:
        return 0 <= number < self.count and any(map(self._draft.allows, self._part(number)))

    def take(self, number: int) -> Draft | q.AnyAnswer:
        part = self._part(number)
        if len(part) > 1:
            return _Range(self._draft, part.start, part.stop, self._width)
        following = self._draft.take(part.start)
        return following if isinstance(following, q.Answer) else _Range(following, 0, following.count, self._width)

    def means(self, number: int) -> Meaning:
        part = self._part(number)
        if len(part) == 1:
            return self._draft.means(part.start)
        return Meaning("digit", 0, self._draft.means(part.start).number)

    def toward(self, answer: q.AnyAnswer) -> int:
        number = self._draft.toward(answer)
        if not self._low <= number < self._high:
            raise ValueError
        return (number - self._low) // self._size
