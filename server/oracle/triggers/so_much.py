"""Whether "that many" stands where nothing has come to anything yet."""

from __future__ import annotations

from typing import Any

import msgspec

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import walk

#: Events that come to no number by themselves, if it is told for each alone.
_UNCOUNTED = frozenset(("activated", "attacks", "becomes target", "cast", "step", "zone change"))
#: What is done at another time, when something may have come to a number.
_LATER = f.Delayed | f.Effect | f.Shield


def counts_nothing(made: f.TriggeredAbility) -> bool:
    """Whether the first thing done by a triggered ability is done "that many" times or to "that many", and what it triggers on
    came to no number: "whenever a creature you control with counters on it dies, exile that many cards ..."."""
    uncounted = all(p.event in _UNCOUNTED and p.grain == "each" for p in made.when)
    does = [verb for verb in made.do if not isinstance(verb, f.Bind)]
    return uncounted and bool(does) and _asks_how_much(does[0]) and len(does) == len(made.do)


def _asks_how_much(verb: Any) -> bool:
    if isinstance(verb, _LATER):
        return False
    if isinstance(verb, f.May):
        return any(map(_says_so, walk(verb.cost))) or not verb.cost and bool(verb.then) and _asks_how_much(verb.then[0])
    own = (getattr(verb, name) for name in verb.__struct_fields__)
    return any(_says_so(part) for value in own if not _does(value) for part in walk(value))


def _does(value: Any) -> bool:
    """Whether it is instructions of their own."""
    return isinstance(value, tuple) and any(
        isinstance(part, msgspec.Struct) and not isinstance(part, Noun) for part in value
    )


def _says_so(part: Any) -> bool:
    return part == n.ThatMuch() or isinstance(part, Noun) and n.ThatMuch() in walk(part.reading)
