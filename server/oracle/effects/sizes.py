"""What continuous effects make of power and toughness: "gets +1/+1 for each ...", "has base power 4", of `mods` and `smods`.

An amount that is told behind the size ("+X/+X, where X is ...") is a part of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    for category in ("mod", "smod"):
        r(category, "get~ <s:size>", (S.s,))
        r(category, "get~ <s:scaled>", (S.s,))
        r(category, "have~ base power and toughness <s:fixedsize>", (S.s,))
        r(category, "have~ base power <p:number>", (f.SetPT(power=S.p),))
        r(category, "have~ base toughness <t:number>", (f.SetPT(toughness=S.t),))
        each = f.SetPT(power=S.a, toughness=S.a)
        r(category, "have~ base power and toughness each equal to <a:amount>", (each,))
        r(category, "lose~ all abilities", (f.LoseAbilities(),))
        untouchable = ("hexproof", "shroud")
        banned = "lose~ hexproof and shroud and can't have hexproof or shroud"
        r(category, banned, (f.CantHave(keywords=untouchable),))
        r(category, "lose~ <k:keywords> and can't have <k:keywords>", (f.CantHave(keywords=S.k),))
        g.wording(category, "lose~ all abilities and become~ <s:fixedsize>", (f.LoseAbilities(), S.s))
        r(category, "lose~ all creature types", (f.SetTypes(lose=("creature types",)),))
        r(category, "lose~ <k:keywords>", (f.LoseAbilities(keywords=S.k),))
        r(category, "lose~ all abilities and have~ base power and toughness <s:fixedsize>", (f.LoseAbilities(), S.s))
    g.wording("mod", "become~ <s:fixedsize>", (S.s,))
    r("smod", "get~ <s:whered>", (S.s,))
    for category in ("mod", "smod"):
        for size in ("size", "scaled"):
            g.wording(category, f"get~ an additional <s:{size}>", (S.s,))
    g.terminal("scaled", _scaled_at, _scaled_words)
    g.terminal("whered", _whered_at, _whered_words)
    g.terminal("late", _late_at, lambda p, v: None)
    lasting = f.Effect(what=S.what, mods=(S.s,), duration="end of turn")
    g.wording("op", "get~ <s:late>", lasting)
    g.wording("op", "get~ an additional <s:late>", lasting)


def _sides(size: f.AddPT, amount: Any) -> f.AddPT | None:
    """So much for each of an amount."""
    power, toughness = size.power, size.toughness
    if not isinstance(power, int) or not isinstance(toughness, int) or size.minus or amount == 1:
        return None
    low = min(power, toughness)
    if low < 0 < max(power, toughness):
        return None

    def side(number: int) -> Any:
        return 0 if number == 0 else amount if abs(number) == 1 else n.Times(number=abs(number), of=amount)

    return f.AddPT(power=side(power), toughness=side(toughness), minus=low < 0)


def _scaled_at(reader: Reader, place: int) -> Iterable[Reading]:
    for size in reader.read("size", place):
        if reader.words[size.end : size.end + 2] == ("for", "each"):
            for amount in reader.read("each", size.end + 2):
                value = _sides(size.value, amount.value)
                if value is not None:
                    yield Reading(amount.end, value, (*size.words, "for", "each", *amount.words))


def _late_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "+1/+1 until end of turn for each ...": the duration stands first."""
    for size in reader.read("size", place):
        if reader.words[size.end : size.end + 6] == _UNTIL_FOR_EACH:
            for amount in reader.read("each", size.end + 6):
                value = _sides(size.value, amount.value)
                if value is not None:
                    yield Reading(amount.end, value, (*size.words, "for", "each", *amount.words))


_UNTIL_FOR_EACH = ("until", "end", "of", "turn", "for", "each")


def _scaled_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.AddPT):
        return None
    sides: list[int] = []
    amounts: list[Any] = []
    for side in (value.power, value.toughness):
        if side == 0:
            sides.append(0)
        elif isinstance(side, n.Times) and not side.half:
            sides.append(side.number)
            amounts.append(side.of)
        else:
            sides.append(1)
            amounts.append(side)
    if not amounts or amounts[0] != amounts[-1] or isinstance(amounts[0], int | n.X):
        return None
    words = printer.write("each", amounts[0])
    sign = -1 if value.minus else 1
    size = printer.write("size", f.AddPT(power=sign * sides[0], toughness=sign * sides[1]))
    return None if words is None or size is None else (*size, "for", "each", *words)


_WHERE = (",", "where", "X", "is")


def _whered_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "+X/+X, where X is the number of ..." in a static ability."""
    for size in reader.read("size", place):
        if not any(isinstance(side, n.X) for side in (size.value.power, size.value.toughness)):
            continue
        if reader.words[size.end : size.end + 4] == _WHERE:
            for amount in reader.read("amount", size.end + 4):
                sides = [amount.value if isinstance(s, n.X) else s for s in (size.value.power, size.value.toughness)]
                if size.value.minus and any(isinstance(s, int) and s for s in sides):
                    continue
                if isinstance(amount.value, int | n.X):
                    continue
                value = f.AddPT(power=sides[0], toughness=sides[1], minus=size.value.minus)
                for whole in reprinted(reader, "smod", amount.end, (value,)):
                    yield Reading(amount.end, value, whole.words[1:])


def _whered_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.AddPT) or _scaled_words(printer, value) is not None:
        return None
    amounts = [side for side in (value.power, value.toughness) if not isinstance(side, int)]
    if not amounts or amounts[0] != amounts[-1] or isinstance(amounts[0], n.X):
        return None
    words = printer.write("amount", amounts[0])
    sides = [side if isinstance(side, int) else n.X() for side in (value.power, value.toughness)]
    size = printer.write("size", f.AddPT(power=sides[0], toughness=sides[1], minus=value.minus))
    return None if words is None or size is None else (*size, *_WHERE, *words)


def reprinted(reader: Reader, category: str, end: int, value: Any) -> list[Reading]:
    """The reading with the words that its tree prints; none if it prints nothing."""
    words = Printer(reader.grammar).write(category, value)
    return [] if words is None else [Reading(end, value, words)]
