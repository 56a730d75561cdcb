"""What lists of older texts say in a sentence of other shape than today's, and what both say of so many for each of something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S
from server.oracle.nouns import noun

_KINDS = ("creature", "land", "permanent", "artifact", "enchantment")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.wording("smod", "are~ <s:fixedsize>", (S.s,))
    g.wording("smod", "lose~ all abilities and are~ <s:fixedsize>", (f.LoseAbilities(), S.s))
    bare = (f.SetTypes(subtypes=S.t, replace=True), S.s, f.LoseAbilities())
    g.wording("smod", "are~ a|an <s:fixedsize> <t:subtypes> with no abilities", bare)
    doubled = f.DoubleCounters(what=S.w)
    g.wording("do", "for each counter on <w:things> , put another of those counters on that permanent", doubled)
    fight = f.Fight(left=S.a, right=S.b)
    g.wording("do", "choose <a:aimed> and <b:aimed> . those creatures fight each other", fight)
    theirs = f.AddMana(mana=S.m, who=Noun("that player"))
    g.wording("do", "add <m:made> to that player 's mana pool", theirs)
    _for_each(g)


def _for_each(g: Grammar) -> None:
    """ "Sacrifices a creature for each ...": so many at once."""
    g.terminal("somanyofthem", _so_many_at, lambda p, v: None)
    many = (f.Bind(as_name="X", amount=S.e), f.Sacrifice(what=S.k, who=S.w))
    g.wording("do", "<w:who> sacrifice~ <k:somanyofthem> for each <e:each>", many, guard=_one_player)


def _so_many_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature" as "X creatures"."""
    if reader.at(place) not in ("a", "an"):
        return
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Choose) and reader.words[one.end : one.end + 2] == ("for", "each"):
            made = noun(f"X {' '.join(one.words[1:])}s") if one.words[-1] in _KINDS else None
            if made is not None:
                yield Reading(one.end, made, one.words)


def _one_player(e: dict[str, Any]) -> bool:
    """Whether it is one player who sacrifices, so that how many is counted for that player."""
    return not isinstance(e["w"].reading, n.Each) and not isinstance(e["e"], n.Count)
