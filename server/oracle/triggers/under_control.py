"""What enters under somebody's control: "a creature enters under your control", "... under your team's control"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun_words, with_owner
from server.oracle.triggers.trigger_events import is_subject

_UNDER: tuple[tuple[str, Words], ...] = (
    ("you", ("your",)),
    ("an opponent", ("an", "opponent", "'s")),
    ("your team", ("your", "team", "'s")),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("entering", _entering_at(), lambda p, v: None)
    g.terminal("enteringtapped", _entering_at("tapped"), lambda p, v: None)
    g.terminal("entering_together", _entering_together_at, lambda p, v: None)
    g.rule("event", "<a:entering_together>", S.a)


def _entering_at(*how: str) -> Any:
    """ "a creature enters under your control" is "a creature you control enters"."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for one in reader.read("subject", place):
            for who, tail in _UNDER:
                words = ("enters", *how, "under", *tail, "control")
                if reader.words[one.end : one.end + len(words)] == words and one.value.text != "{this}":
                    made = with_owner(one.value.text, who)
                    if made is not None and is_subject(made):
                        yield Reading(one.end + len(words), made, noun_words(made))

    return read


def _entering_together_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "one or more artifacts enter under your control" is "one or more artifacts you control enter"."""
    if reader.words[place : place + 3] != ("one", "or", "more"):
        return
    for one in reader.read("plurals", place + 3):
        for who, tail in _UNDER:
            words = ("enter", "under", *tail, "control")
            made = with_owner(one.value.text, who) if reader.words[one.end : one.end + len(words)] == words else None
            if made is not None and isinstance(made.reading, n.Each):
                event = f.Pattern(event="zone change", subject=made, to="battlefield", grain="batch")
                said = Printer(reader.grammar).write("event", (event,))
                if said is not None:
                    yield Reading(one.end + len(words), (event,), said)
