"""Durations, and lists: of keywords, colours, and whatever stands with commas and "and"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.oracle.engine import PLAIN, Grammar, Printer, Reader, Reading, Words

#: What something may be said to be without a noun ("as long as {this} is tapped").


def install(g: Grammar) -> None:
    """Adds the rules."""
    _durations(g)
    _lists(g)


def _durations(g: Grammar) -> None:
    r = g.rule
    r("until", "until end of turn", "end of turn")
    r("until", "until end of combat", "end of combat")
    r("until", "until your next turn", "your next turn")
    r("until", "until the end of your next turn", "end of your next turn")
    r("until", "until your next upkeep", "your next upkeep")
    r("until", "for as long as you control {this}", "while control", "as long as you control {this}")
    r("until", "for as long as {this} remains tapped", "while tapped", "as long as {this} remains tapped")
    r(
        "until",
        "for as long as {this} remains on the battlefield",
        "while source",
        "as long as {this} remains on the battlefield",
    )
    g.terminal("lasting", _lasting_at, lambda p, v: p.write("until", v))
    r("thisturn", "this turn", "end of turn")
    r("thisturn", "this combat", "end of combat")
    r("thisturn", "until your next turn", "your next turn")
    r("thisturn", "until your next upkeep", "your next upkeep")


def _lasting_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Durations for as long as something is so."""
    return [one for one in reader.read("until", place) if one.value.startswith("while ")]


def _lists(g: Grammar) -> None:
    g.terminal("keywords", _list_at("keyword"), _list_words)
    g.terminal("subtypes", _row_at("subtype"), _row_words)
    g.terminal("colors", _colors_at, _colors_words)


def _list_at(category: str) -> Any:
    """A list with commas and "and"."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        states = [(one.end, (one.value,)) for one in reader.read(category, place)]
        while states:
            after: list[tuple[int, tuple[Any, ...]]] = []
            for end, values in states:
                yield Reading(end, values, _listed(values))
                for joint in (("and",), (",", "and"), (",",)):
                    if reader.words[end : end + len(joint)] == joint:
                        after.extend((one.end, (*values, one.value)) for one in reader.read(category, end + len(joint)))
            states = after

    return read


def _listed(values: tuple[str, ...]) -> Words:
    words: list[str] = []
    for i, value in enumerate(values):
        if i:
            words.append("and" if i == len(values) - 1 else ",")
        words.extend(value.split())
    return tuple(words)


def _list_words(_printer: Printer, value: Any) -> Words | None:
    ok = isinstance(value, tuple) and value and all(v in PLAIN for v in value)
    return _listed(value) if ok else None


def _row_at(category: str) -> Any:
    def read(reader: Reader, place: int) -> Iterable[Reading]:
        end, values = place, []
        while one := next(iter(reader.read(category, end)), None):
            values.append(one.value)
            end = one.end
        return [Reading(end, tuple(values), tuple(values))] if values else []

    return read


def _row_words(_printer: Printer, value: Any) -> Words | None:
    return tuple(value) if value else None


def _colors_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Letters of colours: "white and blue", "colorless"."""
    if reader.at(place) == "colorless":
        return [Reading(place + 1, "", ("colorless",))]
    found: list[Reading] = []
    states = [(one.end, one.value) for one in reader.read("color", place)]
    while states:
        end, letters = states.pop()
        words: list[str] = []
        for i, letter in enumerate(letters):
            words += ["and"] if i else []
            words += next(iter(w for w, b in _COLOR_WORDS if b == letter)).split()
        found.append(Reading(end, letters, tuple(words)))
        for joint in (("and",), (",", "and"), (",",)):
            if reader.words[end : end + len(joint)] == joint:
                states += [(one.end, letters + one.value) for one in reader.read("color", end + len(joint))]
    return found


_COLOR_WORDS = (("white", "W"), ("blue", "U"), ("black", "B"), ("red", "R"), ("green", "G"))


def _colors_words(printer: Printer, value: Any) -> Words | None:
    if value == "":
        return ("colorless",)
    names = {letter: word for word, letter in _COLOR_WORDS}
    if any(letter not in names for letter in value):
        return None
    words: list[str] = []
    for i, letter in enumerate(value):
        words += (["and"] if i else []) + [names[letter]]
    return tuple(words)
