"""What stands beside symbols in the text boxes of special layouts: chapters of Sagas (current 714)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, Words
from server.oracle.triggers import body_of, with_body

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
CHAPTER = "chapter"


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("chapter", _chapter_at, _chapter_words)


def _chapter_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "I, II — Draw a card.": an ability that triggers as so many lore counters are reached (current 714.2c)."""
    at = place
    numbers: list[int] = []
    while reader.at(at).upper() in ROMAN[1:]:
        numbers.append(ROMAN.index(reader.at(at).upper()))
        at += 1
        if reader.at(at) != ",":
            break
        at += 1
    if not numbers or reader.at(at) != "—":
        return
    when = tuple(
        f.Pattern(event="counters put", subject=Noun(f.THIS), counter="lore", nth=number) for number in numbers
    )
    for body in reader.read("instructions", at + 1):
        made = with_body(f.TriggeredAbility(when=when, keyword=CHAPTER), body.value)
        yield Reading(body.end, made, (*_symbols(made), "—", *body.words))


def _symbols(ability: f.TriggeredAbility) -> Words:
    words: list[str] = []
    for pattern in ability.when:
        words += [","] if words else []
        words.append(ROMAN[pattern.nth])
    return tuple(words)


def _chapter_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.TriggeredAbility) or value.keyword != CHAPTER:
        return None
    body = printer.write("instructions", body_of(value))
    return None if body is None else (*_symbols(value), "—", *body)
