"""What every step is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from server.rules.model import questions as q

Kind: TypeAlias = Literal[
    "done", "act", "pick", "no", "yes", "number", "first", "none", "at", "joins", "auto", "hand", "back", "digit"
]
"""What taking a number is: that it is enough; an action; an option picked; no or yes; an amount; an option that comes next in an order;
a creature that does not attack or block; whom it attacks or blocks; a band that it joins; paying by itself or by hand; taking back; one
of several ranges of what does not fit into one step.
"""


class Meaning(NamedTuple):
    """What a number stands for: the object or player that it is about, an amount, a word (a mode, a colour, a kind of action)."""

    kind: Kind
    ref: int = 0
    number: int = 0
    word: str = ""


class Draft(Protocol):
    """One step of an answer under way. A value: `take` gives what comes next, and changes nothing."""

    @property
    def count(self) -> int:
        """The numbers of this step are below this."""
        ...

    @property
    def about(self) -> q.Ref:
        """The object or player whose turn it is in the answer, 0 for none: the creature that attacks, what is given an amount."""
        ...

    @property
    def allowed(self) -> Sequence[int]:
        """Those that may be taken, in order; never none."""
        ...

    def allows(self, number: int) -> bool:
        """Whether it may be taken."""
        ...

    def take(self, number: int) -> Draft | q.AnyAnswer:
        """The next step, or the whole answer. Only for what is allowed."""
        ...

    def means(self, number: int) -> Meaning:
        """What a number below `count` stands for."""
        ...

    def toward(self, answer: q.AnyAnswer) -> int:
        """The number that leads to an answer. Raises ValueError if none does."""
        ...


def path(draft: Draft, answer: q.AnyAnswer) -> Iterator[int]:
    """The steps to an answer. Raises ValueError for one that is not reached: it is illegal, or one of the few that steps leave out
    (see `damage`; actions for mana, unless they are offered).
    """
    step: Draft | q.AnyAnswer = draft
    while not isinstance(step, q.Answer):
        number = step.toward(answer)
        if not step.allows(number):
            raise ValueError(f"{number} is not allowed on the way to {answer}")
        yield number
        step = step.take(number)
