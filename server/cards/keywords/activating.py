"""Keyword abilities that are activated, or that work from the hand, the library and the graveyard (702)."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import END_STEP, THIS, YOU, Expansions, activated, in_words, text_of, triggered
from server.cards.nouns import CardsIn, Noun, StatOf

DISCARD_THIS = forms.DiscardCost(what=THIS)
#: X is the mana value of this object (as it last was).
MANA_VALUE = forms.Bind(as_name="X", amount=StatOf("mana value", THIS))
ATTACHED = forms.Is(what=THIS, of=Noun("attached permanent"))
CREW = Noun("any number of other untapped creatures you control")
HASTE = forms.GainAbilities(keywords=("haste",))
ZOMBIE = forms.SetTypes(subtypes=("Zombie",))


# --- attaching -------------------------------------------------------------------------------------------------------------


def equip(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.6a"""
    return (activated(k, (forms.Attach(to=k.quality or Noun("target creature you control")),)),)


def fortify(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.65a"""
    return (activated(k, (forms.Attach(to=k.quality or Noun("target land you control")),)),)


def aura_swap(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.63a, b"""
    swap = forms.Exchange(left=THIS, right=Noun("each Aura card in your hand"), what="zones")
    return (activated(k, (forms.May(then=(swap,)),), slow=False),)


def reconfigure(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.151a, b"""
    attach = activated(k, (forms.Attach(to=Noun("another target creature you control")),))
    off = forms.ActivatedAbility(
        cost=k.cost,
        do=(forms.Attach(to=None),),
        timing="sorcery",
        condition=ATTACHED,
        keyword=k.keyword,
        text=text_of(k),
    )
    mods = (forms.SetTypes(lose=("creature",)),)
    return (attach, off, forms.Continuous(what=THIS, mods=mods, condition=ATTACHED, text=text_of(k)))


# --- from the battlefield --------------------------------------------------------------------------------------------------


def level_up(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.85a"""
    return (activated(k, (forms.PutCounters(counter="level", what=THIS),)),)


def transfigure(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.69a"""
    find = forms.Search(what=Noun("creature card with mana value X"), to="battlefield")
    return (activated(k, (MANA_VALUE, find), forms.SacrificeCost(what=THIS)),)


def outlast(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.107a"""
    return (activated(k, (forms.PutCounters(counter="+1/+1", what=THIS),), forms.TapCost()),)


def crew(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.122a; that it resolves is told (current 702.122d)."""
    become = forms.Effect(what=THIS, mods=(forms.SetTypes(types=("artifact", "creature")),))
    cost = forms.TapOthersCost(what=CREW, power=k.number)
    told = forms.KeywordAction(action="crew", what=THIS)
    return (activated(k, (become, told), cost, slow=False),)


def station(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.184a"""
    cost = forms.TapOthersCost(what=Noun("another untapped creature you control"))
    charge = forms.PutCounters(counter="charge", what=THIS, count=StatOf("power", Noun("$tapped")))
    return (activated(k, (charge,), cost),)


def saddle(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.171a: saddled until end of turn."""
    cost = forms.TapOthersCost(what=CREW, power=k.number)
    return (activated(k, (forms.Designate(what=THIS, designation="saddled"),), cost),)


# --- from the hand ---------------------------------------------------------------------------------------------------------


def cycling(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.27a"""
    return (activated(k, (forms.Draw(),), DISCARD_THIS, slow=False, zone="hand"),)


def typecycling(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.27c, d: a cycling ability that searches for a card of that kind."""
    find = forms.Search(what=k.quality or Noun("card"), reveal=True)
    ability = activated(k, (find,), DISCARD_THIS, slow=False, zone="hand")
    return (replace(ability, keyword="cycling"),)


def transmute(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.51a"""
    find = forms.Search(what=Noun("card with mana value X"), reveal=True)
    return (activated(k, (MANA_VALUE, find), DISCARD_THIS, zone="hand"),)


def reinforce(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.75a"""
    put = forms.PutCounters(counter="+1/+1", what=Noun("target creature"), count=k.number)
    return (activated(k, (put,), DISCARD_THIS, slow=False, zone="hand"),)


def forecast(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.55a, b: from the hand, revealed, in one's own upkeep, once a turn."""
    ability = activated(k, k.do, forms.RevealCost(what=THIS), slow=False, zone="hand")
    return (replace(ability, timing="upkeep", limit=1),)


# --- from the graveyard and the library ------------------------------------------------------------------------------------


def dredge(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.50a, b"""
    do = (forms.Mill(count=k.number), forms.Move(what=THIS, to="hand"))
    return (
        forms.Replacement(
            event=Pattern(event="draw", subject=YOU),
            rewrite=(forms.Instead(do=do),),
            condition=forms.Holds(CardsIn("library", YOU), ">=", k.number),
            optional=True,
            zone="graveyard",
            keyword=k.keyword,
            text=text_of(k),
        ),
    )


def recover(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.57a"""
    event = Pattern(event="zone change", subject=Noun("a creature you own"), from_="battlefield", to="graveyard")
    back = forms.May(
        cost=k.cost, then=(forms.Move(what=THIS, to="hand"),), otherwise=(forms.Move(what=THIS, to="exile"),)
    )
    return (triggered(event, (back,), k, zone="graveyard"),)


def unearth(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.82a"""
    it = Noun("$unearthed")
    exile = (forms.Move(what=it, to="exile"),)
    leaves = Pattern(event="zone change", subject=it, from_="battlefield")
    do = (
        forms.Move(what=THIS, to="battlefield", as_name="unearthed"),
        forms.Effect(what=it, mods=(forms.GainAbilities(keywords=("haste",)),), duration="forever"),
        forms.Delayed(when=(Pattern(event="step", step="end_turn"),), then=exile, text=text_of(k)),
        forms.Shield(
            effect=forms.Replacement(event=leaves, rewrite=(forms.ToZone(to="exile"),), text=text_of(k)),
            duration="forever",
        ),
    )
    return (activated(k, do, zone="graveyard"),)


def scavenge(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.97a"""
    put = forms.PutCounters(counter="+1/+1", what=Noun("target creature"), count=StatOf("power", THIS))
    return (activated(k, (put,), forms.ExileCost(what=THIS), zone="graveyard"),)


def _returns_as(k: KeywordAbility, *more: forms.AnyModification) -> tuple[Ability, ...]:
    """Exiled from the graveyard, it comes as a token copy that is a Zombie too and costs nothing."""
    token = forms.CreateToken(copy_of=THIS, excepting=(ZOMBIE, *more, forms.SetManaCost()))
    card = forms.ExileCost(what=Noun("{this} from your graveyard"))
    return (activated(k, (token,), card, zone="graveyard"),)


def embalm(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.128a"""
    return _returns_as(k, forms.SetColors(colors="W"))


def eternalize(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.129a"""
    return _returns_as(k, forms.SetColors(colors="B"), forms.SetPT(power=4, toughness=4))


def encore(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.141a: a copy for each opponent, that attacks that opponent this turn if able."""
    attack = forms.Flag(rule="attacks if able", param=Noun("that player"))
    then = (
        forms.CreateToken(copy_of=THIS, as_name="risen"),
        forms.Effect(what=Noun("$risen"), mods=(attack,)),
        forms.Effect(what=Noun("$risen"), mods=(HASTE,), duration="forever"),
        forms.Delayed(when=(END_STEP,), then=(forms.Sacrifice(what=Noun("$risen")),), text=text_of(k)),
    )
    card = forms.ExileCost(what=Noun("{this} from your graveyard"))
    return (activated(k, (forms.ForEach(of=Noun("each opponent"), then=then),), card, zone="graveyard"),)


def ripple(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.58a: cards of the same name may be cast, the others go to the bottom in any order."""
    same = Noun("each card in your library from among $shown with the same name as {this}")
    much, number = in_words(k.number)
    do = (
        *much,
        forms.Look(what=Noun(f"the top {number} cards of your library"), reveal=True, as_name="shown"),
        forms.PlayCard(what=same, free=True),
        forms.Reorder(what=Noun("each card in your library from among $shown"), bottom=True),
    )
    event = Pattern(event="cast", subject=YOU, object=THIS)
    return (triggered(event, (forms.May(then=do),), k),)


ACTIVATING: Expansions = {
    "equip": equip,
    "fortify": fortify,
    "aura swap": aura_swap,
    "reconfigure": reconfigure,
    "level up": level_up,
    "transfigure": transfigure,
    "outlast": outlast,
    "crew": crew,
    "station": station,
    "saddle": saddle,
    "cycling": cycling,
    "typecycling": typecycling,
    "transmute": transmute,
    "reinforce": reinforce,
    "forecast": forecast,
    "dredge": dredge,
    "recover": recover,
    "unearth": unearth,
    "scavenge": scavenge,
    "embalm": embalm,
    "eternalize": eternalize,
    "encore": encore,
    "ripple": ripple,
}
