"""Keyword abilities about how permanents enter the battlefield (702): what they enter with, what happens as or when they do."""

from __future__ import annotations

from collections.abc import Callable

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import (
    DIES,
    ENTERS,
    IT,
    LEAVES,
    OPPONENTS,
    THIS,
    YOU,
    Expansions,
    counters,
    enters_with,
    text_of,
    times,
    triggered,
)
from server.cards.nouns import ColorsSpent, CountersOn, ManaSpent, Noun, StatOf, ThatMuch, TurnCount, X

SACRIFICE = (forms.Sacrifice(what=THIS),)
SERVO = forms.Card(name="Servo", types="Artifact Creature — Servo", colors="", power="1", toughness="1")
GERM = forms.Card(name="Germ", types="Creature — Germ", colors="B", power="0", toughness="0")


# --- entering with counters ------------------------------------------------------------------------------------------------


def amplify(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.36a"""
    cards = Noun("any number of cards in your hand that share a creature type with {this}")
    return (enters_with(k, "+1/+1", times(k.number, ThatMuch("paid")), None, (forms.RevealCost(what=cards),)),)


def devour(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.80a"""
    food = forms.SacrificeCost(what=Noun("any number of creatures"))
    return (enters_with(k, "+1/+1", times(k.number, ThatMuch("paid")), None, (food,)),)


def bloodthirst(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.52a, b: any opponent will do; bloodthirst X counts the damage dealt to all of them."""
    damage = TurnCount("damage", OPPONENTS)
    if not isinstance(k.number, int):
        return (enters_with(k, "+1/+1", damage),)
    return (enters_with(k, "+1/+1", k.number, forms.Holds(damage, ">=", 1)),)


def sunburst(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.42a: +1/+1 counters on what enters as a creature, else charge counters."""
    creature = forms.Is(what=THIS, of=Noun("creature"))
    return (
        enters_with(k, "+1/+1", ColorsSpent(), creature),
        enters_with(k, "charge", ColorsSpent(), forms.NotSo(creature)),
    )


def modular(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.41a"""
    put = forms.PutCounters(counter="+1/+1", what=Noun("target artifact creature"), count=CountersOn("+1/+1", THIS))
    return (enters_with(k, "+1/+1", k.number), triggered(DIES, (forms.May(then=(put,)),), k))


def graft(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.56a: the counter moves, so nothing happens when one of the two is gone."""
    enters = Pattern(event="zone change", subject=Noun("another creature"), to="battlefield")
    move = forms.May(cost=(forms.CountersCost(counter="+1/+1"),), then=(forms.PutCounters(counter="+1/+1", what=IT),))
    do = (forms.If(condition=forms.Exists(Noun("each permanent from among it")), then=(move,)),)
    return (enters_with(k, "+1/+1", k.number), triggered(enters, do, k, counters("+1/+1", ">=", 1)))


def riot(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.136a: a +1/+1 counter, or haste, which it keeps."""
    rewrite = forms.EnterWith(counter="+1/+1", optional=True, gains="haste")
    return (forms.Replacement(event=ENTERS, rewrite=(rewrite,), keyword=k.keyword, text=text_of(k)),)


def unleash(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.98a"""
    rewrite = forms.EnterWith(counter="+1/+1", optional=True)
    enters = forms.Replacement(event=ENTERS, rewrite=(rewrite,), keyword=k.keyword, text=text_of(k))
    idle = forms.Continuous(
        what=THIS, mods=(forms.Flag(rule="can't block"),), condition=counters("+1/+1", ">=", 1), text=text_of(k)
    )
    return (enters, idle)


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


def fabricate(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.123a"""
    put = (forms.PutCounters(counter="+1/+1", what=THIS, count=k.number),)
    servos = (forms.CreateToken(token=SERVO, count=k.number),)
    return (triggered(ENTERS, (forms.May(then=put, otherwise=servos),), k),)


# --- when it or another enters ---------------------------------------------------------------------------------------------


def hideaway(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.73a: one of the top four cards (or as many as newer cards say) is exiled face down, for its player to look at."""
    n = k.number if isinstance(k.number, int) and k.number else 4
    left = Noun("each card in your library from among $seen")
    do = (
        forms.Look(what=Noun(f"the top {n} cards of your library"), as_name="seen"),
        forms.Pick(what=left, as_name="kept"),
        forms.Move(what=Noun("$kept"), to="exile", face_down=True, link=True),
        forms.Look(what=Noun("the exiled card")),
        forms.Reorder(what=left, bottom=True),
    )
    if k.number:
        return (triggered(ENTERS, do, k),)
    tapped = forms.Replacement(
        event=ENTERS, rewrite=(forms.EnterWith(tapped=True),), keyword=k.keyword, text=text_of(k)
    )
    return (tapped, triggered(ENTERS, do, k))


def living_weapon(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.90a"""
    do = (forms.CreateToken(token=GERM, as_name="germ"), forms.Attach(to=Noun("$germ")))
    return (triggered(ENTERS, do, k),)


def _with_token(token: forms.Card) -> Callable[[KeywordAbility], tuple[Ability, ...]]:
    """An Equipment that brings its first bearer (for Mirrodin!, current 702.163a; job select, current 702.182a)."""
    do = (forms.CreateToken(token=token, as_name="bearer"), forms.Attach(to=Noun("$bearer")))
    return lambda k: (triggered(ENTERS, do, k),)


for_mirrodin = _with_token(forms.Card(name="Rebel", types="Creature — Rebel", colors="R", power="2", toughness="2"))
job_select = _with_token(forms.Card(name="Hero", types="Creature — Hero", colors="", power="1", toughness="1"))


def champion(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.70a: two linked abilities (607)."""
    what = k.quality.text if k.quality is not None else "creature"
    kind = what.removeprefix("a ").removeprefix("an ")
    exile = forms.ExileCost(what=Noun(f"another {kind} you control"), link=True)
    back = forms.Move(what=Noun("the exiled card"), to="battlefield", under=Noun("its owner"))
    return (
        triggered(ENTERS, (forms.Unless(cost=(exile,), then=SACRIFICE, who=YOU),), k),
        triggered(LEAVES, (back,), k),
    )


def exploit(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.110a"""
    return (triggered(ENTERS, (forms.May(then=(forms.Sacrifice(what=Noun("a creature"), action="exploit"),)),), k),)


def evolve(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.100a, b: compared as the creature enters and again on resolution."""
    event = Pattern(event="zone change", subject=Noun("another creature you control"), to="battlefield")
    bigger = forms.OneOf(
        conditions=(
            forms.Holds(StatOf("power", IT), ">", StatOf("power", THIS)),
            forms.Holds(StatOf("toughness", IT), ">", StatOf("toughness", THIS)),
        )
    )
    told = forms.If(condition=forms.Did(), then=(forms.KeywordAction(action="evolve", what=THIS),))
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS), told), k, bigger),)


def increment(k: KeywordAbility) -> tuple[Ability, ...]:
    """As evolve does, by the mana that was spent to cast a spell (its reminder text; current 603.4)."""
    greater = forms.OneOf(
        conditions=tuple(forms.Holds(ManaSpent(), ">", StatOf(stat, THIS)) for stat in ("power", "toughness"))
    )
    cast = Pattern(event="cast", subject=YOU, object=Noun("a spell"))
    return (triggered(cast, (forms.PutCounters(counter="+1/+1", what=THIS),), k, greater),)


def soulbond(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.95a"""
    single = forms.Is(what=THIS, of=Noun("unpaired creature you control"))
    other = Noun("another unpaired creature you control")
    comes = Pattern(event="zone change", subject=Noun("another creature you control"), to="battlefield")
    first = forms.AllOf(conditions=(single, forms.Exists(of=other)))
    return (
        triggered(ENTERS, (forms.May(then=(forms.Pair(what=other),)),), k, first),
        triggered(comes, (forms.May(then=(forms.Pair(what=Noun("it")),)),), k, single),
    )


def partner_with(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.124j: what it means for decks is said elsewhere."""
    assert k.quality is not None
    find = forms.Search(what=k.quality, who=Noun("that player"), reveal=True)
    return (triggered(ENTERS, (forms.May(who=Noun("target player"), then=(find,)),), k),)


ENTERING: Expansions = {
    "amplify": amplify,
    "devour": devour,
    "bloodthirst": bloodthirst,
    "sunburst": sunburst,
    "modular": modular,
    "graft": graft,
    "riot": riot,
    "unleash": unleash,
    "ravenous": ravenous,
    "tribute": tribute,
    "backup": backup,
    "fabricate": fabricate,
    "hideaway": hideaway,
    "living weapon": living_weapon,
    "for Mirrodin!": for_mirrodin,
    "job select": job_select,
    "champion": champion,
    "exploit": exploit,
    "evolve": evolve,
    "increment": increment,
    "soulbond": soulbond,
    "partner with": partner_with,
}
