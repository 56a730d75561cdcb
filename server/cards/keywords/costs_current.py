"""Keyword abilities about casting that came after September 2011 (702 of the current edition): what they stand for.

Alternative and additional costs, permissions to cast from other zones, and what follows from having cast that way.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Ability, AnyCondition, CastingCost, KeywordAbility
from server.cards.keywords.tools import DIES, ENTERS, STILL_HERE, THIS, YOU, text_of, triggered
from server.cards.nouns import Count, Noun, Times, TimesPaid, TurnCount, Zone

OPPONENTS = Noun("your opponents")
EARLIER = forms.Is(what=THIS, of=Noun("card that was exiled before this turn"))
SELF_CAST = forms.Pattern(event="cast", subject=YOU, object=THIS)
END_STEP = forms.Pattern(event="step", step="end_turn")


# --- what the expansions share ---------------------------------------------------------------------------------------------


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


def _extra(k: KeywordAbility, cost: forms.Costs, repeat: bool = False) -> CastingCost:
    """An additional cost that may be paid."""
    return CastingCost(name=k.keyword, cost=cost, optional=True, repeat=repeat, text=text_of(k))


def _exiled_after(k: KeywordAbility) -> forms.Replacement:
    """A spell cast this way is exiled instead of going anywhere else from the stack."""
    event = forms.Pattern(event="zone change", subject=THIS, from_="stack")
    return forms.Replacement(event=event, rewrite=(forms.ToZone(to="exile"),), condition=forms.Paid(k.keyword))


def _paid_here(k: KeywordAbility, *keywords: str) -> forms.Continuous:
    """Keywords that the permanent has if it was cast this way."""
    mods = (forms.GainAbilities(keywords=keywords),)
    return forms.Continuous(what=THIS, mods=mods, condition=forms.Paid(k.keyword), text=text_of(k))


def _at_end(k: KeywordAbility, verb: forms.Verb) -> forms.TriggeredAbility:
    """As a permanent cast this way enters, something will happen to it at the beginning of the next end step."""
    later = forms.Delayed(when=(END_STEP,), then=(verb,), text=text_of(k))
    return triggered(ENTERS, (later,), k, forms.Paid(k.keyword))


def _copies(k: KeywordAbility) -> forms.TriggeredAbility:
    """As it is cast, a copy for each time the cost was paid."""
    copy = (forms.CopySpell(what=THIS, count=TimesPaid(k.keyword)),)
    return triggered(SELF_CAST, copy, k, forms.Paid(k.keyword))


# --- alternative costs -----------------------------------------------------------------------------------------------------


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
    drawn = forms.Pattern(event="draw", subject=YOU, object=THIS, nth=1)
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
    """Current 702.119a: which creature is sacrificed is chosen as the spell is announced (`casting.offerings`)."""
    return (_alternative(k),)


# --- from other zones ------------------------------------------------------------------------------------------------------


def escape(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.138a"""
    return (_alternative(k, zone="graveyard"),)


def jump_start(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.133a"""
    discard = (forms.DiscardCost(what=Noun("a card")),)
    cost = CastingCost(name=k.keyword, cost=discard, kind="permission", zone="graveyard", text=text_of(k))
    return (cost, _exiled_after(k))


def mayhem(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.187a"""
    discarded = forms.Is(what=THIS, of=Noun("card that was discarded this turn"))
    if not k.cost:  # on a land
        return (forms.CastingRule(zone="graveyard", condition=discarded, text=text_of(k)),)
    return (_alternative(k, discarded, "graveyard"),)


def harmonize(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.180a: which creature is tapped for it is chosen as the spell is announced (`casting.offerings`)."""
    return (_alternative(k, zone="graveyard"), _exiled_after(k))


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


# --- additional costs ------------------------------------------------------------------------------------------------------


def bargain(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.166a"""
    return (_extra(k, (forms.SacrificeCost(what=Noun("an artifact, enchantment, or token")),)),)


def casualty(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.153a"""
    creature = Noun(f"a creature with power {k.number} or greater")
    return (_extra(k, (forms.SacrificeCost(what=creature),)), _copies(k))


def teamwork(k: KeywordAbility) -> tuple[Ability, ...]:
    """As crew does it, creatures with a total power of so much or more are tapped (current 702.122a)."""
    help_ = forms.TapOthersCost(what=Noun("any number of untapped creatures you control"), power=k.number)
    return (_extra(k, (help_,)),)


def gift(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.174a, b, j: a spell ability before all others, or a triggered ability of a permanent."""
    return (
        _extra(k, (forms.PromiseCost(),)),
        triggered(ENTERS, k.do, k, forms.Paid(k.keyword)),
        forms.SpellAbility(do=k.do, keyword=k.keyword, first=True, text=text_of(k)),
    )


def offspring(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.175a"""
    token = forms.CreateToken(copy_of=THIS, excepting=(forms.SetPT(power=1, toughness=1),))
    return (_extra(k, k.cost), triggered(ENTERS, (token,), k, forms.Paid(k.keyword)))


def squad(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.157a"""
    tokens = forms.CreateToken(copy_of=THIS, count=TimesPaid(k.keyword))
    return (_extra(k, k.cost, repeat=True), triggered(ENTERS, (tokens,), k, forms.Paid(k.keyword)))


def undaunted(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.125a"""
    return (forms.CostChange(what=THIS, generic=Times(-1, Count(OPPONENTS)), text=text_of(k)),)


WAYS: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "spectacle": spectacle,
    "surge": surge,
    "freerunning": freerunning,
    "dash": dash,
    "blitz": blitz,
    "warp": warp,
    "web-slinging": web_slinging,
    "sneak": sneak,
    "awaken": awaken,
    "prototype": prototype,
    "miracle": miracle,
    "teamwork": teamwork,
    "gift": gift,
    "overload": overload,
    "emerge": emerge,
    "mutate": mutate,
    "escape": escape,
    "jump-start": jump_start,
    "mayhem": mayhem,
    "harmonize": harmonize,
    "foretell": foretell,
    "plot": plot,
    "bargain": bargain,
    "casualty": casualty,
    "offspring": offspring,
    "squad": squad,
    "undaunted": undaunted,
}
