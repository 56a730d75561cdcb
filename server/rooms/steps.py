"""What a seat answered lately, of which it can make a loop."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import msgspec

from server.rules.model import AnyAnswer
from server.storage.encoding import read_noun, write_noun

KEPT = 64
"""Own answers that are remembered."""

About: TypeAlias = tuple[str, tuple[tuple[int, str], ...]]
"""The sort of a question, and what an answer took of what it offered, by id and name, so that the same is found again where it stands
at another index."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An own answer: to the question `number` of that sort; `picked` as in `About`."""

    number: int
    sort: str
    answer: AnyAnswer
    picked: tuple[tuple[int, str], ...] = ()


class Recent:
    """A seat's last answers, oldest first, as a value; written as a list of steps. They stand in a row, each with what it is about, which
    is the same value in many: as steps they take three times as much."""

    __slots__ = ("_numbers", "_row")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._numbers = array("I")
        """Of the questions."""
        row: list[AnyAnswer | About] = []
        for step in steps:
            self._numbers.append(step.number)
            row += (step.answer, (step.sort, step.picked))
        self._row = tuple(row)

    def followed(self, number: int, answer: AnyAnswer, about: About) -> Recent:
        """With one more, the oldest being forgotten where there are too many."""
        made = Recent()
        made._numbers = self._numbers[1 - KEPT :]
        made._numbers.append(number)
        made._row = (*self._row[2 - 2 * KEPT :], answer, about)
        return made

    def since(self, number: int) -> tuple[Step, ...]:
        """Those to that question and later ones."""
        return tuple(step for step in self if step.number >= number)

    def before(self, number: int) -> Recent:
        """Those to earlier questions."""
        return Recent(step for step in self if step.number < number)

    def __iter__(self) -> Iterator[Step]:
        row: tuple[Any, ...] = self._row
        for number, answer, (sort, picked) in zip(self._numbers, row[::2], row[1::2], strict=True):
            yield Step(number, sort, answer, picked)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recent) and self._numbers == other._numbers and self._row == other._row


NONE = Recent()
"""Of who has answered nothing."""


def write_recent(value: object) -> object:
    """Those as a list of steps, nouns as their phrases. Raises NotImplementedError for anything else."""
    return list(value) if isinstance(value, Recent) else write_noun(value)


def read_recent(kind: type, value: object) -> Any:
    """Those of a list of steps, and the noun of a phrase. Raises `msgspec.ValidationError`, and NotImplementedError for anything else."""
    if kind is Recent:
        return Recent(msgspec.convert(value, tuple[Step, ...], dec_hook=read_noun))
    return read_noun(kind, value)
