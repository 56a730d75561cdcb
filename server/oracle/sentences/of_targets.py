"""What "its" and "they" are behind an instruction: "target creature gets +X/+0, where X is its power" is that of the target."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import walk

IT = Noun("it")
THAT_CREATURE = Noun("that creature")


def of_target(verb: f.Verb, amount: Any) -> Any:
    """The amount that an effect speaks of behind its target, which is known before the instruction is followed: then it is that
    creature's. None where "its" would be that of each of several things, or of no creature."""
    what = verb.what if isinstance(verb, f.Effect) else None
    if what is None or not any(part == IT for part in walk(amount)):
        return amount
    if isinstance(what.reading, n.Each | n.Choose):
        return None
    if not isinstance(what.reading, n.Target):
        return amount
    return _with(amount) if "creature" in what.text else None


def _with(value: Any) -> Any:
    """The amount with "that creature" for "it"."""
    if isinstance(value, Noun):
        return THAT_CREATURE if value == IT else value
    if isinstance(value, tuple):
        return tuple(_with(part) for part in value)
    if isinstance(value, msgspec.Struct):
        return replace(value, **{name: _with(getattr(value, name)) for name in value.__struct_fields__})
    return value


def of_those(before: Any, verb: Any) -> bool:
    """Whether something is done about "them" that are "all Forests put onto the battlefield this way" of the instruction before."""
    what = getattr(before, "what", None)
    done = isinstance(what, Noun) and what.text.endswith(" this way") and isinstance(what.reading, n.Each)
    return done and getattr(verb, "what", None) == Noun("they")


def about_entered(verb: Any) -> bool:
    """Whether something is done if what is put onto the battlefield then enters under one's control."""
    return isinstance(verb, f.If) and verb.condition == f.Is(what=IT, of=Noun("a permanent you control"))


AS_CAST = ("as", "you", "cast", "{this}")


def is_announced(tree: f.Tree) -> bool:
    """Whether X is how many targets there are, or what is divided among them: what is known as it is cast, and not asked again
    (601.2c, 601.2d)."""
    return len(tree) == 1 and any(
        isinstance(part, Noun) and getattr(part.reading, "x", False) or isinstance(part, f.Damage) and part.divided
        for part in walk(tree[0])
    )
