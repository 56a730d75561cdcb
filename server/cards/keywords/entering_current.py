"""Keyword abilities of permanents that came after September 2011 (702 of the current edition): what they stand for."""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility
from server.cards.keywords.tools import ATTACKS, ENTERS, THIS, activated, enters_with, text_of, triggered
from server.cards.nouns import Noun, StatOf, X

ATTACHED = forms.Is(what=THIS, of=Noun("attached permanent"))
CREW = Noun("any number of other untapped creatures you control")
END_STEP = forms.Pattern(event="step", step="end_turn")
HASTE = forms.GainAbilities(keywords=("haste",))
STRIKES_PLAYER = forms.Pattern(event="damage", subject=THIS, object=Noun("a player"), combat=True)
ZOMBIE = forms.SetTypes(subtypes=("Zombie",))


def _is(status: str) -> forms.Is:
    return forms.Is(what=THIS, of=Noun(f"{status} permanent"))


# --- tapping creatures for their power --------------------------------------------------------------------------------------


def crew(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.122a"""
    become = forms.Effect(what=THIS, mods=(forms.SetTypes(types=("artifact", "creature")),))
    cost = forms.TapOthersCost(what=CREW, power=k.number)
    return (activated(k, (become,), cost, slow=False),)


def station(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.184a"""
    cost = forms.TapOthersCost(what=Noun("another untapped creature you control"))
    charge = forms.PutCounters(counter="charge", what=THIS, count=StatOf("power", Noun("$tapped")))
    return (activated(k, (charge,), cost),)


def saddle(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.171a: saddled until end of turn."""
    cost = forms.TapOthersCost(what=CREW, power=k.number)
    return (activated(k, (forms.Designate(what=THIS, designation="saddled"),), cost),)


# --- attaching ----------------------------------------------------------------------------------------------------------------


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


# --- attacking and striking -----------------------------------------------------------------------------------------------------


def mentor(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.134a"""
    weaker = Noun("target attacking creature with power less than {this}'s power")
    return (triggered(ATTACKS, (forms.PutCounters(counter="+1/+1", what=weaker),), k),)


WARRIOR = forms.Card(name="Warrior", types="Creature — Warrior", colors="R", power="1", toughness="1")


def mobilize(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.181a"""
    raised = forms.CreateToken(token=WARRIOR, count=k.number, tapped=True, attacking=True, as_name="mobilized")
    gone = forms.Delayed(when=(END_STEP,), then=(forms.Sacrifice(what=Noun("$mobilized")),), text=text_of(k))
    return (triggered(ATTACKS, (raised, gone), k),)


def ingest(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.115a"""
    exile = forms.Move(what=Noun("the top card of that player's library"), to="exile")
    return (triggered(STRIKES_PLAYER, (exile,), k),)


def renown(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.112a, b"""
    grow = forms.PutCounters(counter="+1/+1", what=THIS, count=k.number)
    known = forms.Designate(what=THIS, designation="renowned")
    return (triggered(STRIKES_PLAYER, (grow, known), k, forms.NotSo(condition=_is("renowned"))),)


# --- entering -----------------------------------------------------------------------------------------------------------------


def soulbond(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.95a"""
    single = forms.Is(what=THIS, of=Noun("unpaired creature you control"))
    other = Noun("another unpaired creature you control")
    comes = forms.Pattern(event="zone change", subject=Noun("another creature you control"), to="battlefield")
    first = forms.AllOf(conditions=(single, forms.Exists(of=other)))
    return (
        triggered(ENTERS, (forms.May(then=(forms.Pair(what=other),)),), k, first),
        triggered(comes, (forms.May(then=(forms.Pair(what=Noun("it")),)),), k, single),
    )


def ravenous(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.156a"""
    fed = forms.Holds(X(), ">=", 5)
    return (enters_with(k, "+1/+1", X()), triggered(ENTERS, (forms.Draw(),), k, fed))


def tribute(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.104a, b"""
    rewrite = forms.EnterWith(
        counter="+1/+1", count=k.number, optional=True, asked=Noun("an opponent"), mark="tributed"
    )
    return (forms.Replacement(event=ENTERS, rewrite=(rewrite,), keyword=k.keyword, text=text_of(k)),)


def backup(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.165a: what another creature gains is what the card says below (`do`)."""
    grow = forms.PutCounters(counter="+1/+1", what=Noun("target creature"), count=k.number)
    other = forms.Is(what=Noun("it"), of=Noun("another creature"))
    give = (forms.If(condition=other, then=k.do),) if k.do else ()
    return (triggered(ENTERS, (grow, *give), k),)


def partner_with(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.124j: what it means for decks is said elsewhere."""
    assert k.quality is not None
    find = forms.Search(what=k.quality, who=Noun("that player"), reveal=True)
    return (triggered(ENTERS, (forms.May(who=Noun("target player"), then=(find,)),), k),)


# --- from the graveyard ---------------------------------------------------------------------------------------------------------


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


TODAY: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "crew": crew,
    "saddle": saddle,
    "station": station,
    "reconfigure": reconfigure,
    "mentor": mentor,
    "mobilize": mobilize,
    "ingest": ingest,
    "renown": renown,
    "ravenous": ravenous,
    "soulbond": soulbond,
    "tribute": tribute,
    "backup": backup,
    "partner with": partner_with,
    "embalm": embalm,
    "eternalize": eternalize,
    "encore": encore,
}
