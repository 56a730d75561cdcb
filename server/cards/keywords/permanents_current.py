"""Keyword abilities of sets after September 2011, numbered as in the current edition: what they stand for."""

from __future__ import annotations

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import (
    ATTACKS,
    DIES,
    ENTERS,
    IT,
    THIS,
    YOU,
    activated,
    counters,
    pump,
    text_of,
    triggered,
)
from server.cards.nouns import Noun, StatOf, ThatMuch

SPIRIT = forms.Card(
    name="Spirit", types="Creature — Spirit", colors="WB", power="1", toughness="1", keywords=("flying",)
)
SERVO = forms.Card(name="Servo", types="Artifact Creature — Servo", colors="", power="1", toughness="1")
EACH_OPPONENT = Noun("each opponent")


def prowess(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.108a"""
    event = Pattern(event="cast", subject=YOU, object=Noun("noncreature spell"))
    return (triggered(event, (pump(1, 1),), k),)


def ward(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.21a: what an opponent aims at this is countered unless that player pays."""
    event = Pattern(event="becomes target", subject=THIS, object=Noun("a spell or ability an opponent controls"))
    counter = (forms.CounterSpell(what=Noun("$other")),)
    return (triggered(event, (forms.Unless(cost=k.cost, then=counter, who=Noun("the controller of $other")),), k),)


def unleash(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.98a"""
    rewrite = forms.EnterWith(counter="+1/+1", optional=True)
    enters = forms.Replacement(event=ENTERS, rewrite=(rewrite,), keyword=k.keyword, text=text_of(k))
    idle = forms.Continuous(
        what=THIS, mods=(forms.Flag(rule="can't block"),), condition=counters("+1/+1", ">=", 1), text=text_of(k)
    )
    return (enters, idle)


def evolve(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.100a, b: compared as the creature enters and again on resolution."""
    event = Pattern(event="zone change", subject=Noun("another creature you control"), to="battlefield")
    bigger = forms.OneOf(
        conditions=(
            forms.Holds(StatOf("power", IT), ">", StatOf("power", THIS)),
            forms.Holds(StatOf("toughness", IT), ">", StatOf("toughness", THIS)),
        )
    )
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS),), k, bigger),)


def extort(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.101a: as much life is gained as all opponents together lost."""
    do = (forms.LoseLife(amount=1, who=EACH_OPPONENT), forms.GainLife(amount=ThatMuch()))
    pay = forms.May(cost=(forms.ManaCost(mana="{W/B}"),), then=do)
    return (triggered(Pattern(event="cast", subject=YOU), (pay,), k),)


def scavenge(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.97a"""
    put = forms.PutCounters(counter="+1/+1", what=Noun("target creature"), count=StatOf("power", THIS))
    return (activated(k, (put,), forms.ExileCost(what=THIS), zone="graveyard"),)


def outlast(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.107a"""
    return (activated(k, (forms.PutCounters(counter="+1/+1", what=THIS),), forms.TapCost()),)


def exploit(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.110a"""
    return (triggered(ENTERS, (forms.May(then=(forms.Sacrifice(what=Noun("a creature"), action="exploit"),)),), k),)


def fabricate(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.123a"""
    put = (forms.PutCounters(counter="+1/+1", what=THIS, count=k.number),)
    servos = (forms.CreateToken(token=SERVO, count=k.number),)
    return (triggered(ENTERS, (forms.May(then=put, otherwise=servos),), k),)


def afflict(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.130a: the defending player of this attacker."""
    event = Pattern(event="becomes blocked", subject=THIS, grain="batch")
    return (triggered(event, (forms.LoseLife(amount=k.number, who=Noun("defending player")),), k),)


def afterlife(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.135a"""
    return (triggered(DIES, (forms.CreateToken(token=SPIRIT, count=k.number),), k),)


def decayed(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.147a"""
    idle = forms.Continuous(what=THIS, mods=(forms.Flag(rule="can't block"),), text=text_of(k))
    ends = Pattern(event="step", step="end_combat")
    later = forms.Delayed(when=(ends,), then=(forms.Sacrifice(what=THIS),), text=text_of(k))
    return (idle, triggered(ATTACKS, (later,), k))
