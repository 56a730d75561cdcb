"""What a further sentence says of the target of a reflexive trigger (current 603.12)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Printer, Reader, Reading, walk


def in_reflexive(reader: Reader, first: Reading, rest: Reading) -> Iterable[Reading]:
    """ "When you do, put a counter on target creature. It gains trample": what speaks of the target belongs to the trigger."""
    tree = _added_to_reflexive(first.value, rest.value)
    words = Printer(reader.grammar).write("program", tree) if tree is not None else None
    if tree is not None and words is not None:
        yield Reading(rest.end, tree, words)


def _added_to_reflexive(tree: f.Tree, more: f.Tree) -> f.Tree | None:
    """The program with these instructions at the end of the reflexive trigger that it ends in; None if they are not about its target."""
    last = tree[-1]
    if isinstance(last, f.Reflexive):
        aimed = any(isinstance(p, Noun) and isinstance(p.reading, n.Target) for p in walk(last.then[-1]))
        told = all(isinstance(verb, f.Effect) and verb.what.text in _TOLD for verb in more)
        later = isinstance(last.then[-1], f.CreateToken) and _given_up_later(more)
        return (*tree[:-1], replace(last, then=(*last.then, *more))) if aimed and told or later else None
    if isinstance(last, f.May | f.If) and last.then and not last.otherwise:
        inner = _added_to_reflexive(last.then, more)
        return (*tree[:-1], replace(last, then=inner)) if inner is not None else None
    return None


def _given_up_later(more: f.Tree) -> bool:
    """Whether it is said of tokens that they are sacrificed or exiled as a step begins."""
    one = more[0]
    if len(more) > 1 or not isinstance(one, f.Delayed) or any(pattern.event != "step" for pattern in one.when):
        return False
    return all(isinstance(verb, f.Sacrifice | f.Move) and verb.what.text in _TOKENS for verb in one.then)


#: How tokens that were just created are spoken of.
_TOKENS = ("it", "that token", "them", "those tokens")
#: How what was targeted just before is spoken of.
_TOLD = ("it", "that creature", "that permanent")
