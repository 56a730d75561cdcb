"""Activated abilities whose text says what the X of their cost is: nobody chooses it (107.3c)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Printer, Reader, Reading, Words

_CHOSEN = f.ManaCost(mana="{X}")
#: What X is, as it is said behind what is done; it is paid as so much generic mana.
_SAID: dict[Words, n.StatOf] = {
    tuple(f"X is the mana value of {card} .".split()): n.StatOf(stat="mana value", of=Noun("the exiled card"))
    for card in ("the exiled card", "that card")
}


def said_x(reader: Reader, place: int, cost: f.Costs, cost_words: Words) -> Iterable[Reading]:
    """ "{X}, {T}: Create a token that's a copy of the exiled card. X is that card's mana value"."""
    if _CHOSEN not in cost:
        return
    for one in reader.read("program", place):
        for words, amount in _SAID.items():
            end = one.end + 1
            if "X" not in one.words and reader.at(one.end) == "." and reader.words[end:] in (words, words[:-1]):
                paid = tuple(_as_much(amount) if part == _CHOSEN else part for part in cost)
                made = f.ActivatedAbility(cost=paid, do=one.value)
                printed = (*cost_words, ":", *one.words, ".", *next(iter(_SAID)))
                yield Reading(len(reader.words), made, printed)


def _as_much(amount: n.StatOf) -> f.ManaCost:
    return f.ManaCost(mana="{1}", per=amount)


def said_x_words(printer: Printer, value: f.ActivatedAbility) -> Words | None:
    """The words of an ability whose cost is as much mana as is said, None if it is no such ability."""
    for words, amount in _SAID.items():
        much = _as_much(amount)
        if much in value.cost:
            cost: Any = printer.write("cost", tuple(_CHOSEN if part == much else part for part in value.cost))
            bare = replace(value, cost=(), do=(), text="") == f.ActivatedAbility(cost=())
            does = printer.write("program", value.do) if bare else None
            return None if cost is None or does is None else (*cost, ":", *does, ".", *words)
    return None
