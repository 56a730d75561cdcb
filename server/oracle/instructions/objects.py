"""Whose objects are and what goes on them: control given away, Role tokens, counters moved, targets changed, spells copied."""

from __future__ import annotations

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S
from server.oracle.nouns import speaks_of_it

IT = Noun("it")
THIS = Noun("{this}")
TAKER = Noun("$taker")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _control(g)
    _counters(g)
    _targets(g)
    _copies(g)
    _doubled(g)
    _untapping(g)


# --- control ------------------------------------------------------------------------------------------------------------------


def _control(g: Grammar) -> None:
    """Who gains control is chosen before what, as the words stand (601.2c)."""
    given = f.GainControl(by=TAKER)
    bind = f.Bind(as_name="taker", what=S.w)

    def other(e: dict[str, object]) -> bool:
        return e["w"] != Noun("you")

    g.rule(
        "do",
        "<w:person> gain~ control of <what:things>",
        (bind, f.Effect(what=S.what, mods=(given,), duration="forever")),
        guard=other,
    )
    g.rule(
        "do",
        "<w:person> gain~ control of <what:things> <d:until>",
        (bind, f.Effect(what=S.what, mods=(given,), duration=S.d)),
        guard=other,
    )
    theirs = f.Effect(what=S.what, mods=(f.GainControl(by=Noun("the chosen player")),), duration="forever")
    g.rule("do", "an opponent gains control of <what:one>", (f.ChooseWord(what="opponent"), theirs))
    back = f.Effect(what=S.what, mods=(f.GainControl(by=Noun("that player")),), duration="forever")
    g.rule("do", "each player gains control of <what:things>", f.ForEach(of=Noun("each player"), then=(back,)))


# --- counters -----------------------------------------------------------------------------------------------------------------


def _counters(g: Grammar) -> None:
    for text, source in (("its", IT), ("{this} 's", THIS)):
        g.rule(
            "do",
            f"put {text} counters on <what:one>",
            f.PutCounters(counter="", what=S.what, as_on=source),
            guard=lambda e: not isinstance(e["what"].reading, n.This),
        )
    g.rule(
        "do",
        "remove up to <count> counters from <what:mixed>",
        f.RemoveCounters(counter="", what=S.what, count=S.count, up_to=True),
        guard=lambda e: e["count"] != 1,
    )
    g.rule(
        "do",
        "remove up to <count> <counter> counters from <what:mixed>",
        f.RemoveCounters(counter=S.counter, what=S.what, count=S.count, up_to=True),
        guard=lambda e: e["count"] != 1,
    )
    every = f.RemoveCounters(counter="", what=S.what, all=True)
    g.rule("do", "remove all counters from <what:mixed>", every)


# --- targets and copies ---------------------------------------------------------------------------------------------------------


def _targets(g: Grammar) -> None:
    g.rule("do", "change the target of <what:one>", f.ChangeTargets(what=S.what))
    g.rule("do", "you may choose new targets for <what:one>", f.ChangeTargets(what=S.what, optional=True))
    g.rule("do", "change a target of <what:one> to <to:one>", f.ChangeTargets(what=S.what, to=S.to))


def _copies(g: Grammar) -> None:
    several = f.CopySpell(what=S.what, count=S.e)
    g.rule(
        "do",
        "copy <what:one> for each <e:each> . you may choose new targets for the copies",
        several,
        guard=lambda e: not speaks_of_it(e["e"]),
    )
    g.rule(
        "do",
        "copy <what:one> for each <e:each>",
        f.CopySpell(what=S.what, count=S.e, new_targets=False),
        guard=lambda e: not speaks_of_it(e["e"]),
    )
    g.rule(
        "do",
        "copy <what:one> <m:count> times . you may choose new targets for the copies",
        f.CopySpell(what=S.what, count=S.m),
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 2,
    )
    g.rule(
        "do",
        "copy <what:one> twice . you may choose new targets for the copies",
        f.CopySpell(what=S.what, count=2),
    )


def _doubled(g: Grammar) -> None:
    """An X that is doubled, spells and abilities with an X, and what is copied as it is next cast or activated."""
    r = g.rule
    said, ability, you = Noun("that spell"), Noun("an ability"), Noun("you")
    r("do", "double the value of X", f.DoubleX(what=said))
    with_x = f.Is(what=Noun("that spell or ability"), of=Noun("a spell or ability with {X} in its mana cost"))
    r("cond", "that spell 's mana cost or that ability 's activation cost contains {X}", with_x)
    cast = tuple(
        f.Pattern(event="cast", subject=you, object=Noun(f"{kind} spell")) for kind in ("an instant", "a sorcery")
    )
    next_ones = (*cast, f.Pattern(event="activated", subject=you, object=ability, cause="loyalty"))
    when = "when you next cast an instant spell , cast a sorcery spell , or activate a loyalty ability this turn"
    r("governed", f"{when} , <do:chain>", (f.Delayed(when=next_ones, then=S.do, duration="end of turn"),))


# --- untapping ------------------------------------------------------------------------------------------------------------------


def _untapping(g: Grammar) -> None:
    own = f.PlayerRule(rule="untaps in other untap steps", what=THIS)
    g.rule("static", "untap {this} during each other player 's untap step", (own,))
    rule = f.PlayerRule(rule="untaps in other untap steps", what=S.q)
    g.rule(
        "static",
        "untap all <q:plurals> during each other player 's untap step",
        (rule,),
        "untap all <q:plurals> during each opponent 's untap step",
    )
