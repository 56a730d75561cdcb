"""Keyword abilities about casting that add no costs (702): triggered as a spell is cast, permissions to cast from other zones."""

from __future__ import annotations

from typing import Literal

from server.cards import forms
from server.cards.forms import Ability, CastingCost, KeywordAbility, Pattern
from server.cards.keywords.tools import IT, THIS, YOU, Expansions, text_of, triggered_by_cast
from server.cards.nouns import CountersOn, Noun, StatOf, ThatMuch, TurnCount, Zone

EACH_PLAYER = Noun("each player")
#: Keywords by which a card may be cast face down and turned face up (702.35; current 702.37b and current 702.168).
MORPHS = frozenset(("morph", "megamorph", "disguise"))
#: Keywords without a `CastingCost` that let a card in the hand be cast other than ordinarily.
CAST_OTHERWISE = MORPHS | {"offering"}
#: Keywords by which a card in the hand is exiled to be cast later; `special` has the rest.
EXILED_FIRST = frozenset(("suspend", "foretell", "plot"))
#: Keywords that the casting rules read by name; nothing to expand.
CASTING_FLAGS = frozenset(
    (
        "convoke",
        "delve",
        "split second",
        "flash",
        "offering",
        "improvise",
        "escalate",
        "fuse",
        "splice",
        "assist",
        *MORPHS,
    )
)


def leaves_stack(
    to: Zone,
    cause: str,
    condition: forms.AnyCondition | None,
    *also: forms.AnyRewrite,
    mark: Literal["", "adventuring"] = "",
) -> forms.Replacement:
    """The card goes elsewhere when it leaves the stack."""
    event = Pattern(event="zone change", subject=THIS, from_="stack", cause=cause)
    if not cause:
        event = Pattern(event="zone change", subject=THIS, from_="stack")
    return forms.Replacement(event=event, rewrite=(forms.ToZone(to=to, mark=mark), *also), condition=condition)


# --- triggered as it is cast -----------------------------------------------------------------------------------------------


def storm(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.38a: counted as it is cast."""
    return (triggered_by_cast(k, (forms.CopySpell(what=THIS, count=ThatMuch("spells before")),)),)


def gravestorm(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.67a"""
    count = TurnCount("to graveyard", EACH_PLAYER)
    return (triggered_by_cast(k, (forms.CopySpell(what=THIS, count=count),)),)


def cascade(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.83a"""
    do = (
        forms.TakeUntil(what=Noun("a nonland card"), below=StatOf("mana value", THIS)),
        forms.PlayCard(what=Noun("$found"), free=True),
        forms.If(
            condition=forms.NotSo(forms.Did()),
            then=(forms.Move(what=Noun("$found"), to="library", bottom=True),),
        ),
        forms.Move(what=Noun("$rest"), to="library", bottom=True),
    )
    return (triggered_by_cast(k, do),)


# --- from other zones ------------------------------------------------------------------------------------------------------


def flashback(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.32a: from the graveyard for this cost, then exiled instead of going anywhere else."""
    kind = "alternative" if k.cost else "permission"  # without a cost of its own it costs the mana cost
    cost = CastingCost(name="flashback", cost=k.cost, kind=kind, zone="graveyard", text=text_of(k))
    return (cost, leaves_stack("exile", "", forms.Paid("flashback")))


def retrace(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.79a"""
    discard = forms.DiscardCost(what=Noun("a land card"))
    return (CastingCost(name="retrace", cost=(discard,), kind="permission", zone="graveyard", text=text_of(k)),)


def jump_start(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.133a"""
    discard = (forms.DiscardCost(what=Noun("a card")),)
    cost = CastingCost(name=k.keyword, cost=discard, kind="permission", zone="graveyard", text=text_of(k))
    return (cost, leaves_stack("exile", "", forms.Paid(k.keyword)))


def aftermath(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.127a: cast from the graveyard only, then exiled instead of going anywhere else."""
    return (
        forms.CastingRule(zone="graveyard", only=True, text=text_of(k)),
        leaves_stack("exile", "", forms.CastFrom("graveyard")),
    )


def suspend(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.60a"""
    counters = CountersOn("time", THIS)
    upkeep = forms.TriggeredAbility(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        condition=forms.Holds(counters, ">=", 1),
        do=(forms.RemoveCounters(counter="time", what=THIS),),
        zone="exile",
        keyword="suspend",
        text=text_of(k),
    )
    last = forms.TriggeredAbility(
        when=(Pattern(event="counters removed", subject=THIS, counter="time"),),
        condition=forms.Holds(counters, "=", 0),
        do=(forms.PlayCard(what=THIS, free=True, way="suspend"),),
        zone="exile",
        keyword="suspend",
        text=text_of(k),
    )
    haste = forms.Continuous(
        what=THIS, mods=(forms.GainAbilities(keywords=("haste",)),), condition=forms.Paid("suspend")
    )
    return (upkeep, last, haste)


# --- again -----------------------------------------------------------------------------------------------------------------


def rebound(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.86a: cast from hand, it is exiled as it resolves and may be cast again for nothing in the next upkeep."""
    again = forms.Delayed(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        then=(forms.PlayCard(what=IT, free=True),),
        text=text_of(k),
    )
    return (leaves_stack("exile", "resolve", forms.CastFrom("hand"), forms.Also(do=(again,))),)


def epic(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.48a: no more spells for the rest of the game, and a copy of this one in each upkeep."""
    copy = forms.Delayed(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        then=(forms.CopySpell(what=THIS),),
        once=False,
        text=text_of(k),
    )
    never = forms.RuleEffect(rule=forms.PlayerRule(rule="can't cast"), duration="forever")
    event = Pattern(event="zone change", subject=THIS, from_="stack", to="graveyard", cause="resolve")
    return (forms.Replacement(event=event, rewrite=(forms.Also(do=(never, copy)),)),)


def cipher(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.99a: a card is exiled encoded on a creature, whose controller may cast a copy of it as that strikes a player."""
    encoded = forms.Move(what=THIS, to="exile", chosen=Noun("a creature you control"))
    bearer = forms.Exists(of=Noun("a creature you control"))
    shown = forms.AllOf(conditions=(forms.Is(what=THIS, of=Noun("card")), bearer))
    spell = forms.If(condition=shown, then=(forms.May(then=(encoded,)),))
    strikes = Pattern(event="damage", subject=Noun("the chosen creature"), object=Noun("a player"), combat=True)
    copied = forms.PlayCard(what=THIS, who=Noun("its controller"), free=True, copies=1)
    return (
        forms.SpellAbility(do=(spell,), keyword=k.keyword, text=text_of(k)),
        forms.TriggeredAbility(when=(strikes,), do=(copied,), zone="exile", keyword=k.keyword, text=text_of(k)),
    )


CASTING: Expansions = {
    "cipher": cipher,
    "storm": storm,
    "gravestorm": gravestorm,
    "cascade": cascade,
    "flashback": flashback,
    "retrace": retrace,
    "jump-start": jump_start,
    "aftermath": aftermath,
    "suspend": suspend,
    "rebound": rebound,
    "epic": epic,
}
