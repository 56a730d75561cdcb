"""Amounts made of amounts, and amounts of what happened this turn or was spent ("1 plus the number of ...", "the life you gained")."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

YOU = Noun("you")
OPPONENTS = Noun("your opponents")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _sums(g)
    _of_the_turn(g)
    _spent(g)
    _of_things(g)


def _sums(g: Grammar) -> None:
    r = g.rule
    several = n.Plus(parts=(S.a, S.b))
    g.wording("amount", "one plus <b:amount>", n.Plus(parts=(1, S.b)))
    g.wording("amount", "two plus <b:amount>", n.Plus(parts=(2, S.b)))
    g.wording("amount", "X plus <b:count>", n.Plus(parts=(S.b, n.X())), "X plus <b:number>")
    # A sum begins with what is counted, or by what something has; "plus" joins it to any amount.
    counted = n.Plus(parts=(n.Count(of=S.of), S.b))
    r("amount", "the number of <of:noun> plus <b:amount>", counted, guard=_plural)
    r("amount", "the number of <of:invariable> plus <b:amount>", counted)
    its = n.Plus(parts=(n.StatOf(stat=S.stat, of=Noun("it")), S.b))
    r("amount", "its <stat> plus <b:amount>", its)
    r("amount", "<of:one> 's <stat> plus <b:amount>", n.Plus(parts=(n.StatOf(stat=S.stat, of=S.of), S.b)))
    marked = n.CountersOn(counter=S.counter, of=S.of)
    r("amount", "the number of <counter> counters on <of:one> plus <b:amount>", replace(several, parts=(marked, S.b)))


def _of_the_turn(g: Grammar) -> None:
    """Life that was gained or lost this turn."""
    r = g.rule
    for verb in ("gained", "lost"):
        mine = n.TurnCount(what=f"life {verb}", of=YOU)
        said = f"life you {verb} this turn"
        since = f"life you've {verb} this turn"
        r("amount", f"the amount of {said}", mine, f"the {said}", f"the amount of {since}", f"the {since}")
        r("each", f"1 {said}", mine, f"1 {since}")
        one = n.TurnCount(what=f"life {verb}", of=S.of)
        others = (f"the life <of:person> {verb} this turn", f"the amount of life he or she {verb} this turn")
        r("amount", f"the amount of life <of:person> {verb} this turn", one, *others, guard=lambda e: e["of"] != YOU)
    cast = n.TurnCount(what="spells", of=YOU)
    r("each", "spell you've cast this turn", cast, "spell you cast this turn")
    r("amount", "the number of spells you've cast this turn", cast, "the number of spells you cast this turn")
    theirs = n.TurnCount(what="life lost", of=OPPONENTS)
    lost = [f"1 life your opponents {have}lost this turn" for have in ("have ", "")]
    r("each", lost[0], theirs, lost[1])
    r(
        "amount",
        "the total amount of life your opponents lost this turn",
        theirs,
        "the total amount of life your opponents have lost this turn",
        "the total life lost by your opponents this turn",
        "the total life your opponents lost this turn",
    )


def _spent(g: Grammar) -> None:
    """How much mana was spent to cast a spell."""
    r = g.rule
    own = ("the amount of mana spent to cast {this}", "the amount of mana spent to cast this spell")
    r(
        "amount",
        "the amount of mana spent to cast it",
        n.ManaSpent(),
        *own,
        "the amount of mana spent to cast that spell",
    )
    much = f.Holds(left=n.ManaSpent(), compare=">=", right=S.n)
    tails = ("mana was spent to cast it", "mana was spent to cast that spell", "mana was spent to cast {this}")
    said = [f"{head} {tail}" for head in ("<n:count> or more", "at least <n:count>") for tail in tails]
    r("cond", said[0], much, *said[1:], guard=lambda e: e["n"] != 1)


def _of_things(g: Grammar) -> None:
    r = g.rule
    r("amount", "the number of counters on <of:one>", n.CountersOn(counter="", of=S.of))
    r("amount", "the number of differently named <of:noun>", n.Distinct(what="names", of=S.of),
      guard=lambda e: isinstance(e["of"].reading, n.Each))  # fmt: skip
    r("amount", "your starting life total", n.StartingLife(), "their starting life total")
    r("amount", "the lowest life total among all players", n.LowestLife())
    r("amount", "<of:person> 's life total", n.LifeOf(of=S.of), guard=lambda e: e["of"] != YOU)
    total = n.Count(of=S.of)
    g.wording("amount", "the total number of <of:noun>", total, guard=lambda e: isinstance(e["of"].reading, n.Each))
    g.wording("amount", "the number of times you've cast a commander from the command zone", n.CommanderCasts())


def _plural(e: dict[str, Any]) -> bool:
    return isinstance(e["of"].reading, n.Each)
