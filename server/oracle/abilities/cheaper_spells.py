"""What one spell of a turn costs less: the second or third of each turn, or the next that is cast (601.2f)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun

YOU = Noun("you")
_CAST = n.TurnCount(what="spells", of=YOU)
_BEFORE = "spells"
"""Under what it is remembered how many had been cast as the instruction was followed."""
_ALL = f.CostChange(what=Noun("spells you cast"))
_HEAD: Words = ("the", "next")
_TAIL: Words = ("you", "cast", "this", "turn", "costs")
_LESS_X: Words = ("{X}", "less", "to", "cast")


def install(g: Grammar) -> None:
    """Adds the rules."""
    for number, word in ((2, "second"), (3, "third")):
        nth = f.Holds(left=_CAST, compare="=", right=number - 1)
        static = (replace(_ALL, generic=S.d, condition=nth),)
        g.rule("static", f"the {word} spell you cast each turn costs <d:less> to cast", static)
    # What has flash only while something is so is asked for it as it is cast, before it is a permanent (702.8a).
    quick = (f.CastingRule(timing="flash", condition=S.c),)
    g.wording("static", "{this} has flash as long as <c:scond>", quick, "as long as <c:scond> , {this} has flash")
    g.terminal("nextcheaper", _next_at, _next_words)
    g.rule("governed", "<x:nextcheaper>", S.x)


def _tree(kind: str, generic: Any) -> f.Tree | None:
    """The next spell of a kind is the one before which as many of it have been cast as now."""
    count: Any = _CAST
    what = noun("spells you cast" if kind == "spell" else f"{kind}s you cast")
    if kind != "spell":
        cast = noun(f"{kind} you control")
        if cast is None:
            return None
        count = n.Happened(what="cast", of=cast)
    if what is None:
        return None
    same = f.Holds(left=count, compare="=", right=n.ThatMuch(name=_BEFORE))
    rule = f.CostChange(what=what, generic=generic, condition=same)
    return (f.Bind(as_name=_BEFORE, amount=count), f.RuleEffect(rule=rule))


def _next_at(reader: Reader, place: int) -> Iterable[Reading]:
    if reader.words[place : place + 2] != _HEAD:
        return
    for one in reader.read("nextspell", place + 2):
        at = one.end + len(_TAIL)
        if reader.words[one.end : at] != _TAIL:
            continue
        prices = [(d.end + 2, d.value, (*d.words, "to", "cast")) for d in reader.read("less", at)]
        prices = [price for price in prices if reader.words[price[0] - 2 : price[0]] == ("to", "cast")]
        if reader.words[at : at + 4] == _LESS_X:
            prices.append((at + 4, n.Times(number=-1, of=n.X()), _LESS_X))
        for end, generic, said in prices:
            tree = _tree(one.value.text, generic)
            if tree is not None:
                yield Reading(end, tree, (*_HEAD, *one.words, *_TAIL, *said))


def _next_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (f.Bind(as_name=name), f.RuleEffect(rule=f.CostChange() as rule)) if name == _BEFORE:
            kind = "spell" if rule == replace(_ALL, generic=rule.generic, condition=rule.condition) else ""
            kind = kind or rule.what.text.removesuffix("s you cast")
            words = printer.write("nextspell", noun(kind))
            less = rule.generic == n.Times(number=-1, of=n.X())
            price = _LESS_X if less else printer.write("less", rule.generic)
            if value != _tree(kind, rule.generic) or words is None or price is None:
                return None
            return (*_HEAD, *words, *_TAIL, *price, *(() if less else ("to", "cast")))
        case _:
            return None
