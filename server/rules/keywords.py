"""Keyword abilities (702) as abbreviations: what each expands to in the general vocabulary of the tree.

Keywords that the combat, casting or damage rules read by name are flags and stay as they are; all others become triggered,
activated, static or replacement abilities here, once, when a card is defined. The keyword ability itself stays among the
abilities, so that "creatures with bushido" and protection's quality can be found.
"""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.nouns import Amount, Count, CountersOn, Minus, Noun, Times
from server.rules.keywords_casting import CASTING_EXPANSIONS

THIS = Noun("{this}")
YOU = Noun("you")
IT = Noun("it")

#: Keywords that rules read by name; nothing to expand.
FLAG_KEYWORDS = frozenset(
    (
        "deathtouch", "defender", "double strike", "enchant", "first strike", "flash", "flying", "haste", "hexproof",
        "intimidate", "fear", "lifelink", "protection", "reach", "shroud", "trample", "vigilance", "shadow",
        "horsemanship", "wither", "infect", "changeling", "banding", "phasing", "indestructible", "menace", "split second",
        "plainswalk", "islandwalk", "swampwalk", "mountainwalk", "forestwalk", "landwalk", "skulk",
    )
)  # fmt: skip


def expand(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """The keyword ability followed by the abilities that it stands for."""
    make = EXPANSIONS.get(keyword.keyword) or CASTING_EXPANSIONS.get(keyword.keyword)
    return (keyword, *make(keyword)) if make else (keyword,)


def _triggered(
    event: Pattern, do: forms.Tree, keyword: KeywordAbility, condition: forms.AnyCondition | None = None
) -> forms.TriggeredAbility:
    text = keyword.text or keyword.keyword.capitalize()
    return forms.TriggeredAbility(when=(event,), do=do, condition=condition, keyword=keyword.keyword, text=text)


def _pump(power: Amount, toughness: Amount, what: Noun = THIS, minus: bool = False) -> forms.Effect:
    return forms.Effect(what=what, mods=(forms.AddPT(power=power, toughness=toughness, minus=minus),))


def _protection(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.16e: damage from sources of that quality is prevented. Targets, blocks and attachments are asked where they matter.
    event = Pattern(event="damage", subject=k.quality, object=THIS)
    return (forms.Replacement(event=event, rewrite=(forms.Prevent(),), text=k.text or "protection"),)


def _bushido(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.43a
    pump = (_pump(k.number, k.number),)
    return (
        _triggered(Pattern(event="blocks", subject=THIS, grain="batch"), pump, k),
        _triggered(Pattern(event="becomes blocked", subject=THIS, grain="batch"), pump, k),
    )


def _flanking(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.23a: each creature without flanking that blocks this gets -1/-1.
    event = Pattern(event="blocks", subject=Noun("creature without flanking"), object=THIS)
    return (_triggered(event, (_pump(1, 1, Noun("that creature"), minus=True),), k),)


def _rampage(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.21a: for each blocker beyond the first, counted as it resolves.
    beyond = Minus(Count(Noun("each creature blocking {this}")), 1)
    amount: Amount = beyond if k.number == 1 else Times(k.number if isinstance(k.number, int) else 1, beyond)
    event = Pattern(event="becomes blocked", subject=THIS, grain="batch")
    return (_triggered(event, (_pump(amount, amount),), k),)


def _exalted(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.80a
    event = Pattern(event="attacks alone", subject=Noun("creature you control"))
    return (_triggered(event, (_pump(1, 1, Noun("that creature")),), k),)


def _battle_cry(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.89a
    event = Pattern(event="attacks", subject=THIS)
    return (_triggered(event, (_pump(1, 0, Noun("each other attacking creature")),), k),)


def _prowess(k: KeywordAbility) -> tuple[Ability, ...]:
    event = Pattern(event="cast", subject=YOU, object=Noun("noncreature spell"))
    return (_triggered(event, (_pump(1, 1),), k),)


def _equip(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.6a
    text = k.text or "Equip"
    attach = (forms.Attach(to=k.quality or Noun("target creature you control")),)
    return (forms.ActivatedAbility(cost=k.cost, do=attach, timing="sorcery", keyword="equip", text=text),)


def _cycling(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.28a
    cost = (*k.cost, forms.DiscardCost(what=THIS))
    text = k.text or "Cycling"
    return (forms.ActivatedAbility(cost=cost, do=(forms.Draw(),), zone="hand", keyword="cycling", text=text),)


def _persist(k: KeywordAbility, counter: str = "-1/-1") -> tuple[Ability, ...]:
    # 702.76a: only if it had no such counter, which last known information tells.
    event = Pattern(event="zone change", subject=THIS, from_="battlefield", to="graveyard")
    condition = forms.Holds(CountersOn(counter, THIS), "=", 0)
    back = (forms.Move(what=IT, to="battlefield", under=Noun("its owner"), counter=counter),)
    return (_triggered(event, back, k, condition),)


def _undying(k: KeywordAbility) -> tuple[Ability, ...]:
    return _persist(k, "+1/+1")


def _annihilator(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.83a
    from server.cards.nouns import X

    event = Pattern(event="attacks", subject=THIS)
    do = (
        forms.Bind(as_name="X", amount=k.number),
        forms.ForEach(times=X(), then=(forms.Sacrifice(what=Noun("a permanent"), who=Noun("defending player")),)),
    )
    if k.number == 1:
        do = (forms.Sacrifice(what=Noun("a permanent"), who=Noun("defending player")),)
    return (_triggered(event, do, k),)


def _fading(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.29a: each upkeep a fade counter is removed, or it is sacrificed if there is none.
    enters = forms.Replacement(
        event=Pattern(event="zone change", subject=THIS, to="battlefield"),
        rewrite=(forms.EnterWith(counter="fade", count=k.number),),
    )
    upkeep = Pattern(event="step", step="upkeep", whose=YOU)
    do = (
        forms.If(
            condition=forms.Holds(CountersOn("fade", THIS), ">=", 1),
            then=(forms.RemoveCounters(counter="fade", what=THIS),),
            otherwise=(forms.Sacrifice(what=THIS),),
        ),
    )
    return (enters, _triggered(upkeep, do, k))


def _vanishing(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.61a
    enters = forms.Replacement(
        event=Pattern(event="zone change", subject=THIS, to="battlefield"),
        rewrite=(forms.EnterWith(counter="time", count=k.number),),
    )
    has_one = forms.Holds(CountersOn("time", THIS), ">=", 1)
    upkeep = Pattern(event="step", step="upkeep", whose=YOU)
    removed = Pattern(event="counters removed", subject=THIS, counter="time")
    last = forms.Holds(CountersOn("time", THIS), "=", 0)
    return (
        enters,
        _triggered(upkeep, (forms.RemoveCounters(counter="time", what=THIS),), k, has_one),
        _triggered(removed, (forms.Sacrifice(what=THIS),), k, last),
    )


def _poisonous(k: KeywordAbility) -> tuple[Ability, ...]:
    # 702.67a
    event = Pattern(event="damage", subject=THIS, object=Noun("player"), combat=True)
    put = (forms.PutCounters(counter="poison", what=Noun("that player"), count=k.number),)
    return (_triggered(event, put, k),)


EXPANSIONS: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "protection": _protection,
    "bushido": _bushido,
    "flanking": _flanking,
    "rampage": _rampage,
    "exalted": _exalted,
    "battle cry": _battle_cry,
    "prowess": _prowess,
    "equip": _equip,
    "cycling": _cycling,
    "persist": _persist,
    "undying": _undying,
    "annihilator": _annihilator,
    "fading": _fading,
    "vanishing": _vanishing,
    "poisonous": _poisonous,
}
