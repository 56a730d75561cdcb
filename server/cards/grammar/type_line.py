"""Type lines (205): "Legendary Creature — Elf Druid" taken apart. No game knowledge, only words."""

from __future__ import annotations

from functools import lru_cache

from server.cards.grammar.vocabulary import BASIC_LANDS, CARD_TYPES, CREATURE_TYPES, SUPERTYPES

__all__ = ["BASIC_LANDS", "CREATURE_TYPES", "parse_types", "strange_types"]

_TWO_WORDS = (("Time", "Lord"),)
_DASHES = ("—", "–", " - ", "--")


@lru_cache(maxsize=8192)
def parse_types(line: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """A type line as (supertypes, types, subtypes): the first two in small letters, subtypes as written.

    Words before the dash that are neither a card type nor a supertype are left out here; `strange_types` finds them.
    An empty line gives three empty tuples (abilities on the stack have no types).
    """
    left, right = _halves(line)
    words = [word.lower() for word in left.split()]
    supertypes = tuple(word for word in words if word in SUPERTYPES)
    types = tuple(word for word in words if word in CARD_TYPES)
    subtypes: list[str] = []
    for word in right.replace("’", "'").split():
        if subtypes and (subtypes[-1], word) in _TWO_WORDS:
            subtypes[-1] += " " + word
        else:
            subtypes.append(word)
    return supertypes, types, tuple(subtypes)


def strange_types(line: str) -> tuple[str, ...]:
    """The words of a type line that do not belong there: unknown types, subtypes that are no capitalised words."""
    left, right = _halves(line)
    known = {*SUPERTYPES, *CARD_TYPES, "token"}
    strange = [word for word in left.split() if word.lower() not in known]
    for word in right.replace("’", "'").split():
        if not word[0].isupper() or not all(c.isalpha() or c in "'-" for c in word) or len(word) > 40:
            strange.append(word)
    return tuple(strange)


def _halves(line: str) -> tuple[str, str]:
    for dash in _DASHES:
        left, found, right = line.partition(dash)
        if found:
            return left, right
    return line, ""
