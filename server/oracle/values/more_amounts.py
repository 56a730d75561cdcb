"""Amounts of several kinds of things at once: differences, symbols, counters among many, cards in two zones, colours of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

YOU = Noun("you")
IT = Noun("it")


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    rest = n.Minus(left=n.Count(of=S.of), right=S.b)
    r("amount", "the number of <of:noun> minus <b:amount>", rest, guard=_all)
    r("amount", "<a:number> minus <b:amount>", n.Minus(left=S.a, right=S.b), guard=_is_counted)
    g.wording("amount", "<a:count> minus <b:amount>", n.Minus(left=S.a, right=S.b), guard=_is_counted)
    many = n.CountersOn(counter=S.counter, of=S.of)
    any_kind = replace(many, counter="")
    for joint in ("among", "on"):
        add = r if joint == "among" else g.wording
        add("each", f"<counter> counter {joint} <of:noun>", many, guard=_all)
        add("amount", f"the number of <counter> counters {joint} <of:noun>", many, guard=_all)
        add("amount", f"the number of counters {joint} <of:noun>", any_kind, guard=_all)
    r("each", "<counter> counter your opponents have", replace(many, of=Noun("your opponents")))
    its = n.Distinct(what="colors", of=S.of)
    r("each", "of its colors", replace(its, of=IT))
    r("each", "of <of:thatone> 's colors", its)
    symbols = "mana symbols in the mana costs of permanents you control"
    for word, letter in (("white", "W"), ("blue", "U"), ("black", "B"), ("red", "R"), ("green", "G")):
        devoted = n.Devotion(colors=letter)
        g.wording("amount", f"the number of {word} {symbols}", devoted)
        g.wording("each", f"{word} {symbols.replace('symbols', 'symbol')}", devoted)
    g.terminal("intwozones", _in_two_zones_at, _in_two_zones_words)
    r("amount", "the total number of <a:intwozones>", S.a, "the number of <a:intwozones>")
    common = n.Distinct(what="of one creature type", of=S.of)
    r("amount", "the greatest number of <of:plural> that have a creature type in common", common)
    tokens = n.TurnCount(what="tokens created", of=YOU)
    r("amount", "the number of tokens you created this turn", tokens)
    r("each", "token you created this turn", tokens)
    _compared(g)
    _differences(g)
    for said in ("1 life you gained", "1 life you lost", "1 life they gained", "1 life they lost"):
        g.wording("each", said, n.ThatMuch())
    g.terminal("thosethings", _those_at, lambda p, v: noun_words(v) if v.text.startswith("those ") else None)
    each = f.ForEach(of=S.of, then=S.do)
    r("governed", "for each of <of:thosethings> , <do:chain>", (each,), guard=lambda e: not _targeted(e["do"]))


def _differences(g: Grammar) -> None:
    """Whether a hand is smaller than a number, and by how many cards one is than another."""
    mine = n.CardsIn(zone="hand", of=YOU)
    few = f.Holds(left=mine, compare="<", right=S.n)
    g.rule("cond", "you have fewer than <n:count> cards in hand", few, guard=lambda e: e["n"] != 1)


_COMPARED: tuple[tuple[str, n.Compare], ...] = (
    ("less than", "<"),
    ("less than or equal to", "<="),
    ("greater than", ">"),
    ("greater than or equal to", ">="),
    ("equal to", "="),
)


def _compared(g: Grammar) -> None:
    """ "If its mana value is less than or equal to the number of ..."."""
    for said, compare in _COMPARED:
        its = f.Holds(left=n.StatOf(stat=S.stat, of=IT), compare=compare, right=S.a)
        g.rule("cond", f"its <stat> is {said} <a:amount>", its, f"its <stat> was {said} <a:amount>", guard=_told)
        one = f.Holds(left=n.StatOf(stat=S.stat, of=S.of), compare=compare, right=S.a)
        more = f"<of:thatone> 's <stat> was {said} <a:amount>"
        g.rule("cond", f"<of:thatone> 's <stat> is {said} <a:amount>", one, more, guard=_told)


def _told(e: dict[str, Any]) -> bool:
    """Whether it is compared with what can be said: not with what was only looked at."""
    return not (isinstance(e["a"], n.StatOf) and e["a"].of.text.startswith("$"))


def _all(e: dict[str, Any]) -> bool:
    return isinstance(e["of"].reading, n.Each)


def _is_counted(e: dict[str, Any]) -> bool:
    """Whether a number is told from, less what is counted (X has words of its own)."""
    return isinstance(e["a"], int) and not isinstance(e["b"], int | n.X)


_ZONES: Words = ("you", "own", "in", "exile", "and", "in", "your", "graveyard")


def _in_two_zones_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "instant and sorcery cards you own in exile and in your graveyard"."""
    for end in range(place + 1, place + 6):
        if reader.words[end : end + len(_ZONES)] == _ZONES:
            kind = " ".join(reader.words[place:end])
            made = _both(kind)
            if made is not None:
                yield Reading(end + len(_ZONES), made, (*reader.words[place:end], *_ZONES))


def _both(kind: str) -> n.Plus | None:
    exiled, thrown = noun(f"{kind} you own in exile"), noun(f"{kind} in your graveyard")
    if exiled is None or thrown is None or not isinstance(exiled.reading, n.Each | n.Things):
        return None
    return n.Plus(parts=(n.Count(of=exiled), n.Count(of=thrown)))


def _in_two_zones_words(_: Printer, value: Any) -> Words | None:
    match value:
        case n.Plus(parts=(n.Count(of=exiled), n.Count())):
            kind = exiled.text.removesuffix(" you own in exile")
            return (*kind.split(), *_ZONES) if kind != exiled.text and _both(kind) == value else None
        case _:
            return None


def _those_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "those creatures": what was spoken of, one after the other."""
    for one in reader.read("things", place):
        if isinstance(one.value.reading, n.It) and one.value.text.startswith("those "):
            yield one


def _targeted(value: Any) -> bool:
    """Whether instructions have targets of their own."""
    if isinstance(value, tuple):
        return any(_targeted(part) for part in value)
    if isinstance(value, Noun):
        return _targeted(value.reading)
    return isinstance(value, n.Target) or any(
        _targeted(getattr(value, field)) for field in getattr(value, "__struct_fields__", ())
    )
