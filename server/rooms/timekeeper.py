"""A room's clocks at work: the thin shell around `clocks` that knows who is there. It is told the time; it reads none."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from protocol.messages import ClockMessage
from server.knowledge.hidden import asked_in_secret
from server.rooms.clocks import Clock, Terms, terms_of
from server.rooms.seated import Seats
from server.rules.happenings import main_game
from server.rules.model import State
from server.storage import Setup


class Timekeeper:
    """The clock of one room. Times are milliseconds of the caller's clock; `paused_until` is one of them, None for no pause.

    `halted`: the game stands, because of what is done by hand.

    `present` are the seats that have a connection; `empty_since` is when the last of the people went, None while one is there.
    """

    def __init__(self, setup: Setup) -> None:
        self.terms: Terms = terms_of(setup.options)
        self.clock = Clock()
        self.paused_until: int | None = None
        self.halted = False
        self.present: set[int] = set()
        self.empty_since: int | None = None
        self._abandon_ms = setup.options.abandon_ms
        self._bots = {seat for seat, sitting in enumerate(setup.seats) if sitting.kind == "bot"}
        self._told = ""

    def people(self, state: State, seats: Seats) -> list[int]:
        """The seats in the game that people play: no bot does, or sits in for them."""
        alive = (player.seat for player in main_game(state).players if not player.lost)
        return [seat for seat in alive if seat not in self._bots and not seats[seat].bot]

    def away(self, state: State, seats: Seats) -> list[int]:
        """The people in the game who have no connection."""
        if len(self.present) >= len(seats):
            return []
        return [seat for seat in self.people(state, seats) if seat not in self.present]

    def _is_left(self, state: State, seats: Seats) -> bool:
        """Whether people play, and none of them is there."""
        played = False
        for player in main_game(state).players:
            seat = player.seat
            if not player.lost and seat not in self._bots and not seats[seat].bot:
                if seat in self.present:
                    return False
                played = True
        return played

    def follow(self, state: State, seats: Seats, now: int) -> None:
        """Take in the open question, and who is there."""
        if self.paused_until is not None and now >= self.paused_until:
            self.paused_until = None
        nobody = self._is_left(state, seats)
        self.empty_since = None if not nobody else now if self.empty_since is None else self.empty_since
        self.clock = self.clock.stop(now, stopped=nobody or self.halted or self.paused_until is not None)
        pending = state.pending
        if pending is None:
            self.clock = self.clock.closed()
            return
        away = pending.seat not in self.present
        self.clock = self.clock.asked(pending.number, pending.seat, now, away=away).presence(now, away=away)

    def take_up(self, question: int, spent: int, away: int, state: State) -> None:
        """What the clock of the open question had run before."""
        pending = state.pending
        if pending is not None and pending.number == question:
            self.clock = replace(self.clock, spent=spent, spent_away=away)

    def asked_again(self, state: State, seats: Seats, now: int, spent: int, away: int) -> None:
        """A seat has taken an answer back by itself: the clock of the question goes on from all that it has run since, so that
        nobody wins time that way.
        """
        self.follow(state, seats, now)
        self.take_up(self.clock.question, spent, away, state)

    def abandoned_at(self) -> int | None:
        """When the game counts as abandoned, None while somebody is there."""
        return None if self.empty_since is None else self.empty_since + self._abandon_ms

    def charge(self, now: int) -> tuple[int, int]:
        """(spent, spent away) for the open question up to now."""
        return self.clock.times(now)

    def left_ms(self, seats: Seats, now: int) -> int | None:
        """Until the default is answered, None while the clock stands."""
        if self.clock.question < 0:
            return None
        return self.clock.left(self.terms, seats[self.clock.seat].banks, now)

    def shown_ms(self, seats: Seats, now: int) -> int | None:
        """What the asked seat is told: as `left_ms`, but nothing where there is no clock and nobody is away."""
        return self.left_ms(seats, now) if self.shows else None

    @property
    def shows(self) -> bool:
        """Whether there is a clock, or who is asked is away."""
        return bool(self.terms.by) or self.clock.away

    def message(self, state: State, seats: Seats, now: int) -> ClockMessage | None:
        """As everyone is told of the clocks; None if there is nothing to tell."""
        away = self.away(state, seats)
        if not self.terms.by and not away and self.paused_until is None:
            return None
        left = self.shown_ms(seats, now)
        shown = state.pending if _is_public(state) else None
        return ClockMessage(
            seat=UNSET if shown is None else shown.seat,
            by=self.clock.by(self.terms) if shown is not None and left is not None else "",
            left_ms=UNSET if shown is None or left is None else left,
            paused_ms=UNSET if self.paused_until is None else max(0, self.paused_until - now),
            banks=_by_seat(enumerate(seated.banks.bank for seated in seats)) if self.terms.bank else {},
            away=_by_seat((seat, seats[seat].banks.away) for seat in away),
            times=_by_seat((n, s.banks.times) for n, s in enumerate(seats) if s.banks.times != 1),
            missed=_by_seat((n, s.banks.told) for n, s in enumerate(seats) if s.banks.told),
        )

    def news(self, state: State, seats: Seats, now: int) -> ClockMessage | None:
        """The message, if anything in it has changed otherwise than by the time that passes; that it has gone, too. Nothing
        while a question is open of which nobody else may know.
        """
        if state.pending is not None and not _is_public(state):
            return None
        message = self.message(state, seats, now)
        if message is None:
            gone, self._told = bool(self._told), ""
            return ClockMessage() if gone else None
        shown = (message.seat, message.by, message.banks, message.away, message.times, message.missed)
        told = repr((shown, self.clock.question, self.paused_until))
        if told == self._told:
            return None
        self._told = told
        return message


def _is_public(state: State) -> bool:
    return state.pending is not None and not asked_in_secret(state)


def _by_seat(pairs: Iterable[tuple[int, int]]) -> dict[str, int]:
    return {str(seat): value for seat, value in pairs}
