"""Rules for choices that players make of each other: piles, and villainous choices."""

from __future__ import annotations

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S
from server.oracle.libraries.looking import PLACES

PILE = Noun("that pile")
THEM = Noun("them")
OPPONENT = Noun("an opponent")
THAT_PLAYER = Noun("that player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _piles(g)
    _villainous(g)
    _ends(g)


def _piles(g: Grammar) -> None:
    r = g.rule
    chosen = (". an opponent chooses one of those piles", ". an opponent chooses one of the piles")
    for by, who in (("an opponent separates~", OPPONENT), ("separate", Noun("you"))):
        said = by.replace("~", "")
        divided = f.Separate(what=S.k, who=who)
        r(
            "do",
            f"{said} <k:looked> into two piles",
            divided,
            f"{said} <k:looked> into a face-down pile and a face-up pile",
        )
        if who != OPPONENT:
            theirs = f.Separate(what=S.k, who=who, chooser=OPPONENT)
            both = [f"{said} <k:looked> into {piles} {c}" for piles in _PILES for c in chosen]
            r("do", both[0], theirs, *both[1:])
    for place, fields in PLACES:
        put = f.Move(what=PILE, **fields)
        r("do", f"put that pile {place}", put, f"put one pile {place}", f"put the chosen pile {place}")
    apart = f.Separate(what=S.w, chooser=THAT_PLAYER)
    for kind in ("permanents", "creatures"):
        head = "separate <w:things> into two piles"
        lost = f.Sacrifice(what=PILE, who=THAT_PLAYER)
        r("do", f"{head} . that player sacrifices all {kind} in the pile of their choice", (apart, lost),
          f"{head} . that player sacrifices all {kind} in the pile")  # fmt: skip


def _ends(g: Grammar) -> None:
    """A choice of its owner: on top of the library or second from the top, or on the bottom."""
    below = f.Mode(do=(f.Move(what=Noun("it"), to="library", bottom=True),), text="Bottom")
    second = "into their library second from the top or on the bottom"
    for position, where in enumerate(("on the top or bottom of their library", second)):
        above = f.Move(what=Noun("it"), to="library", position=position)
        either = f.Either(options=(f.Mode(do=(above,), text="Top"), below), who=Noun("its owner"))
        said = (f"<w:aimed> 's owner puts it {where}", f"the owner of <w:aimed> puts it {where}")
        more = [text.replace("on the top", "on their choice of the top") for text in said]
        g.rule("do", said[0], (f.Bind(as_name="it", what=S.w), either), said[1], *more)
        g.rule("do", f"its owner puts it {where}", either)


_PILES = ("two piles", "a face-down pile and a face-up pile")


def _villainous(g: Grammar) -> None:
    """ "Each opponent faces a villainous choice": each chooses what is done (current 701.55)."""
    either = f.Either(options=(f.Mode(do=S.a), f.Mode(do=S.b)), who=S.who)
    r = g.rule
    r("vp", "face~ a villainous choice — <a:chain> , or <b:chain>", either, guard=lambda e: e.get("who") != Noun("you"))
