"""Start your engines! (current 702.179): what gives a player speed, and the triggered ability that stands with it in the command
zone."""

from __future__ import annotations

from server.cards import forms
from server.cards.keywords import SPEED, SPEED_COUNTER
from server.cards.nouns import Noun, Speed
from server.rules.characteristics import speed_of
from server.rules.model import State, define, events

START = "start your engines!"
MOST = 4
YOU = Noun("you")
# Current 702.179d: faster, once a turn, as opponents lose life during the player's own turn.
ABILITY = forms.TriggeredAbility(
    when=(
        forms.Pattern(event="life loss", subject=Noun("opponents"), grain="batch", condition=forms.During(whose=YOU)),
    ),
    condition=forms.Holds(Speed(of=YOU), "<", MOST),
    do=(forms.PutCounters(counter=SPEED_COUNTER, what=Noun("{this}")),),
    limit=1,
    text="Whenever one or more opponents lose life during your turn, if your speed is less than 4, your speed increases by 1.",
)
CARD = forms.Card(name=SPEED, types="Designation", abilities=(ABILITY,))


def starting(state: State, seat: int) -> tuple[events.Event, ...]:
    """What the state-based action does for the controller of a permanent that starts engines (current 702.179a)."""
    if speed_of(state, seat):
        return ()
    counters = ((SPEED_COUNTER, 1),)
    definition = define(CARD)
    return (
        events.Move(
            to="command", definition=definition, controller=seat, owner=seat, counters=counters, cause="emblem"
        ),
    )
