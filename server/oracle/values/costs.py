"""Costs of activated abilities and what is paid while something resolves (117)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

#: What something may be said to be without a noun ("as long as {this} is tapped").
THIS = Noun("{this}")
_GENERIC = re.compile(r"\{\d+\}")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _costs(g)
    _tolls(g)


def _from_among(g: Grammar) -> None:
    """Counters of any kind, and those that several things pay together."""
    some = f.CountersCost(counter="", count=S.count, of=S.w)
    g.rule(
        "costpart",
        "remove <count> counter|counters from <w:payable>",
        some,
        guard=lambda e: isinstance(e["count"], int),
    )
    several = f.CountersCost(counter=S.counter, count=S.count, of=S.w, among=True)
    for one, said in ((several, "<counter> counters"), (replace(several, counter=""), "counters")):
        texts = [f"remove {many} {said} from among <w:plurals>" for many in ("<count>", "X")]
        g.rule("costpart", texts[0], one, guard=lambda e: e["count"] != 1 and isinstance(e["count"], int))
        g.rule("costpart", texts[1], replace(one, count=n.X()))


def _costs(g: Grammar) -> None:
    r = g.rule
    r("costpart", "<mana>", f.ManaCost(mana=S.mana), "pay <mana>")
    bent = f.ManaCost(mana=S.mana, waterbend=True)
    r("costpart", "waterbend <mana>", bent, guard=lambda e: _GENERIC.fullmatch(e["mana"]) is not None)
    r("costpart", "{T}", f.TapCost())
    mana, other = f.ManaCost(mana=S.m), f.ManaCost(mana=S.o)
    either = f.EitherCost(options=((mana,), (other,)))
    r("costpart", "<m:mana> or <o:mana>", either)
    g.wording("cost", "<m:mana> , {T} or <o:mana> , {T}", (either, f.TapCost()))
    r("costpart", "{Q}", f.UntapCost())
    r("costpart", "pay <n:number> life", f.LifeCost(amount=S.n))
    half = n.Times(number=1, of=n.LifeOf(of=Noun("you")), half="up")
    r("costpart", "pay half your life , rounded up", f.LifeCost(amount=half))
    r("costpart", "sacrifice <what:payable>", f.SacrificeCost(what=S.what))
    r("costpart", "discard <what:fromhand>", f.DiscardCost(what=S.what))
    r("costpart", "discard <what:fromhand> at random", f.DiscardCost(what=S.what, random=True))
    r("costpart", "exile <what:payable>", f.ExileCost(what=S.what))
    g.terminal("owntop", _own_top_at, lambda p, v: p.write("noun", v) if isinstance(v.reading, n.Top) else None)
    r("costpart", "exile <what:owntop>", f.ExileCost(what=S.what))
    r(
        "costpart",
        "return <what:payable> to its owner 's hand",
        f.ReturnCost(what=S.what),
        "return <what:payable> to their owner 's hand",
    )
    r("costpart", "tap <what:untapped>", f.TapOthersCost(what=S.what))
    g.terminal("exiled", _exiled_at, lambda p, v: p.write("noun", v))
    r("costpart", "put <what:exiled> into that player 's graveyard", f.BuryCost(what=S.what),
      "put <what:exiled> into its owner 's graveyard")  # fmt: skip
    _counters(g)
    r("costpart", "reveal <what:fromhand>", f.RevealCost(what=S.what))
    onto = "into your graveyard"
    older = (f"put the top card of your library {onto}", f"put the top <count> cards of your library {onto}")
    r("costpart", "mill <count> card", f.MillCost(count=S.count), "mill <count> cards", older[1])
    g.wording("costpart", older[0], f.MillCost())
    g.terminal("payable", _payable_at, lambda p, v: p.write("noun", v))
    g.terminal("fromhand", _from_hand_at, lambda p, v: p.write("noun", v))
    g.terminal("untapped", _untapped_at, lambda p, v: p.write("noun", v))
    g.terminal("cost", _cost_at, _cost_words)


def _counters(g: Grammar) -> None:
    """Counters that are removed or put."""
    r = g.rule
    any_number = f.CountersCost(counter=S.counter, count=n.X())  # how many is announced, as an X is
    r(
        "costpart",
        "remove X <counter> counters from {this}",
        any_number,
        "remove any number of <counter> counters from {this}",
    )
    for how, least in (("all", -1), ("one or more", 1)):
        r("costpart", f"remove {how} <counter> counters from {{this}}", replace(any_number, least=least))
    r(
        "costpart",
        "remove <count> <counter> counter from {this}",
        f.CountersCost(counter=S.counter, count=S.count),
        "remove <count> <counter> counters from {this}",
    )
    from_other = f.CountersCost(counter=S.counter, count=S.count, of=S.w)
    r(
        "costpart",
        "remove <count> <counter> counter|counters from <w:payable>",
        from_other,
        guard=lambda e: e["w"] != THIS and isinstance(e["count"], int),
    )
    _from_among(g)
    r(
        "costpart",
        "put <count> <counter> counter on {this}",
        f.CountersCost(counter=S.counter, count=S.count, put=True),
        "put <count> <counter> counters on {this}",
    )
    r(
        "costpart",
        "put <count> <counter> counter|counters on <w:payable>",
        f.CountersCost(counter=S.counter, count=S.count, of=S.w, put=True),
        guard=lambda e: e["w"].text.endswith("you control"),  # what is another's pays for nobody (`payers`)
    )
    on_top = "put <what:payable> on top of your library"
    r("costpart", on_top, f.LibraryCost(what=S.what), guard=lambda e: _is_one(e["what"], "hand"))


def _tolls(g: Grammar) -> None:
    """What is paid while something resolves ("pay {2}")."""
    r = g.rule
    r("toll", "pay~ <mana>", (f.ManaCost(mana=S.mana),))
    either = (f.EitherCost(options=((f.ManaCost(mana=S.m),), (f.ManaCost(mana=S.o),))),)
    r("toll", "pay~ <m:mana> or <o:mana>", either)
    r("toll", "pay~ <n:number> life", (f.LifeCost(amount=S.n),))
    r("toll", "sacrifice~ <what:payable>", (f.SacrificeCost(what=S.what),))
    r("toll", "exile~ <what:buriedtop>", (f.ExileCost(what=S.what),))
    g.terminal(
        "buriedtop", _buried_top_at, lambda p, v: p.write("owntop", v) if getattr(v.reading, "buried", False) else None
    )
    r("toll", "discard~ <what:fromhand>", (f.DiscardCost(what=S.what),))
    r("toll", "discard~ <what:fromhand> at random", (f.DiscardCost(what=S.what, random=True),))
    to_hand = "return~ <what:payable> to its owner 's hand"
    r("toll", to_hand, (f.ReturnCost(what=S.what),), to_hand.replace("its", "their"))
    theirs = {"their", "they"}  # what another may exile is what may be done, not paid
    r(
        "toll",
        "exile~ <what:payable>",
        (f.ExileCost(what=S.what),),
        guard=lambda e: not theirs & {*e["what"].text.split()},
    )
    r("toll", "have~ {this} deal <n:number> damage to them", (f.DamageCost(amount=S.n),))
    buried = "put~ <what:payable> on the bottom of your library"
    r("toll", buried, (f.LibraryCost(what=S.what, bottom=True),), guard=lambda e: _is_one(e["what"], "graveyard"))
    raised = "return~ <what:payable> to your hand"
    r("toll", raised, (f.ReturnCost(what=S.what),), guard=lambda e: _is_one(e["what"], "graveyard"))
    r("toll", "tap~ <what:untapped>", (f.TapOthersCost(what=S.what),))
    r("toll", "pay~ <mana> and <n:number> life", (f.ManaCost(mana=S.mana), f.LifeCost(amount=S.n)))
    r(
        "toll",
        "remove~ <count> <counter> counter from {this}",
        (f.CountersCost(counter=S.counter, count=S.count),),
        "remove~ <count> <counter> counters from {this}",
    )


def _is_one(noun: Noun, zone: str) -> bool:
    """Whether a phrase is of one card of its player's own zone, which that player chooses."""
    reading = noun.reading
    return isinstance(reading, n.Choose) and reading.count == 1 and not reading.up_to and reading.of.zone == zone


