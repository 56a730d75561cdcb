"""What a game does of itself: what it answers for a seat, clocks, votes, what late spectators see, its end when nobody is there or
its journal is full. Something is due in finite time as long as a question is open and anybody is there.
"""

from __future__ import annotations

import logging

from protocol.refusals import Code
from server.rooms.ballots import Motion
from server.rooms.history import now
from server.rooms.proposals import Proposal
from server.rooms.replay import Turned
from server.rooms.under_way import GameUnderWay
from server.rules.model import Illegal, PriorityQuestion, State
from server.rules.turn import amending
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

    def due(self, at: int) -> int | None:
        """When there is something to do, seen at that moment; None for never. `do` has nothing to do before but to follow who is there."""
        under_way = self._under_way
        due = None
        if not under_way.frozen and not under_way.over.is_set():
            due = self._game_due(at)
        elif under_way.can_be_taken_up():
            due = self._proposal_due(at)
        if due is not None and due < self._retry_at:
            due = self._retry_at
        late = None if under_way.late is None else under_way.late.due()
        return late if due is None or late is not None and late < due else due

    def _game_due(self, at: int) -> int | None:
        """As `due`, of a game that goes on."""
        under_way = self._under_way
        ballot = under_way.votes.ballot
        dues = (
            at if self._is_too_long() else None,
            under_way.automatic_due(),
            under_way.clock_due(at),
            under_way.time.paused_until,
            under_way.time.abandoned_at(),
            None if ballot is None else at if ballot.passed else ballot.until,
            under_way.by_hand.due(at),
            self._proposal_due(at),
        )
        return min([due for due in dues if due is not None], default=None)

    async def do(self) -> None:
        """Do what is due. On a disk that does not take it, it is tried again a little later."""
        under_way = self._under_way
        if under_way.late is not None:
            before = under_way.is_over_to(None)
            await under_way.share.through(under_way.late.releasing(under_way.now()))
            if under_way.is_over_to(None) != before:
                under_way.changed()
        state, at = under_way.state, under_way.now()
        if state is None or under_way.over.is_set() or at < self._retry_at:
            return
        try:
            if under_way.frozen:
                if under_way.can_be_taken_up():
                    await self._take_up(at)
                return
            if self._is_too_long():
                await under_way.history.stop("lost.too_long")
                under_way.audience.notice("notice.too_long")
                under_way.moved("over")
                return
            under_way.votes.expire(at)
            motion = under_way.votes.passed()
            if motion is not None:
                await self._carry_out(motion)
                return
            if await self._settle(at) or await self._mend(at):
                return
            if under_way.time.paused_until is not None and at >= under_way.time.paused_until:
                under_way.end_pause()
            under_way.follow_time()
            automatic, clock, abandoned = (
                under_way.automatic_due(),
                under_way.clock_due(at),
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
        closes = await self._under_way.motions.carry_out(motion, self._under_way.now())
        if closes:
            self._under_way.moved(closes)
        else:
            self._under_way.follow_time()

    async def _settle(self, at: int) -> bool:
        """Acts that stand now, or are undone; the answer that waited for that. Whether there was any. Raises `StorageFault`."""
        under_way = self._under_way
        by_hand = under_way.by_hand
        settled = by_hand.settled(at)
        if settled is not None:
            act, stands = settled
            if stands:
                by_hand.stood(act, at)
            elif await by_hand.undo(act, at):
                under_way.moved("taken_back")
            return True
        held = by_hand.ready()
        if held is None:
            return False
        state, turned = under_way.state, held.turned
        if state is None or state.pending is None or state.pending.number != held.entry.question:
            held.refused(Code.STALE)
            return True
        try:
            if state is not turned.before:
                async with under_way.share:
                    turned = under_way.history.play(
                        held.entry.seat, held.answer, "seat", held.entry.spent, held.entry.away
                    )
            by_hand.follow(at)
            await under_way.advance([turned], "answered", held.viewer, held.re)
        except Illegal:
            held.refused(Code.ILLEGAL)
        except StorageFault:
            held.refused(Code.BUSY)
            raise
        return True

    def _proposal_due(self, at: int) -> int | None:
        """When what is proposed fails, or is to be done."""
        proposal = self._under_way.by_hand.proposals.proposal
        if proposal is None:
            return None
        if not proposal.passed:
            return at if proposal.failed(at) else proposal.until
        return at if self._can_be_done(proposal) else None

    def _can_be_done(self, proposal: Proposal) -> bool:
        """Whether what is agreed on can be done now: a change by hand waits for somebody's priority."""
        under_way = self._under_way
        if proposal.what == "take_up":
            return under_way.frozen
        state = under_way.state
        if under_way.frozen or under_way.by_hand.busy or state is None:
            return False
        return proposal.back is not None or isinstance(state.pending, PriorityQuestion)

    async def _mend(self, at: int) -> bool:
        """What is agreed on is changed by hand, if it can be by now; whether anything was to be done. Raises `StorageFault`."""
        under_way = self._under_way
        proposals = under_way.by_hand.proposals
        proposals.expire(at)
        proposal = proposals.passed()
        if proposal is None or not self._can_be_done(proposal):
            return False
        if proposal.back is not None:
            earlier = await under_way.history.back_to(*proposal.back)
            if earlier is None:
                proposals.close("failed", at)
                return True
            await under_way.history.take_back(earlier, "corrected")
            under_way.moved("taken_back")
            proposals.close("passed", under_way.now())
            return True
        assert proposal.change is not None
        try:
            async with under_way.share:
                turned = under_way.history.amend(proposal.by, proposal.change)
        except Illegal:
            proposals.close("failed", at)
            return True
        await under_way.advance([turned], "amended")
        proposals.close("passed", under_way.now())
        return True

    async def _take_up(self, at: int) -> None:
        """A frozen game goes on from its last good state, if its table has agreed. Raises `StorageFault`, and what fails again."""
        under_way = self._under_way
        proposals = under_way.by_hand.proposals
        proposals.expire(at)
        proposal = proposals.passed()
        if proposal is None:
            return
        turns: list[Turned] = []
        try:
            async with under_way.share:
                for change in (amending.Skipped() if proposal.skip else None, proposal.change):
                    if change is not None:
                        state = turns[-1].after if turns else under_way.state
                        turns.append(under_way.history.amend(proposal.by, change, state))
        except Illegal:
            proposals.close("failed", at)
            return
        except Exception:
            proposals.close("failed", at)
            raise
        under_way.thaw()
        if turns:
            await under_way.advance(turns, "amended")
        else:
            under_way.moved()
        proposals.close("passed", under_way.now())

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
