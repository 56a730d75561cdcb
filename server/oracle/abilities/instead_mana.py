"""Mana abilities that make other mana if something is so ("{T}: Add {C}. If you control a Wall, add {C}{C} instead", 614.15).

They are two abilities of which one can be activated where the other cannot, so that what a payment may count on is known of each.
A mana ability resolves as it is activated (605.3b): nothing can come between the question and the mana.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("manainstead", _either_at, _either_words)
    g.rule("statics", "<x:manainstead>", S.x)


def _either_at(reader: Reader, place: int) -> Iterable[Reading]:
    if place or "instead" not in reader.present:
        return
    for cost in reader.read("cost", place):
        if reader.at(cost.end) != ":":
            continue
        for one in reader.read("simple", cost.end + 1):
            if reader.words[one.end : one.end + 2] != (".", "if"):
                continue
            for cond in reader.read("cond", one.end + 2):
                first = reader.at(cond.end + 1) == "instead"
                for other in reader.read("simple", cond.end + 1 + first) if reader.at(cond.end) == "," else ():
                    end = other.end + (not first)
                    if reader.at(end) != "." or not first and reader.at(other.end) != "instead":
                        continue
                    value = (
                        f.ActivatedAbility(cost=cost.value, do=one.value, condition=f.NotSo(condition=cond.value)),
                        f.ActivatedAbility(cost=cost.value, do=other.value, condition=cond.value),
                    )
                    words = _either_words(Printer(reader.grammar), value)
                    if words is not None:
                        yield Reading(end + 1, value, words)


def _either_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (
            f.ActivatedAbility(cost=cost, do=(f.AddMana() as one,), condition=f.NotSo(condition=unless)),
            f.ActivatedAbility(cost=again, do=(f.AddMana() as other,), condition=condition),
        ) if cost == again and unless == condition:
            parts = (
                printer.write("cost", cost),
                printer.write("simple", (one,)),
                printer.write("cond", condition),
                printer.write("simple", (other,)),
            )
            if None in parts:
                return None
            paid, made, said, instead = (part or () for part in parts)
            return (*paid, ":", *made, ".", "if", *said, ",", *instead, "instead", ".")
    return None
