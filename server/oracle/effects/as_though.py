"""Rules for what is done "as though" something were so (609.4): attacking, blocking, being a target, activating, casting."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.effects.modifications import flag
from server.oracle.engine import Grammar, S, filled

YOU = Noun("you")
THIS = Noun("{this}")
CREATURES = Noun("creatures")

#: What can keep a creature from being blocked by the one or the other.
_EVASION = (
    "flying", "fear", "intimidate", "shadow", "horsemanship", "skulk", "plainswalk", "islandwalk", "swampwalk",
    "mountainwalk", "forestwalk",
)  # fmt: skip
_THEY = ("they", "it", "{this}")


#: No sorcery could have been cast as the spell was (307.1): it was not that main phase, or something else was on the stack.
_UNTIMELY = f.AsCast(
    condition=f.OneOf(
        conditions=(
            f.NotSo(condition=f.During(step="main", whose=Noun("you"))),
            f.Exists(of=Noun("another spell or ability")),
        )
    )
)


def _in_haste(g: Grammar) -> None:
    """What is sacrificed at once if it was cast as an instant."""
    gone = f.TriggeredAbility(
        when=(f.Pattern(event="step", step="cleanup"),),
        condition=_UNTIMELY,
        do=(f.Sacrifice(what=Noun("{this}"), who=Noun("you")),),
    )
    said = "if you cast it any time a sorcery couldn't have been cast , the controller of the permanent it becomes sacrifices it"
    pair = (f.CastingRule(timing="flash"), gone)
    end = "at the beginning of the next cleanup step"
    g.rule("static", f"you may cast {{this}} as though it had flash . {said} {end}", pair)


def install(g: Grammar) -> None:
    """Adds the rules."""
    _combat(g)
    _targets(g)
    _flash(g)


def _combat(g: Grammar) -> None:
    r = g.rule
    haste = [f"can attack as though {they} had haste" for they in ("it", "they", "{this}")]
    r("smod", haste[0], flag("can attack as though haste"), *haste[1:])
    r("smod", "can block as though they were untapped", flag("can block as though untapped"),
      "can block as though it were untapped")  # fmt: skip
    for keyword in _EVASION:
        lacking = [f"can be blocked as though {they} didn't have {keyword}" for they in _THEY]
        r("smod", lacking[0], flag("can be blocked as though without", keyword=keyword), *lacking[1:])
        blocks = f"can block creatures with {keyword} as though"
        having = [f"{blocks} {they} had {keyword}" for they in ("it", "they", "{this}") if keyword == "shadow"]
        without = flag("can block as though without", keyword=keyword)
        r("smod", f"{blocks} they didn't have {keyword}", without, *having)
    any_walk = "creatures with landwalk abilities"
    lacking_any = flag("can be blocked as though without", keyword="landwalk")
    said = f"{any_walk} can be blocked as though they didn't have those abilities"
    r("static", said, (f.Continuous(what=CREATURES, mods=lacking_any),))
    block_any = flag("can block as though without", keyword="landwalk")
    r("smod", f"can block {any_walk} as though they didn't have those abilities", block_any)
    r(
        "static",
        "you may activate abilities of <what:group> as though those creatures had haste",
        (f.Continuous(what=S.what, mods=flag("can use abilities as though haste")),),
    )


def _targets(g: Grammar) -> None:
    for keyword in ("hexproof", "shroud"):
        for by, param in ((" you control", YOU), ("", None)):
            texts = [
                f"can be the {target} of spells and abilities{by} as though {they} didn't have {keyword}"
                for target in ("targets", "target")
                for they in _THEY
            ]
            g.rule(
                "smod",
                texts[0],
                flag("can be the target as though without", keyword=keyword, param=param),
                *texts[1:],
            )


def _flash(g: Grammar) -> None:
    r = g.rule
    _in_haste(g)
    said = "you may cast {this} as though it had flash"
    rule = f.CastingRule(timing="flash", condition=S.c)
    r("static", f"{said} if <c:scond>", (rule,), f"{said} as long as <c:scond>", f"as long as <c:scond> , {said}",
      f"if <c:scond> , {said}")  # fmt: skip
    r("static", said, (f.CastingRule(timing="flash"),))
    r(
        "static",
        f"{said} if you pay <mana> more to cast it",
        (f.CastingCost(name="as though it had flash", cost=(f.ManaCost(mana=S.mana),), kind="permission", fast=True),),
    )
    cast, had = "may cast <q:spells>", "as though they had flash"
    while_there = f.PlayerRule(rule="cast as though flash", what=S.q)
    r("static", f"any player {cast} {had}", (replace(while_there, who=Noun("each player")),))
    for_a_while = f.RuleEffect(rule=while_there, duration=S.d)
    texts = [f"you {cast} <d:span> {had}", f"<d:span> , you {cast} {had}", f"you {cast} {had} <d:span>"]
    r("do", texts[0], for_a_while, *texts[1:])
    any_spell = filled(for_a_while, {"q": Noun("spells"), "d": "end of turn"})
    g.wording("do", "you may cast nonland cards this turn as though they had flash", any_spell)
