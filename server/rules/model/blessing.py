"""The city's blessing (ascend, current 702.131): a designation of a player for the rest of the game, which stands in the
command zone. Permanents with ascend give it at any time, also in the middle of a resolution: `settle` looks for ten permanents
after everything that happens."""

from __future__ import annotations

from server.cards import forms
from server.rules.model import events
from server.rules.model.definition import define
from server.rules.model.state import State

NAME = "City's Blessing"
ENOUGH = 10
CARD = forms.Card(name=NAME, types="Designation")


def blessed(state: State, seat: int) -> bool:
    """Whether the player has the city's blessing."""
    found = (state.objects[oid] for oid in state.command)
    return any(o.controller == seat and o.definition.name == NAME for o in found)


def ascending(state: State, seat: int) -> tuple[events.Event, ...]:
    """What comes of a permanent with ascend for its controller (current 702.131b)."""
    mine = sum(state.objects[oid].controller == seat and not state.objects[oid].phased_out for oid in state.battlefield)
    if mine < ENOUGH or blessed(state, seat):
        return ()
    return (events.Move(to="command", definition=define(CARD), controller=seat, owner=seat, cause="emblem"),)
