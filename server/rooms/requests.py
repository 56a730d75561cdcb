"""What people ask of a game: to answer, concede, preview, take back, vote, leave instructions. One message at a time."""

from __future__ import annotations

import logging
from typing import TypeAlias

import trio
from msgspec.structs import replace

from protocol.by_hand import Agree, Correct, Moments, Reword, TakeUp
from protocol.messages import (
    Always,
    AnswerMessage,
    BotFor,
    ClientMessage,
    Concede,
    Consent,
    EndGame,
    Forecast,
    Forget,
    Know,
    Known,
    LongerClock,
    Ok,
    Pass,
    Pause,
    Preview,
    Repeat,
    Stops,
    Sync,
    TakeBack,
    Unpause,
    Yield,
)
from protocol.questions import ActAnswer
from protocol.refusals import Code, Refusal
from protocol.table import Effects
from server.knowledge import redacted
from server.knowledge.questions import check_kind, read_answer
from server.rooms.acts import act_of
from server.rooms.by_hand import ByHandMessage
from server.rooms.foresight import Foresight
from server.rooms.history import now
from server.rooms.motions import Moving
from server.rooms.seated import Seats
from server.rooms.seats import Seeing
from server.rooms.under_way import GameUnderWay
from server.rooms.worker import WorkerError
from server.rules.happenings import main_game
from server.rules.model import AnyAnswer, Illegal, State
from server.storage import Gap, Instructed

log = logging.getLogger("apnap.rooms")

Instructing: TypeAlias = Stops | Pass | Yield | Always | Forget | Repeat | LongerClock
PER_MINUTE = 120
"""Searches of the journal for one seat, unless the settings say otherwise."""
RoomMessage: TypeAlias = (
    AnswerMessage | Concede | Sync | Preview | Know | Consent | Unpause | Instructing | Moving | ByHandMessage
)


class Resends:
    """How often each seat may have the journal searched: `per_minute` times, all of which may come at once."""

    def __init__(self) -> None:
        self._left: dict[int, tuple[float, float]] = {}
        """By seat: what is left, and when that was."""
        self.per_minute = PER_MINUTE

    def take(self, seat: int) -> None:
        """Count one search. Raises `Refusal`: busy."""
        now, most = trio.current_time(), float(self.per_minute)
        left, at = self._left.get(seat, (most, now))
        left = min(most, left + (now - at) * most / 60)
        self._left[seat] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            raise Refusal(Code.BUSY)


