"""A room's clocks, as data: what happens goes in with the time at which it does, and out comes a new value.

Times are whole milliseconds of a clock of the caller's that only goes forward. `Terms` are what the room's options say,
`Banks` what a seat has left for the whole game (it follows from the journal), and `Clock` is the one that runs now.

Whatever people do or fail to do, a question that stays open is answered: every limit is finite, and time passes on one of
the seat's two clocks, its own or the one for when it is away, as long as anybody is there.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.options import DAY_MS, BankClock, ChessClock, DecisionClock, RoomOptions

LEAST_AWAY_MS = 10_000
"""What a seat that is away has for each question, also when its time for that is used up: so long takes a reconnect."""

By: TypeAlias = Literal["decision", "chess", "bank", "away", ""]


class Terms(msgspec.Struct, frozen=True):
    """What the options say. `each` is for each answer, `bank` for the whole game, `increment` is added with each answer.

    `each` is charged to nobody. Without a clock, `each` is a day.
    """

    by: By = ""
    each: int = DAY_MS
    bank: int = 0
    increment: int = 0
    away: int = 0
    concede_after: int = 0


def terms_of(options: RoomOptions) -> Terms:
    """The terms of a room."""
    clock = options.clock
    if clock is msgspec.UNSET and options.answer_ms is not msgspec.UNSET:
        clock = DecisionClock(ms=options.answer_ms)
    terms = Terms(away=options.away_ms, concede_after=options.concede_after)
    match clock:
        case DecisionClock():
            return replace(terms, by="decision", each=clock.ms)
        case ChessClock():
            return replace(terms, by="chess", each=0, bank=clock.ms, increment=clock.increment_ms)
        case BankClock():
            return replace(terms, by="bank", each=clock.grace_ms, bank=clock.ms)
        case _:
            return terms


class Banks(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat's account: what it has left for the game on its own clock and for being away, how many times as long its
    clocks are, and how many answers in a row the clock gave for it. `told` is that as the table sees it: no pass changes it, or others
    would see whether the seat passed or was passed for.
    """

    bank: int = 0
    away: int = 0
    times: int = 1
    missed: int = 0
    told: int = 0

    def charged(self, terms: Terms, spent: int, away: int, by: str, *, passes: bool = False) -> Banks:
        """After an answer that took `spent` and `away`; `by` is seat, clock or room. `passes`: it passed priority."""
        bank = self.bank
        if terms.bank:
            bank = max(0, bank - max(0, spent - terms.each * self.times))
            if by == "seat":
                bank += terms.increment * self.times
        missed, told = self.missed, self.told
        if by == "seat":
            missed, told = 0, told if passes else 0
        elif by == "clock":
            missed, told = missed + 1, told + 1
        left = self.away - away if away < self.away else 0
        if (bank, left, missed, told) == (self.bank, self.away, self.missed, self.told):
            return self  # nearly always, where no clock runs
        return replace(self, bank=bank, away=left, missed=missed, told=told)

    def given_back(self, bank: int, away: int) -> Banks:
        """With what was left before answers that count no more."""
        return replace(self, bank=bank, away=away)

    def lengthened(self, times: int) -> Banks:
        """With clocks so many times as long as others'; what is left grows or shrinks with them."""
        return replace(self, times=times, bank=self.bank * times // self.times, away=self.away * times // self.times)


def full(terms: Terms) -> Banks:
    """A seat's account as the game begins."""
    return Banks(bank=terms.bank, away=terms.away)


class Clock(msgspec.Struct, frozen=True):
    """The clock of the open question. `spent` and `spent_away` have run up to `since`; it stands while `since` is None.

    `away`: the seat has no connection. `stopped`: all clocks stand, because of a pause or because nobody is there.
    """

    question: int = -1
    seat: int = -1
    spent: int = 0
    spent_away: int = 0
    since: int | None = None
    away: bool = False
    stopped: bool = False

    def asked(self, question: int, seat: int, now: int, *, away: bool) -> Clock:
        """A question is open. The same one as before goes on."""
        if question == self.question:
            return self
        return Clock(question, seat, since=None if self.stopped else now, away=away, stopped=self.stopped)

    def closed(self) -> Clock:
        """No question is open."""
        return Clock(stopped=self.stopped)

    def presence(self, now: int, *, away: bool) -> Clock:
        """The seat that is asked has come or gone."""
        return self if away == self.away else replace(self._run(now), away=away)

    def stop(self, now: int, *, stopped: bool) -> Clock:
        """All clocks stand, or run again."""
        if stopped == self.stopped:
            return self
        ran = self._run(now)
        return replace(ran, stopped=stopped, since=None if stopped or self.question < 0 else now)

    def times(self, now: int) -> tuple[int, int]:
        """(spent, spent away) up to now."""
        ran = 0 if self.since is None or now < self.since else now - self.since
        return (self.spent, self.spent_away + ran) if self.away else (self.spent + ran, self.spent_away)

    def left(self, terms: Terms, banks: Banks, now: int) -> int | None:
        """Milliseconds until the default is answered, None while it stands. Never less than 0."""
        if self.question < 0 or self.stopped:
            return None
        spent, away = self.times(now)
        if self.away:
            return max(0, max(banks.away, LEAST_AWAY_MS) - away)
        return max(0, terms.each * banks.times + banks.bank - spent)

    def by(self, terms: Terms) -> By:
        """Which of the seat's clocks runs."""
        return "away" if self.away else terms.by

    def _run(self, now: int) -> Clock:
        """Up to now."""
        if self.since is None:
            return self
        ran = max(0, now - self.since)
        if self.away:
            return replace(self, spent_away=self.spent_away + ran, since=now)
        return replace(self, spent=self.spent + ran, since=now)