def _payable_at(reader: Reader, place: int) -> Iterable[Reading]:
    found: list[Reading] = []
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.This | n.Attached) or isinstance(reading, n.Choose) and reading.of.players is None:
            found.append(one)
    return found


def _own_top_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "The top card of your library", "the top two cards of your library"."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Top) and isinstance(reading.of, n.You) and not reading.bottom:
            yield one


def _buried_top_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "The top creature card of your graveyard"."""
    return [one for one in _own_top_at(reader, place) if one.value.reading.buried]


def _from_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    found = list(_payable_at(reader, place))
    if reader.words[place : place + 2] == ("your", "hand"):
        found.append(Reading(place + 2, Noun("your hand"), ("your", "hand")))
    return found


def _exiled_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A card an opponent owns from exile"."""
    for one in reader.read("noun", place):
        kind = one.value.reading
        if isinstance(kind, n.Choose) and kind.count == 1 and not kind.up_to and kind.of.zone == "exile":
            yield one


def _untapped_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [
        one
        for one in _payable_at(reader, place)
        if "untapped" in one.words or isinstance(one.value.reading, n.Attached)
    ]


_GIVEN_UP = f.SacrificeCost(what=THIS)


def _of_this(cost: f.Cost) -> bool:
    """Whether a cost speaks of {this} alone, so that "it" after it is {this}."""
    return isinstance(cost, f.CountersCost) and cost.of == THIS


def _cost_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Costs with commas between them."""
    for first in reader.read("costpart", place):
        yield Reading(first.end, (first.value,), first.words)
        for joint in ((",",), ("and",), (",", "and")):
            if reader.words[first.end : first.end + len(joint)] == joint:
                if reader.words[first.end : first.end + 3] == ("and", "sacrifice", "it") and _of_this(first.value):
                    yield Reading(first.end + 3, (first.value, _GIVEN_UP), (*first.words, ",", "sacrifice", "{this}"))
                if isinstance(first.value, f.SacrificeCost):
                    yield from _also_sacrificed(reader, first, first.end + len(joint))
                for rest in reader.read("cost", first.end + len(joint)):
                    yield Reading(rest.end, (first.value, *rest.value), (*first.words, ",", *rest.words))


def _also_sacrificed(reader: Reader, first: Reading, place: int) -> Iterable[Reading]:
    """ "Sacrifice a green creature, a white creature, and a blue creature": each of them is a cost."""
    for one in reader.read("payable", place):
        more = f.SacrificeCost(what=one.value)
        said = Reading(one.end, (first.value, more), (*first.words, ",", "sacrifice", *one.words))
        yield said
        for joint in ((",",), ("and",), (",", "and")):
            if reader.words[one.end : one.end + len(joint)] == joint:
                for rest in _also_sacrificed(
                    reader, Reading(one.end, more, ("sacrifice", *one.words)), one.end + len(joint)
                ):
                    yield Reading(rest.end, (first.value, *rest.value), (*first.words, ",", *rest.words))


def _cost_words(printer: Printer, value: Any) -> Words | None:
    words: list[str] = []
    for part in value:
        one = printer.write("costpart", part)
        if one is None:
            return None
        words.extend((",", *one) if words else one)
    return tuple(words) or None
