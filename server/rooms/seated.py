"""What a room keeps for each seat beside the state of the game, as values that follow from the journal entry by entry.

A room folds every entry into them, when it is played as when it is replayed, so that they are the same after a restart.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.refusals import Code, Refusal
from protocol.table import Automatic, LongerClock, Pass, Stops
from server.knowledge.questions import QuestionIds
from server.rooms.automatic import Automation
from server.rooms.clocks import Banks, Terms, full
from server.rooms.passes import Pace, Standing, at_once
from server.rooms.replay import PASS, Turned
from server.rules.model import AnyAnswer, PriorityQuestion, State
from server.storage import Amended, Answered, Conceded, Instructed, Instruction, Passed, SeatTaken, TakenBack

By: TypeAlias = Literal["seat", "pass", "room", "clock"]


class Seated(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat's: standing passes and stops, automatic answers, its account of time, and the level of the bot that plays
    for its person ("": none does).
    """

    standing: Standing = Standing()
    automation: Automation = Automation()
    banks: Banks = Banks()
    bot: str = ""

    def looks_like(self, other: Seated) -> bool:
        """Whether the seat would be told the same."""
        mine, its = self.automation, other.automation
        return (
            (self.standing is other.standing or self.standing == other.standing)
            and (mine.rules is its.rules or mine.rules == its.rules)
            and mine.rounds == its.rounds
        )

    def shown(self) -> Automatic:
        """As the seat is told of it."""
        standing = self.standing
        return Automatic(
            mine=msgspec.UNSET if standing.mine is None else list(standing.mine),
            others=msgspec.UNSET if standing.others is None else list(standing.others),
            seats={str(seat): list(steps) for seat, steps in standing.seats.items()},
            only_pass=standing.only_pass,
            delay_ms=standing.delay_ms,
            until="" if standing.until == "off" else standing.until,
            answers=self.automation.shown(),
            rounds=self.automation.rounds,
        )


Seats: TypeAlias = tuple[Seated, ...]


class Reply(msgspec.Struct, frozen=True):
    """What a room answers by itself, after `wait_ms`."""

    answer: AnyAnswer
    by: By
    wait_ms: int = 0


def begin(number: int, terms: Terms) -> Seats:
    """As the game begins."""
    return tuple(Seated(banks=full(terms)) for _ in range(number))


def banks_of(seats: Seats) -> tuple[Banks, ...]:
    """Their accounts of time."""
    return tuple([seated.banks for seated in seats])


def automatic(seats: Seats, state: State, pace: Pace = at_once) -> Reply | None:
    """What the room answers to the open question by itself, None if somebody has to be asked."""
    pending = state.pending
    if pending is None:
        return None
    seated = seats[pending.seat]
    if isinstance(pending, PriorityQuestion):
        if not seated.automation.rounds:
            wait = 0 if seated.automation.yields(state) else seated.standing.passes(state, pending, pace)
            return None if wait is None else Reply(PASS, "pass", wait)
    answer = seated.automation.answer(state)
    if answer is not None:
        return Reply(answer, "room")
    if isinstance(pending, PriorityQuestion):
        wait = seated.standing.passes(state, pending, pace)
        return None if wait is None else Reply(PASS, "pass", wait)
    return None


def instructed(seated: Seated, message: Instruction, state: State, seat: int, ids: QuestionIds) -> Seated:
    """After an instruction. Raises `Refusal`."""
    match message:
        case Stops():
            return replace(seated, standing=seated.standing.told(message, state))
        case Pass():
            standing = seated.standing.told(message, state)
            return replace(seated, standing=standing, automation=seated.automation.interrupted())
        case LongerClock():
            return replace(seated, banks=seated.banks.lengthened(message.times))
        case _:
            if state.result is not None:
                raise Refusal(Code.GAME_OVER)
            return replace(seated, automation=seated.automation.told(message, state, seat, ids))


def follow(seats: Seats, terms: Terms, ids: QuestionIds, turned: Turned) -> Seats:
    """After one input."""
    entry, before = turned.entry, turned.before
    pending = before.pending
    match entry:
        case Instructed():
            return _with(seats, entry.seat, instructed(seats[entry.seat], entry.message, before, entry.seat, ids))
        case SeatTaken():
            return _with(seats, entry.seat, replace(seats[entry.seat], bot=entry.level))
        case TakenBack():
            return tuple(_went_back(seated, seat, entry) for seat, seated in enumerate(seats))
        case Answered():
            seats = _answered(seats, terms, entry, turned)
        case Passed() if pending is not None:
            seats = _passed(seats, terms, entry, before)
        case Conceded() | Amended():
            seats = tuple(_interrupted(seated) for seated in seats)
        case _:
            pass
    return _noted(seats, turned)


def _with(seats: Seats, seat: int, seated: Seated) -> Seats:
    return (*seats[:seat], seated, *seats[seat + 1 :])


def _went_back(seated: Seated, seat: int, entry: TakenBack) -> Seated:
    banks = seated.banks.given_back(entry.banks[seat], entry.away[seat]) if entry.banks else seated.banks
    automation = seated.automation.taken_back(entry.question)
    return replace(seated, standing=seated.standing.off(), automation=automation, banks=banks)


def _interrupted(seated: Seated) -> Seated:
    stopped = seated.automation.interrupted()
    return seated if stopped is seated.automation else replace(seated, automation=stopped)


def _answered(seats: Seats, terms: Terms, entry: Answered, turned: Turned) -> Seats:
    """An answer: it is charged, remembered, and unless it passes it ends everyone else's loops."""
    mine = seats[entry.seat]
    automation = mine.automation.answered(turned.before, entry.answer, entry.by)
    banks = mine.banks.charged(terms, entry.spent, entry.away, entry.by, passes=turned.passes)
    after = list(seats)
    if entry.by == "seat" and entry.answer != PASS:
        after = [_interrupted(seated) if seated.automation.rounds else seated for seated in seats]
    after[entry.seat] = replace(mine, automation=automation, banks=banks)
    return tuple(after)


def _passed(seats: Seats, terms: Terms, entry: Passed, before: State) -> Seats:
    pending = before.pending
    assert pending is not None
    mine = seats[pending.seat]
    automation = mine.automation.answered(before, PASS, "pass")
    first = pending.number == entry.question
    banks = mine.banks
    if first and (entry.spent or entry.away):
        banks = banks.charged(terms, entry.spent, entry.away, "room")
    if automation is mine.automation and banks is mine.banks:
        return seats
    return _with(seats, pending.seat, replace(mine, automation=automation, banks=banks))


def _noted(seats: Seats, turned: Turned) -> Seats:
    """Standing passes that what happened ends."""
    for seated in seats:
        if seated.standing.until != "off":
            break
    else:
        return seats  # nearly always
    fresh: list[Seated] = []
    for seat, seated in enumerate(seats):
        standing = seated.standing.noted(seat, turned.before, turned.after, turned.events)
        fresh.append(seated if standing is seated.standing else replace(seated, standing=standing))
    return tuple(fresh)
