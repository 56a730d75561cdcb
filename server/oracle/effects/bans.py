"""What {this} can't or must do on a condition, or at a price, that is said last: "can't attack if ...", "unless you pay ... for each"."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, S, walk

THIS = Noun("{this}")


def install(g: Grammar) -> None:
    """Adds the rules."""
    for ban in ("can't attack", "can't block", "can't attack or block"):
        barred = f.Continuous(what=THIS, mods=(f.Flag(rule=ban),), condition=S.c)
        g.wording("static", f"{{this}} {ban} if <c:scond>", (barred,), guard=_of_no_defender)
        toll = f.Flag(rule=ban, cost=(f.ManaCost(mana=S.m, per=S.e),))
        owed = f.Continuous(what=THIS, mods=(toll,))
        g.wording("static", f"{{this}} {ban} unless you pay <m:mana> for each <e:each>", (owed,))
    driven = f.Continuous(what=THIS, mods=(f.Flag(rule="attacks if able"),), condition=f.NotSo(condition=S.c))
    g.wording("static", "{this} attacks each combat if able unless <c:scond>", (driven,), guard=_of_no_defender)
    _taxes(g)
    stays = f.Continuous(what=THIS, mods=(f.Flag(rule="doesn't untap"),))
    tapped = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(tapped=True),))
    g.rule("static", "{this} enters tapped and doesn't untap during your untap step", (tapped, stays))


def _taxes(g: Grammar) -> None:
    """What attacking or blocking costs for a turn whoever's creatures (508.1g, 509.1d), so much or X."""
    for ban in ("can't attack", "can't block"):
        doing = f"{ban.split()[-1]}ing"
        for price, cost, guard in (
            ("{X}", f.ManaCost(mana="{1}", per=n.X()), None),
            ("<m:mana>", f.ManaCost(mana=S.m), lambda e: "X" not in e["m"]),
        ):
            owed = f.Effect(what=Noun("creatures"), mods=(f.Flag(rule=ban, cost=(cost,)),), following=True)
            unless = f"unless their controller pays {price} for each {doing} creature they control"
            early, late = f"this turn , creatures {ban} {unless}", f"creatures {ban} this turn {unless}"
            g.rule("do", early, owed, late, guard=guard)


def _of_no_defender(e: dict[str, Any]) -> bool:
    return not any(isinstance(part, Noun) and "defending player" in part.text for part in walk(e["c"]))
