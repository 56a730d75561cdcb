"""Keyword abilities about casting (702), as abbreviations of the general vocabulary.

Additional and alternative costs, permissions to cast from other zones, what happens to the card afterwards, and abilities
that trigger on the spell being cast. `keywords.expand` asks here too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from server.cards import forms
from server.cards.forms import Ability, CastingCost, KeywordAbility, Pattern
from server.cards.nouns import Count as CountOf
from server.cards.nouns import CountersOn, Noun, StatOf, ThatMuch, Times, TimesPaid, TurnCount, Zone

THIS = Noun("{this}")
YOU = Noun("you")
IT = Noun("it")
EACH_PLAYER = Noun("each player")
WHEN_CAST = Pattern(event="cast", subject=YOU, object=THIS)

#: Keywords by which a card may be cast face down and turned face up (702.35; current 702.37b and current 702.168).
MORPHS = frozenset(("morph", "megamorph", "disguise"))
#: Keywords by which a card in the hand has another way to be cast.
WAYS = MORPHS | {"offering"}
#: Keywords by which a card in the hand is exiled to be cast later; `special` has the rest.
EXILED_FIRST = frozenset(("suspend", "foretell", "plot"))
#: Keywords that the casting rules read by name; nothing to expand.
CASTING_FLAGS = frozenset(
    ("convoke", "delve", "split second", "flash", "offering", "improvise", "escalate", "fuse", "splice", *MORPHS)
)


def _text(k: KeywordAbility) -> str:
    return k.text or k.keyword.capitalize()


def _additional(k: KeywordAbility, repeat: bool = False, name: str = "") -> CastingCost:
    return CastingCost(name=name or k.keyword, cost=k.cost, optional=True, repeat=repeat, text=_text(k))


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


def _cast_trigger(
    k: KeywordAbility, do: forms.Tree, condition: forms.AnyCondition | None = None
) -> forms.TriggeredAbility:
    return forms.TriggeredAbility(when=(WHEN_CAST,), do=do, condition=condition, keyword=k.keyword, text=_text(k))


def _kicker(k: KeywordAbility) -> tuple[Ability, ...]:
    return (_additional(k),)  # 702.31a


def _multikicker(k: KeywordAbility) -> tuple[Ability, ...]:
    return (_additional(k, repeat=True, name="kicker"),)  # 702.31c


def _buyback(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.25a: as it would go to the graveyard on resolving, it returns to its owner's hand instead.
    return (_additional(k), leaves_stack("hand", "resolve", forms.Paid("buyback")))


def _entwine(k: KeywordAbility) -> tuple[Ability, ...]:
    return (_additional(k),)  # 702.40a; the modes are chosen in announce


def _replicate(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.54a
    copy = (forms.CopySpell(what=THIS, count=TimesPaid("replicate")),)
    return (_additional(k, repeat=True), _cast_trigger(k, copy, forms.Paid("replicate")))


def _conspire(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.76a
    tapped = forms.TapOthersCost(what=Noun("two untapped creatures you control that share a color with {this}"))
    cost = CastingCost(name="conspire", cost=(tapped,), optional=True, text=_text(k))
    return (cost, _cast_trigger(k, (forms.CopySpell(what=THIS),), forms.Paid("conspire")))


def _storm(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.38a: counted as it is cast.
    return (_cast_trigger(k, (forms.CopySpell(what=THIS, count=ThatMuch("spells before")),)),)


def _gravestorm(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.67a
    count = TurnCount("to graveyard", EACH_PLAYER)
    return (_cast_trigger(k, (forms.CopySpell(what=THIS, count=count),)),)


def _flashback(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.32a: from the graveyard for this cost, then exiled instead of going anywhere else.
    kind = "alternative" if k.cost else "permission"  # without a cost of its own it costs the mana cost
    cost = CastingCost(name="flashback", cost=k.cost, kind=kind, zone="graveyard", text=_text(k))
    return (cost, leaves_stack("exile", "", forms.Paid("flashback")))


def _retrace(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.79a
    discard = forms.DiscardCost(what=Noun("a land card"))
    return (CastingCost(name="retrace", cost=(discard,), kind="permission", zone="graveyard", text=_text(k)),)


def _evoke(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.72a
    cost = CastingCost(name="evoke", cost=k.cost, kind="alternative", text=_text(k))
    enters = Pattern(event="zone change", subject=THIS, to="battlefield")
    sacrifice = forms.TriggeredAbility(
        when=(enters,), condition=forms.Paid("evoke"), do=(forms.Sacrifice(what=THIS),), keyword="evoke", text=_text(k)
    )
    return (cost, sacrifice)


def _prowl(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.74a: if a source with any of this spell's creature types dealt combat damage to a player this turn.
    condition = forms.Holds(TurnCount("prowl", YOU), ">=", 1)
    return (CastingCost(name="prowl", cost=k.cost, kind="alternative", condition=condition, text=_text(k)),)


def _affinity(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.39a
    quality = k.quality.text if k.quality is not None else "artifact"
    count = CountOf(Noun(f"each {quality} you control"))
    return (forms.CostChange(what=THIS, generic=Times(-1, count), text=_text(k)),)


def _madness(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.33a: discarded into exile; then cast for this cost or put into the graveyard.
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
        text=_text(k),
    )
    cost = CastingCost(name="madness", cost=k.cost, kind="alternative", zone="exile", offered=True, text=_text(k))
    return (exiled, offer, cost)


def _suspend(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.60a
    counters = CountersOn("time", THIS)
    upkeep = forms.TriggeredAbility(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        condition=forms.Holds(counters, ">=", 1),
        do=(forms.RemoveCounters(counter="time", what=THIS),),
        zone="exile",
        keyword="suspend",
        text=_text(k),
    )
    last = forms.TriggeredAbility(
        when=(Pattern(event="counters removed", subject=THIS, counter="time"),),
        condition=forms.Holds(counters, "=", 0),
        do=(forms.PlayCard(what=THIS, free=True, way="suspend"),),
        zone="exile",
        keyword="suspend",
        text=_text(k),
    )
    haste = forms.Continuous(
        what=THIS, mods=(forms.GainAbilities(keywords=("haste",)),), condition=forms.Paid("suspend")
    )
    return (upkeep, last, haste)


def _cascade(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.83a
    do = (
        forms.TakeUntil(what=Noun("a nonland card"), below=StatOf("mana value", THIS)),
        forms.PlayCard(what=Noun("$found"), free=True),
        forms.If(
            condition=forms.NotSo(forms.Did()),
            then=(forms.Move(what=Noun("$found"), to="library", bottom=True),),
        ),
        forms.Move(what=Noun("$rest"), to="library", bottom=True),
    )
    return (_cast_trigger(k, do),)


def _rebound(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.86a: cast from hand, it is exiled as it resolves and may be cast again for nothing in the next upkeep.
    again = forms.Delayed(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        then=(forms.PlayCard(what=IT, free=True),),
        text=_text(k),
    )
    return (leaves_stack("exile", "resolve", forms.CastFrom("hand"), forms.Also(do=(again,))),)


def _epic(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.48a: no more spells for the rest of the game, and a copy of this one in each upkeep.
    copy = forms.Delayed(
        when=(Pattern(event="step", step="upkeep", whose=YOU),),
        then=(forms.CopySpell(what=THIS),),
        once=False,
        text=_text(k),
    )
    never = forms.RuleEffect(rule=forms.PlayerRule(rule="can't cast"), duration="forever")
    event = Pattern(event="zone change", subject=THIS, from_="stack", to="graveyard", cause="resolve")
    return (forms.Replacement(event=event, rewrite=(forms.Also(do=(never, copy)),)),)


def _bestow(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.103a: what the spell becomes is one of its sides (`sides`)."""
    return (CastingCost(name="bestow", cost=k.cost, kind="alternative", text=_text(k)),)


def _aftermath(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.127a: cast from the graveyard only, then exiled instead of going anywhere else."""
    return (
        forms.CastingRule(zone="graveyard", only=True, text=_text(k)),
        leaves_stack("exile", "", forms.CastFrom("graveyard")),
    )


CASTING_EXPANSIONS: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "kicker": _kicker,
    "multikicker": _multikicker,
    "buyback": _buyback,
    "entwine": _entwine,
    "replicate": _replicate,
    "conspire": _conspire,
    "storm": _storm,
    "gravestorm": _gravestorm,
    "flashback": _flashback,
    "retrace": _retrace,
    "evoke": _evoke,
    "prowl": _prowl,
    "affinity": _affinity,
    "madness": _madness,
    "suspend": _suspend,
    "cascade": _cascade,
    "rebound": _rebound,
    "epic": _epic,
    "aftermath": _aftermath,
    "bestow": _bestow,
}
