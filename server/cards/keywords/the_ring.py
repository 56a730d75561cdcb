""" "The Ring tempts you" (current 701.54): the emblem that the player gets, which counts by counters how often it has."""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import CountersOn, Noun

RING = "The Ring"
RING_BEARER = "Ring-bearer"
"""Under this an object holds the number of the seat whose Ring-bearer it is, among what was chosen for it."""
TEMPTED = "temptation"
BEARER = Noun("your Ring-bearer")
_BLOCKER = Noun("$blocker")


def _tempted(times: int) -> forms.Condition:
    return forms.Holds(left=CountersOn(counter=TEMPTED, of=Noun("{this}")), compare=">=", right=times)


_LEGEND = forms.Continuous(
    what=BEARER,
    mods=(
        forms.SetTypes(supertypes=("legendary",)),
        forms.Flag(rule="can't be blocked by", param=Noun("creatures with greater power")),
    ),
    text="Your Ring-bearer is legendary and can't be blocked by creatures with greater power.",
)
_LOOT = forms.TriggeredAbility(
    when=(forms.Pattern(event="attacks", subject=BEARER, condition=_tempted(2)),),
    do=(forms.Draw(), forms.Discard()),
    text="Whenever your Ring-bearer attacks, draw a card, then discard a card.",
)
_BLOCKED = forms.TriggeredAbility(
    when=(forms.Pattern(event="becomes blocked by", subject=Noun("a creature"), object=BEARER, condition=_tempted(3)),),
    do=(
        forms.Bind(as_name="blocker", what=Noun("that creature")),
        forms.Delayed(
            when=(forms.Pattern(event="step", step="end_combat"),),
            then=(forms.Sacrifice(what=_BLOCKER, who=Noun("$blocker's controller")),),
        ),
    ),
    text="Whenever your Ring-bearer becomes blocked by a creature, the blocking creature's controller sacrifices it at "
    "end of combat.",
)
_DRAIN = forms.TriggeredAbility(
    when=(forms.Pattern(event="damage", subject=BEARER, object=Noun("a player"), combat=True, condition=_tempted(4)),),
    do=(forms.LoseLife(amount=3, who=Noun("each opponent")),),
    text="Whenever your Ring-bearer deals combat damage to a player, each opponent loses 3 life.",
)
EMBLEM = forms.Card(name=RING, types="", abilities=(_LEGEND, _LOOT, _BLOCKED, _DRAIN))
