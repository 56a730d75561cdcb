"""Keyword abilities by which a spell is cast for an alternative cost (702), and what follows from having cast it so."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Ability, AnyCondition, CastingCost, KeywordAbility, Pattern
from server.cards.keywords.casting import leaves_stack
from server.cards.keywords.tools import (
    DIES,
    END_STEP,
    ENTERS,
    OPPONENTS,
    OWN_COST,
    STILL_HERE,
    THIS,
    YOU,
    Expansions,
    counters,
    enters_with,
    text_of,
    triggered,
)
from server.cards.nouns import Noun, TurnCount, Zone

EARLIER = forms.Is(what=THIS, of=Noun("card that was exiled before this turn"))


def _alternative(
    k: KeywordAbility,
    condition: AnyCondition | None = None,
    zone: Zone = "hand",
    more: forms.Costs = (),
) -> CastingCost:
    """The keyword's cost instead of the mana cost."""
    return CastingCost(
        name=k.keyword,
        cost=(*k.cost, *more),
        kind="alternative",
        zone=zone,
        condition=condition,
        text=text_of(k),
    )


def _paid_here(k: KeywordAbility, *keywords: str) -> forms.Continuous:
    """Keywords that the permanent has if it was cast this way."""
    mods = (forms.GainAbilities(keywords=keywords),)
    return forms.Continuous(what=THIS, mods=mods, condition=forms.Paid(k.keyword), text=text_of(k))


def _at_end(k: KeywordAbility, verb: forms.Verb) -> forms.TriggeredAbility:
    """As a permanent cast this way enters, something will happen to it at the beginning of the next end step."""
    later = forms.Delayed(when=(END_STEP,), then=(verb,), text=text_of(k))
    return triggered(ENTERS, (later,), k, forms.Paid(k.keyword))


# --- from the hand ---------------------------------------------------------------------------------------------------------


