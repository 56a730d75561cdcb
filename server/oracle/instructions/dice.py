"""Rules for dice (706 of the current edition): rolling one, tables of results, and what speaks of the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

RESULT = n.ThatMuch(name="result")
_SAID = {4: "four", 6: "six", 8: "eight", 10: "ten", 12: "twelve", 20: "twenty"}
# Each as it may be written; the first is printed.
DICE: tuple[tuple[int, tuple[Words, ...]], ...] = tuple(
    (sides, ((f"d{sides}",), *((f"{word}-sided", "die") for word in (_SAID.get(sides), str(sides)) if word)))
    for sides in (*_SAID, 100)
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    g.terminal("die", _die_at, _die_words)
    g.terminal("rows", _rows_at, _rows_words)
    r("do", "roll a <d:die> . <r:rows>", f.RollDie(sides=S.d, rows=S.r), "roll a <d:die> <r:rows>")
    r("do", "roll a <d:die>", f.RollDie(sides=S.d))
    r("amount", "the result", RESULT)
    exactly = f.Holds(left=RESULT, compare="=", right=S.n)
    r("cond", "the result is <n:number>", exactly, "you roll a <n:number>", "you rolled a <n:number>")
    for words, compare in (("or less", "<="), ("or greater", ">="), ("or higher", ">=")):
        held = f.Holds(left=RESULT, compare=compare, right=S.n)  # type: ignore[arg-type]
        r("cond", f"the result is <n:number> {words}", held)
    for many in ("one or more dice", "a die"):
        rolled = f.Pattern(event="die rolled", subject=S.w)
        r("event", f"<w:player> roll {many}", (rolled,), f"<w:player> rolls {many}", guard=_of_you)
    high = f.Pattern(
        event="die rolled", subject=Noun("you"), condition=f.Holds(left=n.ThatMuch(), compare=">=", right=S.n)
    )
    r("event", "you roll a <n:number> or higher", (high,), "you roll a <n:number> or higher on a die")


def _of_you(e: dict[str, Any]) -> bool:
    return e["w"] == Noun("you")


def _die_at(reader: Reader, place: int) -> Iterable[Reading]:
    for sides, names in DICE:
        for name in names:
            if reader.words[place : place + len(name)] == name:
                yield Reading(place + len(name), sides, names[0])


def _die_words(printer: Printer, value: Any) -> Words | None:
    return next((names[0] for sides, names in DICE if sides == value), None)


def _range_at(reader: Reader, place: int) -> tuple[int, int, int] | None:
    """ "1 — 9 |", "20 |": where it ends, the least and the greatest result."""
    least, stroke, most = reader.at(place).partition("-")
    at = place + 1
    if not stroke and reader.at(at) in ("—", "–"):
        most, at = reader.at(at + 1), at + 2
    if reader.at(at) != "|" or not least.isdecimal() or not (most or least).isdecimal():
        return None
    return at + 1, int(least), int(most or least)


def _rows_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The rows of a table, each in a line of its own, to the end of the text; the last full stop is left unread."""
    states: list[tuple[int, tuple[f.Row, ...], Words]] = [(place, (), ())]
    while states:
        at, rows, said = states.pop()
        span = _range_at(reader, at + 1) if reader.at(at) == "\n" else None
        if span is None or rows and span[1] != rows[-1].most + 1:
            continue
        start, least, most = span
        for one in reader.read("program", start):
            made = (*rows, f.Row(least=least, most=most, do=one.value))
            words = (*said, "\n", *_span_words(made[-1]), "|", *one.words)
            if reader.words[one.end :] in ((".",), ()):
                yield Reading(one.end, made, words)
            elif reader.at(one.end) == ".":
                states.append((one.end + 1, made, (*words, ".")))


def _span_words(row: f.Row) -> Words:
    return (str(row.least),) if row.least == row.most else (str(row.least), "—", str(row.most))


def _rows_words(printer: Printer, value: Any) -> Words | None:
    words: list[str] = []
    for row in value if isinstance(value, tuple) else ():
        said = printer.write("program", row.do)
        if said is None:
            return None
        words += [*(["."] if words else []), "\n", *_span_words(row), "|", *said]
    return tuple(words) or None