class Requests:
    """See the module."""

    def __init__(self, under_way: GameUnderWay) -> None:
        self._under_way = under_way
        self.resends = Resends()
        self.foresight = Foresight(under_way.setup, under_way.game)

    async def handle(self, viewer: Seeing, message: RoomMessage) -> None:
        """Do what a viewer asks; the reply is in its outbox. Raises `Refusal`, `Illegal`, `StorageFault`."""
        match message:
            case AnswerMessage():
                await self._answer(viewer, message)
            case Concede():
                await self._concede(viewer, message)
            case Preview():
                await self.preview(viewer, message)
            case Know():
                await self._know(viewer, message)
            case Sync():
                async with self._under_way.share:
                    viewer.known.clear()
                    late = self._under_way.late if viewer.seat is None else None
                    (late or self._under_way.audience).whole(viewer, message.id)
            case TakeBack() | Pause() | BotFor() | EndGame():
                await self._move(viewer, message)
            case Correct() | Reword() | TakeUp() | Agree() | Moments():
                self._by_hand(viewer, message)
            case Consent():
                _, seat = self._playing(viewer)
                self._under_way.votes.vote(message.vote, seat, yes=message.yes, now=self._under_way.now())
                viewer.outbox.put(Ok(re=message.id))
            case Unpause():
                self._playing(viewer)
                if self._under_way.time.paused_until is None:
                    raise Refusal(Code.NOT_PAUSED)
                self._under_way.end_pause()
                viewer.outbox.put(Ok(re=message.id))
            case _:
                await self._instruct(viewer, message)

    async def _answer(self, viewer: Seeing, message: AnswerMessage) -> None:
        state, seat = self._seated(viewer)
        told = message.answer
        answer = await self._read_act(state, told) if isinstance(told, ActAnswer) else read_answer(told)
        number = self._under_way.history.ids.read(message.question)
        if number is not None and (state.pending is None or number != state.pending.number):
            if await self._was_answered(state, seat, number, answer):
                viewer.outbox.put(Ok(re=message.id, again=True, receipt=self._under_way.receipt(viewer)))
                return
        async with self._under_way.share as share:
            pending = self._asked(state, seat, number)
            check_kind(pending, answer)
            by_hand, at = self._under_way.by_hand, self._under_way.now()
            by_hand.check_answer()
            turned = self._under_way.history.play(seat, answer, "seat", *self._under_way.time.charge(at))
            if by_hand.holds(turned, answer, viewer, message.id, at):
                return  # the reply comes when it is done, or is not
            acts, turns = by_hand.acts(turned), [turned]
            seats: list[Seats] = []
            runs_on = self._under_way.run_on(turns, seats)
            cut = share.cuts(runs_on)
        if cut:
            await share.through(runs_on)
        await self._under_way.comes_to(turns, seats, "answered", viewer, message.id)
        if acts:
            by_hand.done(turned, self._under_way.now())

    async def _read_act(self, state: State, answer: ActAnswer) -> AnyAnswer:
        """An act from the wire, read in the room's share of the time. Raises `Refusal`."""
        async with self._under_way.share:
            return act_of(state, answer)

    async def _was_answered(self, state: State, seat: int, number: int, answer: AnyAnswer) -> bool:
        """Whether the seat gave this answer before: as is remembered, else, so many times a minute, by the journal.

        Raises `Refusal`: busy, stale.
        """
        answers = self._under_way.history.answers
        if answers.same(seat, number, answer):
            return True
        if number > state.questions or answers.was_asked(seat, number):
            return False
        self.resends.take(seat)
        found = await self._under_way.history.was_answered(seat, number, answer)
        if found is False:
            raise Refusal(Code.STALE)
        return bool(found)

    async def look_at(self, viewer: Seeing, receipt: str) -> None:
        """Whether the journal still has what the viewer's seat was last told; if not, who has to know is told.

        Raises `Refusal`: busy; `StorageError`.
        """
        under_way = self._under_way
        found = None if under_way.receipts is None else under_way.receipts.read(under_way.id, receipt)
        if found is None or viewer.seat is None:
            under_way.audience.teller.notice(viewer, "notice.unknown_receipt")
            return
        seq, head = found
        if seq > under_way.seq:
            if under_way.gap is None or under_way.gap.had < seq:
                gap = Gap(under_way.seq, seq)
                under_way.has_lost(gap)
                await under_way.history.note_gap(gap)
            return
        self.resends.take(viewer.seat)
        if not await under_way.history.had(seq, head):
            log.error(
                "room %s: another journal stands in the place of the one that seat %d saw", under_way.id, viewer.seat
            )
            under_way.audience.teller.notice(viewer, "notice.gone_back")

    async def _concede(self, viewer: Seeing, message: Concede) -> None:
        state, seat = self._seated(viewer)
        if main_game(state).players[seat].lost:
            viewer.outbox.put(Ok(re=message.id, again=True))
            return
        self._playing(viewer)
        async with self._under_way.share:
            turned = self._under_way.conceded(state, seat)
        await self._under_way.advance([turned], "concession", viewer, message.id)

    async def preview(self, viewer: Seeing, message: Preview) -> None:
        """Look what would come of an answer; as `handle`, but the game may go on meanwhile."""
        state, seat = self._seated(viewer)
        pending = self._asked(state, seat, self._under_way.history.ids.read(message.question))
        told = Forecast(re=message.id, question=message.question)
        if isinstance(message.answer, ActAnswer):  # what is done by hand is seen when it is done
            viewer.outbox.put(replace(told, effects=Effects(unsure=True)))
            return
        answer = read_answer(message.answer)
        check_kind(pending, answer)
        try:
            told = await self.foresight.look(told, self._under_way.share, state, seat, answer, viewer.key)
        except WorkerError as fault:
            raise Refusal(Code.BUSY) from fault
        viewer.outbox.put(told)

    async def _know(self, viewer: Seeing, message: Know) -> None:
        """What the seat knows is redacted and written in one piece: it is much less than what a state holds."""
        state, seat = self._seated(viewer)
        self._asked(state, seat, self._under_way.history.ids.read(message.question))
        async with self._under_way.share:
            text = redacted.write(redacted.redact(state, seat)).decode()
        viewer.outbox.put(Known(re=message.id, question=message.question, state=text))

    async def _instruct(self, viewer: Seeing, message: Instructing) -> None:
        _, seat = self._seated(viewer)
        if isinstance(message, LongerClock) and not self._under_way.setup.options.longer_clocks:
            raise Refusal(Code.BAD_OPTION)
        # A bot that is back says its stops also where all is over, and a journal ends with its game.
        if self._under_way.result is None:
            await self._under_way.history.note(Instructed(seq=0, at=now(), seat=seat, message=plain(message)))
        viewer.outbox.put(Ok(re=message.id))
        self._under_way.herald.tell_automatic(self._under_way.seats)
        self._under_way.follow_time()

    def may_mend(self, message: ClientMessage) -> bool:
        """Whether a message may take up a room that stands still."""
        return isinstance(message, TakeUp | Agree | Moments) and self._under_way.can_be_taken_up()

    def _by_hand(self, viewer: Seeing, message: ByHandMessage) -> None:
        state, seat = self._playing(viewer)
        under_way = self._under_way
        under_way.by_hand.ask(state, seat, message, viewer, under_way.now(), frozen=under_way.frozen)
        if not isinstance(message, Moments):
            viewer.outbox.put(Ok(re=message.id))

    async def _move(self, viewer: Seeing, message: Moving) -> None:
        state, seat = self._playing(viewer)
        if self._under_way.by_hand.objections.stands:
            raise Refusal(Code.OBJECTED)
        gone_back = await self._under_way.motions.ask(state, seat, message, self._under_way.now())
        viewer.outbox.put(Ok(re=message.id))
        if gone_back:
            self._under_way.moved("taken_back")

    def _seated(self, viewer: Seeing) -> tuple[State, int]:
        """The state, and the viewer's seat. Raises `Refusal`: no_game, not_seated."""
        if self._under_way.state is None:
            raise Refusal(Code.NO_GAME)
        if viewer.seat is None:
            raise Refusal(Code.NOT_SEATED)
        return self._under_way.state, viewer.seat

    def _playing(self, viewer: Seeing) -> tuple[State, int]:
        """As `_seated`, while the game is on and the seat is in it. Raises `Refusal`: game_over, too."""
        state, seat = self._seated(viewer)
        if self._under_way.result is not None or main_game(state).players[seat].lost:
            raise Refusal(Code.GAME_OVER)
        return state, seat

    def _asked(self, state: State, seat: int, number: int | None):
        """The open question, if it is that one and the seat's. Raises `Refusal`: game_over, stale, not_your_question."""
        pending = state.pending
        if pending is None or number != pending.number or self._under_way.result is not None:
            if self._under_way.result is not None:
                raise Refusal(Code.GAME_OVER)
            asked = number is not None and self._under_way.history.answers.was_asked(seat, number)
            raise Refusal(Code.STALE if asked else Code.NOT_YOUR_QUESTION)
        if pending.seat != seat:
            raise Refusal(Code.NOT_YOUR_QUESTION)
        return pending

    def rule(self, no: Illegal) -> str:
        """The number of the rule by which something is illegal, in the game's edition."""
        return self._under_way.state.edition.number(no.rule) if self._under_way.state is not None else ""


def plain(message: Instructing) -> Instructing:
    """The message as the journal has it: its id was between the seat and its connection."""
    return replace(message, id="-")
