"""Conditions about X, about what lies in a zone, and about what something is ("if X is 5 or more", "if it's renowned")."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S
from server.oracle.values.conditions import STATUS_CONDITIONS, in_status

YOU = Noun("you")
IT = Noun("it")
THAT_CREATURE = Noun("that creature")
#: How a number is bound, in two wordings.
BOUNDS: tuple[tuple[str, str, n.Compare], ...] = (("or more", "or greater", ">="), ("or less", "or fewer", "<="))
#: How one amount compares with another.
COMPARED: tuple[tuple[str, n.Compare], ...] = (
    ("greater than", ">"),
    ("less than", "<"),
    ("less than or equal to", "<="),
)
COMPARED_WITH_X: tuple[tuple[str, n.Compare], ...] = (*COMPARED, ("greater than or equal to", ">="))


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    for said, more, compare in BOUNDS:
        bound = f.Holds(left=n.X(), compare=compare, right=S.n)
        r("cond", f"X is <n:number> {said}", bound, f"X is <n:number> {more}")
    r("cond", "X is <n:number>", f.Holds(left=n.X(), compare="=", right=S.n))
    for said, compare in COMPARED_WITH_X:
        r("cond", f"X is {said} <a:amount>", f.Holds(left=n.X(), compare=compare, right=S.a), guard=_is_counted)
    for word in STATUS_CONDITIONS:
        if word not in ("tapped", "untapped", "attacking"):
            r("cond", f"it's {word}", f.Is(what=IT, of=in_status(word)), f"it is {word}", f"it was {word}")
        else:
            g.wording("cond", f"it was {word}", f.Is(what=IT, of=in_status(word)))
        r("cond", f"that creature is {word}", f.Is(what=THAT_CREATURE, of=in_status(word)), f"that creature was {word}")
    there = f.Exists(of=S.of)
    r("cond", "there is <of:noun>", there, "there 's <of:noun>", "there's <of:noun>", guard=_in_a_zone)
    r("cond", "there are no <of:noun>", replace(there, compare="=", number=0), guard=_cards)
    r("cond", "you control <a:controlled> or there is <of:noun>", f.OneOf(conditions=(S.a, there)), guard=_in_a_zone)
    r("cond", "it's your main phase", f.During(step="main", whose=YOU))
    start = n.StartingLife()
    for said, compare in COMPARED:
        told = f"your life total is {said}"
        whole = f.Holds(left=n.LifeOf(of=YOU), compare=compare, right=start)
        r("cond", f"{told} your starting life total", whole)
        half = replace(whole, right=n.Times(number=1, of=start, half="down"))
        if compare == "<=":  # so much or less as half of it, whatever is left over
            r("cond", f"{told} half your starting life total", half)
        r("cond", f"{told} <n:number>", replace(whole, right=S.n))
    emptied = f.Holds(left=n.CountersOn(counter=S.counter, of=IT), compare="=", right=0)
    r("cond", "it has|had no <counter> counters on it", emptied)
    none = f.Holds(left=n.CountersOn(counter="", of=IT), compare="=", right=0)
    r("cond", "it has|had no counters on it", none)
    theirs = Noun("that player")
    for place, cards in (
        ("their hand", n.CardsIn(zone="hand", of=theirs)),
        ("their library", n.CardsIn(zone="library", of=theirs)),
    ):
        g.wording("cond", f"that player has no cards in {place}", f.Holds(left=cards, compare="=", right=0))
    shelf = f.Holds(left=n.CardsIn(zone="library", of=YOU), compare=S.c, right=S.n)
    for said, compare in (("or more", ">="), ("or fewer", "<=")):
        r("cond", f"you have <n:count> {said} cards in your library", replace(shelf, compare=compare))


def _is_counted(e: dict[str, Any]) -> bool:
    """Whether it is no number that stands there, which has words of its own."""
    return not isinstance(e["a"], int | n.X)


def _cards(e: dict[str, Any]) -> bool:
    """Whether it is cards of a graveyard or things on the battlefield, said in the plural."""
    noun: Noun = e["of"]
    placed = " in " in noun.text and "graveyard" in noun.text or noun.text.endswith("on the battlefield")
    return isinstance(noun.reading, n.Each) and placed


def _in_a_zone(e: dict[str, Any]) -> bool:
    """Whether it is one card in a graveyard, or one thing on the battlefield."""
    noun: Noun = e["of"]
    reading = noun.reading
    one = isinstance(reading, n.Choose) and reading.count == 1 and noun.text.startswith(("a ", "an "))
    return one and ("graveyard" in noun.text or noun.text.endswith("on the battlefield"))
