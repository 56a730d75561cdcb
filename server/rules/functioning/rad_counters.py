"""Rad counters (current 727): they trigger at the beginning of their player's precombat main phase, from no source."""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import Count, CountersOn, Noun
from server.rules.model import State, Triggered, ability_definition, events, lookup

YOU = Noun("you")
_NONLAND = Count(of=Noun("nonland cards from among $looked"))
# Current 727.1: so many cards are milled; for each nonland card 1 life and a rad counter are lost.
ABILITY = forms.TriggeredAbility(
    when=(forms.Pattern(event="step", step="precombat_main", whose=YOU),),
    do=(
        forms.Mill(count=CountersOn(counter="rad", of=YOU)),
        forms.LoseLife(amount=_NONLAND),
        forms.RemoveCounters(counter="rad", what=YOU, count=_NONLAND),
    ),
    text="Mill a card for each rad counter you have. Lose 1 life and a rad counter for each nonland card milled this way.",
)


def rad_trigger(state: State) -> events.TriggeredAbilities | None:
    """The event that the rad counters of those whose turn it is trigger, if there are any."""
    seats = [s for s in lookup.active_players(state) if lookup.count(state.players[s].counters, "rad")]
    if not seats:
        return None
    definition = ability_definition("Rad counters", ABILITY.text)
    found = (Triggered(ABILITY, 0, seat, (), definition=definition) for seat in seats)
    return events.TriggeredAbilities(waiting=(*state.waiting, *found))
