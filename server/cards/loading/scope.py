"""Where `check` is in a tree: whether targets may stand here, whether there is an X, and which names are bound so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.forms import BURIED, BURIES, done_word
from server.cards.grammar import CHOSEN_THIS_WAY


class Scope:
    """Where we are: may targets stand here, is there an X, what is bound so far."""

    __slots__ = ("bound", "targets", "x")

    def __init__(self, targets: bool, x: bool, bound: frozenset[str] = frozenset()) -> None:
        self.targets = targets
        self.x = x
        self.bound = set(bound)

    def without_targets(self, *more: str) -> Scope:
        return Scope(False, self.x, frozenset((*self.bound, *more)))

    def program(self) -> Scope:
        return Scope(True, self.x, frozenset(self.bound))


#: The names that instructions bind by themselves for those after them (608.2c).
_BOUND: dict[type[msgspec.Struct], tuple[str, ...]] = {
    f.Damage: ("excess", "excess damage"),
    f.AtOnce: ("excess", "excess damage"),
    f.Fight: ("excess", "excess damage"),
    f.Discard: ("most discarded",),
    f.Pick: ("rest", CHOSEN_THIS_WAY),
    f.PickEach: ("rest", CHOSEN_THIS_WAY),
    f.TakeUntil: ("rest",),
    f.Separate: ("rest", "pile"),
    f.Look: ("looked", "rest"),
    f.Mill: ("looked", "rest"),
    f.RevealHand: ("looked", "rest"),
    f.Clash: ("won",),
    f.ForEach: ("any did", "paid"),
    f.RollDie: ("result",),
    f.PlaySubgame: ("players who did not win",),
}


def names_bound(value: msgspec.Struct) -> Iterator[str]:
    """All that an instruction binds: what it is told to, what its kind does, and what was done "this way"."""
    if name := getattr(value, "as_name", ""):
        yield cast(str, name)
    yield from _BOUND.get(type(value), ())
    if isinstance(value, f.Bind) and value.as_name == "it":
        yield CHOSEN_THIS_WAY
    if isinstance(value, f.Move) and isinstance(value.what.reading, n.Top) and not value.what.reading.buried:
        yield from ("looked", "rest")
    if isinstance(value, f.Search) and value.to == "found" or isinstance(value, f.TakeUntil):
        yield from ("looked", "rest")
    if isinstance(value, f.Vote):
        yield from ("most votes", "voted for", *(f"{word} votes" for word in value.options))
    if word := done_word(value):
        yield word
    if isinstance(value, BURIES):
        yield BURIED
