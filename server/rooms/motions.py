"""What is asked of the whole table: takebacks, pauses, a bot for one who is away, the end of the game. Each is done at once
where nobody need agree, otherwise when all have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from protocol.messages import BotFor, EndGame, Pause, TakeBack
from protocol.refusals import Code, Refusal
from server.rooms.ballots import Motion
from server.rooms.earlier import Earlier
from server.rooms.history import History, now
from server.rooms.timekeeper import Timekeeper
from server.rooms.votes import Votes
from server.rules.model import State
from server.storage import SeatTaken, Setup

Moving: TypeAlias = TakeBack | Pause | BotFor | EndGame


class Motions:
    """See the module. `on_bot` is called when a bot of a level is to play for the person in a seat. Times are milliseconds."""

    def __init__(self, setup: Setup, history: History, time: Timekeeper, votes: Votes) -> None:
        self.on_bot: Callable[[int, str], None] | None = None
        self._takebacks = setup.options.takebacks
        self._rated = bool(setup.ladder)
        self._history = history
        self._time = time
        self._votes = votes

    async def ask(self, state: State, seat: int, message: Moving, at: int) -> bool:
        """A seat asks for something. True if it is done: the game has gone back.

        Raises `Refusal`: no_takeback, not_away, vote_open; `StorageFault`.
        """
        people = self._time.people(state, self._history.seats)
        voters = [other for other in people if other in self._time.present]
        match message:
            case TakeBack():
                number = self._taking_back(seat, message)
                motion = Motion("takeback", seat, question=number, id=self._history.ids.write(number))
                earlier = self._history.back_at_once(seat, number)
                if earlier is not None:
                    await self._back_at_once(earlier, at)
                    return True
                if self._takebacks == "own":
                    raise Refusal(Code.NO_TAKEBACK)
                voters = people  # who is away has not agreed
            case Pause():
                motion = Motion("pause", seat, ms=message.ms)
            case BotFor():
                if message.seat not in self._time.away(state, self._history.seats):
                    raise Refusal(Code.NOT_AWAY)
                motion = Motion("bot", seat, seat=message.seat, level=message.level)
            case EndGame():
                motion = Motion("end", seat)
                if self._rated:
                    voters = people  # nobody loses a win by being away for a moment
        self._votes.open(motion, voters, at)
        return False

    async def _back_at_once(self, earlier: Earlier, at: int) -> None:
        state = self._history.state
        spent, away = self._history.spent_since(earlier)
        if state is not None and state.pending is not None and state.pending.seat == earlier.seat:
            open_ = self._time.charge(at)
            spent, away = spent + open_[0], away + open_[1]
        await self._history.take_back(earlier)
        assert self._history.state is not None
        self._time.asked_again(self._history.state, self._history.seats, at, spent, away)

    def _taking_back(self, seat: int, message: TakeBack) -> int:
        """The number of the question whose answer is taken back. Raises `Refusal`: no_takeback."""
        number = self._history.ids.read(message.question) if message.question else self._history.last_answer(seat)
        if number is None or self._takebacks == "none" or not self._history.may_go_back_to(seat, number):
            raise Refusal(Code.NO_TAKEBACK)
        return number

    async def carry_out(self, motion: Motion, at: int) -> str:
        """Do what all have agreed to; why the open question is closed by it, "" if it is not. Raises `StorageFault`; then it
        is still to be done.
        """
        closes, result = "", "passed"
        match motion.what:
            case "takeback":
                earlier = await self._history.back_to(motion.by, motion.question)
                if earlier is None:
                    result = "failed"
                else:
                    await self._history.take_back(earlier)
                    closes = "taken_back"
            case "pause":
                self._time.paused_until = at + motion.ms
            case "bot":
                await self._history.note(SeatTaken(seq=0, at=now(), seat=motion.seat, level=motion.level))
                if self.on_bot is not None:
                    self.on_bot(motion.seat, motion.level)
            case "end":
                await self._history.stop("lost.agreed")
                closes = "over"
        self._votes.done(result, at)
        return closes
