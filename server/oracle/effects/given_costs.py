"""Additional costs that a permanent gives to spells, and what is so if they are paid."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

THIS = Noun("{this}")
ANY_AMOUNT = "any amount of mana"


def install(g: Grammar) -> None:
    """Adds the rules. Any amount of mana is {1} as often as is liked (107.4b: of any type)."""
    entered = f.Pattern(event="zone change", subject=THIS, to="battlefield")
    more = f.EnterWith(counter=S.c, count=n.TimesPaid(cost=ANY_AMOUNT))
    gives: tuple[Any, ...] = (
        f.CastingCost(name=ANY_AMOUNT, cost=(f.ManaCost(mana="{1}"),), optional=True, repeat=True),
        f.Replacement(event=entered, rewrite=(more,)),
    )
    spells = "as an additional cost to cast <k:spells> , you may pay"
    counters = "with that many additional <c:counter> counters on it"
    g.rule(
        "static",
        f"{spells} any amount of mana . if you do , that creature enters {counters}",
        (f.PlayerRule(rule="spells have", what=S.k, gives=gives),),
        guard=lambda e: "creature" in e["k"].text,
    )
    for letter, mask in v.COLOR_LETTERS.items():
        color = next(word for word, bit in v.COLORS.items() if bit == mask)
        mana = "{" + letter + "}"
        name = f"life for {color} mana"  # of several such costs each is paid by itself
        life = f.CastingCost(name=name, cost=(f.LifeCost(amount=S.n),), optional=True)
        cheaper = f.CostChange(what=THIS, reduce=mana, only_colored=True, condition=f.Paid(cost=name))
        g.rule(
            "static",
            f"{spells} <n:number> life . those spells cost {mana} less to cast if you paid life this way . "
            f"this effect reduces only the amount of {color} mana you pay",
            (f.PlayerRule(rule="spells have", what=S.k, gives=(life, cheaper)),),
        )
