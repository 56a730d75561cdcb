"""Conditions that ask whether something is the greatest or the least of all, ties said (609.5)."""

from __future__ import annotations

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun, Stat
from server.oracle.engine import Grammar

YOU = Noun("you")
IT = Noun("it")
CREATURES = Noun("creatures")
MINE = Noun("creatures you control")
OTHERS = Noun("each other player")
_STATS: tuple[Stat, ...] = ("power", "toughness", "mana value")
_MOST = (("greatest", "highest", True), ("least", "lowest", False))


def install(g: Grammar) -> None:
    """Adds the rules."""
    for stat in _STATS:
        for word, other, greatest in _MOST:
            _of_creatures(g, stat, word, other, greatest)
    theirs, mine = n.LifeOf(of=Noun("that player")), n.LifeOf(of=YOU)
    more = f.SomePlayer(who=OTHERS, condition=f.Holds(left=theirs, compare=">", right=mine))
    g.rule("cond", "you have the most life or are tied for most life", f.NotSo(condition=more))
    less = f.SomePlayer(who=Noun("your opponents"), condition=f.Holds(left=theirs, compare="<", right=mine), every=True)
    g.rule("cond", "you have more life than each opponent", less, "you have more life than each of your opponents")
    lesser = f.Holds(left=theirs, compare="<", right=mine)
    g.rule(
        "cond",
        "you have more life than each other player",
        f.SomePlayer(who=OTHERS, condition=lesser, every=True),
        "you have the most life",
    )


def _of_creatures(g: Grammar, stat: Stat, word: str, other: str, greatest: bool) -> None:
    compare = ">=" if greatest else "<="
    every = n.Most(stat=stat, of=CREATURES, greatest=greatest)
    best = n.Most(stat=stat, of=MINE, greatest=greatest)
    control = f.AllOf(
        conditions=(f.Exists(of=Noun("a creature you control")), f.Holds(left=best, compare=compare, right=every))
    )
    texts = [
        f"you control the creature with the {most} {stat} {after}"
        for most in (word, other)
        for after in (
            f"or tied for the {most} {stat}",
            f"or tied for {most} {stat}",
            f"among creatures on the battlefield or tied for the {most} {stat}",
        )
    ]
    texts += [
        f"you control a creature with the {most} {stat} among creatures on the battlefield" for most in (word, other)
    ]
    g.rule("cond", texts[0], control, *texts[1:])
    its = f.Holds(left=n.StatOf(stat=stat, of=IT), compare=compare, right=every)
    said = [
        f"it has the {most} {stat} or is tied for {the}{most} {stat} among creatures on the battlefield"
        for most in (word, other)
        for the in ("", "the ")
    ]
    g.rule("cond", said[0], its, *said[1:])
