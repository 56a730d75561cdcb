"""Every "target" of a text is a slot of its own (601.2c): two phrases of the same words are two nouns of the card."""

from __future__ import annotations

from operator import is_not
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.nouns import Noun
from server.oracle.nouns.slots import has_target


def with_own_targets(card: Card) -> Card:
    """The card in which no noun with a target stands twice: what is remembered of a phrase is one noun wherever it is read, and
    programs tell their slots by identity."""
    return cast("Card", _apart(card, set()))


def _apart(tree: Any, met: set[int]) -> Any:
    if isinstance(tree, Noun):
        if not has_target(tree.reading):
            return tree
        if id(tree) in met:
            return Noun(tree.text, tree.reading)
        met.add(id(tree))
        return tree
    if isinstance(tree, tuple):
        parts = tuple(_apart(part, met) for part in tree)
        return parts if any(map(is_not, parts, tree)) else tree
    if not isinstance(tree, msgspec.Struct):
        return tree
    changed = {
        name: new for name in tree.__struct_fields__ if (new := _apart(old := getattr(tree, name), met)) is not old
    }
    return replace(tree, **changed) if changed else tree
