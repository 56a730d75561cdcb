"""What a card does in the opening hand: it begins the game on the battlefield, or is revealed for what is done later (103.5, current
103.6)."""

from __future__ import annotations

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S

YOU = Noun("you")
SHOWN = "you may reveal {this} from your opening hand . if you do ,"


def install(g: Grammar) -> None:
    """Adds the rules."""
    begins = "if {this} is in your opening hand , you may begin the game with it on the battlefield"
    g.rule("static", begins, (f.OpeningHand(),), begins.replace("with it", "with {this}"))
    for when, step, whose in (
        ("the first upkeep", "upkeep", None),
        ("your first upkeep", "upkeep", YOU),
        ("your first main phase", "precombat_main", YOU),
    ):
        later = f.Delayed(when=(f.Pattern(event="step", step=step, whose=whose),), then=S.do)
        early = f"{SHOWN} at the beginning of {when} , <do:chain>"
        g.rule("static", early, (f.OpeningHand(do=(later,)),), f"{SHOWN} <do:simple> at the beginning of {when}")
    # Nothing was cast before: the first spell of the game is the first from then on.
    first = f.Delayed(when=(f.Pattern(event="cast", subject=Noun("that player")),), then=S.do)
    each = f.ForEach(of=Noun("each opponent"), then=(first,))
    said = f"{SHOWN} when each opponent casts their first spell of the game , <do:chain>"
    g.rule("static", said, (f.OpeningHand(do=(each,)),))
