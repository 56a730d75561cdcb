"""Keyword abilities about combat of sets after September 2011, numbered as in the current edition: what they stand for."""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import ATTACKS, ENTERS, THIS, pump, text_of, triggered
from server.cards.nouns import LifeOf, Noun, TurnCount


def melee(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.121a: +1/+1 for each opponent attacked with a creature this combat."""
    n = TurnCount("opponents attacked", Noun("your opponents"))
    return (triggered(ATTACKS, (pump(n, n),), k),)


def training(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.149a"""
    bigger = forms.Exists(of=Noun("other attacking creatures you control with power greater than {this}'s power"))
    event = Pattern(event="attacks", subject=THIS, condition=bigger)
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS),), k),)


def riot(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.136a: a +1/+1 counter, or haste, which it keeps."""
    rewrite = forms.EnterWith(counter="+1/+1", optional=True, gains="haste")
    return (forms.Replacement(event=ENTERS, rewrite=(rewrite,), keyword=k.keyword, text=text_of(k)),)


def myriad(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.116a: a copy for each opponent other than the defending player, that attacks this one."""
    that_player, copies = Noun("that player"), Noun("$copies")
    ends = Pattern(event="step", step="end_combat")
    then = (
        forms.CreateToken(copy_of=THIS, tapped=True, attacking=True, whom=that_player, as_name="copies"),
        forms.Delayed(when=(ends,), then=(forms.Move(what=copies, to="exile"),), text=text_of(k)),
    )
    attacked = forms.Is(what=that_player, of=Noun("defending player"))
    other = forms.If(condition=forms.NotSo(condition=attacked), then=(forms.May(then=then),))
    return (triggered(ATTACKS, (forms.ForEach(of=Noun("each opponent"), then=(other,)),), k),)


def dethrone(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.105a: nobody has more life than the player that this creature attacks."""
    more = forms.Holds(LifeOf(of=Noun("that player")), ">", LifeOf(of=Noun("defending player")))
    richest = forms.NotSo(condition=forms.SomePlayer(who=Noun("each player"), condition=more))
    event = Pattern(event="attacks", subject=THIS, object=Noun("a player"), condition=richest)
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS),), k),)


def firebending(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.189a"""
    return (triggered(ATTACKS, (forms.AddMana(mana="{R}", count=k.number, lasts="end of combat"),), k),)


FIGHTING_TODAY: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "melee": melee,
    "myriad": myriad,
    "training": training,
    "riot": riot,
    "dethrone": dethrone,
    "firebending": firebending,
}
