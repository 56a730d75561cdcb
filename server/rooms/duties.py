"""What a game does of itself: what it answers for a seat, clocks, votes, what late spectators see, its end when nobody is there or
its journal is full. Something is due in finite time as long as a question is open and anybody is there.
"""

from __future__ import annotations

import logging

from server.rooms.ballots import Motion
from server.rooms.history import now
from server.rooms.under_way import GameUnderWay
from server.rules.model import Illegal, PriorityQuestion, State
from server.rules.turn import AnyAmendment
from server.storage import SeatTaken, StorageFault

log = logging.getLogger("apnap.rooms")

RETRY_MS = 1000
"""Until what the room does of itself is tried again on a disk that does not take it."""


class Duties:
    """See the module. `most_entries` is how long the journal may grow before the game ends, None for no limit."""

    def __init__(self, under_way: GameUnderWay) -> None:
        self.most_entries: int | None = None
        self._under_way = under_way
        self._retry_at = 0

    def due(self) -> int | None:
        """When there is something to do, None for never."""
        under_way = self._under_way
        at = [] if under_way.late is None or under_way.late.due() is None else [under_way.late.due()]
        if not under_way.frozen and not under_way.over.is_set():
            work = [
                under_way.automatic_due(),
                under_way.clock_due(),
                under_way.time.paused_until,
                under_way.time.abandoned_at(),
            ]
            if self._is_too_long():
                work.append(under_way.now())
            if under_way.votes.ballot is not None:
                motion = under_way.votes.passed()
                if motion is None:
                    work.append(under_way.votes.ballot.until)
                elif can_be_done(motion, under_way.state):
                    work.append(under_way.now())
            at.extend(max(due, self._retry_at) for due in work if due is not None)
        return min((due for due in at if due is not None), default=None)

    async def do(self) -> None:
        """Do what is due. On a disk that does not take it, it is tried again a little later."""
        under_way = self._under_way
        if under_way.late is not None:
            before = under_way.is_over_to(None)
            async for _ in under_way.share.spread(under_way.late.releasing(under_way.now())):
                pass
            if under_way.is_over_to(None) != before:
                under_way.changed()
        state, at = under_way.state, under_way.now()
        if state is None or under_way.frozen or under_way.over.is_set() or at < self._retry_at:
            return
        try:
            if self._is_too_long():
                await under_way.history.stop("lost.too_long")
                under_way.audience.notice("notice.too_long")
                under_way.moved("over")
                return
            under_way.votes.expire(at)
            motion = under_way.votes.passed()
            if motion is not None and can_be_done(motion, state):
                await self._carry_out(motion)
                return
            if under_way.time.paused_until is not None and at >= under_way.time.paused_until:
                under_way.end_pause()
            under_way.follow_time()
            automatic, clock, abandoned = (
                under_way.automatic_due(),
                under_way.clock_due(),
                under_way.time.abandoned_at(),
            )
            if automatic is not None and automatic <= at:
                await under_way.advance([], "pass")
            elif clock is not None and clock <= at and state.pending is not None:
                await self._timeout(state, state.pending.seat)
            elif abandoned is not None and abandoned <= at:
                await under_way.history.stop("lost.abandoned")
                under_way.moved("over")
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", under_way.id, fault)
            self._retry_at = under_way.now() + RETRY_MS

    async def end_bot(self, seat: int) -> None:
        """The person of a seat is back, and the bot that played for them goes. Raises `StorageFault`."""
        if self._under_way.history.seats[seat].bot:
            await self._under_way.history.note(SeatTaken(seq=0, at=now(), seat=seat))
            self._under_way.follow_time()

    async def _carry_out(self, motion: Motion) -> None:
        """Do what all have agreed to. Raises `StorageFault`."""
        if motion.change is not None:
            await self._amend(motion, motion.change)
            return
        closes = await self._under_way.motions.carry_out(motion, self._under_way.now())
        if closes:
            self._under_way.moved(closes)
        else:
            self._under_way.follow_time()

    async def _amend(self, motion: Motion, change: AnyAmendment) -> None:
        """What all have agreed to is changed by hand, if it can be by now. Raises `StorageFault`."""
        under_way = self._under_way
        try:
            async with under_way.share:
                turned = under_way.history.amend(motion.by, change)
        except Illegal:
            under_way.votes.done("failed", under_way.now())
            return
        await under_way.advance([turned], "amended")
        under_way.votes.done("passed", under_way.now())

    async def _timeout(self, state: State, seat: int) -> None:
        """The clock of the open question is at zero: its default is answered, or the seat concedes."""
        assert state.pending is not None
        limit = self._under_way.time.terms.concede_after
        if limit and self._under_way.history.seats[seat].banks.missed + 1 >= limit:
            async with self._under_way.share:
                turned = self._under_way.conceded(state, seat)
            await self._under_way.advance([turned], "concession")
            return
        async with self._under_way.share:
            default = self._under_way.game.default(state, state.pending)
            turned = self._under_way.history.play(
                seat, default, "clock", *self._under_way.time.charge(self._under_way.now())
            )
        await self._under_way.advance([turned], "timeout")

    def _is_too_long(self) -> bool:
        return self.most_entries is not None and self._under_way.seq >= self.most_entries


def can_be_done(motion: Motion, state: State | None) -> bool:
    """Whether what all have agreed to can be done now: a change by hand waits for somebody's priority."""
    return motion.change is None or state is not None and isinstance(state.pending, PriorityQuestion)
