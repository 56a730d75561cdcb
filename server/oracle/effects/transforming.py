"""Rules for what turns a card of several faces over: transforming (701.25), flipping (709), entering transformed; for switching
power and toughness (613.3e), exploiting and exerting (current 702.110b, current 701.43)."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

THIS = Noun("{this}")
EVERYONE = Noun("each player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    r("do", "transform <what:things>", f.TurnOver(what=S.what, how="transform"))
    r("do", "turn <what:things> face up", f.TurnFaceUp(what=S.what))
    r("do", "flip <what:things>", f.TurnOver(what=S.what, how="flip"), guard=_flips)
    one, other = (f.Effect(what=Noun("it"), mods=(side,)) for side in (S.s, S.t))
    either = f.Either(options=(f.Mode(do=(one,), text="The first"), f.Mode(do=(other,), text="The second")))
    r("do", "<w:one> gets <s:size> or <t:size> until end of turn", (f.Bind(as_name="it", what=S.w), either))
    switched = (f.SwitchPT(),)
    own = f.Effect(what=Noun("it"), mods=switched)
    r("do", "switch its power and toughness until end of turn", own)
    any_ = f.Effect(what=S.what, mods=switched)
    r(
        "do",
        "switch <what:things> 's power and toughness until end of turn",
        any_,
        guard=lambda e: e["what"] != own.what,
    )
    r("event", "<s:subject> exploits a creature", (f.Pattern(event="keyword action", cause="exploit", subject=S.s),))
    _exerting(g)
    _returned(g)
    happens = f.Pattern(event="transformed", subject=S.s)
    r("event", "<s:subject> transforms", (happens,))
    for level in ("2", "3"):
        gained = f.Pattern(event="designated", cause=f"level-{level}", subject=THIS)
        r("event", f"{{this}} becomes level {level}", (gained,))
    r("event", "{this} transforms into {this}", (f.Pattern(event="transformed", subject=THIS),))
    into = "a permanent you control transforms into a non-Human creature"
    r("event", into, (f.Pattern(event="transformed", subject=Noun("a non-Human creature you control")),))
    entering = f.Pattern(event="zone change", subject=THIS, to="battlefield")
    both = (entering, f.Pattern(event="transformed", subject=THIS))
    r("event", "{this} enters or transforms into {this}", both)
    _last_turn(g)
    _crewed(g)


def _exerting(g: Grammar) -> None:
    """Exerting as a creature attacks and as a cost, and what that triggers (current 701.43)."""
    may = (f.Continuous(what=THIS, mods=(f.Flag(rule="may be exerted"),)),)
    g.rule("static", "you may exert {this} as it attacks", may, "you may exert {this} as he attacks")
    g.rule("costpart", "exert {this}", f.ExertCost())
    own = f.Pattern(event="keyword action", cause="exert", subject=THIS)
    g.rule("event", "you exert {this}", (own,))
    any_ = f.Pattern(event="keyword action", cause="exert", subject=Noun("a creature you control"))
    g.rule("event", "you exert a creature", (any_,))
    g.rule("event", "{this} enlists a creature", (replace(own, cause="enlist"),))


def _crewed(g: Grammar) -> None:
    """What triggers as a crew ability resolves (current 702.122d)."""
    crewed = f.Pattern(event="keyword action", cause="crew", subject=S.s)
    g.rule("event", "<s:subject> becomes crewed", (crewed,))


def _flips(e: dict[str, object]) -> bool:
    """Coins are flipped too, but by rules of their own."""
    what = e["what"]
    return isinstance(what, Noun) and isinstance(what.reading, n.This | n.It)


def _returned(g: Grammar) -> None:
    """Double-faced cards that return with their other face up."""
    for tapped, said in ((False, "transformed"), (True, "tapped and transformed")):
        g.rule(
            "do",
            f"return <what:things> to the battlefield {said} under your control",
            f.Move(what=S.what, to="battlefield", transformed=True, tapped=tapped),
            f"return <what:things> to the battlefield {said}",
            f"put <what:things> onto the battlefield {said} under your control",
            f"put <what:things> onto the battlefield {said}",
        )
        g.rule(
            "do",
            f"return <what:things> to the battlefield {said} under its owner 's control",
            f.Move(what=S.what, to="battlefield", transformed=True, tapped=tapped, under=Noun("its owner")),
            f"return <what:things> to the battlefield {said} under their owner 's control",
        )


def _last_turn(g: Grammar) -> None:
    """What was cast in the turn before this one."""
    last = "spells last turn"
    none = f.Holds(left=n.TurnCount(what=last, of=EVERYONE), compare="=", right=0)
    g.rule("cond", "no spells were cast last turn", none)
    several = f.Holds(left=n.TurnCount(what=f"most {last}", of=EVERYONE), compare=">=", right=S.m)
    g.rule("cond", "a player cast <m:count> or more spells last turn", several)
    for who, of in (("you", Noun("you")), ("an opponent", Noun("your opponents"))):
        more = f.Holds(left=n.TurnCount(what=f"most {last}", of=of), compare=">=", right=S.m)
        g.rule("cond", f"{who} cast <m:count> or more spells last turn", more)
        nothing = f.Holds(left=n.TurnCount(what=f"most {last}", of=of), compare="=", right=0)
        if who == "you":
            g.rule("cond", "you didn't cast a spell last turn", nothing)
