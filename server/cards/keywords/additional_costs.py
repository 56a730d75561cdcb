"""Keyword abilities that add to what a spell costs or make it cheaper (702): additional costs, what follows from paying
them, cost changes."""

from __future__ import annotations

from server.cards import forms
from server.cards.forms import Ability, CastingCost, KeywordAbility
from server.cards.keywords.casting import leaves_stack
from server.cards.keywords.tools import (
    ENTERS,
    OPPONENTS,
    OWN_COST,
    THIS,
    WHEN_CAST,
    Expansions,
    text_of,
    triggered,
    triggered_by_cast,
)
from server.cards.nouns import Count, Noun, Times, TimesPaid


def _additional(
    k: KeywordAbility, cost: forms.Costs | None = None, repeat: bool = False, name: str = ""
) -> CastingCost:
    """An additional cost that may be paid: the keyword's own, if no other is said."""
    paid = k.cost if cost is None else cost
    return CastingCost(name=name or k.keyword, cost=paid, optional=True, repeat=repeat, text=text_of(k))


def _copies(k: KeywordAbility) -> forms.TriggeredAbility:
    """As it is cast, a copy for each time the cost was paid."""
    copy = (forms.CopySpell(what=THIS, count=TimesPaid(k.keyword)),)
    return triggered(WHEN_CAST, copy, k, forms.Paid(k.keyword))


# --- additional costs ------------------------------------------------------------------------------------------------------


def kicker(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.31a; a cost of mana is told by its symbols, since a card may have two of them (702.31b)."""
    mana = k.cost[0].mana if len(k.cost) == 1 and isinstance(k.cost[0], forms.ManaCost) else ""
    return (_additional(k, name=f"kicker {mana}".strip()),)


def multikicker(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.31c"""
    return (_additional(k, repeat=True, name="kicker"),)


def buyback(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.25a: as it would go to the graveyard on resolving, it returns to its owner's hand instead."""
    return (_additional(k), leaves_stack("hand", "resolve", forms.Paid("buyback")))


def entwine(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.40a; the modes are chosen in announce"""
    return (_additional(k),)


def replicate(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.54a"""
    copy = (forms.CopySpell(what=THIS, count=TimesPaid("replicate")),)
    return (_additional(k, k.cost or OWN_COST, repeat=True), triggered_by_cast(k, copy, forms.Paid("replicate")))


def conspire(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.76a"""
    tapped = forms.TapOthersCost(what=Noun("two untapped creatures you control that share a color with {this}"))
    cost = CastingCost(name="conspire", cost=(tapped,), optional=True, text=text_of(k))
    return (cost, triggered_by_cast(k, (forms.CopySpell(what=THIS),), forms.Paid("conspire")))


def bargain(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.166a"""
    return (_additional(k, (forms.SacrificeCost(what=Noun("an artifact, enchantment, or token")),)),)


def casualty(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.153a"""
    creature = Noun(f"a creature with power {k.number} or greater")
    return (_additional(k, (forms.SacrificeCost(what=creature),)), _copies(k))


def teamwork(k: KeywordAbility) -> tuple[Ability, ...]:
    """As crew does it, creatures with a total power of so much or more are tapped (current 702.122a)."""
    help_ = forms.TapOthersCost(what=Noun("any number of untapped creatures you control"), power=k.number)
    return (_additional(k, (help_,)),)


def gift(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.174a, b, j: a spell ability before all others, or a triggered ability of a permanent; then a gift is given."""
    given = (*k.do, forms.KeywordAction(action="gift"))
    return (
        _additional(k, (forms.PromiseCost(),)),
        triggered(ENTERS, given, k, forms.Paid(k.keyword)),
        forms.SpellAbility(do=given, keyword=k.keyword, first=True, text=text_of(k)),
    )


def offspring(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.175a"""
    token = forms.CreateToken(copy_of=THIS, excepting=(forms.SetPT(power=1, toughness=1),))
    return (_additional(k, k.cost), triggered(ENTERS, (token,), k, forms.Paid(k.keyword)))


def squad(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.157a"""
    tokens = forms.CreateToken(copy_of=THIS, count=TimesPaid(k.keyword))
    return (_additional(k, k.cost, repeat=True), triggered(ENTERS, (tokens,), k, forms.Paid(k.keyword)))


# --- changes of costs ------------------------------------------------------------------------------------------------------


def affinity(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.39a"""
    quality = k.quality.text if k.quality is not None else "artifact"
    count = Count(Noun(f"each {quality} you control"))
    return (forms.CostChange(what=THIS, generic=Times(-1, count), text=text_of(k)),)


def undaunted(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.125a"""
    return (forms.CostChange(what=THIS, generic=Times(-1, Count(OPPONENTS)), text=text_of(k)),)


ADDITIONAL_COSTS: Expansions = {
    "kicker": kicker,
    "multikicker": multikicker,
    "buyback": buyback,
    "entwine": entwine,
    "replicate": replicate,
    "conspire": conspire,
    "bargain": bargain,
    "casualty": casualty,
    "teamwork": teamwork,
    "gift": gift,
    "offspring": offspring,
    "squad": squad,
    "affinity": affinity,
    "undaunted": undaunted,
}
