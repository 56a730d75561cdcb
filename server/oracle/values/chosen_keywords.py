"""Rules for keywords of which one is chosen as it is given: "gains your choice of flying or haste" (608.2d)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

_JOINTS: tuple[Words, ...] = ((",",), (",", "or"), ("or",))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("oneof", _one_of_at, _one_of_words)
    one = (f.GainsChosen(keywords=S.k),)
    g.rule("mod", "gain~ your choice of <k:oneof>", one, "gain~ <k:oneof>", "have~ your choice of <k:oneof>")


def _one_of_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Keywords of which one is chosen: "flying, vigilance, or haste"."""
    states = [(one.end, (one.value,), False) for one in reader.read("keyword", place)]
    while states:
        end, kinds, closed = states.pop()
        if closed:
            yield Reading(end, kinds, _row(kinds))
            continue
        for joint in _JOINTS:
            if reader.words[end : end + len(joint)] == joint:
                after = end + len(joint)
                states += [(one.end, (*kinds, one.value), "or" in joint) for one in reader.read("keyword", after)]


def _row(kinds: tuple[str, ...]) -> Words:
    words: list[str] = []
    for i, kind in enumerate(kinds):
        last = (["or"] if len(kinds) == 2 else [",", "or"]) if i == len(kinds) - 1 else [","]
        words += last if i else []
        words += kind.split()
    return tuple(words)


def _one_of_words(printer: Printer, value: Any) -> Words | None:
    several = isinstance(value, tuple) and len(value) > 1 and all(isinstance(one, str) for one in value)
    return _row(value) if several else None
