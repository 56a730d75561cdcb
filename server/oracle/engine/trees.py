"""What rules of all rooms do with trees: walk over them, read several predicates of one subject in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine.grammar import Printer, Reader, Reading, Words

#: That this permanent enters the battlefield (614.12).
ENTERS = f.Pattern(event="zone change", subject=Noun(f.THIS), to="battlefield")
JOINTS: tuple[Words, ...] = (("and",), (",", "and"), (",",))


def walk(value: Any) -> Iterable[Any]:
    """A value of the tree and all parts of it; nouns are leaves."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from walk(part)
    elif not isinstance(value, Noun):
        for field in getattr(value, "__struct_fields__", ()):
            yield from walk(getattr(value, field))


def row_at(category: str) -> Any:
    """Several predicates of one subject: "gets +1/+1, has flying, and can't block"."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        states = [(one.end, one.value, one.words) for one in reader.read(category, place)]
        while states:
            after: list[tuple[int, Any, Words]] = []
            for end, value, words in states:
                yield Reading(end, value, words)
                for joint in JOINTS:
                    if reader.words[end : end + len(joint)] == joint:
                        after += [
                            (one.end, (*value, *one.value), (*words, "and", *one.words))
                            for one in reader.read(category, end + len(joint))
                        ]
            states = after

    return read


def row_words(category: str) -> Any:
    """What prints such rows."""

    def write(printer: Printer, value: Any) -> Words | None:
        return _written(printer, category, value) if isinstance(value, tuple) and value else None

    return write


def _written(printer: Printer, category: str, mods: Sequence[Any]) -> Words | None:
    for size in range(min(4, len(mods)), 0, -1):
        first = printer.write(category, tuple(mods[:size]))
        if first is None:
            continue
        if size == len(mods):
            return first
        rest = _written(printer, category, mods[size:])
        if rest is not None:
            return (*first, "and", *rest)
    return None
