"""What viewers are told beside the game itself: whose clock runs, what the room does for their seat, what is put to the vote."""

from __future__ import annotations

from server.rooms.audience import Audience
from server.rooms.by_hand import ByHand
from server.rooms.seated import Seated, Seats
from server.rooms.seats import Seeing
from server.rooms.timekeeper import Timekeeper
from server.rooms.votes import Votes
from server.rules.model import State


class Herald:
    """See the module. It tells what has changed since it was told last; times are milliseconds."""

    def __init__(self, audience: Audience, time: Timekeeper, votes: Votes, by_hand: ByHand, seats: Seats) -> None:
        self._audience = audience
        self._time = time
        self._votes = votes
        self._by_hand = by_hand
        self._told = list(seats)
        self._newcomers: list[Seeing] = []

    def welcome(self, viewer: Seeing, seats: Seats, at: int) -> None:
        """Someone has come. The clocks are told at the next turn of the room, when all who come together are there."""
        if viewer.seat is not None:
            seated = seats[viewer.seat]
            if not seated.looks_like(Seated()):
                viewer.outbox.put(seated.shown())
        self._newcomers.append(viewer)
        if self._votes.ballot is not None:
            viewer.outbox.put(self._votes.ballot.message(at))
        self._by_hand.welcome(viewer, at)

    def tell_clock(self, state: State, seats: Seats, at: int) -> None:
        """Whose clock runs, to everyone if that has changed, else to those who have just come."""
        if not self._audience.viewers:
            return
        newcomers, self._newcomers = self._newcomers, []
        news = self._time.news(state, seats, at)
        if news is not None:
            self._audience.put(news)
            return
        told = self._time.message(state, seats, at) if newcomers else None
        for viewer in newcomers:
            if told is not None:
                viewer.outbox.put(told)

    def tell_automatic(self, seats: Seats) -> None:
        """To each seat what the room does for it, where that has changed."""
        for seat, seated in enumerate(seats):
            told = self._told[seat]
            if seated is told:
                continue
            self._told[seat] = seated
            if not seated.looks_like(told):
                self._audience.put(seated.shown(), seat)
