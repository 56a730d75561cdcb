"""Keyword abilities about how permanents enter, stay, and leave (702): what they stand for."""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import (
    DIES,
    ENTERS,
    IT,
    LEAVES,
    STILL_HERE,
    THIS,
    YOU,
    YOUR_UPKEEP,
    counters,
    enters_with,
    in_words,
    text_of,
    times,
    triggered,
)
from server.cards.nouns import ColorsSpent, CountersOn, Noun, ThatMuch, TurnCount

OPPONENTS = Noun("your opponents")
SACRIFICE = (forms.Sacrifice(what=THIS),)


# --- upkeep ------------------------------------------------------------------------------------------------------------


def changeling(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.71a: a characteristic-defining ability, so the types stay when later layers take the ability away (613.5)."""
    return (forms.Continuous(what=THIS, mods=(forms.SetTypes(all_subtypes="creature"),)),)


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


# --- entering ------------------------------------------------------------------------------------------------------------


def amplify(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.36a"""
    cards = Noun("any number of cards in your hand that share a creature type with {this}")
    return (enters_with(k, "+1/+1", times(k.number, ThatMuch("paid")), None, (forms.RevealCost(what=cards),)),)


def devour(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.80a"""
    food = forms.SacrificeCost(what=Noun("any number of creatures"))
    return (enters_with(k, "+1/+1", times(k.number, ThatMuch("paid")), None, (food,)),)


def bloodthirst(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.52a, b: any opponent will do; bloodthirst X counts the damage dealt to all of them."""
    damage = TurnCount("damage", OPPONENTS)
    if not isinstance(k.number, int):
        return (enters_with(k, "+1/+1", damage),)
    return (enters_with(k, "+1/+1", k.number, forms.Holds(damage, ">=", 1)),)


def sunburst(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.42a: +1/+1 counters on what enters as a creature, else charge counters."""
    creature = forms.Is(what=THIS, of=Noun("creature"))
    return (
        enters_with(k, "+1/+1", ColorsSpent(), creature),
        enters_with(k, "charge", ColorsSpent(), forms.NotSo(creature)),
    )


def modular(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.41a"""
    put = forms.PutCounters(counter="+1/+1", what=Noun("target artifact creature"), count=CountersOn("+1/+1", THIS))
    return (enters_with(k, "+1/+1", k.number), triggered(DIES, (forms.May(then=(put,)),), k))


def graft(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.56a: the counter moves, so nothing happens when one of the two is gone."""
    enters = Pattern(event="zone change", subject=Noun("another creature"), to="battlefield")
    move = forms.May(cost=(forms.CountersCost(counter="+1/+1"),), then=(forms.PutCounters(counter="+1/+1", what=IT),))
    do = (forms.If(condition=forms.Exists(Noun("each permanent from among it")), then=(move,)),)
    return (enters_with(k, "+1/+1", k.number), triggered(enters, do, k, counters("+1/+1", ">=", 1)))


def hideaway(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.73a: one of the top four cards (or as many as newer cards say) is exiled face down, for its player to look at."""
    n = k.number if isinstance(k.number, int) and k.number else 4
    left = Noun("each card in your library from among $seen")
    do = (
        forms.Look(what=Noun(f"the top {n} cards of your library"), as_name="seen"),
        forms.Pick(what=left, as_name="kept"),
        forms.Move(what=Noun("$kept"), to="exile", face_down=True, link=True),
        forms.Look(what=Noun("the exiled card")),
        forms.Reorder(what=left, bottom=True),
    )
    if k.number:
        return (triggered(ENTERS, do, k),)
    tapped = forms.Replacement(
        event=ENTERS, rewrite=(forms.EnterWith(tapped=True),), keyword=k.keyword, text=text_of(k)
    )
    return (tapped, triggered(ENTERS, do, k))


def living_weapon(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.90a"""
    do = (forms.CreateToken(token=GERM, as_name="germ"), forms.Attach(to=Noun("$germ")))
    return (triggered(ENTERS, do, k),)


def _with_token(token: forms.Card) -> Callable[[KeywordAbility], tuple[Ability, ...]]:
    """An Equipment that brings its first bearer (for Mirrodin!, current 702.163a; job select, current 702.182a)."""
    do = (forms.CreateToken(token=token, as_name="bearer"), forms.Attach(to=Noun("$bearer")))
    return lambda k: (triggered(ENTERS, do, k),)


for_mirrodin = _with_token(forms.Card(name="Rebel", types="Creature — Rebel", colors="R", power="2", toughness="2"))
job_select = _with_token(forms.Card(name="Hero", types="Creature — Hero", colors="", power="1", toughness="1"))
GERM = forms.Card(name="Germ", types="Creature — Germ", colors="B", power="0", toughness="0")


def champion(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.70a: two linked abilities (607)."""
    what = k.quality.text if k.quality is not None else "creature"
    kind = what.removeprefix("a ").removeprefix("an ")
    exile = forms.ExileCost(what=Noun(f"another {kind} you control"), link=True)
    back = forms.Move(what=Noun("the exiled card"), to="battlefield", under=Noun("its owner"))
    return (
        triggered(ENTERS, (forms.Unless(cost=(exile,), then=SACRIFICE, who=YOU),), k),
        triggered(LEAVES, (back,), k),
    )


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


def totem_armor(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.87a"""
    host = Noun("enchanted permanent")
    instead = forms.Instead(do=(forms.RemoveDamage(what=host), forms.Destroy(what=THIS)))
    return (
        forms.Replacement(
            event=Pattern(event="destroy", subject=host), rewrite=(instead,), keyword=k.keyword, text=text_of(k)
        ),
    )
