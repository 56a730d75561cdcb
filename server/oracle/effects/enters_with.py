"""How permanents enter: tapped, with counters, with a choice, under whose control (614.1c, 614.12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Reader, Reading, S
from server.oracle.nouns import speaks_of_it


def install(g: Grammar) -> None:
    """Adds the rules."""
    _counters(g)
    _tapped_or_chosen(g)
    _kicked(g)
    _other_permanents(g)


def _enters(g: Grammar, template: str, condition: Any = None, *more: str, guard: Any = None, **fields: Any) -> None:
    """An ability about how {this} enters, in a template or several."""
    shape = (f.Replacement(event=ENTERS, rewrite=(f.EnterWith(**fields),), condition=condition),)
    g.rule("static", template, shape, *more, guard=guard)


def _counters(g: Grammar) -> None:
    """How many counters this enters with, tapped or not, under whose control (614.1c)."""

    counters: tuple[tuple[str, Any], ...] = (
        ("with <n:count> <k:counter> counter|counters on it|{this}", S.n),
        ("with a|an <k:counter> counter on it|{this} for each <e:each>", S.e),
        ("with a number of <k:counter> counters on it|{this} equal to <a:amount>", S.a),
    )
    where = "with X <k:counter> counters on it|{this} , where X is <a:amount>"
    _enters(g, "{this} enters tapped", tapped=True)
    under = f.Replacement(event=ENTERS, rewrite=(f.EnterUnder(control=n.Noun("an opponent")),))
    g.rule("static", "{this} enters under the control of an opponent", (under,))
    for text, count in counters:
        for tapped in (False, True):
            said = " tapped" if tapped else ""
            kind = {"counter": S.k, "count": count, "tapped": tapped}
            guard = counted if count in (S.e, S.a) else None
            more = (f"{{this}} enters{said} {where}",) if count == S.a else ()
            more += (f"{{this}} enters tapped and {text}",) if tapped else ()
            _enters(g, f"{{this}} enters{said} {text}", None, *more, guard=guard, **kind)
            _enters(
                g,
                f"if <c:scond> , {{this}} enters{said} {text}",
                S.c,
                f"{{this}} enters{said} {text} if <c:scond>",
                f"if <c:scond> , it enters{said} {text}",
                guard=guard,
                **kind,
            )


def _tapped_or_chosen(g: Grammar) -> None:
    """What enters tapped on a condition or unless something is paid, and what is chosen as it enters."""
    _enters(
        g,
        "{this} enters tapped unless <c:scond>",
        f.NotSo(condition=S.c),
        tapped=True,
        guard=lambda e: not isinstance(e["c"], f.NotSo),
    )
    _enters(
        g,
        "{this} enters tapped if <c:scond>",
        S.c,
        "if <c:scond> , {this} enters tapped",
        tapped=True,
        guard=lambda e: not isinstance(e["c"], f.NotSo),
    )
    tapped = f.EnterWith(tapped=True)
    elsewhen = f.Replacement(event=ENTERS, rewrite=(tapped,), condition=f.NotSo(condition=f.During(whose=Noun("you"))))
    g.wording("static", "{this} enters tapped if it's not your turn", (elsewhen,))
    low = f.Holds(left=n.X(), compare="<=", right=S.n)
    _enters(g, "if X is <n:number> or less , {this} enters tapped", low, "if X is <n:number> or less , it enters tapped",
            tapped=True)  # fmt: skip
    for what, text in (
        ("color", "a color"),
        ("creature type", "a creature type"),
        ("opponent", "an opponent"),
        ("player", "a player"),
        ("name", "a card name"),
        ("type", "a card type"),
        ("land type", "a land type"),
        ("basic land type", "a basic land type"),
        ("planeswalker type", "a planeswalker type"),
    ):
        more: tuple[str, ...] = ("as {this} enters , name a card",) if what == "name" else ()
        more += (f"as it enters , choose {text}",)  # of a paragraph that began with how it enters
        if what == "name":
            of_kind = "as {this} enters , choose a|an <k:cardname> card name"
            _enters(g, of_kind, None, "as {this} enters , name a|an <k:cardname> card", choose=what, kind=S.k)
        _enters(g, f"as {{this}} enters , choose {text}", None, *more, choose=what)
    colors = ("white", "blue", "black", "red", "green")
    for color in colors:
        others = tuple(other for other in colors if other != color)
        _enters(g, f"as {{this}} enters , choose a color other than {color}", choose="color", words=others)
    g.terminal("anchors", _anchors_at, lambda p, v: (v[0], "or", v[1]) if len(v) == 2 else None)
    _enters(g, "as {this} enters , choose <w:anchors>", None, choose="word", words=S.w)
    g.rule("static", "if {this} is your commander , choose a color before the game begins", (f.CommanderColor(),))
    tapped = ("{this} enters tapped", "it enters tapped", "put it onto the battlefield tapped")
    for price, shape in (
        ("pay <n:number> life", f.LifeCost(amount=S.n)),
        ("reveal <w:fromhand>", f.RevealCost(what=S.w)),
        ("discard <w:fromhand>", f.DiscardCost(what=S.w)),
    ):
        base = f"as {{this}} enters , you may {price} . if you don't ,"
        _enters(g, f"{base} {tapped[0]}", None, *(f"{base} {t}" for t in tapped[1:2]), tapped=True, unless=(shape,))
    typed = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(choose="basic land type"),))
    paid = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(tapped=True, unless=(f.LifeCost(amount=S.n),)),))
    head = "as {this} enters , choose a basic land type . then you may pay <n:number> life . if you don't ,"
    g.rule("static", f"{head} it enters tapped", (typed, paid), f"{head} {{this}} enters tapped")


def _kicked(g: Grammar) -> None:
    """ "If {this} was kicked, it enters with two +1/+1 counters on it and with flying": a keyword, too."""
    enters = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(counter=S.c, count=S.m),), condition=f.Paid())
    has = f.Continuous(what=Noun("{this}"), mods=(f.GainAbilities(keywords=S.k),), condition=f.Paid())
    told = replace(has, mods=(f.GainAbilities(abilities=S.q),))
    tail = "it enters with <m:count> <c:counter> counter|counters on it and with"
    by_which = {"condition": S.p}
    for head, fields in (("{this} was kicked", {}), ("{this} was kicked with its <p:whichkicker>", by_which)):
        first = replace(enters, **fields)
        g.rule("static", f"if {head} , {tail} <k:keywords>", (first, replace(has, **fields)))
        g.rule("static", f"if {head} , {tail} <q:quoted>", (first, replace(told, **fields)))


def _other_permanents(g: Grammar) -> None:
    """How other permanents enter."""
    r = g.rule
    r(
        "static",
        "<q:plurals> enter tapped",
        (
            f.Replacement(
                event=f.Pattern(event="zone change", subject=S.q, to="battlefield"), rewrite=(f.EnterWith(tapped=True),)
            ),
        ),
    )
    r(
        "static",
        "<q:plurals> enter with an additional <k:counter> counter on them",
        (
            f.Replacement(
                event=f.Pattern(event="zone change", subject=S.q, to="battlefield"), rewrite=(f.EnterWith(counter=S.k),)
            ),
        ),
    )


def _anchors_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Khans or Dragons": two words that stand for nothing but the abilities below (current 614.12b)."""
    one, joint, other = (reader.at(place + i) for i in range(3))
    words = (one, other)
    if joint == "or" and all(word[:1].isupper() and word not in v.SUBTYPES for word in words):
        yield Reading(place + 3, words, (one, "or", other))


def counted(e: dict[str, Any]) -> bool:
    """Whether an amount is computed, and not of what was said before."""
    value = e.get("e", e.get("a"))
    return not isinstance(value, int | n.X) and not speaks_of_it(value)
