"""What the numbers of an observation are: the columns of its arrays, by name.

`VERSION` says which they are; whoever keeps a trained policy keeps it, too. Words are numbers by their CRC, so that a new card, keyword
action or purpose changes no column. Nothing here names a card: what a card does is counted in the tree that its text is read as.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from server.cards.nouns import Noun
from server.rules.model import Characteristics, Definition

VERSION: Final = 0
"""Another number where a column means something else, comes or goes."""
Array: TypeAlias = NDArray[np.int16]
Mask: TypeAlias = NDArray[np.int8]
MOST: Final = 32_000
"""Larger numbers are told as this."""
ZONES: Final = ("library", "hand", "battlefield", "graveyard", "stack", "exile", "command", "sideboard")
KINDS: Final = ("card", "token", "copy", "ability", "emblem")
TYPES: Final = ("artifact", "battle", "creature", "enchantment", "instant", "land", "planeswalker", "sorcery")
SUPERTYPES: Final = ("basic", "legendary", "snow")
KEYWORDS: Final = (
    "banding", "deathtouch", "defender", "double strike", "fear", "first strike", "flash", "flying", "haste", "hexproof", "indestructible",
    "infect", "intimidate", "landwalk", "lifelink", "menace", "protection", "reach", "shadow", "shroud", "trample", "vigilance", "wither",
)  # fmt: skip
SUBTYPES: Final = 8
TREE: Final = 32
NOUNS: Final = 8

HEAD: Final = (
    "zone", "controller", "owner", "kind", "face down", "tapped", "sick", "damage", "loyalty", "plus counters", "minus counters",
    "other counters", "commander", "x",
)  # fmt: skip
"""Of an object by itself. Players are told as 1 for who sees it, 2 for who sits to the left, and so on; 0 is nobody."""
RELATED: Final = ("attached to", "attacks player", "attacks object", "blocked", "blocks")
"""Of an object and others: the row of another object is told as its number + 1."""
NOW: Final = ("name", "mana value", "power", "toughness", *(f"is {color}" for color in "WUBRG"))
OBJECTS: Final = (
    *HEAD,
    *RELATED,
    *NOW,
    *(f"is {word}" for word in (*SUPERTYPES, *TYPES)),
    *(f"has {word}" for word in KEYWORDS),
    *(f"subtypes {number}" for number in range(SUBTYPES)),
    *(f"costs {symbol}" for symbol in ("generic", *"WUBRGC", "x", "other")),
    *(f"tree {number}" for number in range(TREE)),
    *(f"nouns {number}" for number in range(NOUNS)),
)
PLAYERS: Final = (
    "life", "hand", "library", "graveyard", *(f"pool {symbol}" for symbol in "WUBRGC"), "poison", "other counters", "lands played",
    "out", "team", "emperor", "commander damage", "decided by",
)  # fmt: skip
STACK: Final = (
    "object",
    "controller",
    "x",
    *(f"{what} {n}" for n in range(4) for what in ("target object", "target player")),
)
STACKED: Final = 16
QUESTION: Final = (
    "kind", "purpose", "for", "source", "least", "most", "amount", "required", "about object", "about player", "stage", "options", "turn",
    "step", "active", "priority", "stack", "edition", "seats", "rows left out",
)  # fmt: skip
QUESTIONS: Final = (
    "priority", "choose", "confirm", "number", "order", "divide", "attackers", "blockers", "damage", "payment", "act",
)  # fmt: skip
OPTIONS: Final = ("kind", "object", "player", "number", "word")
MEANT: Final = (
    "done",
    "act",
    "pick",
    "no",
    "yes",
    "number",
    "first",
    "none",
    "at",
    "joins",
    "auto",
    "hand",
    "back",
    "digit",
)
HISTORY: Final = ("kind", "player", "other player", "amount", "name", "other name")
REMEMBERED: Final = 16
"""So many of the last events are told, the last first."""

_TYPE_BITS = {word: place for place, word in enumerate((*SUPERTYPES, *TYPES))}
_KEYWORD_BITS = {word: place for place, word in enumerate(KEYWORDS)}


@lru_cache(maxsize=65_536)
def word(text: str, most: int = MOST) -> int:
    """A word as a number from 1; 0 is no word."""
    return 1 + crc32(text.encode()) % (most - 1) if text else 0


def clip(number: int) -> int:
    """A number as an array holds it."""
    return number if -MOST <= number <= MOST else (MOST if number > 0 else -MOST)


def of_characteristics(it: Characteristics) -> list[int]:
    """`NOW`, types, keywords, subtypes: what an object is at the moment."""
    types = [0] * len(_TYPE_BITS)
    for group in (it.supertypes, it.types):
        for one in group:
            if one in _TYPE_BITS:
                types[_TYPE_BITS[one]] = 1
    keywords = [0] * len(KEYWORDS)
    for one in it.keywords:
        if one in _KEYWORD_BITS:
            keywords[_KEYWORD_BITS[one]] = 1
    subtypes = [0] * SUBTYPES
    for one in it.subtypes:
        subtypes[crc32(one.encode()) % SUBTYPES] += 1
    colors = [it.colors >> bit & 1 for bit in range(5)]
    power, toughness = (0 if n is None else clip(n) for n in (it.power, it.toughness))
    return [word(it.name), clip(it.mana_value), power, toughness, *colors, *types, *keywords, *subtypes]


_cards: dict[str, list[int]] = {}
"""By the keys of definitions; emptied when they are very many."""


def of_card(definition: Definition) -> list[int]:
    """What it costs and which parts its text is made of: the last columns."""
    known = _cards.get(definition.key)
    if known is None:
        if len(_cards) > 20_000:
            _cards.clear()
        known = _cards[definition.key] = _counted(definition)
    return known


def _counted(definition: Definition) -> list[int]:
    cost = definition.base.cost
    costs = [0] * 9
    if cost is not None:
        others = len(cost.hybrids) + len(cost.monohybrids) + len(cost.phyrexian)
        costs = [clip(cost.generic), *cost.colored, cost.x, others]
    tree, nouns = [0] * TREE, [0] * NOUNS
    for part in (definition.card.abilities, definition.card.keywords):
        for tag, is_noun in _tags(part):
            if is_noun:
                nouns[crc32(tag.encode()) % NOUNS] += 1
            else:
                tree[crc32(tag.encode()) % TREE] += 1
    return [*costs, *(min(n, MOST) for n in (*tree, *nouns))]


def _tags(node: object) -> Iterator[tuple[str, bool]]:
    """The tags of all parts of a tree, and the words that stand in it as nouns."""
    if isinstance(node, Noun):
        yield node.text, True
    elif isinstance(node, msgspec.Struct):
        tag = node.__struct_config__.tag
        if tag is not None:
            yield str(tag), False
        for field in node.__struct_fields__:
            if field != "text":
                yield from _tags(getattr(node, field))
    elif isinstance(node, tuple):
        for one in cast("tuple[Any, ...]", node):
            yield from _tags(one)
