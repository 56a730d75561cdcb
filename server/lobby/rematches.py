"""The same again: a new table for the people of a game that is over."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.lobby.client import Client
from server.lobby.decks import Deck
from server.lobby.seating import Seating
from server.lobby.table import Table
from server.rooms.room import Room
from server.storage import Setup


def seat_for(table: Table, client: Client) -> int:
    """The seat of who asks for a rematch. Raises `Refusal`: not_over, not_seated."""
    if table.room is None or table.state != "over":
        raise Refusal(Code.NOT_OVER)
    for seat, place in enumerate(table.places):
        if place.client is client:
            return seat
    raise Refusal(Code.NOT_SEATED)


def options_for(room: Room) -> RoomOptions:
    """The same options; between two, who has lost plays first (103.2), and no game has the chance of another."""
    options = msgspec.structs.replace(room.setup.options, seed=UNSET)
    if options.best_of > 1:  # who begins is chosen at the table, and drawn for the first game of another match
        return msgspec.structs.replace(options, first=UNSET)
    result = room.result
    if options.seats == 2 and result is not None and len(result.winners) == 1:
        return msgspec.structs.replace(options, first=1 - result.winners[0])
    return options


def reserve(old: Table, new: Table, seating: Seating) -> None:
    """Bots and the people who are still here get their seats and decks again; nobody else may take these seats."""
    assert old.room is not None
    new.gate = msgspec.structs.replace(old.gate)
    for seat, (before, place) in enumerate(zip(old.places, new.places, strict=True)):
        sitting = old.room.setup.seats[seat]
        if sitting.kind == "bot":
            if seating.plays:
                seating.seat(new, seat, sitting.level, sitting.name, deck_of(old.room.setup, seat), sitting.deck_name)
        elif before.person is not None and (before.client is not None or new.match is not None):
            place.person = before.person
            ready_again(old, new, seat)


def ready_again(old: Table, new: Table, seat: int) -> None:
    """The person at that seat has the deck and the stops of the game before, and is ready unless it is a match that goes on."""
    assert old.room is not None
    place = new.places[seat]
    place.deck, place.deck_name = deck_of(old.room.setup, seat), old.room.setup.seats[seat].deck_name
    place.ready = new.match is None  # between the games of a match cards may be exchanged first
    place.stops = old.places[seat].stops


def deck_of(setup: Setup, seat: int) -> Deck:
    """The deck with which a seat played a game."""
    return Deck(
        setup.seats[seat].deck_name,
        setup.deck(seat),
        setup.commander(seat),
        setup.sideboard(seat),
        setup.options.format,
        setup.companion(seat),
        setup.options.deck_rules,
    )


def all_here(table: Table) -> bool:
    """Whether every seat is taken, and all its people have come and are ready."""
    return all(
        place.person is not None and place.ready and (place.person.bot or place.client is not None)
        for place in table.places
    )
