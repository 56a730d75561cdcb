"""Rules for colours and types that are chosen as an instruction is followed ("protection from the color of your choice"): first the
choice, then the effect. The words "of your choice" are left out as a text is read.
"""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

WHAT = S.what
COLOR = f.ChooseWord(what="color")


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    shielded = f.GainAbilities(abilities=(f.KeywordAbility(keyword="protection", quality=Noun("the chosen color")),))

    def lasting(*mods: Any) -> f.Effect:
        return f.Effect(what=WHAT, mods=mods, duration="end of turn")

    def chosen(words: str, choice: f.ChooseWord, effect: f.Effect) -> None:
        """A predicate of objects with a choice in it."""
        r("op", f"{words} of your choice until end of turn", (choice, effect), f"{words} until end of turn")

    chosen("gain~ protection from the color", COLOR, lasting(shielded))
    chosen("<m:mods> and gain~ protection from the color", COLOR, lasting(S["m"], shielded))
    chosen("become~ the color", COLOR, lasting(f.SetColors(colors="chosen")))
    for kind in ("creature type", "basic land type"):
        typed = f.SetTypes(subtypes=("chosen",), replace=True)
        chosen(f"become~ the {kind}", f.ChooseWord(what=kind), lasting(typed))
    r("smod", "are~ the chosen color", (f.SetColors(colors="chosen"),))
