"""Rules for what an attack or a block asks of static abilities: damage assigned as though unblocked, who defends."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S, walk

THIS = Noun("{this}")


def install(g: Grammar) -> None:
    """Adds the rules."""
    freely = f.Continuous(what=S.w, mods=(f.Flag(rule="assigns as though unblocked"),), condition=S.c)
    each = "for <w:everyone> , you may have that creature assign its combat damage as though it weren't blocked"
    g.rule("static", f"as long as <c:scond> , {each}", (freely,))
    # What can't be blocked is known of an attack: who defends is asked as blocks are declared (508.5).
    evasive = f.Continuous(what=THIS, mods=(f.Flag(rule="can't be blocked"),), condition=S.c)
    old = "{this} is unblockable as long as <c:scond>"
    said = "{this} can't be blocked as long as <c:scond>"
    g.rule("static", said, (evasive,), old, guard=lambda e: _of_defender(e["c"]))
    every = f.Flag(rule="blocked by at least", number=n.Count(of=Noun("creatures defending player controls")))
    said = "{this} can't be blocked unless all creatures defending player controls block it"
    g.rule("static", said, (f.Continuous(what=THIS, mods=(every,)),))


def _of_defender(condition: Any) -> bool:
    return any(isinstance(part, Noun) and "defending player" in part.text for part in walk(condition))
