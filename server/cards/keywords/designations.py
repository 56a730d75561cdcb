"""Designations: of players, that bring abilities with them, the monarch (current 724) and the initiative (current 725), and of permanents.

What has no source by the rules stands here as a card in the command zone, whose controller is the player who is so designated.
"""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import Noun

MONARCH = "The Monarch"
INITIATIVE = "The Initiative"
BLESSING = "City's Blessing"
SPEED = "Speed"
SPEED_COUNTER = "speed"
UNDERCITY = "Undercity"
YOU = Noun("you")
#: What is one player's at a time, with the word for whom is designated so.
TITLES = {MONARCH: "monarch", INITIATIVE: "initiative"}
#: A designation of permanents (current 701.60), and what is remembered for it when it is gone.
SUSPECTED, NO_LONGER = "suspected", "no longer"


def _designation(name: str, *abilities: forms.TriggeredAbility) -> forms.Card:
    return forms.Card(name=name, types="Designation", abilities=abilities)


# Current 724.2: the monarch draws at the beginning of the end step; whose creature damages the monarch in combat takes the title.
THE_MONARCH = _designation(
    MONARCH,
    forms.TriggeredAbility(
        when=(forms.Pattern(event="step", step="end_turn", whose=YOU),),
        do=(forms.Draw(),),
        text="At the beginning of your end step, draw a card.",
    ),
    forms.TriggeredAbility(
        when=(forms.Pattern(event="damage", subject=Noun("a creature"), object=YOU, combat=True),),
        do=(forms.BecomeMonarch(who=Noun("its controller")),),
        text="Whenever a creature deals combat damage to you, its controller becomes the monarch.",
    ),
)
# Current 725.2: into the Undercity at each upkeep and whenever it is taken, and who strikes its holder takes it.
THE_INITIATIVE = _designation(
    INITIATIVE,
    forms.TriggeredAbility(
        when=(forms.Pattern(event="step", step="upkeep", whose=YOU),),
        do=(forms.Venture(into=UNDERCITY),),
        text="At the beginning of your upkeep, venture into Undercity.",
    ),
    forms.TriggeredAbility(
        when=(
            forms.Pattern(
                event="damage", subject=Noun("creatures a player controls"), object=YOU, combat=True, grain="batch"
            ),
        ),
        do=(forms.TakeInitiative(who=Noun("its controller")),),
        text="Whenever one or more creatures a player controls deal combat damage to you, that player takes the initiative.",
    ),
    forms.TriggeredAbility(
        when=(forms.Pattern(event="designated", subject=YOU, cause="initiative"),),
        do=(forms.Venture(into=UNDERCITY),),
        text="Whenever you take the initiative, venture into Undercity.",
    ),
)
THE_BLESSING = _designation(BLESSING)
