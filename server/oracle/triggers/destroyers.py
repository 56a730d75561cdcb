"""What is done to whoever destroys something: "whenever a spell or ability an opponent controls destroys a permanent"."""

from __future__ import annotations

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

_BY = Noun("a source an opponent controls")


def install(g: Grammar) -> None:
    """Adds the rules. "That opponent" is whose spell or ability it was, not who controlled what is gone."""
    destroyed = f.Pattern(event="zone change", subject=S.k, from_="battlefield", cause="destroy", by=_BY)
    theirs = f.Destroy(what=Noun("target permanent that source's controller controls"))
    head = "whenever a spell or ability an opponent controls destroys <k:subject>"
    for said, tree in (
        ("you may destroy target permanent that opponent controls .", f.May(then=(theirs,))),
        ("destroy target permanent that opponent controls .", theirs),
    ):
        g.rule("triggered", f"{head} , {said}", f.TriggeredAbility(when=(destroyed,), do=(tree,)))
