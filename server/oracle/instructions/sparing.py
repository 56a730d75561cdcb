"""What a player keeps who sacrifices the rest: "chooses two creatures they control, then sacrifices the rest" (101.4, 701.14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("kept", _kept_at, _kept_words)
    kept = f.Sacrifice(what=S.k, who=S.who, rest=True)
    said = "choose~ <k:kept> they control"
    g.rule("vp", f"{said} , then sacrifice~ the rest", kept, f"{said} and sacrifice~ the rest")
    g.terminal("oneofeach", _one_of_each_at, _one_of_each_words)
    g.terminal("everykind", _every_at, _every_words)
    several = f.Sacrifice(what=S.w, who=S.who, rest=True, spared=S.k)
    among = "from among the <w:everykind> they control"
    g.rule(
        "vp",
        f"choose~ <k:oneofeach> {among} , then sacrifice~ the rest",
        several,
        f"choose~ {among} <k:oneofeach> , then sacrifice~ the rest",
    )


def _is_kept(value: Noun) -> bool:
    """Whether it is a number of permanents, whoever controls them ("up to two creatures")."""
    reading = value.reading
    if not isinstance(reading, n.Choose) or reading.count == -1 or reading.of.zone != "battlefield":
        return False
    return reading.of.players is None and not reading.of.anywhere and "control" not in value.text


def _kept_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("noun", place):
        if reader.words[one.end : one.end + 2] == ("they", "control") and _is_kept(one.value):
            yield one


def _kept_words(_: Printer, value: Any) -> Words | None:
    return noun_words(value) if isinstance(value, Noun) and _is_kept(value) else None


def _one_of_each_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "an artifact, a creature, and a land": one of each kind, which may be the same permanent."""
    found: list[Noun] = []
    at = place
    while reader.at(at) in ("a", "an"):
        made = noun(" ".join(reader.words[at : at + 2]))
        if made is None or not _is_kept(made):
            return
        found.append(made)
        at += 2
        if reader.at(at - 3) == "and" and len(found) > 2:
            yield Reading(at, tuple(found), _row(found))
            return
        at += reader.at(at) == ","
        at += reader.at(at) == "and"


def _row(found: Iterable[Noun]) -> Words:
    *most, last = (noun_words(one) for one in found)
    return (*(word for one in most for word in (*one, ",")), "and", *last)


def _one_of_each_words(_: Printer, value: Any) -> Words | None:
    return _row(value) if isinstance(value, tuple) and len(value) > 2 else None


def _every_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "nonland permanents", as all of them."""
    for one in reader.read("noun", place):
        made = noun(f"all {one.value.text}") if reader.words[one.end : one.end + 2] == ("they", "control") else None
        if made is not None and isinstance(made.reading, n.Each) and made.reading.of.players is None:
            yield Reading(one.end, made, one.words)


def _every_words(_: Printer, value: Any) -> Words | None:
    words = noun_words(value) if isinstance(value, Noun) else ()
    return words[1:] if words[:1] == ("all",) else None
