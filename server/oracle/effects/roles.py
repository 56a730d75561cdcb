"""Role tokens (current 111.10 and current 303.7): Auras that are created attached to a creature and have a name for all they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

BEARER = Noun("enchanted creature")
THIS = Noun(f.THIS)
ATTACKS = f.Pattern(event="attacks", subject=THIS)


def _has(*mods: f.AnyModification) -> f.Continuous:
    return f.Continuous(what=BEARER, mods=mods)


def _gains(ability: f.Ability) -> f.GainAbilities:
    return f.GainAbilities(abilities=(ability,))


_STRONGER = f.AddPT(power=1, toughness=1)
_ENCHANTMENTS = n.Count(of=Noun("enchantments you control"))
_SMALL = f.Holds(left=n.StatOf(stat="toughness", of=THIS), compare="<=", right=3)
_GROW = f.PutCounters(counter="+1/+1", what=THIS)
_FALLS = f.TriggeredAbility(
    when=(f.Pattern(event="zone change", subject=THIS, from_="battlefield", to="graveyard"),),
    do=(f.LoseLife(amount=1, who=Noun("each opponent")),),
    text="When this Aura is put into a graveyard from the battlefield, each opponent loses 1 life.",
)
_ABILITIES: dict[str, tuple[f.Ability, ...]] = {
    "Cursed": (_has(f.SetPT(power=1, toughness=1)),),
    "Monster": (_has(_STRONGER, f.GainAbilities(keywords=("trample",))),),
    "Royal": (_has(_STRONGER, _gains(f.KeywordAbility(keyword="ward", cost=(f.ManaCost(mana="{1}"),)))),),
    "Sorcerer": (_has(_STRONGER, _gains(f.TriggeredAbility(when=(ATTACKS,), do=(f.Scry(count=1),)))),),
    "Virtuous": (_has(f.AddPT(power=_ENCHANTMENTS, toughness=_ENCHANTMENTS)),),
    "Wicked": (_has(_STRONGER), _FALLS),
    "Young Hero": (_has(_gains(f.TriggeredAbility(when=(ATTACKS,), condition=_SMALL, do=(_GROW,)))),),
}
_ENCHANT = f.KeywordAbility(keyword="enchant", quality=Noun("creature"), text="Enchant creature")
ROLES: dict[Words, f.Card] = {
    tuple(name.split()): f.Card(
        name=name,
        types="Token Enchantment — Aura Role",
        colors="",
        abilities=(_ENCHANT, *abilities),
        text="Enchant creature",
    )
    for name, abilities in _ABILITIES.items()
}


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("role", _role_at, _role_words)
    made = f.CreateToken(token=S.r, who=S.who, attached_to=S.to)
    g.rule("vp", "create~ a|an <r:role> attached to <to:one>", made)


def _role_at(reader: Reader, place: int) -> Iterable[Reading]:
    for words, card in ROLES.items():
        end = place + len(words)
        if reader.words[place:end] == words and reader.at(end) == "Role":
            end += 1
            yield Reading(end + (reader.at(end) == "token"), card, (*words, "Role", "token"))


def _role_words(printer: Printer, value: Any) -> Words | None:
    return next(((*words, "Role", "token") for words, card in ROLES.items() if card == value), None)
