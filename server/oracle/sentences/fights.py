"""Fights of several: each token that was made for something fights another one of those."""

from __future__ import annotations

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

_THEIRS = "theirs"


def install(g: Grammar) -> None:
    """Adds the rules."""
    tree = (
        f.Bind(as_name=_THEIRS, what=S.k),
        f.CreateToken(token=S.t, count=n.Count(of=Noun(f"${_THEIRS}")), who=Noun("you")),
        f.Fight(left=S.w, right=Noun(f"${_THEIRS}"), paired=True),
    )
    g.rule(
        "do",
        "for <k:things> , create a <t:token> . each of <w:things> fights a different one of those creatures",
        tree,
        guard=lambda e: isinstance(e["k"].reading, n.Each) and e["w"].text.startswith("those "),
    )
