"""What the expansions of keyword abilities share: nouns, patterns, and the abilities that many keywords stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, ManaCost, Pattern
from server.cards.nouns import Amount, Compare, CountersOn, Noun, Times, Zone

#: What keywords stand for, by their words.
Expansions: TypeAlias = dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]]

THIS = Noun("{this}")
YOU = Noun("you")
OPPONENTS = Noun("your opponents")
IT = Noun("it")
#: What a keyword costs that was given without a cost of its own ("the replicate cost is equal to its mana cost").
OWN_COST = (ManaCost(mana="{0}", own=True),)
#: The permanent itself, as long as it is on the battlefield.
STILL_HERE = Noun("each permanent from among {this}")

DIES = Pattern(event="zone change", subject=THIS, from_="battlefield", to="graveyard")
LEAVES = Pattern(event="zone change", subject=THIS, from_="battlefield")
ENTERS = Pattern(event="zone change", subject=THIS, to="battlefield")
ATTACKS = Pattern(event="attacks", subject=THIS)
WHEN_CAST = Pattern(event="cast", subject=YOU, object=THIS)
END_STEP = Pattern(event="step", step="end_turn")
YOUR_UPKEEP = Pattern(event="step", step="upkeep", whose=YOU)


def text_of(k: KeywordAbility) -> str:
    """The ability as people read it."""
    return k.text or k.keyword.capitalize()


def in_words(number: Amount) -> tuple[forms.Tree, str]:
    """A keyword's number as a noun phrase has it: the number, or X after an instruction that says how much X is."""
    if isinstance(number, int):
        return (), str(number)
    return (forms.Bind(as_name="X", amount=number),), "X"


def triggered(
    when: Pattern | tuple[Pattern, ...],
    do: forms.Tree,
    k: KeywordAbility,
    condition: forms.AnyCondition | None = None,
    zone: Zone = "battlefield",
) -> forms.TriggeredAbility:
    """The triggered ability that a keyword stands for."""
    events = when if isinstance(when, tuple) else (when,)
    return forms.TriggeredAbility(
        when=events, do=do, condition=condition, zone=zone, keyword=k.keyword, text=text_of(k)
    )


def triggered_by_cast(
    k: KeywordAbility, do: forms.Tree, condition: forms.AnyCondition | None = None
) -> forms.TriggeredAbility:
    """The ability that triggers as its own spell is cast."""
    return triggered(WHEN_CAST, do, k, condition)


def activated(
    k: KeywordAbility, do: forms.Tree, *more: forms.AnyCost, slow: bool = True, zone: Zone = "battlefield"
) -> forms.ActivatedAbility:
    """The activated ability that a keyword stands for: its cost, and `more`; `slow` if only as a sorcery."""
    timing = "sorcery" if slow else ""
    cost = (*k.cost, *more)
    return forms.ActivatedAbility(cost=cost, do=do, timing=timing, zone=zone, keyword=k.keyword, text=text_of(k))


def pump(power: Amount, toughness: Amount, what: Noun = THIS, minus: bool = False) -> forms.Effect:
    """ "... gets +power/+toughness until end of turn"."""
    return forms.Effect(what=what, mods=(forms.AddPT(power=power, toughness=toughness, minus=minus),))


def enters_with(
    k: KeywordAbility,
    counter: str,
    count: Amount,
    condition: forms.AnyCondition | None = None,
    paying: forms.Costs = (),
) -> forms.Replacement:
    """ "This permanent enters the battlefield with so many counters on it." """
    rewrite = forms.EnterWith(counter=counter, count=count, paying=paying)
    return forms.Replacement(event=ENTERS, rewrite=(rewrite,), condition=condition, keyword=k.keyword, text=text_of(k))


def counters(kind: str, compare: Compare, n: int) -> forms.Holds:
    """Whether so many counters of a kind are (or last were) on the permanent."""
    return forms.Holds(CountersOn(kind, THIS), compare, n)


def times(n: Amount, of: Amount) -> Amount:
    """n for each; n is a number as printed."""
    if n == 1:
        return of
    return Times(n if isinstance(n, int) else 1, of)
