"""Speed (start your engines!, current 702.179): a number of a player, which stands in the command zone with its triggered ability."""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import Noun, Speed
from server.rules.model import events, lookup
from server.rules.model.definition import define
from server.rules.model.state import State

NAME = "Speed"
START = "start your engines!"
COUNTER = "speed"
MOST = 4
YOU = Noun("you")
# Current 702.179d: faster, once a turn, as opponents lose life during the player's own turn.
ABILITY = forms.TriggeredAbility(
    when=(
        forms.Pattern(event="life loss", subject=Noun("opponents"), grain="batch", condition=forms.During(whose=YOU)),
    ),
    condition=forms.Holds(Speed(of=YOU), "<", MOST),
    do=(forms.PutCounters(counter=COUNTER, what=Noun("{this}")),),
    limit=1,
    text="Whenever one or more opponents lose life during your turn, if your speed is less than 4, your speed increases by 1.",
)
CARD = forms.Card(name=NAME, types="Designation", abilities=(ABILITY,))


def speed_of(state: State, seat: int) -> int:
    """The player's speed, 0 for who has none (current 702.179f)."""
    for oid in state.command:
        found = state.objects[oid]
        if found.controller == seat and found.definition.name == NAME:
            return lookup.count(found.counters, COUNTER)
    return 0


def starting(state: State, seat: int) -> tuple[events.Event, ...]:
    """What the state-based action does for the controller of a permanent that starts engines (current 702.179a)."""
    if speed_of(state, seat):
        return ()
    counters = ((COUNTER, 1),)
    definition = define(CARD)
    return (
        events.Move(
            to="command", definition=definition, controller=seat, owner=seat, counters=counters, cause="emblem"
        ),
    )
