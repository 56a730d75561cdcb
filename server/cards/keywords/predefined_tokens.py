"""Tokens that have a name for all they are (current 111.10): "create a Treasure token"."""

from __future__ import annotations

from server.cards import forms as f
from server.cards.nouns import Noun

THIS = Noun("{this}")
SACRIFICE = f.SacrificeCost(what=THIS)


def _ability(cost: f.Costs, do: f.Tree, text: str, timing: str = "") -> f.ActivatedAbility:
    made = f.ActivatedAbility(cost=cost, do=do, text=text)
    return f.ActivatedAbility(cost=cost, do=do, text=text, timing="sorcery") if timing else made


def _mana(symbols: str) -> f.ManaCost:
    return f.ManaCost(mana=symbols)


_ABILITIES: dict[str, f.ActivatedAbility] = {
    "Treasure": _ability(
        (f.TapCost(), SACRIFICE), (f.AddMana(choice="any"),), "{T}, Sacrifice this artifact: Add one mana of any color."
    ),
    "Food": _ability(
        (_mana("{2}"), f.TapCost(), SACRIFICE),
        (f.GainLife(amount=3),),
        "{2}, {T}, Sacrifice this artifact: You gain 3 life.",
    ),
    "Clue": _ability((_mana("{2}"), SACRIFICE), (f.Draw(),), "{2}, Sacrifice this artifact: Draw a card."),
    "Gold": _ability((SACRIFICE,), (f.AddMana(choice="any"),), "Sacrifice this artifact: Add one mana of any color."),
    "Blood": _ability(
        (_mana("{1}"), f.TapCost(), f.DiscardCost(what=Noun("a card")), SACRIFICE),
        (f.Draw(),),
        "{1}, {T}, Discard a card, Sacrifice this artifact: Draw a card.",
    ),
    "Map": _ability(
        (_mana("{1}"), f.TapCost(), SACRIFICE),
        (f.KeywordAction(action="explore", what=Noun("target creature you control")),),
        "{1}, {T}, Sacrifice this artifact: Target creature you control explores. Activate only as a sorcery.",
        "sorcery",
    ),
    "Junk": _ability(
        (f.TapCost(), SACRIFICE),
        (
            f.Move(what=Noun("the top card of your library"), to="exile"),
            f.RuleEffect(rule=f.PlayerRule(rule="play from zone", among=Noun("it"))),
        ),
        "{T}, Sacrifice this artifact: Exile the top card of your library. You may play it this turn. Activate only as a sorcery.",
        "sorcery",
    ),
    "Mutagen": _ability(
        (_mana("{1}"), f.TapCost(), SACRIFICE),
        (f.PutCounters(counter="+1/+1", what=Noun("target creature")),),
        "{1}, {T}, Sacrifice this artifact: Put a +1/+1 counter on target creature. Activate only as a sorcery.",
        "sorcery",
    ),
    "Powerstone": _ability(
        (f.TapCost(),),
        (
            f.AddMana(
                mana="{C}",
                only=f.Spending(spells=Noun("an artifact spell"), abilities=Noun("source"), others=True),
            ),
        ),
        "{T}: Add {C}. This mana can't be spent to cast a nonartifact spell.",
    ),
    "Lander": _ability(
        (_mana("{2}"), f.TapCost(), SACRIFICE),
        (f.Search(what=Noun("basic land card"), to="battlefield", tapped=True),),
        "{2}, {T}, Sacrifice this artifact: Search your library for a basic land card, put it onto the battlefield tapped, "
        "then shuffle.",
    ),
}
PREDEFINED: dict[str, f.Card] = {
    name: f.Card(name=name, types=f"Artifact — {name}", colors="", abilities=(ability,), text=ability.text)
    for name, ability in _ABILITIES.items()
}
#: Current 111.10i: it transforms into a creature of the size of its counters.
INCUBATOR = f.Card(
    name="Incubator",
    types="Artifact — Incubator",
    colors="",
    abilities=(
        f.ActivatedAbility(
            cost=(_mana("{2}"),), do=(f.TurnOver(what=THIS, how="transform"),), text="{2}: Transform this token."
        ),
    ),
    text="{2}: Transform this token.",
    layout="transform",
    faces=(f.Card(name="Phyrexian Token", types="Artifact Creature — Phyrexian", colors="", power="0", toughness="0"),),
)
PREDEFINED["Incubator"] = INCUBATOR
