"""What a seat looks like from outside: what everyone may think that it could do."""

from __future__ import annotations

from server.knowledge.hidden import may_know
from server.knowledge.rulings import Rulings
from server.rules.costs import floating
from server.rules.model import State


def could_respond(rulings: Rulings, state: State, seat: int) -> bool:
    """Whether the seat has cards that somebody cannot know, and mana that it could use: of public things only, so that
    what is done with the answer tells nobody anything.
    """
    return _has_secrets(state, seat) and _has_mana(rulings, state, seat)


def _has_secrets(state: State, seat: int) -> bool:
    everyone = (*(player.seat for player in state.players), None)
    return any(not may_know(state.objects[i], viewer) for i in state.players[seat].hand for viewer in everyone)


def _has_mana(rulings: Rulings, state: State, seat: int) -> bool:
    if any(floating(state.players[seat])):
        return True
    for number in state.battlefield:
        thing = state.objects[number]
        if thing.controller == seat and not thing.tapped and not thing.phased_out:
            if rulings.characteristics(state, number).abilities.mana:
                return True
    return False
