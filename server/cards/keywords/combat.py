"""Keyword abilities about combat and damage (702): what they stand for."""

from __future__ import annotations

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import ATTACKS, THIS, activated, in_words, pump, text_of, times, triggered
from server.cards.nouns import Count, Minus, Noun

BLOCKS = Pattern(event="blocks", subject=THIS, grain="batch")
BECOMES_BLOCKED = Pattern(event="becomes blocked", subject=THIS, grain="batch")


def protection(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.15e: damage from sources of that quality is prevented. Targets, blocks and attachments are asked where they matter."""
    event = Pattern(event="damage", subject=k.quality, object=THIS)
    return (forms.Replacement(event=event, rewrite=(forms.Prevent(),), keyword=k.keyword, text=text_of(k)),)


def absorb(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.62a: so much of each source's damage is prevented."""
    event = Pattern(event="damage", object=THIS)
    return (
        forms.Replacement(event=event, rewrite=(forms.Prevent(amount=k.number),), keyword=k.keyword, text=text_of(k)),
    )


def bushido(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.43a"""
    return (triggered((BLOCKS, BECOMES_BLOCKED), (pump(k.number, k.number),), k),)


def flanking(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.23a: each creature without flanking that blocks this gets -1/-1."""
    event = Pattern(event="blocks", subject=Noun("creature without flanking"), object=THIS)
    return (triggered(event, (pump(1, 1, Noun("that creature"), minus=True),), k),)


def rampage(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.21a, b: for each blocker beyond the first, counted as it resolves."""
    n = times(k.number, Minus(Count(Noun("each creature blocking {this}")), 1))
    return (triggered(BECOMES_BLOCKED, (pump(n, n),), k),)


def exalted(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.81a"""
    event = Pattern(event="attacks alone", subject=Noun("creature you control"))
    return (triggered(event, (pump(1, 1, Noun("that creature")),), k),)


def battle_cry(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.89a"""
    return (triggered(ATTACKS, (pump(1, 0, Noun("each other attacking creature")),), k),)


def frenzy(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.66a"""
    return (triggered(Pattern(event="becomes unblocked", subject=THIS), (pump(k.number, 0),), k),)


def provoke(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.37a: a creature of the player whom this very creature attacks (802.2a) untaps and blocks it if able."""
    blocks = forms.Flag(rule="blocks if able", param=THIS)
    do = (
        forms.Tap(what=Noun("target creature defending player controls"), untap=True),
        forms.Effect(what=Noun("it"), mods=(blocks,), duration="end of combat"),
    )
    return (triggered(ATTACKS, (forms.May(then=do),), k),)


def annihilator(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.84a: the defending player of this attacker (802.2a) sacrifices so many permanents, all at once."""
    much, number = in_words(k.number)
    what = Noun("a permanent") if k.number == 1 else Noun(f"{number} permanents")
    return (
        triggered(
            ATTACKS,
            (
                *much,
                forms.Sacrifice(what=what, who=Noun("defending player")),
            ),
            k,
        ),
    )


def poisonous(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.68a"""
    event = Pattern(event="damage", subject=THIS, object=Noun("player"), combat=True)
    put = (forms.PutCounters(counter="poison", what=Noun("that player"), count=k.number),)
    return (triggered(event, put, k),)


def ninjutsu(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.47a, c: attacking the same player or planeswalker as the creature that went back, and unblocked."""
    swap = forms.ReturnCost(what=Noun("an unblocked attacking creature you control"))
    enter = forms.Move(what=THIS, to="battlefield", tapped=True, attacking=True, same_as=Noun("$returned"))
    return (activated(k, (enter,), forms.RevealCost(what=THIS), swap, slow=False, zone="hand"),)
