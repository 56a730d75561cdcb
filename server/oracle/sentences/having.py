"""What "you may" governs: instructions ("you may draw a card"), or what one may have happen ("you may have {this} gain flying")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.oracle.engine import Grammar, Printer, Reader, Reading, Words

HAVE = "have"
#: Verbs that rules write behind subjects of theirs in the plural.
_WITH_SUBJECT = ("exchange",)


def install(g: Grammar) -> None:
    """Adds the category."""
    g.terminal("optional", _optional_at, _optional_words)


def _optional_at(reader: Reader, place: int) -> Iterable[Reading]:
    yield from reader.read("chain", place)
    if reader.at(place) == HAVE:
        yield from reader.read("simple", place + 1)


def _optional_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("chain", value)
    if words is None or len(value) > 1 and printer.write("do", value) != words or not _has_subject(printer, words):
        return words
    return (HAVE, *(word.removesuffix("~") for word in words))


def _has_subject(printer: Printer, words: Words) -> bool:
    """Whether the words begin with a subject and its verb."""
    reader = Reader(printer.grammar, words)
    subjects = (*reader.read("things", 0), *reader.read("who", 0))
    verbs = (words[one.end] for one in subjects if one.end < len(words))
    return any(verb.endswith("~") or verb in _WITH_SUBJECT for verb in verbs)
