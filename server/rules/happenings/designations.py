"""How players come to be designated: the monarch (current 724), the initiative (current 725), the city's blessing (ascend,
current 702.131), also who is next as the one who was so leaves the game."""

from __future__ import annotations

from server.cards.forms import Card
from server.cards.keywords import INITIATIVE, MONARCH, THE_BLESSING, THE_INITIATIVE, THE_MONARCH, TITLES
from server.rules.characteristics import blessed, designations, holder
from server.rules.model import State, define, events, lookup, player_ref

ENOUGH = 10
_CARDS = {MONARCH: THE_MONARCH, INITIATIVE: THE_INITIATIVE}


def conferred(state: State, seat: int, name: str) -> tuple[events.Event, ...]:
    """The events of a player becoming the monarch or taking the initiative. Who is the monarch does not become it; who has the
    initiative takes it all the same (current 725.5)."""
    card, word = _CARDS[name], TITLES[name]
    told = events.Designated(subject=player_ref(seat), cause=word)
    if holder(state, name) == seat:
        return (told,) if name == INITIATIVE else ()
    gone = tuple(events.Ceases(subject=found.id, cause=word) for found in designations(state, name))
    return (*gone, _stands(card, seat), told)


def _stands(card: Card, seat: int) -> events.Move:
    return events.Move(to="command", definition=define(card), controller=seat, owner=seat, cause="emblem")


def left_behind(state: State, gone: tuple[int, ...]) -> tuple[str, ...]:
    """The designations of players who are leaving, which another player is to have (current 724.4, current 725.4)."""
    return tuple(name for name in TITLES if holder(state, name) in gone)


def inherited(state: State, names: tuple[str, ...]) -> tuple[events.Event, ...]:
    """The active player, or if that one leaves too the next in turn order, is so designated (current 724.4, current 725.4)."""
    heir = lookup.turn_order(state)[:1]
    return tuple(event for seat in heir for name in names for event in conferred(state, seat, name))


def ascending(state: State, seat: int) -> tuple[events.Event, ...]:
    """What comes of a permanent with ascend for its controller (current 702.131b): at any time, also in the middle of a resolution."""
    mine = sum(state.objects[oid].controller == seat and not state.objects[oid].phased_out for oid in state.battlefield)
    if mine < ENOUGH or blessed(state, seat):
        return ()
    return (_stands(THE_BLESSING, seat),)
