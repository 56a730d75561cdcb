"""Keyword actions (701) that are made of other instructions: what each of them stands for.

`program` gives the instructions that an object or player follows who explores, connives, surveils: "you" is the player who acts,
`$actor` the object that does, X how much ("surveil 2"). Those that are made of nothing simpler have handlers of their own
(`server.rules.verbs.keyword_actions`). The numbers are the current edition's: all came after 2011, but for
fateseal, clash and proliferate.
"""

from __future__ import annotations

from functools import lru_cache

from server.cards import forms
from server.cards.forms import Did, If, Look, Move, Reorder
from server.cards.keywords.predefined_tokens import PREDEFINED
from server.cards.keywords.tools import YOU
from server.cards.nouns import Count, CountersOn, Noun, X

ACTOR = Noun("$actor")
IT = Noun("it")
REST = Noun("the rest")
TOP = Look(what=Noun("the top X cards of your library"))
TOP_CARD = Noun("the top card of your library")
NO_COUNTER = forms.Holds(left=CountersOn(counter="+1/+1", of=ACTOR), compare="=", right=0)
COUNTERS = forms.PutCounters(counter="+1/+1", what=ACTOR, count=X())


def program(action: str, kind: str = "") -> forms.Tree:
    """The instructions of an action; `kind` is what it is of ("amass Orcs"). The same tree every time."""
    return _amass(kind or "Zombie") if action == "amass" else PROGRAMS[action]


#: Current 701.25: any number of them go to the graveyard, the rest back on top in any order.
SURVEIL = (TOP, Move(what=Noun("any number of $looked"), to="graveyard"), Reorder(what=REST))
#: Explore (current 701.44): a land goes to the hand; for anything else (or nothing) a counter, and the card may go to the graveyard.
EXPLORE = (
    Look(what=TOP_CARD, reveal=True),
    If(
        condition=forms.Is(what=IT, of=Noun("a land card")),
        then=(Move(what=IT, to="hand"),),
        otherwise=(
            forms.PutCounters(counter="+1/+1", what=ACTOR),
            forms.May(then=(Move(what=Noun("$looked"), to="graveyard"),)),
        ),
    ),
)
#: Connive (current 701.50): draw and discard so many, then a counter for each nonland card discarded.
CONNIVE = (
    forms.Draw(count=X()),
    forms.Discard(count=X()),
    forms.PutCounters(counter="+1/+1", what=ACTOR, count=Count(of=Noun("nonland cards from among it"))),
)
#: Current 701.46.
ADAPT = (If(condition=NO_COUNTER, then=(COUNTERS,)),)
#: Current 701.39.
BOLSTER = (
    forms.PutCounters(
        counter="+1/+1", what=Noun("a creature with the least toughness among creatures you control"), count=X()
    ),
)
#: Current 701.35: it can't attack, block or have its abilities activated until that player's next turn.
DETAIN = (
    forms.Effect(
        what=ACTOR,
        mods=(forms.Flag(rule="can't attack or block"), forms.Flag(rule="can't activate abilities")),
        duration="your next turn",
    ),
)
_LESSON = (forms.FromOutside(what=Noun("a Lesson card"), reveal=True),)
#: Current 701.48: a card may be discarded to draw one; if none was, a Lesson may come from outside the game.
LEARN = (
    forms.May(
        then=(forms.Discard(), If(condition=Did(), then=(forms.Draw(),))),
        otherwise=(forms.May(then=_LESSON),),
    ),
)

#: Current 701.68: on one creature of the player who blights.
BLIGHT = (forms.PutCounters(counter="-1/-1", what=Noun("a creature you control"), count=X()),)
#: Current 701.63: a Spirit of that size, unless the counters are put on it; nothing for 0.
ENDURE = (
    If(
        condition=forms.Holds(left=X(), compare=">", right=0),
        then=(
            forms.Unless(
                cost=(forms.CountersCost(counter="+1/+1", count=X(), of=ACTOR, put=True),),
                then=(
                    forms.CreateToken(
                        token=forms.Card(
                            name="Spirit", types="Creature — Spirit", colors="W", power="*", toughness="*"
                        ),
                        power=X(),
                        toughness=X(),
                    ),
                ),
                who=YOU,
            ),
        ),
    ),
)

#: Current 701.53a.
INCUBATE = (
    forms.CreateToken(token=PREDEFINED["Incubator"], as_name="incubator"),
    forms.PutCounters(counter="+1/+1", what=Noun("$incubator"), count=X()),
)

PROGRAMS: dict[str, forms.Tree] = {
    "surveil": SURVEIL,
    "incubate": INCUBATE,
    "investigate": (forms.CreateToken(token=PREDEFINED["Clue"], count=X()),),
    "explore": EXPLORE,
    "connive": CONNIVE,
    "adapt": ADAPT,
    "bolster": BOLSTER,
    "detain": DETAIN,
    "learn": LEARN,
    "blight": BLIGHT,
    "endure": ENDURE,
    "evolve": (),  # what its keyword has done (current 702.100c)
    "train": (),  # (current 702.149c)
    "crew": (),  # (current 702.122d)
    "gift": (),  # (current 702.174c)
}


@lru_cache(maxsize=64)
def _amass(kind: str) -> forms.Tree:
    """Amass (current 701.47): an Army if there is none, counters on an Army, which becomes of that kind too."""
    name = f"{kind} Army"
    token = forms.Card(name=name, types=f"Creature — {name}", colors="B", power="0", toughness="0")
    army = Noun("$army")
    return (
        If(
            condition=forms.NotSo(condition=forms.Exists(of=Noun("an Army you control"))),
            then=(forms.CreateToken(token=token, who=YOU),),
        ),
        forms.Pick(what=Noun("Armies you control"), as_name="army"),
        forms.PutCounters(counter="+1/+1", what=army, count=X()),
        forms.Effect(what=army, mods=(forms.SetTypes(subtypes=(kind,)),), duration="forever"),
    )
