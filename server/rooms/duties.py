"""What a game does of itself: what it answers for a seat, clocks, votes, what late spectators see, its end when nobody is there or
its journal is full. Something is due in finite time as long as a question is open and anybody is there.
"""

from __future__ import annotations

import logging

from server.rooms.ballots import Motion
from server.rooms.course import now
from server.rooms.play import Play
from server.rules.model import State
from server.storage import SeatTaken, StorageFault

log = logging.getLogger("apnap.rooms")

RETRY_MS = 1000
"""Until what the room does of itself is tried again on a disk that does not take it."""


class Duties:
    """See the module. `most_entries` is how long the journal may grow before the game ends, None for no limit."""

    def __init__(self, play: Play) -> None:
        self.most_entries: int | None = None
        self._play = play
        self._retry_at = 0

    def due(self) -> int | None:
        """When there is something to do, None for never."""
        play = self._play
        at = [] if play.late is None or play.late.due() is None else [play.late.due()]
        if not play.frozen and not play.over.is_set():
            work = [
                play.automatic_due(),
                play.clock_due(),
                play.time.paused_until,
                play.time.abandoned_at(),
            ]
            if self._is_too_long():
                work.append(play.now())
            if play.votes.ballot is not None:
                work.append(play.now() if play.votes.passed() is not None else play.votes.ballot.until)
            at.extend(max(due, self._retry_at) for due in work if due is not None)
        return min((due for due in at if due is not None), default=None)

    async def do(self) -> None:
        """Do what is due. On a disk that does not take it, it is tried again a little later."""
        play = self._play
        if play.late is not None:
            before = play.is_over_to(None)
            async with play.share as share:
                play.late.release(play.now(), lambda: share.over)
            if play.is_over_to(None) != before:
                play.changed()
        state, at = play.state, play.now()
        if state is None or play.frozen or play.over.is_set() or at < self._retry_at:
            return
        try:
            if self._is_too_long():
                await play.course.stop("lost.too_long")
                play.audience.notice("notice.too_long")
                play.moved("over")
                return
            play.votes.expire(at)
            motion = play.votes.passed()
            if motion is not None:
                await self._carry_out(motion)
                return
            if play.time.paused_until is not None and at >= play.time.paused_until:
                play.end_pause()
            play.follow_time()
            automatic, clock, abandoned = (
                play.automatic_due(),
                play.clock_due(),
                play.time.abandoned_at(),
            )
            if automatic is not None and automatic <= at:
                await play.advance([], "pass")
            elif clock is not None and clock <= at and state.pending is not None:
                await self._timeout(state, state.pending.seat)
            elif abandoned is not None and abandoned <= at:
                await play.course.stop("lost.abandoned")
                play.moved("over")
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", play.id, fault)
            self._retry_at = play.now() + RETRY_MS

    async def end_bot(self, seat: int) -> None:
        """The person of a seat is back, and the bot that played for them goes. Raises `StorageFault`."""
        if self._play.course.seats[seat].bot:
            await self._play.course.note(SeatTaken(seq=0, at=now(), seat=seat))
            self._play.follow_time()

    async def _carry_out(self, motion: Motion) -> None:
        """Do what all have agreed to. Raises `StorageFault`."""
        closes = await self._play.motions.carry_out(motion, self._play.now())
        if closes:
            self._play.moved(closes)
        else:
            self._play.follow_time()

    async def _timeout(self, state: State, seat: int) -> None:
        """The clock of the open question is at zero: its default is answered, or the seat concedes."""
        assert state.pending is not None
        limit = self._play.time.terms.concede_after
        if limit and self._play.course.seats[seat].banks.missed + 1 >= limit:
            async with self._play.share:
                turned = self._play.conceded(state, seat)
            await self._play.advance([turned], "concession")
            return
        async with self._play.share:
            default = self._play.game.default(state, state.pending)
            turned = self._play.course.play(seat, default, "clock", *self._play.time.charge(self._play.now()))
        await self._play.advance([turned], "timeout")

    def _is_too_long(self) -> bool:
        return self.most_entries is not None and self._play.seq >= self.most_entries
