"""Keyword abilities of permanents (702): about upkeep, spells, dying and being destroyed. What they stand for."""

from __future__ import annotations

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import (
    DIES,
    IT,
    STILL_HERE,
    THIS,
    YOU,
    YOUR_UPKEEP,
    Expansions,
    counters,
    enters_with,
    in_words,
    pump,
    text_of,
    triggered,
)
from server.cards.nouns import CountersOn, Noun, ThatMuch

SACRIFICE = (forms.Sacrifice(what=THIS),)
SPIRIT = forms.Card(
    name="Spirit", types="Creature — Spirit", colors="WB", power="1", toughness="1", keywords=("flying",)
)
EACH_OPPONENT = Noun("each opponent")


def changeling(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.71a: a characteristic-defining ability, so the types stay when later layers take the ability away (613.5)."""
    return (forms.Continuous(what=THIS, mods=(forms.SetTypes(all_subtypes="creature"),)),)


# --- upkeep ----------------------------------------------------------------------------------------------------------------


def cumulative_upkeep(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.22a: an age counter, then the cost for each of them or the permanent is sacrificed; all of it or nothing."""
    pay = forms.Unless(cost=k.cost, then=SACRIFICE, who=YOU, times=CountersOn("age", THIS))
    do = (forms.PutCounters(counter="age", what=STILL_HERE), forms.If(condition=forms.Exists(STILL_HERE), then=(pay,)))
    return (triggered(YOUR_UPKEEP, do, k),)


def echo(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.28a"""
    new = Noun("a permanent that came under your control since the beginning of your last upkeep")
    do = (forms.Unless(cost=k.cost, then=SACRIFICE, who=YOU),)
    return (triggered(YOUR_UPKEEP, do, k, forms.Is(what=THIS, of=new)),)


def fading(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.30a: each upkeep a fade counter is removed, or it is sacrificed if there is none."""
    remove = (forms.RemoveCounters(counter="fade", what=THIS),)
    do = (forms.If(condition=counters("fade", ">=", 1), then=remove, otherwise=SACRIFICE),)
    return (enters_with(k, "fade", k.number), triggered(YOUR_UPKEEP, do, k))


def vanishing(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.61a, b: without a number it brings no counters."""
    remove = (forms.RemoveCounters(counter="time", what=THIS),)
    last = Pattern(event="counters removed", subject=THIS, counter="time", condition=counters("time", "=", 0))
    enter = (enters_with(k, "time", k.number),) if k.number != 0 else ()
    return (*enter, triggered(YOUR_UPKEEP, remove, k, counters("time", ">=", 1)), triggered(last, SACRIFICE, k))


# --- spells ----------------------------------------------------------------------------------------------------------------


def prowess(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.108a"""
    event = Pattern(event="cast", subject=YOU, object=Noun("noncreature spell"))
    return (triggered(event, (pump(1, 1),), k),)


def extort(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.101a: as much life is gained as all opponents together lost."""
    do = (forms.LoseLife(amount=1, who=EACH_OPPONENT), forms.GainLife(amount=ThatMuch()))
    pay = forms.May(cost=(forms.ManaCost(mana="{W/B}"),), then=do)
    return (triggered(Pattern(event="cast", subject=YOU), (pay,), k),)


def ward(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.21a: what an opponent aims at this is countered unless that player pays."""
    event = Pattern(event="becomes target", subject=THIS, object=Noun("a spell or ability an opponent controls"))
    counter = (forms.CounterSpell(what=Noun("$other")),)
    return (triggered(event, (forms.Unless(cost=k.cost, then=counter, who=Noun("the controller of $other")),), k),)


# --- dying and being destroyed ---------------------------------------------------------------------------------------------


def persist(k: KeywordAbility, counter: str = "-1/-1") -> tuple[Ability, ...]:
    """702.77a: only if it had no such counter, which last known information tells."""
    back = (forms.Move(what=IT, to="battlefield", under=Noun("its owner"), counter=counter),)
    return (triggered(DIES, back, k, counters(counter, "=", 0)),)


def undying(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.93a."""
    return persist(k, "+1/+1")


def soulshift(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.44a"""
    much, number = in_words(k.number)
    card = Noun(f"target Spirit card with mana value {number} or less in your graveyard")
    return (triggered(DIES, (*much, forms.May(then=(forms.Move(what=card, to="hand"),))), k),)


def haunt(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.53a, b: of a permanent as it dies, of a spell as it goes to the graveyard on resolving; the card remembers whom."""
    do = (forms.Move(what=THIS, to="exile", chosen=Noun("target creature")),)
    resolves = Pattern(event="zone change", subject=THIS, from_="stack", to="graveyard", cause="resolve")
    return (triggered(DIES, do, k), triggered(resolves, do, k, zone="graveyard"))


def afterlife(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.135a"""
    return (triggered(DIES, (forms.CreateToken(token=SPIRIT, count=k.number),), k),)


def totem_armor(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.87a"""
    host = Noun("enchanted permanent")
    instead = forms.Instead(do=(forms.RemoveDamage(what=host), forms.Destroy(what=THIS)))
    return (
        forms.Replacement(
            event=Pattern(event="destroy", subject=host), rewrite=(instead,), keyword=k.keyword, text=text_of(k)
        ),
    )


PERMANENTS: Expansions = {
    "changeling": changeling,
    "cumulative upkeep": cumulative_upkeep,
    "echo": echo,
    "fading": fading,
    "vanishing": vanishing,
    "prowess": prowess,
    "extort": extort,
    "ward": ward,
    "persist": persist,
    "undying": undying,
    "soulshift": soulshift,
    "haunt": haunt,
    "afterlife": afterlife,
    "totem armor": totem_armor,
    "umbra armor": totem_armor,
}
