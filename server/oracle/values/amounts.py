"""Amounts that are counted, computed or spoken of ("the number of ...", "that much")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import INVARIABLE, is_plural, noun, noun_words

#: What something may be said to be without a noun ("as long as {this} is tapped").
YOU = Noun("you")
IT = Noun("it")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _amounts(g)
    _of_commanders(g)
    _counters_of_players(g)
    _done(g)


def _counters_of_players(g: Grammar) -> None:
    """Counters of players (poison, experience), and three times so much."""
    r = g.rule
    got = n.CountersOn(counter=S.counter, of=S.of)
    for category, head in (("each", "<counter> counter"), ("amount", "the number of <counter> counters")):
        r(category, f"{head} you have", replace(got, of=YOU))
        others = (f"{head} <of:person> have", f"{head} he or she has")
        r(category, f"{head} <of:person> has", got, *others, guard=lambda e: _is_told(e["of"]))


def _done(g: Grammar) -> None:
    """How often something was paid, and how much was prevented."""
    r = g.rule
    r("each", "time it was kicked", n.TimesPaid(), "time {this} was kicked")
    r("amount", "the number of times {this} was kicked", n.TimesPaid(), "the number of times it was kicked")
    r("each", "different power among <of:noun>", n.Distinct(what="powers", of=S.of))
    most = n.ThatMuch(name="most discarded")
    r("amount", "the greatest number of cards a player discarded this way", most)
    r("amount", "<a:number> minus X", n.Minus(left=S.a, right=n.X()), guard=lambda e: isinstance(e["a"], int))
    g.wording("amount", "the <stat> of the card you exiled", n.StatOf(stat=S.stat, of=Noun("that card")))
    less = n.Minus(left=S.a, right=n.X())
    g.wording("amount", "<a:count> minus X", less, guard=lambda e: isinstance(e["a"], int))
    both = n.Plus(parts=(n.Count(of=S.of), n.Count(of=S.p)))
    r("each", "<of:bare> and each <p:bare>", both, guard=lambda e: all(_single_kind(e[slot]) for slot in ("of", "p")))
    g.terminal("each", _prevented_at, lambda p, v: None)


def _is_told(who: Noun) -> bool:
    """Whether it is one player, and not the controller of each of several things."""
    return who != YOU and not who.text.startswith(("its ", "their "))


_PREVENTED: Words = ("1", "damage", "prevented", "this", "way")


def _prevented_at(reader: Reader, place: int) -> Iterable[Reading]:
    """As much as was prevented just now; what is done at a later time would have to know it still."""
    now = "beginning" not in reader.words[:place]
    if now and reader.words[place : place + len(_PREVENTED)] == _PREVENTED:
        yield Reading(place + len(_PREVENTED), n.ThatMuch(), ("that", "much"))


def _amounts(g: Grammar) -> None:
    for word, stat in (
        ("power", "power"),
        ("toughness", "toughness"),
        ("mana value", "mana value"),
        ("loyalty", "loyalty"),
    ):
        g.rule("stat", word, stat)
    r = g.rule
    r("amount", "<number>", S.number)
    g.terminal("amount", _that_much_at, lambda p, v: None)
    r("amount", "the number of opponents you have", n.Count(of=Noun("your opponents")))
    g.terminal("invariable", _invariable_at, _invariable_words)
    r("amount", "the number of <of:invariable>", n.Count(of=S.of))
    r(
        "amount",
        "the number of <of:noun>",
        n.Count(of=S.of),
        guard=lambda e: not isinstance(e["of"].reading, n.Choose) and not _single_kind(e["of"]),
    )
    r("amount", "its <stat>", n.StatOf(stat=S.stat, of=IT))
    r("amount", "<of:one> 's <stat>", n.StatOf(stat=S.stat, of=S.of), "the <stat> of <of:one>")
    r("amount", "your life total", n.LifeOf(of=YOU))
    r("amount", "the <g:most> <stat> among <of:noun>", n.Most(stat=S.stat, of=S.of, greatest=S.g))
    r("amount", "the total <stat> of <of:noun>", n.StatOf(stat=S.stat, of=S.of))
    r("amount", "the number of <counter> counters on <of:one>", n.CountersOn(counter=S.counter, of=S.of))
    r("amount", "twice <of:amount>", n.Times(number=2, of=S.of))
    r("amount", "three times <of:amount>", n.Times(number=3, of=S.of))
    for way in ("up", "down"):
        half = n.Times(number=1, of=S.of, half=way)
        r("amount", f"half <of:amount> , rounded {way}", half, f"half <of:amount> rounded {way}")
    r("amount", "<a:number> plus <b:amount>", n.Plus(parts=(S.a, S.b)))
    for what in ("colors", "names"):
        r("amount", f"the number of {what} among <of:noun>", n.Distinct(what=what, of=S.of))
    r("amount", "the number of basic land types among <of:noun>", n.Distinct(what="basic land types", of=S.of))
    r("amount", "the number of card types among <of:noun>", n.Distinct(what="types", of=S.of))
    party = n.Distinct(what="party", of=Noun("creatures you control"))
    r("amount", "the number of creatures in your party", party)
    r("each", "creature in your party", party)
    r("cond", "you have a full party", f.Holds(left=party, compare=">=", right=4))
    powers = n.Distinct(what="powers", of=S.of)
    r("amount", "the number of different powers among <of:noun>", powers)
    own = replace(powers, of=Noun("creatures you control"))
    several = f.Holds(left=own, compare=">=", right=S.n)
    r("cond", "you control <n:count> or more creatures with different powers", several, guard=lambda e: e["n"] != 1)
    r("most", "greatest|highest", True)
    r("most", "least|lowest", False)
    # What stands after "for each".
    r("each", "<of:bare>", n.Count(of=S.of), guard=lambda e: _single_kind(e["of"]))
    r("each", "<counter> counter on <of:one>", n.CountersOn(counter=S.counter, of=S.of))
    r("each", "color among <of:noun>", n.Distinct(what="colors", of=S.of))
    r("each", "basic land type among <of:noun>", n.Distinct(what="basic land types", of=S.of))
    r("each", "<counter> counter removed this way", n.X())
    r("amount", "the number of <counter> counters removed this way", n.X())
    r("each", "of your opponents", n.Count(of=Noun("your opponents")), "opponent you have")
    r(
        "each",
        "basic land type among lands you control",
        n.Distinct(what="basic land types", of=Noun("lands you control")),
    )


#: What was done so much of just before, as it is said instead of "that much".
_THAT_MUCH = tuple(
    tuple(f"the {said} this way".split())
    for what in ("damage prevented", "damage dealt", "life lost", "life gained")
    for said in (what, f"amount of {what}")
) + tuple(tuple(f"the amount of {{E}} {done} this way".split()) for done in ("paid", "spent"))


def _of_commanders(g: Grammar) -> None:
    """The greater of two partners' numbers, wherever they are."""
    for own in ("you own", "they own"):
        leaders = n.Most(
            stat=S.stat, of=Noun(f"commanders {own} on the battlefield or in the command zone"), greatest=S.g
        )
        said = f"a commander {own} on the battlefield or in the command zone"
        g.wording("amount", f"the <g:most> <stat> of {said}", leaders)


def _that_much_at(reader: Reader, place: int) -> Iterable[Reading]:
    """How much was prevented, dealt, lost or gained this way, which is that much."""
    for words in _THAT_MUCH:
        if reader.words[place : place + len(words)] == words:
            yield Reading(place + len(words), n.ThatMuch(), ("that", "much"))


def _invariable_words(printer: Printer, value: Any) -> Words | None:
    words = noun_words(value)
    plural = words is not None and words[0] == "all" and any(word in INVARIABLE for word in words[1:4])
    return words[1:] if words is not None and plural else None


def _invariable_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Kinds whose plural is their singular ("Equipment you control"), as all of them."""
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Things) and any(word in INVARIABLE for word in one.words[:3]):
            made = noun(f"all {one.value.text}")
            if made is not None and isinstance(made.reading, n.Each):
                yield Reading(one.end, made, one.words)


def _single_kind(noun: Noun) -> bool:
    """Whether a phrase is a kind in the singular ("creature you control")."""
    return isinstance(noun.reading, n.Things | n.Players) and not is_plural(noun)
