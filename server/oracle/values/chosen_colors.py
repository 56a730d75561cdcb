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
    shielded = _protection(Noun("the chosen color"))

    def lasting(*mods: Any) -> f.Effect:
        return f.Effect(what=WHAT, mods=mods, duration="end of turn")

    def chosen(words: str, choice: f.ChooseWord, effect: f.Effect) -> None:
        """A predicate of objects with a choice in it."""
        r("op", f"{words} of your choice until end of turn", (choice, effect), f"{words} until end of turn")

    chosen("gain~ protection from the color", COLOR, lasting(shielded))
    for word, quality in (("artifacts", "artifact"), ("colorless", "colorless")):
        mods = {word.capitalize(): _protection(Noun(quality)), "A color": shielded}
        guarded = {
            said: f.Effect(what=Noun("$guarded"), mods=(mod,), duration="end of turn") for said, mod in mods.items()
        }
        modes = tuple(f.Mode(do=(COLOR, do) if said == "A color" else (do,), text=said) for said, do in guarded.items())
        either = f"gain~ protection from {word} or from the color"
        tree = (f.Bind(as_name="guarded", what=WHAT), f.Either(options=modes))
        r("op", f"{either} of your choice until end of turn", tree, f"{either} until end of turn")
    chosen("<m:mods> and gain~ protection from the color", COLOR, lasting(S["m"], shielded))
    colored = f.SetColors(colors="chosen")
    chosen("become~ the color", COLOR, lasting(colored))
    chosen("<m:mods> and become~ the color", COLOR, lasting(S["m"], colored))
    for_good = (COLOR, f.Effect(what=WHAT, mods=(colored,), duration="forever"))
    r("op", "become~ the color of your choice", for_good, "become~ the color")
    several = f.ChooseWord(what="colors")
    chosen("become~ the color or colors", several, lasting(colored))
    kept = (several, f.Effect(what=WHAT, mods=(colored,), duration="forever"))
    r("op", "become~ the color or colors of your choice", kept, "become~ the color or colors")
    for kind in ("creature type", "basic land type"):
        typed = f.SetTypes(subtypes=("chosen",), replace=True)
        chosen(f"become~ the {kind}", f.ChooseWord(what=kind), lasting(typed))
    r("smod", "are~ the chosen color", (f.SetColors(colors="chosen"),))


def _protection(quality: Any) -> f.GainAbilities:
    return f.GainAbilities(abilities=(f.KeywordAbility(keyword="protection", quality=quality),))
