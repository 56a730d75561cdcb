"""Keyword abilities about combat and damage (702): what they stand for."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Ability, KeywordAbility, Pattern
from server.cards.keywords.tools import (
    ATTACKS,
    END_STEP,
    THIS,
    Expansions,
    activated,
    in_words,
    pump,
    text_of,
    times,
    triggered,
)
from server.cards.nouns import Count, LifeOf, Minus, Noun, StatOf, TurnCount

BLOCKS = Pattern(event="blocks", subject=THIS, grain="batch")
BECOMES_BLOCKED = Pattern(event="becomes blocked", subject=THIS, grain="batch")
STRIKES_PLAYER = Pattern(event="damage", subject=THIS, object=Noun("a player"), combat=True)
WARRIOR = forms.Card(name="Warrior", types="Creature — Warrior", colors="R", power="1", toughness="1")


# --- damage ----------------------------------------------------------------------------------------------------------------


def protection(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.15e: damage from sources of that quality is prevented. Targets, blocks and attachments are asked where they matter."""
    event = Pattern(event="damage", subject=k.quality, object=THIS)
    return (forms.Replacement(event=event, rewrite=(forms.Prevent(),), keyword=k.keyword, text=text_of(k)),)


def absorb(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.62a: so much of each source's damage is prevented."""
    event = Pattern(event="damage", object=THIS)
    return (
        forms.Replacement(event=event, rewrite=(forms.Prevent(amount=k.number),), keyword=k.keyword, text=text_of(k)),
    )


def poisonous(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.68a"""
    event = Pattern(event="damage", subject=THIS, object=Noun("player"), combat=True)
    put = (forms.PutCounters(counter="poison", what=Noun("that player"), count=k.number),)
    return (triggered(event, put, k),)


def ingest(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.115a"""
    exile = forms.Move(what=Noun("the top card of that player's library"), to="exile")
    return (triggered(STRIKES_PLAYER, (exile,), k),)


def renown(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.112a, b"""
    grow = forms.PutCounters(counter="+1/+1", what=THIS, count=k.number)
    known = forms.Designate(what=THIS, designation="renowned")
    return (
        triggered(
            STRIKES_PLAYER, (grow, known), k, forms.NotSo(condition=forms.Is(what=THIS, of=Noun("renowned permanent")))
        ),
    )


def enlist(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.154a: an optional cost to attack, and what triggers as it is paid."""
    may = forms.Continuous(what=THIS, mods=(forms.Flag(rule="may enlist"),), text=text_of(k))
    event = Pattern(event="keyword action", cause="enlist", subject=THIS)
    grows = forms.AddPT(power=StatOf(stat="power", of=Noun("$other")))
    return (may, triggered(event, (forms.Effect(what=THIS, mods=(grows,)),), k))


# --- attacking -------------------------------------------------------------------------------------------------------------


def exalted(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.81a"""
    event = Pattern(event="attacks alone", subject=Noun("creature you control"))
    return (triggered(event, (pump(1, 1, Noun("that creature")),), k),)


def battle_cry(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.89a"""
    return (triggered(ATTACKS, (pump(1, 0, Noun("each other attacking creature")),), k),)


def provoke(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.37a: a creature of the player whom this very creature attacks (802.2a) untaps and blocks it if able."""
    blocks = forms.Flag(rule="blocks if able", param=THIS)
    do = (
        forms.Tap(what=Noun("target creature defending player controls"), untap=True),
        forms.Effect(what=Noun("it"), mods=(blocks,), duration="end of combat"),
    )
    return (triggered(ATTACKS, (forms.May(then=do),), k),)


def annihilator(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.84a: the defending player of this attacker (802.2a) sacrifices so many permanents, all at once."""
    much, number = in_words(k.number)
    what = Noun("a permanent") if k.number == 1 else Noun(f"{number} permanents")
    return (
        triggered(
            ATTACKS,
            (
                *much,
                forms.Sacrifice(what=what, who=Noun("defending player")),
            ),
            k,
        ),
    )


def ninjutsu(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.47a, c: attacking the same player or planeswalker as the creature that went back, and unblocked."""
    swap = forms.ReturnCost(what=Noun("an unblocked attacking creature you control"))
    enter = forms.Move(what=THIS, to="battlefield", tapped=True, attacking=True, same_as=Noun("$returned"))
    return (activated(k, (enter,), forms.RevealCost(what=THIS), swap, slow=False, zone="hand"),)


def commander_ninjutsu(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.49d: ninjutsu, also of a commander in the command zone."""
    (of_hand,) = ninjutsu(k)
    return (of_hand, replace(of_hand, zone="command"))


def melee(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.121a: +1/+1 for each opponent attacked with a creature this combat."""
    n = TurnCount("opponents attacked", Noun("your opponents"))
    return (triggered(ATTACKS, (pump(n, n),), k),)


def training(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.149a"""
    bigger = forms.Exists(of=Noun("other attacking creatures you control with power greater than {this}'s power"))
    event = Pattern(event="attacks", subject=THIS, condition=bigger)
    told = forms.If(condition=forms.Did(), then=(forms.KeywordAction(action="train", what=THIS),))
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS), told), k),)


def myriad(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.116a: a copy for each opponent other than the defending player, that attacks this one."""
    that_player, copies = Noun("that player"), Noun("$copies")
    ends = Pattern(event="step", step="end_combat")
    then = (
        forms.CreateToken(copy_of=THIS, tapped=True, attacking=True, whom=that_player, as_name="copies"),
        forms.Delayed(when=(ends,), then=(forms.Move(what=copies, to="exile"),), text=text_of(k)),
    )
    attacked = forms.Is(what=that_player, of=Noun("defending player"))
    other = forms.If(condition=forms.NotSo(condition=attacked), then=(forms.May(then=then),))
    return (triggered(ATTACKS, (forms.ForEach(of=Noun("each opponent"), then=(other,)),), k),)


def dethrone(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.105a: nobody has more life than the player that this creature attacks."""
    more = forms.Holds(LifeOf(of=Noun("that player")), ">", LifeOf(of=Noun("defending player")))
    richest = forms.NotSo(condition=forms.SomePlayer(who=Noun("each player"), condition=more))
    event = Pattern(event="attacks", subject=THIS, object=Noun("a player"), condition=richest)
    return (triggered(event, (forms.PutCounters(counter="+1/+1", what=THIS),), k),)


def firebending(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.189a"""
    return (triggered(ATTACKS, (forms.AddMana(mana="{R}", count=k.number, lasts="end of combat"),), k),)


def mentor(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.134a"""
    weaker = Noun("target attacking creature with power less than {this}'s power")
    return (triggered(ATTACKS, (forms.PutCounters(counter="+1/+1", what=weaker),), k),)


def mobilize(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.181a"""
    raised = forms.CreateToken(token=WARRIOR, count=k.number, tapped=True, attacking=True, as_name="mobilized")
    gone = forms.Delayed(when=(END_STEP,), then=(forms.Sacrifice(what=Noun("$mobilized")),), text=text_of(k))
    return (triggered(ATTACKS, (raised, gone), k),)


def decayed(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.147a"""
    idle = forms.Continuous(what=THIS, mods=(forms.Flag(rule="can't block"),), text=text_of(k))
    ends = Pattern(event="step", step="end_combat")
    later = forms.Delayed(when=(ends,), then=(forms.Sacrifice(what=THIS),), text=text_of(k))
    return (idle, triggered(ATTACKS, (later,), k))


# --- blocking and being blocked --------------------------------------------------------------------------------------------


def bushido(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.43a"""
    return (triggered((BLOCKS, BECOMES_BLOCKED), (pump(k.number, k.number),), k),)


def flanking(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.23a: each creature without flanking that blocks this gets -1/-1."""
    event = Pattern(event="becomes blocked by", subject=Noun("creature without flanking"), object=THIS)
    return (triggered(event, (pump(1, 1, Noun("that creature"), minus=True),), k),)


def rampage(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.21a, b: for each blocker beyond the first, counted as it resolves."""
    n = times(k.number, Minus(Count(Noun("each creature blocking {this}")), 1))
    return (triggered(BECOMES_BLOCKED, (pump(n, n),), k),)


def frenzy(k: KeywordAbility) -> tuple[Ability, ...]:
    """702.66a"""
    return (triggered(Pattern(event="becomes unblocked", subject=THIS), (pump(k.number, 0),), k),)


def afflict(k: KeywordAbility) -> tuple[Ability, ...]:
    """Current 702.130a: the defending player of this attacker."""
    event = Pattern(event="becomes blocked", subject=THIS, grain="batch")
    return (triggered(event, (forms.LoseLife(amount=k.number, who=Noun("defending player")),), k),)


COMBAT: Expansions = {
    "enlist": enlist,
    "protection": protection,
    "absorb": absorb,
    "poisonous": poisonous,
    "ingest": ingest,
    "renown": renown,
    "exalted": exalted,
    "battle cry": battle_cry,
    "provoke": provoke,
    "annihilator": annihilator,
    "commander ninjutsu": commander_ninjutsu,
    "ninjutsu": ninjutsu,
    "melee": melee,
    "training": training,
    "myriad": myriad,
    "dethrone": dethrone,
    "firebending": firebending,
    "mentor": mentor,
    "mobilize": mobilize,
    "decayed": decayed,
    "bushido": bushido,
    "flanking": flanking,
    "rampage": rampage,
    "frenzy": frenzy,
    "afflict": afflict,
}
