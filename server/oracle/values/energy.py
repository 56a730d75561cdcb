"""Rules for energy counters, which players get and pay (current 107.14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import WORD_OF, Grammar, Printer, Reader, Reading, S, Words

YOU = Noun("you")
MOST = 50
SPELLED = 8  # what is more is said by a number


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    g.terminal("energy", _energy_at, _energy_words)
    get = f.PutCounters(counter="energy", what=S.who, count=S.n)
    r("vp", "get~ <n:energy>", get)
    r("vp", "get~ {E} for each <n:each>", get, guard=lambda e: not isinstance(e["n"], int))
    r("vp", "get~ that many {E}", f.PutCounters(counter="energy", what=S.who, count=n.ThatMuch()))
    r("vp", "get~ X {E}", f.PutCounters(counter="energy", what=S.who, count=n.X()))
    r("vp", "get~ an amount of {E} equal to <n:amount>", get, guard=lambda e: not isinstance(e["n"], int | n.X))
    pay = f.CountersCost(counter="energy", count=S.n, of=YOU)
    some = f.CountersCost(counter="energy", count=n.X(), of=YOU)
    r("costpart", "pay <n:energy>", pay)
    r("costpart", "pay X {E}", some)
    r("toll", "pay~ <n:energy>", (pay,))
    _any_amount(g)
    so_much = f.May(cost=(some,), then=S.then)
    said = "you may pay an amount of {E} equal to <a:amount> . if you do , <then:chain>"
    r("governed", said, (f.Bind(as_name="X", amount=S.a), so_much), guard=lambda e: not isinstance(e["a"], int | n.X))
    r(
        "cond",
        "you have <m:count> or more {E}",
        f.Holds(left=n.CountersOn(counter="energy", of=YOU), compare=">=", right=S.m),
    )


def _any_amount(g: Grammar) -> None:
    """As much as is liked (current 107.14): whoever pays none of it has not paid one or more."""
    own = n.CountersOn(counter="energy", of=YOU)
    paid = f.RemoveCounters(counter="energy", what=YOU, count=own, up_to=True)
    some = ("you may pay any amount of {E}", "you may pay one or more {E}")
    g.rule("do", some[0], paid, some[1])


def _energy_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "{E}{E}" as two, and "eight {E}"."""
    word = reader.at(place)
    if word and word == "{E}" * (len(word) // 3):
        yield Reading(place + 1, len(word) // 3, _said(len(word) // 3))
    for one in (*reader.read("count", place), *_fifty(reader, place)):
        if isinstance(one.value, int) and one.value > 1 and reader.at(one.end) == "{E}":
            yield Reading(one.end + 1, one.value, _said(one.value))


def _fifty(reader: Reader, place: int) -> Iterable[Reading]:
    if reader.at(place) == "fifty":
        yield Reading(place + 1, 50, ("50",))


def _said(count: int) -> Words:
    return ("{E}" * count,) if count <= SPELLED else (WORD_OF.get(count, str(count)), "{E}")


def _energy_words(printer: Printer, value: Any) -> Words | None:
    plain = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST
    return _said(value) if plain else None