def evoke(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.72a"""
    cost = CastingCost(name="evoke", cost=k.cost, kind="alternative", text=text_of(k))
    enters = Pattern(event="zone change", subject=THIS, to="battlefield")
    sacrifice = forms.TriggeredAbility(
        when=(enters,),
        condition=forms.Paid("evoke"),
        do=(forms.Sacrifice(what=THIS),),
        keyword="evoke",
        text=text_of(k),
    )
    return (cost, sacrifice)


def prowl(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.74a: if a source with any of this spell's creature types dealt combat damage to a player this turn."""
    condition = forms.Holds(TurnCount("prowl", YOU), ">=", 1)
    return (CastingCost(name="prowl", cost=k.cost, kind="alternative", condition=condition, text=text_of(k)),)


def bestow(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.103a: what the spell becomes is one of its sides (`sides`)."""
    return (CastingCost(name="bestow", cost=k.cost, kind="alternative", text=text_of(k)),)


def spectacle(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.137a"""
    return (_alternative(k, forms.Holds(TurnCount("life lost", OPPONENTS), ">=", 1)),)


def surge(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.117a"""
    return (_alternative(k, forms.Holds(TurnCount("spells", YOU), ">=", 1)),)


def freerunning(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.173a"""
    struck = forms.OneOf(
        conditions=(
            forms.Holds(TurnCount("struck by Assassin", YOU), ">=", 1),
            forms.Holds(TurnCount("struck by a commander", YOU), ">=", 1),
        )
    )
    return (_alternative(k, struck),)


def dash(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.109a"""
    return (_alternative(k), _paid_here(k, "haste"), _at_end(k, forms.Move(what=STILL_HERE, to="hand")))


def blitz(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.152a"""
    draw = triggered(DIES, (forms.Draw(),), k, forms.Paid("blitz"))
    return (_alternative(k), _paid_here(k, "haste"), draw, _at_end(k, forms.Sacrifice(what=STILL_HERE)))


def warp(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.185a: exiled at the next end step, the card may be cast for its mana cost on a later turn."""
    exile = forms.Move(what=STILL_HERE, to="exile", mark="warped")
    again = CastingCost(
        name="warped",
        cost=(),
        kind="permission",
        zone="exile",
        condition=forms.AllOf(conditions=(forms.Is(what=THIS, of=Noun("warped card")), EARLIER)),
        text=text_of(k),
    )
    return (replace(_alternative(k), bound=True), _at_end(k, exile), again)


def impending(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.176a: with so many time counters, and no creature as long as one is left."""
    waits = forms.AllOf(conditions=(forms.Paid(k.keyword), counters("time", ">=", 1)))
    mods = (forms.SetTypes(lose=("creature",)),)
    own_end = Pattern(event="step", step="end_turn", whose=YOU)
    return (
        _alternative(k),
        enters_with(k, "time", k.number, forms.Paid(k.keyword)),
        forms.Continuous(what=THIS, mods=mods, condition=waits, text=text_of(k)),
        triggered(own_end, (forms.RemoveCounters(counter="time", what=THIS),), k, waits),
    )


def web_slinging(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.188a"""
    return (_alternative(k, more=(forms.ReturnCost(what=Noun("a tapped creature you control")),)),)


def sneak(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.190a: at instant speed; how the permanent enters is in `resolve`."""
    back = forms.ReturnCost(what=Noun("an unblocked attacking creature you control"))
    time = forms.During(step="declare_blockers", whose=YOU)
    return (replace(_alternative(k, time, more=(back,)), fast=True),)


def prototype(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.160a: what the spell becomes is one of its sides (`sides`), whose mana cost is this."""
    return (_alternative(k),)


def miracle(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.94a: as the first card drawn in a turn it may be revealed, and then cast for this cost."""
    drawn = Pattern(event="draw", subject=YOU, object=THIS, nth=1)
    offer = replace(triggered(drawn, (forms.PlayCard(what=THIS, way=k.keyword),), k, zone="hand"), reveals=True)
    return (replace(_alternative(k), offered=True), offer)


def awaken(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.113a: a spell ability of its own."""
    land = Noun("it")
    become = (
        forms.SetTypes(types=("creature",), subtypes=("Elemental",)),
        forms.SetPT(power=0, toughness=0),
        forms.GainAbilities(keywords=("haste",)),
    )
    do = (
        forms.PutCounters(counter="+1/+1", what=Noun("target land you control"), count=k.number),
        forms.Effect(what=land, mods=become, duration="forever"),
    )
    return (_alternative(k), forms.SpellAbility(do=do, keyword=k.keyword, text=text_of(k)))


def overload(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.96a, b: the text changes as it is announced (`announce`)."""
    return (_alternative(k),)


def mutate(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.140a: its target is chosen as the spell is announced, and it merges as it resolves (`resolve`)."""
    return (_alternative(k),)


def emerge(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.119a: which creature is sacrificed is chosen as the spell is announced (`HELPED`)."""
    return (_alternative(k) if k.cost else replace(_alternative(k), cost=OWN_COST),)


# --- from other zones ------------------------------------------------------------------------------------------------------


def madness(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.33a: discarded into exile; then cast for this cost or put into the graveyard."""
    discarded = Pattern(event="zone change", subject=THIS, from_="hand", cause="discard cycling")
    rewrite = (forms.ToZone(to="exile"),)
    exiled = forms.Replacement(event=discarded, rewrite=rewrite, optional=True, zone="hand", keyword="madness")
    when = Pattern(event="zone change", subject=THIS, from_="hand", to="exile", cause="discard cycling")
    offer = forms.TriggeredAbility(
        when=(when,),
        do=(
            forms.PlayCard(what=THIS, way="madness"),
            forms.If(condition=forms.NotSo(forms.Did()), then=(forms.Move(what=THIS, to="graveyard"),)),
        ),
        zone="exile",
        keyword="madness",
        text=text_of(k),
    )
    cost = CastingCost(name="madness", cost=k.cost, kind="alternative", zone="exile", offered=True, text=text_of(k))
    return (exiled, offer, cost)


def escape(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.138a"""
    return (_alternative(k, zone="graveyard"),)


def mayhem(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.187a"""
    discarded = forms.Is(what=THIS, of=Noun("card that was discarded this turn"))
    if not k.cost:  # on a land
        return (forms.CastingRule(zone="graveyard", condition=discarded, text=text_of(k)),)
    return (_alternative(k, discarded, "graveyard"),)


def harmonize(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.180a: which creature is tapped for it is chosen as the spell is announced (`HELPED`)."""
    return (_alternative(k, zone="graveyard"), leaves_stack("exile", "", forms.Paid(k.keyword)))


def foretell(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.143a: exiled face down by a special action (`special`), it may be cast for this cost on a later turn."""
    ready = forms.AllOf(conditions=(forms.Is(what=THIS, of=Noun("foretold card")), EARLIER))
    return (_alternative(k, ready, "exile"),)


def plot(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.170a, d: exiled by a special action (`special`), it may be cast for nothing as a sorcery on a later turn."""
    ready = forms.AllOf(conditions=(forms.Is(what=THIS, of=Noun("plotted card")), EARLIER))
    cost = CastingCost(
        name=k.keyword, cost=(), kind="alternative", zone="exile", condition=ready, slow=True, text=text_of(k)
    )
    return (cost,)


ALTERNATIVE_COSTS: Expansions = {
    "evoke": evoke,
    "prowl": prowl,
    "bestow": bestow,
    "spectacle": spectacle,
    "surge": surge,
    "freerunning": freerunning,
    "dash": dash,
    "blitz": blitz,
    "impending": impending,
    "warp": warp,
    "web-slinging": web_slinging,
    "sneak": sneak,
    "prototype": prototype,
    "miracle": miracle,
    "awaken": awaken,
    "overload": overload,
    "mutate": mutate,
    "emerge": emerge,
    "madness": madness,
    "escape": escape,
    "mayhem": mayhem,
    "harmonize": harmonize,
    "foretell": foretell,
    "plot": plot,
}
