"""How texts speak of cards that were looked at, revealed, milled or exiled from the top of a library just before.

"A creature card from among them", "all land cards revealed this way", "two of those cards" are one thing, the cards that the
last such instruction bound as "looked" (`server.cards.forms.Look`). Nouns hold `$looked` for it, so that what happened in
between does not change what "them" is; people read "them".
"""

from __future__ import annotations

from server.oracle.engine import Words

LOOKED = "$looked"
# Instructions after which "of them" means those cards.
_BEFORE = frozenset(
    (
        "look",
        "looks",
        "reveal",
        "reveals",
        "mill",
        "mills",
        "milled",
        "revealed",
        "exile",
        "exiles",
        "search",
        "searches",
    )
)
_AMONG: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        "from among the cards revealed this way",
        "from among the cards milled this way",
        "from among cards revealed this way",
        "from among cards milled this way",
        "from among the revealed cards",
        "from among the milled cards",
        "from among those cards",
        "from among them",
        "revealed this way",
        "milled this way",
    )
)
_OF: tuple[Words, ...] = (("of", "those", "cards"), ("of", "them"))
_MARKS = frozenset(("them", "cards", "way"))


def of_looked(words: Words, before: Words) -> Words:
    """The words of a phrase with `$looked` for what was looked at `before`; the same words if they speak of nothing such."""
    if words[-1] in _MARKS or "among" in words or "it" in words:
        for tail in _AMONG:
            place = _find(words, tail)
            if place > 0:
                return (*words[:place], "from", "among", LOOKED, *words[place + len(tail) :])
        if (
            "hand" in before
            and (place := _find(words, ("from", "it"))) > 0
            or "hand" in before
            and (place := _find(words, ("in", "it"))) > 0
        ):
            return (*words[:place], "from", "among", LOOKED, *words[place + 2 :])
        for tail in _OF:
            if words[-len(tail) :] == tail and len(words) > len(tail) and _BEFORE & set(before):
                return (*words[: -len(tail)], "of", LOOKED)
    return words


def _find(words: Words, part: Words) -> int:
    size = len(part)
    for place in range(len(words) - size, 0, -1):
        if words[place : place + size] == part:
            return place
    return -1


def shown(words: Words) -> Words:
    """The words as people read them."""
    return tuple("them" if word == LOOKED else word for word in words)


def is_among(text: str) -> bool:
    """Whether a noun's text speaks of what was looked at."""
    return LOOKED in text
