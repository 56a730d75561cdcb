"""Keyword actions of the newest sets that are other instructions in short, as their reminder texts say; they are printed as those."""

from __future__ import annotations

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

SOLDIER = f.Card(name="Human Soldier", types="Creature — Human Soldier", power="1", toughness="1", colors="W")


def install(g: Grammar) -> None:
    """Adds the rules."""
    thrown = f.Exists(of=Noun("a nonland card discarded this way"))
    made = f.If(condition=thrown, then=(f.CreateToken(token=SOLDIER, who=S.who),))
    g.wording("vp", "recruit~", (f.Draw(who=S.who), f.Discard(who=S.who), made))
