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
    _airbending(g)


def _airbending(g: Grammar) -> None:
    """Airbending (current 701.65a): for as long as a card remains exiled, its owner may cast it for {2}."""
    offer = f.CastingCost(name="airbend", cost=(f.ManaCost(mana="{2}"),), kind="alternative", zone="exile")
    lent = f.Effect(what=Noun("it"), mods=(f.GainAbilities(abilities=(offer,)),), duration="forever")
    g.rule("do", "airbend <what:things>", (f.Move(what=S.what, to="exile"), lent))
