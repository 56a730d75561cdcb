"""The monarch (725 today): a designation that stands in the command zone with its two triggered abilities."""

from __future__ import annotations

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.model import State, define, events, player_ref

NAME = "The Monarch"
YOU = Noun("you")
# Current 724.2: the monarch draws at the beginning of the end step; whose creature damages the monarch in combat takes the title.
ABILITIES: tuple[forms.Ability, ...] = (
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
CARD = forms.Card(name=NAME, types="Designation", abilities=ABILITIES)


def crowning(state: State, seat: int) -> tuple[events.Event, ...]:
    """The events of a player becoming the monarch; nothing happens if that player is."""
    held = [i for i in state.command if state.objects[i].definition.name == NAME]
    if any(state.objects[i].controller == seat for i in held):
        return ()
    gone = tuple(events.Ceases(subject=i, cause="monarch") for i in held)
    crown = events.Move(to="command", definition=define(CARD), controller=seat, owner=seat, cause="emblem")
    return (*gone, crown, events.Designated(subject=player_ref(seat), cause="monarch"))
